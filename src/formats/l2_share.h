// What of a matrix L2 keeps from one product to the next. Measured: docs/formats.md, "What L2 keeps".
#pragma once
#include <algorithm>
#include <cstddef>

#include "cuda/runtime/device.h"
#include "cuda/views/l2_policy.h"

namespace cugrb::formats {

/// Of L2: a matrix and its product's vectors that are larger together displace each other. Of a larger
/// matrix, what is kept; that and the vectors.
constexpr double l2_share_of_product = 0.6, l2_share_of_matrix = 0.46, l2_share_with_vectors = 0.7;
/// Less of a matrix is not kept: it saves little, and the policy's sixteenths do not fill L2 evenly.
constexpr int least_kept_sixteenths = 4;

/// Of a matrix of so many bytes, all of which every product reads, the sixteenths that L2 keeps beside
/// vectors of `vector_bytes`: 0, or least_kept_sixteenths to 16.
inline int sixteenths_kept_in_l2(double l2_bytes, double matrix_bytes, double vector_bytes) {
  if (matrix_bytes + vector_bytes <= l2_share_of_product * l2_bytes) return 16;
  const double room =
      std::min(l2_share_of_matrix * l2_bytes, l2_share_with_vectors * l2_bytes - vector_bytes);
  const int sixteenths = std::min(16, int(16 * room / matrix_bytes));
  return sixteenths < least_kept_sixteenths ? 0 : sixteenths;
}

/// This device's policy for it.
inline uint64_t l2_policy_of(size_t matrix_bytes, size_t vector_bytes) {
  const double l2_bytes = double(runtime::device().properties().l2_bytes);
  const int sixteenths = sixteenths_kept_in_l2(l2_bytes, double(matrix_bytes), double(vector_bytes));
  return sixteenths == 0 ? l2_evict_first : l2_evict_normal(uint64_t(sixteenths));
}

}  // namespace cugrb::formats
