// A sparse matrix in host memory, by rows: what readers and generators make, ready for GxB_Matrix_pack_CSR.
#pragma once
#include <cstdint>

#include "tools/graph_files/buffer.h"

namespace cugrb::graph_files {

/// What an entry carries besides its place.
enum class ValueKind : uint8_t { pattern, integer, real };

/// Row i holds columns[offsets[i]] … columns[offsets[i+1]-1], ascending and without duplicates.
/// offsets has nrows + 1 elements; integers (or reals) has one an entry when `values` says so, and is empty
/// otherwise.
struct Csr {
  uint64_t nrows = 0, ncols = 0;
  Buffer<uint64_t> offsets, columns;
  ValueKind values = ValueKind::pattern;
  Buffer<int64_t> integers;
  Buffer<double> reals;
  bool symmetric = false;  ///< known to be symmetric: the file says so, or the generator made it so

  uint64_t entries() const { return offsets.size() > 0 ? offsets[nrows] : 0; }
};

}  // namespace cugrb::graph_files
