// Arguments of the matrix-matrix kernels: cuda/kernels/mxm_*.h. Offsets and columns are of the
// specialisation's types; so are values.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

/// mxm_item_owners: whose each item is, where owner n has the items starts[n] up to starts[n + 1].
struct MxmItemsArguments {
  const uint64_t* starts = nullptr;  ///< owners + 1
  uint64_t owners = 0;
  uint64_t* owner = nullptr;  ///< of each item
};

/// mxm_dot_*: one dot product for each entry of `mask`. `left` and `right` both hold rows over the summed
/// index.
struct MxmDotArguments {
  CsrView left, right, mask;
  void* values = nullptr;         ///< mask.entries sums
  uint8_t* has = nullptr;         ///< mask.entries: whether the sum has a term
  uint64_t longest_searched = 0;  ///< left rows up to this length are searched, longer ones hashed
  uint64_t longest_hashed = 0;    ///< mxm_dot_blocks: counts the rows in (longest_searched, longest_hashed]
  const uint64_t* block_rows = nullptr;  ///< blocks: the row of each
  uint64_t* block_starts =
      nullptr;  ///< mask.rows + 1: first the blocks of each row, then their exclusive sum
};

/// How a row of T is made (cuda/kernels/mxm_rows.h): by merging (mxm_merge.h), in bins by its products
/// (mxm_esc.h), or by a table (mxm_hash.h). Other rows go by the ranks of all columns or of the row's window
/// (mxm_ranks.h), by a bitmap of windows (mxm_bitmap.h), or sorted with others in device memory (mxm_sort.h).
enum class RowClass : uint32_t {
  none,
  esc_32,
  esc_64,
  esc_128,
  esc_256,
  esc_512,
  esc_1024,
  esc_2048,
  esc_4096,
  esc_8192,
  merge_8,
  merge_12,
  hash_8,
  hash_16,
  hash_32,
  hash_256,
  ranks_32,
  ranks_128,
  ranks_512,
  bitmap,
  sort
};
/// Rows are counted and listed by bucket, in this order: a class each, but RowClass::bitmap has one for each
/// binary logarithm of its rows' products (from 2^8 to 2^23), the heaviest first.
constexpr int bitmap_buckets = 16, first_bitmap_bucket = int(RowClass::bitmap),
              sort_bucket = first_bitmap_bucket + bitmap_buckets, row_buckets = sort_bucket + 1;
/// Rows that may be merged are counted a second time, by the bin that would sort them: esc_32, esc_64,
/// esc_128.
constexpr int merged_bins = 3, profiled_buckets = row_buckets + merged_bins;

/// Limits between the classes. Rows by hashing have at most so many entries (hash_256: products, too, while
/// their entries are not known); the largest tables of a class have twice as many slots.
struct RowLimits {
  uint64_t merge_8 = 0, merge_12 = 0;  ///< products; of rows of up to 8 and 12 left entries
  uint64_t hash_8 = 32, hash_16 = 64, hash_32 = 256, hash_256 = 2048;
  uint64_t esc_512 = 512, esc_2048 = 2048, esc_8192 = 0;  ///< products
  /// Rows by ranks have so many products at least. Those of ranks_32, ranks_128, ranks_512 have so many at
  /// most; when they are computed, those of the first two have so many entries at most.
  uint64_t ranks_least = ~uint64_t(0), ranks_32 = 2048, ranks_128 = 16384, ranks_512 = 1 << 17;
  uint64_t ranks_32_entries = 512, ranks_128_entries = 4096;
  /// Where rows have windows: products for each word of a row by ranks at least; words at most.
  uint64_t ranks_a_word = 0, ranks_words = 0;
  uint64_t windows = 1;      ///< of the bitmap, for a whole row
  bool all_by_sort = false;  ///< every row is of class sort
};

/// Rows that a block takes in one turn: in mxm_row_products, when each has so many lanes, and in
/// mxm_list_rows.
constexpr uint64_t profiled_rows(unsigned lanes) { return 256 / lanes; }
constexpr uint64_t listed_rows = 1024;
/// Of a block of mxm_bitmap.h, mxm_narrow.h and mxm_sample.h. Larger ones would leave too few registers.
constexpr unsigned bitmap_threads = 512;

