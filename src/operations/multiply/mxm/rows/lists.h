// Which rows of T each kernel takes.
#pragma once
#include <array>

#include "cuda/views/mxm.h"
#include "src/operations/multiply/mxm/rows/rows.h"

namespace cugrb::operations {

/// The rows of each class, those of one class together, bitmap's heaviest first; rows without products are in
/// none. Empty at first.
class RowLists {
 public:
  RowLists() = default;
  /// Of the rows that `arguments` looks at, whose left factor has offsets of that width, of which each bucket
  /// has `counts`; `taken`: as many zeros on the device; `made`: the list, where it is there already. One
  /// launch; none when it is, all rows of the matrix are taken in their order, or the list of before is the
  /// list of one class.
  RowLists(const MxmProfileArguments& arguments, formats::Width left_offsets,
           const std::array<uint64_t, row_buckets>& counts, uint64_t* taken, runtime::Buffer made = {});

  uint64_t count(RowClass row_class) const;
  /// How many rows a launch goes through: those of a list, or all of the matrix.
  uint64_t launched(RowClass first, RowClass last) const;
  uint64_t launched(RowClass row_class) const;
  /// From the rows of that class on. Null where all rows of the matrix are taken in their order (also those
  /// without products).
  const uint64_t* of(RowClass row_class) const;
  /// Of class bitmap, those of the buckets of so many products or more: they come first.
  uint64_t count_bitmap_from(uint64_t products) const;
  /// Rows of the list before those of that class.
  uint64_t before(RowClass row_class) const;
  /// Of all classes from `first` to `last`.
  uint64_t count(RowClass first, RowClass last) const;

 private:
  bool one_light_class() const;

  std::array<uint64_t, row_buckets> counts_{};
  uint64_t rows_ = 0;  ///< of the matrix
  runtime::Buffer list_;
  const uint64_t* first_ = nullptr;
};

}  // namespace cugrb::operations
