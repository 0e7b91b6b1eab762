#include "src/mirror/layout_check.h"

#include <exception>
#include <initializer_list>
#include <stdexcept>

#include "src/mirror/host_content.h"

namespace cugrb::mirror {
namespace {

constexpr uint64_t row_count = 3, column_count = 4;
/// Two entries in row 0, none in row 1, one in row 2, by row.
constexpr struct KnownEntry {
  uint64_t row, column;
  int32_t value;
} entries[] = {{0, 1, 10}, {0, 3, 20}, {2, 0, 30}};
constexpr uint64_t entry_count = 3;

constexpr uint64_t place_of(const KnownEntry& entry) { return entry.row * column_count + entry.column; }

void expect(bool same, const char* what) {
  if (!same) throw std::runtime_error(what);
}

void expect_integers(const real::Integers& array, std::initializer_list<uint64_t> values, const char* what) {
  expect(bool(array), what);
  uint64_t k = 0;
  for (const uint64_t value : values) expect(array[k++] == value, what);
}

/// A matrix of INT32 held by row, in one form, with the entries above; a full one has a value at every place.
class Example {
 public:
  explicit Example(HostForm form) : form_(form) {
    const auto type = static_cast<GrB_Type>(real::predefined("GrB_INT32"));
    made(t_.GrB_Matrix_new(&matrix_, type, row_count, column_count));
    const real::OptionNumbers& option = real::options();
    made(t_.GxB_Matrix_Option_set_INT32(matrix_, option.format, GxB_BY_ROW));
    for (const KnownEntry& entry : entries) set(entry);
    for (uint64_t p = 0; p < row_count * column_count && form == HostForm::full; ++p)
      set({p / column_count, p % column_count, value_at(p)});
    // Of an object without pending work a control decides the form at once.
    made(t_.GrB_Matrix_wait(matrix_, GrB_MATERIALIZE));
    made(t_.GxB_Matrix_Option_set_INT32(matrix_, option.sparsity_control, status_of(form)));
  }
  ~Example() { t_.GrB_Matrix_free(&matrix_); }
  Example(const Example&) = delete;
  Example& operator=(const Example&) = delete;

  void check_view() const {
    const HostView seen = view(matrix_);
    expect(seen.form == form_, "the form");
    expect(seen.iso == iso_ && !seen.by_column && seen.value_bytes == sizeof(int32_t),
           "the orientation, the size of values, or whether all are one");
    expect(seen.vectors == row_count && seen.vector_length == column_count && seen.entries == count(),
           "the dimensions or the number of entries");
    check_pattern(seen);
    check_values(static_cast<const int32_t*>(seen.values));
  }

  /// Takes the content out and gives it back; `as_one`: with the first value for all entries.
  void move(bool as_one) {
    HostContent content;
    expect(content.take(matrix_) == GrB_SUCCESS, "unpacking");
    if (as_one) {
      // The first place of a bitmap need not hold an entry.
      if (form_ == HostForm::bitmap) *static_cast<int32_t*>(content.values()) = entries[0].value;
      content.make_iso();
    }
    iso_ = as_one;
    expect(content.give(matrix_) == GrB_SUCCESS, "packing");
  }

  void check_entries() const {
    GrB_Index seen = 0;
    expect(t_.GrB_Matrix_nvals(&seen, matrix_) == GrB_SUCCESS && seen == count(), "the number of entries");
    for (const KnownEntry& entry : entries) {
      int32_t value = 0;
      expect(t_.GrB_Matrix_extractElement_INT32(&value, matrix_, entry.row, entry.column) == GrB_SUCCESS &&
                 value == value_of(entry),
             "an entry after packing");
    }
  }

 private:
  static void made(GrB_Info info) { expect(info == GrB_SUCCESS, "an example cannot be made"); }
  static int32_t value_at(uint64_t place) { return static_cast<int32_t>(100 + place); }

  bool full() const { return form_ == HostForm::full; }
  uint64_t count() const { return full() ? row_count * column_count : entry_count; }
  int32_t value_of(const KnownEntry& entry) const {
    if (full()) return value_at(iso_ ? 0 : place_of(entry));
    return iso_ ? entries[0].value : entry.value;
  }
  void set(const KnownEntry& entry) {
    made(t_.GrB_Matrix_setElement_INT32(matrix_, entry.value, entry.row, entry.column));
  }

  void check_pattern(const HostView& seen) const {
    switch (form_) {
      case HostForm::hypersparse:
        expect(seen.listed_vectors == 2, "the number of listed vectors");
        expect_integers(seen.names, {0, 2}, "the names of vectors");
        expect_integers(seen.offsets, {0, 2, 3}, "the offsets of listed vectors");
        expect_integers(seen.indices, {1, 3, 0}, "the indices of listed vectors");
        break;
      case HostForm::sparse:
        expect_integers(seen.offsets, {0, 2, 2, 3}, "the offsets");
        expect_integers(seen.indices, {1, 3, 0}, "the indices");
        break;
      case HostForm::bitmap:
        check_present(seen.present);
        break;
      case HostForm::full:
        break;
    }
  }

  static void check_present(const int8_t* present) {
    expect(present != nullptr, "the bitmap");
    uint64_t seen = 0;
    for (uint64_t p = 0; p < row_count * column_count; ++p) seen += present[p] != 0;
    expect(seen == entry_count, "the bitmap");
    for (const KnownEntry& entry : entries) expect(present[place_of(entry)] == 1, "the bitmap");
  }

  void check_values(const int32_t* values) const {
    expect(values != nullptr, "the values");
    const bool by_place = full() || form_ == HostForm::bitmap;
    for (uint64_t k = 0; k < entry_count; ++k) {
      const uint64_t place = by_place ? place_of(entries[k]) : k;
      expect(values[iso_ ? 0 : place] == value_of(entries[k]), "the values");
    }
  }

  const real::Functions& t_ = real::table();
  HostForm form_;
  bool iso_ = false;
  GrB_Matrix matrix_ = nullptr;
};

const char* name_of(HostForm form) {
  switch (form) {
    case HostForm::hypersparse:
      return "hypersparse";
    case HostForm::sparse:
      return "sparse";
    case HostForm::bitmap:
      return "bitmap";
    case HostForm::full:
      return "full";
  }
  return "";
}

void check(HostForm form) {
  Example example(form);
  example.check_view();
  for (const bool as_one : {false, true}) {
    example.move(as_one);
    example.check_view();
    example.check_entries();
  }
}

}  // namespace

std::string check_layout() noexcept {
  for (const HostForm form : {HostForm::hypersparse, HostForm::sparse, HostForm::bitmap, HostForm::full}) {
    try {
      check(form);
    } catch (const std::exception& difference) {
      return std::string("its ") + name_of(form) +
             " matrices are kept in another way than cuGrB reads them (" + difference.what() + ")";
    }
  }
  return {};
}

}  // namespace cugrb::mirror
