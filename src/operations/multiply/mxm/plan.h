// How a product is cut whose operands stay in host memory.
//
// Source of the cutting: Y.-Y. Jo et al., "Efficient sparse matrix multiplication on GPU for large social
// network analysis" (CIKM 2015): sub-matrices of a number of entries that fits the device. There the host
// merges the partial products; here the device does, slice by slice.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cugrb::operations {

/// One product T = left * right as the plan sees it, in the orientation in which T is made.
struct ProductSizes {
  std::vector<uint64_t> products;       ///< rows of T: terms
  std::vector<uint64_t> left_lengths;   ///< rows of T: entries of the left factor
  std::vector<uint64_t> right_lengths;  ///< summed index: entries of the right factor
  std::vector<uint64_t> mask_lengths;   ///< rows of T, of a mask that is not complemented; else empty
  std::vector<uint64_t>
      other_lengths;     ///< rows of T: of a complemented mask and of C's old content; or empty
  uint64_t columns = 0;  ///< of T
  size_t left_bytes = 0, right_bytes = 0, mask_bytes = 0,
         other_bytes = 0;   ///< for an entry, workspace included
  size_t result_bytes = 0;  ///< for an entry of T and of C
  bool joins = false;       ///< T is merged with C in the write-back
};

struct ProductPlan {
  std::vector<uint64_t> row_ends,
      inner_ends;        ///< where slices of T's rows, and blocks of the summed index, end
  uint64_t entries = 0;  ///< of T, about
};

/// Entries of row r of T, when its products fall into its columns independently (selector::reached_columns),
/// and no more than the mask has.
double expected_row_entries(const ProductSizes& sizes, uint64_t r);

/// The plan for so many bytes of device memory. A right factor of up to a third of them is one block; else
/// blocks take an eighth each, since two are there at a time. Of the rest a slice takes a third: one is made
/// while another is delivered. O(rows + inner).
ProductPlan plan_product(const ProductSizes& sizes, uint64_t usable_bytes);

}  // namespace cugrb::operations
