// A matrix and a vector on the device for `cugrb explain` and `cugrb calibrate`: the pattern from the file,
// the values made up; and their product.
#pragma once
#include "src/formats/matrix.h"
#include "src/operations/operations.h"
#include "tools/calibration/kernels.h"
#include "tools/graph_files/csr.h"

namespace cugrb::command {

/// Values small whole numbers of `type`; `iso`: one value for all entries. Kernels take the same time for
/// any values, but for monoids that stop early.
formats::DeviceMatrix to_device(const graph_files::Csr& csr, const Type& type, bool iso);
/// A full vector of small whole numbers.
formats::DeviceVector small_numbers(const Type& type, uint64_t length);

/// y = A x, ready to run.
struct VectorProduct {
  const Semiring& semiring;
  const formats::DeviceMatrix& matrix;
  const formats::DeviceVector& vector;

  operations::MatrixVector call() const {
    return {semiring, matrix, vector, false, false, runtime::devices()};
  }
  /// As it is measured; refers to this one.
  calibration::Product measurable() const;
};

}  // namespace cugrb::command
