// The kernels that make rows of T by the number of their products: how many rows at once, in how much shared
// memory of this device, and which rows are theirs.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "cuda/views/mxm.h"

namespace cugrb::operations {

/// A kernel that takes the rows of one class by expansion, sorting and compression (cuda/kernels/mxm_esc.h).
struct EscKernel {
  RowClass row_class;
  int lanes, each;  ///< items that a lane holds
  int products() const { return lanes * each; }
  unsigned threads() const { return lanes < 256 ? 256 : unsigned(lanes); }
  unsigned block_rows() const { return threads() / unsigned(lanes); }
};
constexpr EscKernel esc_32{RowClass::esc_32, 8, 4}, esc_64{RowClass::esc_64, 16, 4},
    esc_128{RowClass::esc_128, 16, 8}, esc_256{RowClass::esc_256, 32, 8}, esc_512{RowClass::esc_512, 32, 16},
    esc_1024{RowClass::esc_1024, 256, 4}, esc_2048{RowClass::esc_2048, 256, 8},
    esc_4096{RowClass::esc_4096, 512, 8}, esc_8192{RowClass::esc_8192, 1024, 8};

/// The same by hashing (cuda/kernels/mxm_hash.h).
struct HashKernel {
  RowClass row_class;
  int lanes;
  unsigned slots;
};

/// Rows of neighbouring classes that a kernel counts.
struct CountedRows {
  HashKernel kernel;
  RowClass first, last;
};

/// A thread a row, by cuda/kernels/mxm_merge.h.
struct MergeKernel {
  RowClass row_class;
  int ways;
};
constexpr MergeKernel merge_8{RowClass::merge_8, 8}, merge_12{RowClass::merge_12, 12};

/// A block a row, by cuda/kernels/mxm_ranks.h.
struct RanksKernel {
  RowClass row_class;
  int threads;
};
constexpr RanksKernel ranks_32{RowClass::ranks_32, 32}, ranks_128{RowClass::ranks_128, 128},
    ranks_512{RowClass::ranks_512, 512};

/// For one product, on the process's device.
class RowSizes {
 public:
  /// `rows` of the left factor; of the right one columns, and bytes of its column indices; `value_size`:
  /// bytes of T's values.
  RowSizes(uint64_t rows, uint64_t columns, size_t column_bytes, size_t value_size);

  HashKernel hash_8{RowClass::hash_8, 8, 64}, hash_16{RowClass::hash_16, 16, 128},
      hash_32{RowClass::hash_32, 32, 512}, hash_256{RowClass::hash_256, 256, 4096};
  size_t value_bytes = 54 * 1024;  ///< of sums in mxm_bitmap_fill, less where three blocks would not fit
  uint64_t window = uint64_t(1) << 18;

  /// `windows`: rows have theirs.
  RowLimits limits(bool windows) const;
  /// Who counts the rows that are sorted or hashed, heavy ones first: a table has room for twice their
  /// products.
  std::vector<CountedRows> counting() const;

  /// Dynamic shared memory of a block. esc_row of cuda/kernels/mxm_esc.h for each row.
  size_t esc_bytes(const EscKernel& kernel) const { return esc_bytes(kernel, kernel.products()); }
  /// With items whose numbers are below `numbers`.
  size_t esc_bytes(const EscKernel& kernel, int numbers) const;
  /// hash_fill_ranks, hash_fill_sorted of cuda/kernels/mxm_hash.h, or the table alone.
  size_t hash_bytes(const HashKernel& kernel, bool fill) const;
  size_t bitmap_bytes(bool fill) const;
  /// Where no row's window has more words than these.
  size_t ranks_bytes(const RanksKernel& kernel, uint64_t words, bool fill) const;
  /// Of all columns.
  uint64_t words() const { return (columns_ + 31) / 32; }
  /// Sums that a block has at once.
  uint64_t ranks_sums(const RanksKernel& kernel) const;

  /// The type of an item of cuda/kernels/sort_items.h for the columns and so many numbers.
  std::string item_id(int numbers) const;

 private:
  /// Whether a column and one of so many numbers fit 32 bits.
  bool is_narrow(int numbers) const;
  size_t item_bytes(int numbers) const;
  void fit_shared_memory();

  uint64_t rows_, columns_;
  size_t column_bytes_, value_size_;
};

}  // namespace cugrb::operations
