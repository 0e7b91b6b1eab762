// What the kernels that push share: along rows of CSR or of dynamic CSR.
#pragma once
#include "src/operations/multiply/mxv/pull.h"

namespace cugrb::operations {

/// The rows that a push goes along.
struct PushedRows {
  const char* header;          ///< of the kernels
  std::string matrix_id;       ///< the matrix types' template-id
  VxmPushArguments arguments;  ///< with what is the rows' own
  formats::Width offset_width;
  uint64_t entries;
};
/// T by pushing u's entries; a bitmap.
DeviceVector push(const MatrixVectorRun& run, const PushedRows& rows);
/// Why such a product is none for atomic updates; empty when it is one.
std::string push_refusal(const Semiring& semiring);

}  // namespace cugrb::operations
