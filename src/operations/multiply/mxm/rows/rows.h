// T by rows: every row by a kernel that fits the number of its products.
#pragma once
#include <array>
#include <vector>

#include "cuda/views/mxm.h"
#include "src/operations/multiply/mxm/run.h"

namespace cugrb::operations {

/// What is counted on the device beside each row's own numbers: all zeros at first, as those are, so that one
/// fill does for everything.
struct RowCounters {
  RowTotals totals;
  uint64_t counts[row_buckets];    ///< rows of each bucket, while their entries are not known
  uint64_t merged[merged_bins];    ///< of those that may be merged
  uint64_t taken[2][row_buckets];  ///< places in the lists of rows before and after they are counted
};

/// What is known of T's rows before they are made.
struct RowProfile {
  runtime::Buffer products;  ///< uint64_t each
  runtime::Buffer windows;   ///< RowWindow each; null: not looked at
  runtime::Buffer list;      ///< RowLists, of few rows; null: it is to be made
  RowTotals totals = {};
  std::array<uint64_t, row_buckets> counts{};  ///< RowCounters::counts
  std::array<uint64_t, merged_bins> merged{};
  /// RowCounters, and zeros for the rows' entries and what is counted with them: multiply_rows takes it.
  runtime::Buffer counters;

  /// Products of an entry of T in the rows that were drawn, heavy ones left out; 0: none were.
  double met() const {
    return totals.sampled_entries == 0 ? 0 : double(totals.sampled_products) / double(totals.sampled_entries);
  }
};
RowProfile profile_rows(const MatrixMatrixRun& run);

/// Rows that are sorted are made at once, without having been counted, where all of them together have so few
/// products: that waits rather than works.
uint64_t few_products();

/// T = left * right, of which the mask lets entries through. Two phases: the entries of every row are counted
/// exactly, then made; short rows, and others whose products are few or hardly meet, are made at once, and
/// moved; where that is all rows, and few products, T has room for an entry each (and keeps up to three times
/// what it needs). Workspace: 40 bytes a row (8 more with a mask, 8 with windows), a column and a value for
/// each product of a row that is made at once (an eighth of what is usable at most, but for short rows), 4 GB
/// at most for columns that are kept, and for rows by sorting about 64 bytes a product, in slices of rows
/// that fit half of the free memory. Throws runtime::OutOfMemory.
formats::Csr multiply_rows(const MatrixMatrixRun& run, RowProfile& profile, bool all_by_sort);

/// T with room for so many entries, whose places its offsets are to be filled with.
formats::Csr room_for_rows(const MatrixMatrixRun& run, uint64_t entries, formats::Width offset_width);
/// Leaves T no more room than its entries need; they are copied.
void give_back_room(formats::Csr& t);

/// Why the hash and bitmap kernels cannot make this product (values without atomics; order of sums); empty
/// when they can.
std::string rows_refusal(const MatrixMatrixRun& run);

// ---- cuda/kernels/mxm_sort.h

/// Some rows of T, made by sorting.
struct SortedPiece {
  runtime::Buffer starts;  ///< count + 1
  runtime::Buffer columns, values;
  const uint64_t* list = nullptr;
  uint64_t count = 0, entries = 0;
};
/// The `count` rows of `list` in pieces of bounded workspace; fills row_entries for them.
std::vector<SortedPiece> sort_rows(const MatrixMatrixRun& run, const runtime::Buffer& products,
                                   const uint64_t* list, uint64_t count, uint64_t* row_entries,
                                   formats::Width column_width);
/// What is free, CUGRB_MEMORY_LIMIT at most.
size_t usable_bytes();
/// Products that one slice may have: keys and payload, twice, the sort's own workspace, flags and positions,
/// in half of what is usable.
uint64_t most_sorted_products(size_t value_size);
/// T by outer products (cuda/kernels/mxm_outer.h), with `stage_values` from shared memory, in pieces of as
/// many as most_sorted_products(), which are added up by the monoid; a piece has at least one left entry's
/// products. Workspace: 64 bytes a product of a piece, 40 an index of the sum, and T twice where there are
/// several pieces. Deterministic for the same free memory. Throws runtime::OutOfMemory.
formats::Csr multiply_outer(const MatrixMatrixRun& run, bool stage_values);
/// Why it cannot make this product; empty when it can.
std::string outer_refusal(const MatrixMatrixRun& run);
/// T's offsets: row_starts (rows + 1, in 64 bits) in their width.
void store_offsets(const formats::Csr& t, const uint64_t* row_starts);
/// row_entries of a piece's rows.
void count_piece(const SortedPiece& piece, uint64_t* row_entries);
/// Moves a piece to its rows of T.
void store_piece(const SortedPiece& piece, const formats::Csr& t, const uint64_t* row_starts);

}  // namespace cugrb::operations
