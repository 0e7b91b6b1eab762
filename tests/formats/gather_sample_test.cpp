// The sample of gathers, against a slow count and against what bands and random rows must have.
#include "src/formats/gather_sample.h"

#include <set>

#include "cuda/views/gather_sample.h"
#include "tests/catch.h"
#include "tests/formats/format_cases.h"

using namespace cugrb;
using formats::GatherLocality;
using test::RefMatrix;

namespace {

GatherLocality sampled(const formats::Csr& matrix) { return formats::begin_gather_sample(matrix).take(); }

/// Distinct runs of `width` columns among each `window` entries that follow each other, an entry. Windows of
/// the sample are looked at that `step` leaves.
double distinct_runs(const RefMatrix& matrix, uint64_t width, uint64_t window, uint64_t step) {
  std::set<std::pair<uint64_t, uint64_t>> runs;
  uint64_t p = 0, entries = 0;
  for (const auto& [place, value] : matrix.entries) {
    if (p / GatherCounts::window_entries % step == 0) {
      runs.insert({p / window, place.second / width});
      ++entries;
    }
    ++p;
  }
  return double(runs.size()) / double(entries);
}

void check_sample(const RefMatrix& matrix, bool wide, uint64_t step = 1) {
  const GatherLocality sample = sampled(test::csr_to_device(matrix, false, wide));
  const uint64_t window = GatherCounts::window_entries;
  CHECK(sample.lines == distinct_runs(matrix, 32, GatherCounts::warp_entries, step));
  CHECK(sample.sectors_1 == distinct_runs(matrix, 32, window, step));
  CHECK(sample.sectors_4 == distinct_runs(matrix, 8, window, step));
  CHECK(sample.sectors_8 == distinct_runs(matrix, 4, window, step));
  CHECK(sample.sectors(1) == sample.sectors_1);
  CHECK(sample.sectors(4) == sample.sectors_4);
  CHECK(sample.sectors(8) == sample.sectors_8);
}

}  // namespace

TEST_CASE("the sample counts the lines and sectors of every window, with both widths of columns") {
  test::Random random(5);
  const Type boolean = Type::of(TypeCode::Bool);
  for (const bool wide : {false, true}) {
    check_sample(test::random_matrix(random, boolean, 64, 60000, test::Spread::uniform, 5, false), wide);
    check_sample(test::random_matrix(random, boolean, 200, 500, test::Spread::uniform, 9, false), wide);
  }
  RefMatrix one{boolean, 70000, 70000, {}};
  one.entries[{69999, 69999}] = test::random_value(random, boolean);
  check_sample(one, false);
}

TEST_CASE("bands share sectors, random rows do not, and no entries have nothing to share") {
  test::Random random(6);
  RefMatrix band{Type::of(TypeCode::Bool), 1024, 1030, {}};
  for (uint64_t i = 0; i < band.rows; ++i) {
    for (uint64_t n = 0; n < 4; ++n) band.entries[{i, i + n}] = test::random_value(random, band.type);
  }
  const GatherLocality near = sampled(test::csr_to_device(band, false, false));
  // 128 rows name 131 columns, which begin at a multiple of 8.
  CHECK(near.sectors_4 == 17 / 512.0);
  CHECK(near.sectors_8 == 33 / 512.0);
  const RefMatrix spread = test::random_matrix(random, band.type, 64, 60000, test::Spread::uniform, 5, false);
  CHECK(sampled(test::csr_to_device(spread, false, false)).sectors_8 > 0.97);
  const RefMatrix none{band.type, 10, 10, {}};
  CHECK(sampled(test::csr_to_device(none, false, false)).sectors_4 == 1);
}

TEST_CASE("of a large matrix every so many windows are looked at") {
  const Type boolean = Type::of(TypeCode::Bool);
  constexpr uint64_t window = GatherCounts::window_entries, windows = GatherCounts::most_windows + 200;
  // Windows that are looked at name neighbours, the others do not.
  std::vector<uint32_t> columns;
  for (uint64_t w = 0; w < windows; ++w) {
    for (uint32_t n = 0; n < window; ++n) columns.push_back(w % 2 == 0 ? n : 64 * n);
  }
  formats::Csr csr = test::csr_to_device(RefMatrix{boolean, 1, 64 * window, {}}, false, false);
  csr.entries = columns.size();
  csr.column_indices = runtime::Buffer::from_host(columns.data(), columns.size() * sizeof(uint32_t));
  const GatherLocality sample = sampled(csr);
  CHECK(sample.sectors_4 == 1 / 8.0);
  CHECK(sample.lines == 1 / 32.0);
}
