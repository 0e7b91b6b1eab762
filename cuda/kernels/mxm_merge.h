// Rows of T of few left entries: each thread merges the right rows that its row's left entries meet. Their
// columns ascend, so the least of the next ones is the row's next entry, and its sum is made at once: nothing
// is sorted, hashed or updated atomically, and lanes do not wait for each other. Sums are added up in the
// order of the left entries.
#pragma once
#include "cuda/kernels/mxm_rows.h"

namespace cugrb {

/// The right rows of a row of up to `ways` left entries, and how far each has been read.
template <class Product, int ways>
struct merged_rows {
  using Right = typename Product::Right;
  using Column = typename Right::Column;
  using Offset = typename Right::Offset;
  static constexpr Column none = Column(~Column(0));
  Column next[ways];  ///< none: it has been read
  Offset at[ways], last[ways];

  /// Of row r; of no row when it is not `valid`.
  CUGRB_DEVICE merged_rows(const MxmRowsArguments& a, uint64_t r, bool valid) {
    using Left = typename Product::Left;
    const uint64_t begin = valid ? row_begin<Left>(a.left, r) : 0,
                   end = valid ? row_begin<Left>(a.left, r + 1) : 0;
#pragma unroll
    for (int u = 0; u < ways; ++u) {
      at[u] = last[u] = 0;
      if (begin + unsigned(u) < end) {
        const uint64_t k = read_only(columns_of<Left>(a.left) + begin + unsigned(u));
        at[u] = Offset(row_begin<Right>(a.right, k));
        last[u] = Offset(row_begin<Right>(a.right, k + 1));
      }
    }
#pragma unroll
    for (int u = 0; u < ways; ++u)
      next[u] = at[u] < last[u] ? read_only(columns_of<Right>(a.right) + at[u]) : none;
  }
  CUGRB_DEVICE Column least() const {
    Column column = next[0];
#pragma unroll
    for (int u = 1; u < ways; ++u) column = next[u] < column ? next[u] : column;
    return column;
  }
  /// Goes on to the next column of the right rows that have this one: moved(u) where there is one.
  template <class Moved>
  CUGRB_DEVICE void pass(const MxmRowsArguments& a, Column column, Moved moved) {
#pragma unroll
    for (int u = 0; u < ways; ++u) {
      if (next[u] != column) continue;
      ++at[u];
      next[u] = at[u] < last[u] ? read_only(columns_of<Right>(a.right) + at[u]) : none;
      if (at[u] < last[u]) moved(u);
    }
  }
};

/// The entries of row r that the mask lets through (none when it is not `valid`); and all of its columns.
template <class Product, class Mask, int ways>
CUGRB_DEVICE uint32_t count_merged(const MxmRowsArguments& a, uint64_t r, bool valid, uint32_t& columns) {
  merged_rows<Product, ways> rows(a, r, valid);
  uint32_t entries = 0;
  columns = 0;
  while (true) {
    const auto column = rows.least();
    if (column == rows.none) break;
    rows.pass(a, column, [](int) {});
    ++columns;
    entries += Mask::allows(a.mask, r, column);
  }
  return entries;
}

/// row_entries[r], and with a mask row_columns[r], of the listed rows, which have `ways` left entries at
/// most. A thread each.
template <class Product, class Mask, int ways>
CUGRB_KERNEL(256)
void mxm_merge_count(MxmRowsArguments a) {
  constexpr bool masked = !is_same<Mask, matrix_mask_none>;
  const uint64_t n = global_thread();
  if (n >= a.count) return;
  const uint64_t r = listed_row(a, n);
  uint32_t columns = 0;
  const uint32_t entries = count_merged<Product, Mask, ways>(a, r, true, columns);
  a.row_entries[r] = entries;
  if (masked) a.row_columns[r] = columns;
}

/// Blocks that a multiprocessor holds: by the registers that a thread's right rows take.
template <class Product>
constexpr int merging_blocks(int ways) {
  using Right = typename Product::Right;
  const int bytes = ways * int(sizeof(typename Right::Column) + 2 * sizeof(typename Right::Offset) +
                               sizeof(typename Product::LeftValue) + sizeof(typename Product::RightValue));
  return bytes <= 160 ? 4 : bytes <= 256 ? 2 : 1;
}

/// The rows that are merged, with the values of their next products.
template <class Product, int ways>
struct merged_products {
  using T = typename Product::type;
  using Add = typename Product::Add;
  using Left = typename Product::Left;
  merged_rows<Product, ways> rows;
  uint64_t r, first_left;
  typename Product::LeftValue of_left[ways];
  typename Product::RightValue of_right[ways];
  typename Product::Right::Column column;  ///< of the next entry; rows.none: there is none