/// Rows of class esc_32, of up to so many products, are always made without having been counted.
constexpr uint64_t short_row_products = 32;
/// Rows by ranks: words for more columns would leave little shared memory to the sums.
constexpr uint64_t most_ranked_columns = 48 * 1024;
/// In windows, rows of so many products at least: shorter ones are better hashed or sorted
/// (docs/matrix_product.md).
constexpr uint64_t least_windowed_products = 257;
/// Rows of more products than these weigh on their kernels (weights_by_means).
constexpr uint64_t light_row_products = 256, medium_row_products = 2048;
/// Where the products of a row of T are: columns from 32 * first on, 32 for each word. No words: none.
struct RowWindow {
  uint32_t first = 0, words = 0;
};
/// Sums over the rows of T.
struct RowTotals {
  uint64_t products;
  uint64_t of_short;    ///< of rows of class esc_32
  uint64_t of_bins;     ///< of rows of classes esc_64 to esc_8192, while their entries are not known
  uint64_t merged;      ///< of rows of classes merge_8, merge_12
  uint64_t medium;      ///< of rows that have more than light_row_products, medium_row_products at most
  uint64_t heavy;       ///< of rows that have more
  uint64_t heavy_rows;  ///< number of those
  uint64_t heaviest;    ///< products of the heavy row that has most; 0: there is none
  uint64_t sampled_products,
      sampled_entries;  ///< of a few rows that are not heavy, drawn by their left entries
  uint64_t widest;      ///< words of the widest window of a row by ranks, while their entries are not known
};

/// mxm_row_products, mxm_count_rows, mxm_list_rows: what is known of every row of T before it is made.
struct MxmProfileArguments {
  CsrView left, right;
  uint64_t* products = nullptr;          ///< rows: terms of the row
  RowWindow* windows = nullptr;          ///< rows; null: nobody looks
  RowTotals* totals = nullptr;           ///< one: of all rows
  const uint64_t* row_starts = nullptr;  ///< rows + 1: where T's rows begin; null while that is not known
  const uint64_t* columns = nullptr;     ///< rows, with a mask: columns of each row, forbidden ones too
  RowLimits limits;
  uint64_t* counts = nullptr;      ///< row_buckets: rows of each; then, of all rows, merged_bins
  uint32_t samples = 0;            ///< blocks of mxm_row_products that draw a row each
  const uint64_t* rows = nullptr;  ///< the rows that are looked at; null: rows 0, 1, ...
  uint64_t count = 0;              ///< how many of them
  uint64_t* list =
      nullptr;  ///< mxm_row_products of one block: as mxm_list_rows lists them; null: it does not
};

/// mxm_list_rows: the rows of `profile` by bucket, those of class none left out.
struct MxmListArguments {
  MxmProfileArguments profile;
  uint64_t starts[row_buckets]{};  ///< of each bucket in the list
  uint64_t* taken = nullptr;       ///< row_buckets, zero before: places of each that are taken
  uint64_t* list = nullptr;
};

/// The kernels that count (mxm_*_count) and fill (mxm_*_fill) rows of T. Those by merging and by tables are
/// told no more.
struct MxmRowsArguments {
  CsrView left, right;
  CsrView mask;                    ///< of T, as the kernel's Mask reads it
  const uint64_t* list = nullptr;  ///< the rows that the launch makes; null: rows 0, 1, ...
  uint64_t count = 0;
  const uint64_t* products = nullptr;    ///< rows: terms of each row of T
  uint64_t* row_entries = nullptr;       ///< counting: entries of each row of T
  uint64_t* row_columns = nullptr;       ///< with a mask: columns of each row, forbidden ones too
  const uint64_t* row_starts = nullptr;  ///< filling: rows + 1: where each row begins
  void* columns = nullptr;
  void* values = nullptr;
};
/// mxm_esc_fill: where it puts rows down that are not counted first. Then columns and values are not T's, but
/// hold them for a while.
struct MxmEscArguments : MxmRowsArguments {
  uint64_t* made = nullptr;         ///< one: entries there
  uint64_t* made_starts = nullptr;  ///< rows: where each listed one begins there
};
/// How rows by bitmap are cut into items, windows of columns of one width.
struct BitmapItems {
  uint64_t window = 0;          ///< columns of the widest window, a power of two, at least 128
  uint64_t value_capacity = 0;  ///< sums that fit the shared memory
  uint64_t* item_starts =
      nullptr;  ///< count + 1: first the items of each listed row, then their exclusive sum
  const uint64_t* item_rows = nullptr;  ///< items: the number of each one's row in the list
  uint64_t* item_entries = nullptr;     ///< items + 1: entries of each, then their exclusive sum
  // All three are null where each row is one item.
  uint32_t passes = 1;  ///< mxm_bitmap_fill: blocks of a kept item, each for the sums that fit one
  uint64_t kept_items = 0;
  uint32_t* item_bits = nullptr;  ///< the columns of the first kept_items, window / 32 words each
};
/// mxm_bitmap_*, mxm_narrow_fill.
struct MxmBitmapArguments : MxmRowsArguments, BitmapItems {};
/// What rows by ranks know of their columns.
struct RankedRows {
  const RowWindow* windows = nullptr;  ///< of each row; null: all columns
  uint64_t value_capacity = 0;         ///< sums that fit the shared memory
  uint32_t kept_words = 0;             ///< of each row whose columns are kept
  uint32_t first_slot = 0;             ///< counting: of the first listed row
  uint32_t* row_bits = nullptr;  ///< of each such row, kept_words words of its window, the rest unused; null:
                                 ///< none is kept
  uint32_t* row_slots = nullptr;  ///< rows: whose place there is whose
};
/// mxm_ranks_*.
struct MxmRanksArguments : MxmRowsArguments, RankedRows {};

