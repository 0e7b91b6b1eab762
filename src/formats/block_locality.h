// BlockLocality: whether the entries of a square matrix are near its diagonal, so that consecutive rows need
// little of what lies at the others.
#pragma once
#include "src/formats/begun.h"
#include "src/formats/matrix.h"

namespace cugrb::formats {

/// Of a matrix whose rows are cut into blocks of as many consecutive ones.
struct BlockLocality {
  struct Key {
    using Made = BlockLocality;
    static constexpr bool of_pattern = true;
    uint64_t blocks;
    bool operator==(const Key&) const = default;
  };
  /// Where more entries lie outside, dealing rows in blocks of one for each device saves nothing: half of a
  /// scrambled matrix does with two blocks, and of a band hardly anything.
  static constexpr double few_outside = 0.125;

  double outside = 1;  ///< the share of the entries in columns that are no row numbers of the row's block

  bool is_near_diagonal() const { return outside <= few_outside; }
};

/// Looks at no more than 8192 rows, evenly spread. One launch. All is outside where the matrix is not square
/// or has no entries in them.
Begun<BlockLocality> begin_block_sample(const Csr& matrix, uint64_t blocks);

}  // namespace cugrb::formats
