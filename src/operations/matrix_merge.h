// Matrices whose entries are some of those of one matrix, or of two that are merged: one launch of
// cuda/kernels/matrix_merge.h.
#pragma once
#include <initializer_list>
#include <string>

#include "cuda/views/matrix_merge.h"
#include "src/formats/csr.h"

namespace cugrb::operations {

struct Merge {
  std::string header;  ///< of cuda/kernels, that has the merge's type,
  std::string type;    ///< as a template-id
  std::string preamble;
  Type values;             ///< of the result
  bool has_values = true;  ///< false: the caller gives it one value, or none
  bool has_second = false;
  bool counts_first = false;       ///< where tiles are many (cuda/kernels/matrix_merge.h, matrix_merge_count)
  bool wide = false;               ///< columns of one that is merged have 64 bits
  uint64_t most = 0;               ///< entries of the result
  uint64_t columns = 0;            ///< of the result, where they are not the first matrix's
  MatrixMergeArguments arguments;  ///< the matrices, and what the merge reads besides
};

/// The result, by the rows of the first matrix. Where it has as many entries as one of `patterns`, whose
/// entries it would all have then, it shares that one's memory. Waits for the device. O(entries + rows) work;
/// room for `most` entries meanwhile, or, where that is not there, a second launch.
formats::Csr merged(Merge merge, std::initializer_list<const formats::Csr*> patterns);

}  // namespace cugrb::operations