/// mxm_offsets: row_starts in T's width.
struct MxmOffsetsArguments {
  const uint64_t* row_starts = nullptr;  ///< rows + 1
  uint64_t rows = 0;
  void* offsets = nullptr;  ///< rows + 1
};

/// mxm_few_starts: at most a warp's rows.
struct MxmFewStartsArguments {
  uint64_t* starts = nullptr;  ///< rows + 1: entries of each row, then where it starts
  uint64_t rows = 0;
  void* offsets = nullptr;  ///< rows + 1
};

/// Rows that a block of mxm_bounded_place takes.
constexpr unsigned placed_rows = 64;
/// Rows of T that a warp of mxm_bounded_sort makes, of up to `most` products.
constexpr unsigned sorted_by_a_warp(int most) { return most <= 32 ? 4 : 2; }
/// mxm_bounded_*: all rows of T, none of which has many products.
struct MxmBoundedArguments {
  MxmRowsArguments rows;        ///< left, right, mask, and T's columns and values
  void* offsets = nullptr;      ///< T's: rows + 1
  uint64_t room = 0;            ///< entries for which columns and values are there: no others are stored
  uint64_t* entries = nullptr;  ///< one: T's
  uint64_t* taken = nullptr;    ///< one, zero before: tiles that blocks have taken
  uint64_t* sums = nullptr;     ///< of each tile, zero before (cuda/kernels/look_back.h)
  // mxm_bounded_merge: entries of a tile that are gathered in shared memory, and where their columns lie
  // there, in bytes.
  uint32_t staged = 0, staged_columns = 0;
  // mxm_bounded_sort, mxm_bounded_place: rows that have been put down.
  uint64_t longest_right = 0;       ///< entries of a right row, at most
  uint32_t* row_entries = nullptr;  ///< rows
  void* made_columns = nullptr;     ///< longest_right for each left entry
  void* made_values = nullptr;
  uint32_t warp_bytes = 0;  ///< mxm_bounded_sort: of each warp's rows
};

/// Rows that a block of mxm_move_rows takes, `lanes` each.
constexpr unsigned moved_rows(unsigned lanes) { return (lanes == 8 ? 4 : 2) * 256 / lanes; }
struct MxmMoveArguments {
  const uint64_t* list = nullptr;  ///< as in MxmRowsArguments
  uint64_t count = 0;
  const uint64_t* made_starts = nullptr;  ///< rows
  const void* made_columns = nullptr;
  const void* made_values = nullptr;
  const uint64_t* row_starts = nullptr;  ///< rows + 1
  void* columns = nullptr;
  void* values = nullptr;
  void* offsets = nullptr;  ///< rows + 1: row_starts in T's width; null: others store them. Without a list
  /// Where the sum of all goes: row_starts are the rows' entries still, of summed_rows at most, and each
  /// block sums them itself. Null: they are summed. Without a list.
  uint64_t* total = nullptr;
  static constexpr unsigned summed_rows = 256;
};

