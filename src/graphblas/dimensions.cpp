#include "src/graphblas/dimensions.h"

#include <array>
#include <bit>

#include "src/graphblas/real.h"
#include "src/support/every_call.h"

namespace cugrb::real {

CUGRB_READ_BY_EVERY_CALL constinit detail::DimensionPlaces detail::dimension_places;

namespace {

/// The words at an object's start that are looked at: every version's object is larger.
constexpr size_t word_count = 16;
using Words = std::array<uint64_t, word_count>;

struct Example {
  uint64_t along, across;
  bool by_column;
};
/// Numbers that nothing else in an object is likely to be. Without entries such an object takes no memory.
constexpr Example examples[] = {
    {1000003, 2000003, true}, {3000017, 4000037, false}, {6000011, 5000011, true}, {8000009, 7000003, false}};

/// False when the library does not make such an object.
bool read_words(const Example& example, Words* words) {
  const Functions& t = table();
  const uint64_t rows = example.by_column ? example.along : example.across;
  const uint64_t columns = example.by_column ? example.across : example.along;
  GrB_Matrix made = nullptr;
  if (t.GrB_Matrix_new(&made, static_cast<GrB_Type>(predefined("GrB_BOOL")), rows, columns) != GrB_SUCCESS)
    return false;
  const GrB_Info info =
      t.GxB_Matrix_Option_set_INT32(made, options().format, example.by_column ? GxB_BY_COL : GxB_BY_ROW);
  std::memcpy(words->data(), static_cast<const void*>(made), sizeof *words);
  t.GrB_Matrix_free(&made);
  return info == GrB_SUCCESS;
}

/// Bit k: word k is this number.
uint32_t places_of(uint64_t number, const Words& words) {
  uint32_t places = 0;
  for (size_t k = 0; k < word_count; ++k) places |= uint32_t(words[k] == number) << k;
  return places;
}

}  // namespace

Dimensions detail::ask_dimensions(GrB_Matrix object) {
  GrB_Index rows = 0, columns = 0;
  const Functions& t = table();
  if (t.GrB_Matrix_nrows(&rows, object) != GrB_SUCCESS) return {};
  if (t.GrB_Matrix_ncols(&columns, object) != GrB_SUCCESS) return {};
  return {rows, columns};
}

void find_dimension_places() noexcept {
  uint32_t along = ~0u, across = ~0u;
  for (const Example& example : examples) {
    Words words;
    if (!read_words(example, &words)) return;
    along &= places_of(example.along, words);
    across &= places_of(example.across, words);
  }
  if (std::popcount(along) != 1 || std::popcount(across) != 1) return;
  const auto bytes = [](uint32_t place) { return uint32_t(std::countr_zero(place) * sizeof(uint64_t)); };
  if (bytes(along) == 0 || bytes(across) == 0) return;
  detail::dimension_places = {bytes(along), bytes(across)};
}

}  // namespace cugrb::real
