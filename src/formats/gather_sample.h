// GatherLocality: how much neighbouring entries of a matrix gather together, whatever its rows look like.
#pragma once
#include "src/formats/begun.h"
#include "src/formats/matrix.h"

namespace cugrb::formats {

/// Shares between 0 and 1: 1 where entries have nothing in common, as in random order.
struct GatherLocality {
  double lines = 1;      ///< runs of 32 columns (a cache line's, of 4-byte operands) in 32 entries, an entry
  double sectors_1 = 1;  ///< sectors of 32 bytes with operands of 1 byte that 512 entries name, an entry
  double sectors_4 = 1;  ///< of 4 bytes
  double sectors_8 = 1;  ///< of 8 bytes

  /// With operands of so many bytes.
  double sectors(size_t operand_bytes) const {
    return operand_bytes < 4 ? sectors_1 : operand_bytes < 8 ? sectors_4 : sectors_8;
  }
};

/// Looks at no more than GatherCounts::most_windows windows, evenly spread over the matrix, in the order of
/// its CSR. One launch.
Begun<GatherLocality> begin_gather_sample(const Csr& matrix);

}  // namespace cugrb::formats