/// The products of some rows of T, to be sorted by row and column. The n-th listed row has number n in the
/// keys.
struct MxmSortItems {
  const uint64_t* list = nullptr;  ///< null: all rows
  uint64_t count = 0;
  unsigned column_bits = 0;     ///< of a key: the rest is the row's number
  uint64_t total = 0;           ///< products of the listed rows
  uint64_t* keys = nullptr;     ///< total
  uint64_t* payload = nullptr;  ///< total: the product itself when it has up to 8 bytes, else its number
  void* terms = nullptr;        ///< total products that are larger than that
};
/// mxm_sort_rows, mxm_sort_lengths, mxm_sort_expand: how they are made.
struct MxmSortArguments : MxmSortItems {
  CsrView left, right;
  const uint64_t* products = nullptr;  ///< rows: terms of each row of T
  uint64_t* list_products = nullptr;   ///< count: the same in the list's order
  uint64_t* entry_starts = nullptr;  ///< count + 1: first the lengths of the listed left rows, then their sum
  uint64_t* product_starts = nullptr;  ///< entries + 1: first the lengths of the right rows, then their sum
  uint64_t entries = 0;                ///< left entries of the listed rows
};
/// mxm_sort_heads, mxm_sort_piece_rows, mxm_sort_reduce: what becomes of them when they are sorted.
struct MxmSortedArguments : MxmSortItems {
  CsrView mask;              ///< of T, as the kernel's Mask reads it
  uint8_t* heads = nullptr;  ///< total: the first of its row and column
  const uint64_t* head_positions = nullptr;
  uint64_t kept = 0;                 ///< heads: entries of T in these rows
  uint64_t* piece_starts = nullptr;  ///< count + 1: where each listed row begins in the piece
  void* piece_columns = nullptr;     ///< kept
  void* piece_values = nullptr;      ///< kept
};
/// mxm_sort_row_entries, mxm_sort_store: the listed rows of T, which lie in a piece.
struct MxmPieceArguments {
  const uint64_t* list = nullptr;
  uint64_t count = 0;
  uint64_t kept = 0;                       ///< entries of T in these rows
  const uint64_t* piece_starts = nullptr;  ///< count + 1
  const void* piece_columns = nullptr;     ///< kept
  const void* piece_values = nullptr;      ///< kept
  uint64_t* row_entries = nullptr;         ///< rows of T
  const uint64_t* row_starts = nullptr;    ///< T: rows + 1
  void* columns = nullptr;
  void* values = nullptr;
};

/// Rows of T whose products have the same binary logarithm.
struct ProductOctave {
  uint64_t rows = 0, products = 0;
  uint64_t mask_entries = 0;  ///< of the mask's rows, true or not
};
constexpr int product_octaves = 64;

/// A row of T without its values: its columns as bits that were set in a field of sampled_row_bits.
struct SampledRow {
  uint64_t products = 0;
  uint64_t bits = 0;
  uint64_t mask_entries = 0;         ///< of the mask's row
  uint64_t selecting = 0, hits = 0;  ///< those that are true; those of them whose bits are set
};
constexpr uint64_t sampled_row_bits = uint64_t(1) << 17;

/// mxm_product_octaves, mxm_sample_*: some rows of T are counted, more of those octaves that weigh more.
struct MxmSampleArguments {
  MxmRowsArguments rows;                   ///< left, right, mask, products
  ProductOctave* octaves = nullptr;        ///< product_octaves
  uint64_t thresholds[product_octaves]{};  ///< a row is taken whose 32-bit hash is below its octave's
  uint64_t* list = nullptr;                ///< capacity: rows that were taken
  uint32_t* taken = nullptr;               ///< one: how many (may exceed the capacity)
  uint32_t capacity = 0;
  SampledRow* samples = nullptr;  ///< capacity
};

/// What dot products for some entries of a mask take (selector::DotWork has the same members).
struct DotSteps {
  uint64_t searched = 0, streamed = 0, longest_chain = 0;
};

/// mxm_dot_steps: entries 0, stride, 2 * stride, ... of dot.mask.
struct MxmDotStepsArguments {
  MxmDotArguments dot;
  uint64_t stride = 1, count = 0;
  uint64_t part = 0;  ///< left entries that a table holds
  DotSteps* steps = nullptr;
};

/// mxm_scale*: one factor is diagonal.
struct MxmScaleArguments {
  CsrView left, right;
  void* values = nullptr;            ///< of T, in the order of the other factor's entries
  uint32_t* not_diagonal = nullptr;  ///< mxm_scale_check, of `left`: zero before
};

/// mxm_outer_*: left by columns (a CSR over k), right by rows. Workloads are in the table's order, heaviest
/// first.
struct MxmOuterArguments {
  CsrView left_columns, right;
  uint64_t share = 0;                  ///< products that a block makes, about
  uint64_t first_block = 0;            ///< of the piece that mxm_outer_expand makes
  uint64_t first_product = 0;          ///< of that piece: it goes to place 0
  uint64_t* inverted = nullptr;        ///< inner: complement of the workload of each k, the sort's key
  uint64_t* ordinals = nullptr;        ///< inner: 0, 1, 2, ...
  const uint64_t* table = nullptr;     ///< inner: k in the table's order
  uint64_t* product_starts = nullptr;  ///< inner + 1: first the workloads, then their exclusive sum
  uint64_t* block_starts = nullptr;    ///< inner + 1: first the blocks of each, then their exclusive sum
  const uint64_t* block_workloads = nullptr;  ///< blocks: the place of each one's workload in the table
  MxmSortItems sort;                          ///< where the products go
};

}  // namespace cugrb