  /// Of row r; of no row when it is not `valid`.
  CUGRB_DEVICE merged_products(const MxmRowsArguments& a, uint64_t row, bool valid)
      : rows(a, row, valid), r(row), first_left(valid ? row_begin<Left>(a.left, row) : 0) {
#pragma unroll
    for (int u = 0; u < ways; ++u) {
      if (rows.next[u] == rows.none) continue;
      of_left[u] = Product::left_value(a.left, first_left + unsigned(u));
      of_right[u] = Product::right_value(a.right, rows.at[u]);
    }
    column = rows.least();
  }
  CUGRB_DEVICE bool more() const { return column != rows.none; }
  /// The sum of the next entry's products, at `column`; then that is the entry after it.
  CUGRB_DEVICE T next_sum(const MxmRowsArguments& a) {
    T sum = T();
    bool has = false;
#pragma unroll
    for (int u = 0; u < ways; ++u) {
      if (rows.next[u] != column || (Add::is_any && has)) continue;
      const T term = Product::term_of(of_left[u], of_right[u], a.left, a.right, r,
                                      read_only(columns_of<Left>(a.left) + first_left + unsigned(u)), column);
      sum = has ? Add::combine(sum, term) : term;
      has = true;
    }
    rows.pass(a, column, [&](int u) { of_right[u] = Product::right_value(a.right, rows.at[u]); });
    column = rows.least();
    return sum;
  }
};

/// Entries of each row that a warp stores at once.
constexpr unsigned merged_at_once = 8;

/// The rows of T, stored at row_starts. Lanes make the next few entries of their rows each, which the warp
/// then stores row by row, so that neighbouring lanes store what lies side by side. Grid as above.
template <class Product, class Mask, class NewColumn, int ways>
CUGRB_KERNEL_RESIDENT(256, merging_blocks<Product>(ways))
void mxm_merge_fill(MxmRowsArguments a) {
  using T = typename Product::type;
  constexpr unsigned stride = merged_at_once + 1;  // lanes meet no bank conflicts
  CUGRB_SHARED(T, all_values, 256 * stride);
  CUGRB_SHARED(NewColumn, all_columns, 256 * stride);
  T* values = all_values + thread_index() / 32 * (32 * stride);
  NewColumn* columns = all_columns + thread_index() / 32 * (32 * stride);
  const uint64_t n = global_thread();
  const bool valid = n < a.count;
  const uint64_t r = valid ? listed_row(a, n) : 0;
  const unsigned lane = lane_index();
  merged_products<Product, ways> merged(a, r, valid);
  uint64_t place = valid ? a.row_starts[r] : 0;
  while (any_lane(full_warp, merged.more())) {
    unsigned made = 0;
    while (merged.more() && made < merged_at_once) {
      const auto column = merged.column;
      const T sum = merged.next_sum(a);
      if (!Mask::allows(a.mask, r, column)) continue;
      columns[lane * stride + made] = NewColumn(column);
      values[lane * stride + made] = sum;
      ++made;
    }
    sync_warp(full_warp);
#pragma unroll
    for (unsigned first = 0; first < 32; first += 32 / merged_at_once) {
      const unsigned owner = first + lane / merged_at_once, e = lane % merged_at_once;
      const unsigned made_of = shuffle(full_warp, made, int(owner));
      const uint64_t to = shuffle(full_warp, place, int(owner)) + e;
      if (e >= made_of) continue;
      static_cast<NewColumn*>(a.columns)[to] = columns[owner * stride + e];
      static_cast<T*>(a.values)[to] = values[owner * stride + e];
    }
    sync_warp(full_warp);
    place += made;
  }
}

}  // namespace cugrb
