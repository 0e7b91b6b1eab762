// Which kernel for a matrix-matrix product? Predicted times from the number of its products and what is
// stored.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "src/selector/decision.h"
#include "src/selector/hardware.h"

namespace cugrb::selector {

/// The names that CUGRB_FORCE takes: mxm_dot (cuda/kernels/mxm_dot.h), mxm_rows (mxm_hash.h and
/// mxm_bitmap.h), mxm_sort, mxm_outer, mxm_vectors, mxm_scale (a diagonal factor), mxm_dense and
/// mxm_dense_push (few rows or columns of T in one pass).
const std::vector<std::string>& mxm_kernels();

/// What making T one way needs of the factors' stored forms.
struct MxmCandidate {
  std::string refusal;              ///< why it cannot run; empty when it can
  uint64_t transposed_entries = 0;  ///< entries of the matrices that must be transposed first
};

/// One product T = left * right as numbers: the choice is a pure function of this.
struct MxmProblem {
  std::string operation;  ///< for the decision's text: "mxm PLUS_TIMES_FP32"
  uint64_t rows = 0, inner = 0, columns = 0;
  uint64_t left_entries = 0, right_entries = 0;
  double products = 0;                             ///< terms of T without the mask
  bool masked = false;                             ///< a mask, complemented or not, excludes positions
  uint64_t mask_entries = 0;                       ///< of a mask that is not complemented
  double longest_left = 0;                         ///< entries of the longest left row
  double left_deviation = 0, right_deviation = 0;  ///< of the row lengths that a dot product intersects
  size_t column_bytes = 4;
  size_t value_bytes = 0;  ///< of both factors' values, as far as they are read per product
  size_t result_bytes = 4;
  bool stops_at_once = false;         ///< a dot product mostly ends at its first terms
  uint64_t vector_rows = 0;           ///< rows of T when it is made by vectors
  uint64_t vector_right_entries = 0;  ///< entries that each of them may have to read
  MxmCandidate dot, rows_by_hash, sort, outer, vectors;
  MxmCandidate scale{"neither factor is diagonal"};
  // T's few rows or columns together; `vector_` as above.
  MxmCandidate dense{"many rows"}, dense_push{"many rows"};
  uint64_t vector_entries = 0;                            ///< of the factor that has few rows
  uint64_t vector_mask_entries = 0;                       ///< of the mask, complemented or not
  size_t vector_value_bytes = 0, matrix_value_bytes = 0;  ///< of that factor's and the other's values
};

/// Entries of T without the mask, when its products fall into its columns independently (balls into bins):
/// the sum over the rows of columns * (1 - exp(-products / columns)), for rows of mean weight.
double expected_entries(const MxmProblem& problem);

/// The applicable kernel with the smallest predicted time, transpositions included. `forced` (CUGRB_FORCE;
/// may be empty) names the kernel to take when it is applicable; when it is not, the choice is free and the
/// reason says so. Kernels of other operations are none of its business.
Decision choose_mxm(const MxmProblem& problem, const Hardware& hardware, const std::string& forced);

}  // namespace cugrb::selector
