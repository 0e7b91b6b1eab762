// How the rows of T are made by their products: the plan, which nothing is launched for, and what the phases
// that follow it share.
#pragma once
#include "src/operations/multiply/mxm/rows/lists.h"
#include "src/operations/multiply/mxm/rows/profile.h"

namespace cugrb::operations {

using RowCounts = std::array<uint64_t, row_buckets>;

/// A function of the factors' shapes, what the profile found, and the device's properties.
struct RowsPlan {
  std::string product, pattern, mask, new_column;  ///< template arguments of the kernels
  formats::Width column_width;                     ///< of T
  RowSizes sizes;
  RowLimits limits;
  MadeAtOnce made;
  uint64_t rows = 0;
  RowCounts counts{};           ///< rows of each bucket by their products
  uint64_t words_by_ranks = 0;  ///< of the widest row by ranks
  /// Right entries that a lane of ranks' has under way: about as many as a left entry meets in the mean.
  /// None, and products are dealt out, where these are few, or heavy rows are met much more often than
  /// others: then most are few.
  int right_entries_at_once = 0;
  uint64_t value_capacity = 0;  ///< sums that fit a block by bitmap
  bool is_narrow = false;       ///< so few columns that each has a sum of its own
  bool one_item_each = false;   ///< no row by bitmap is heavy enough for several windows

  /// So few products are made at once that every launch counts.
  bool few_made() const { return made.products <= few_products(); }
  /// And so few rows that lanes without work do not.
  bool few_rows() const { return few_made() && rows <= MxmMoveArguments::summed_rows; }
  /// The shortest class that is not made at once.
  RowClass first_counted() const { return RowClass(uint32_t(made.last) + 1); }
  /// All rows are made at once, and as many lanes for each of them do: in their own order neighbours complete
  /// each other's sectors before these leave the cache.
  bool moves_in_order(const RowLists& lists) const;
  /// Those that move the rows sum their entries, too.
  bool sums_as_moved(const RowLists& lists) const { return few_rows() && moves_in_order(lists); }
};
RowsPlan plan_rows(const MatrixMatrixRun& run, const RowProfile& profile, bool all_by_sort);

/// Nothing longer than esc_32.
inline bool only_short(const RowLists& lists) { return lists.count(RowClass::esc_64, RowClass::sort) == 0; }

/// The kernels of one product, each on those of the lists' rows that are its own. What has no rows is not
/// even named: most classes have none, and a name takes half a microsecond.
class RowKernels {
 public:
  RowKernels(const MatrixMatrixRun& run, const RowsPlan& plan) : run_(run), plan_(plan) {}

  /// Of the classes from `first` to `last`. `counted`: the rows' entries are known, else they are put down
  /// one after the other.
  void esc(const EscKernel& kernel, RowClass first, RowClass last, const RowLists& lists, bool counted,
           const MxmEscArguments& arguments) const;
  void hash(const HashKernel& kernel, RowClass first, RowClass last, const RowLists& lists, bool fill,
            const MxmRowsArguments& arguments) const;
  void merge(const MergeKernel& kernel, const RowLists& lists, bool fill,
             const MxmRowsArguments& arguments) const;
  void ranks(const RanksKernel& kernel, const RowLists& lists, bool fill, MxmRanksArguments arguments) const;
  /// How many items each row of class bitmap is cut into.
  void bitmap_items(const MxmBitmapArguments& arguments) const;
  void bitmap_count(const RowLists& lists, uint64_t items, const MxmBitmapArguments& arguments) const;
  void bitmap_fill(const RowLists& lists, uint64_t items, MxmBitmapArguments arguments) const;
  /// The rows that were put down go to their places in T; null offsets: these are stored elsewhere.
  void move(const MxmMoveArguments& arguments, unsigned lanes, formats::Width offset_width) const;

 private:
  template <class Arguments>
  void launch(const char* header, std::string name, uint64_t blocks, unsigned threads, size_t shared_bytes,
              const Arguments& arguments) const;

  const MatrixMatrixRun& run_;
  const RowsPlan& plan_;
};

/// The same arguments for the rows of these classes.
template <class Arguments>
Arguments listed(Arguments arguments, const RowLists& lists, RowClass first, RowClass last) {
  arguments.list = lists.of(first);
  arguments.count = lists.launched(first, last);
  return arguments;
}

// ---- the phases

/// Rows that were made before all others were counted (mxm_esc_fill).
struct MadeRows {
  runtime::Buffer columns, values;
  runtime::Buffer starts;  ///< of each row
};

/// What counting leaves to filling.
struct CountedProduct {
  MxmRowsArguments arguments;  ///< of all kernels; what these three point to stands below
  BitmapItems bitmap;
  RankedRows ranked;
  RowLists lists;            ///< by products
  runtime::Buffer counters;  ///< RowCounters; then rows + 1: the entries of each row, then where it starts
  uint64_t items = 0;        ///< of rows by bitmap
  runtime::Buffer item_starts, item_rows, item_entries;  ///< none where each row is one item
  runtime::Buffer item_bits;
  runtime::Buffer row_bits, row_slots;  ///< the columns of rows by ranks; none where there is no room
  MadeRows made;
  std::vector<SortedPiece> pieces;
  runtime::Buffer
      columns;  ///< with a mask: what each row needs room for in a table, also what the mask forbids
  formats::Width offset_width = formats::Width::bits32;
  runtime::Buffer offsets;         ///< T's, of that width; none: they are to be made
  MxmProfileArguments table_rows;  ///< those that were counted by tables: their entries say who makes them

  uint64_t* starts() const { return reinterpret_cast<uint64_t*>(counters.as<RowCounters>() + 1); }
  /// What stands at starts()[row] and behind. Waits for it.
  template <class T>
  T read_at(uint64_t row) const {
    T host;
    counters.read_bytes(sizeof(RowCounters) + row * sizeof(uint64_t), &host, sizeof(T));
    return host;
  }
};
/// Entries of all rows, those that are made at once put down. Launched, not waited for.
CountedProduct count_rows(const MatrixMatrixRun& run, RowProfile& profile, const RowsPlan& plan);
/// T, of rows that have been counted.
formats::Csr fill_rows(const MatrixMatrixRun& run, const RowsPlan& plan, const CountedProduct& counted);

}  // namespace cugrb::operations
