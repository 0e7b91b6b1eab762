// A matrix-vector product whose matrix stays in host memory.
#pragma once
#include "src/formats/host_stream.h"
#include "src/operations/operations.h"

namespace cugrb::operations {

/// MatrixVector with its matrix in host memory.
struct HostMatrixVector {
  const Semiring& semiring;
  const formats::MatrixSource& matrix;
  const DeviceVector& vector;
  bool transpose_matrix = false;
  bool vector_first = false;
  std::span<runtime::Device* const> devices;  ///< at least one; the first has the vectors
};

/// w<mask, replace> accum= T for a matrix that does not fit the device: slices of T's rows, each of which one
/// of the devices takes when it has done its last one, while the next one is on its way there. So a faster
/// device takes more. Copies: the matrix goes up once, u and a byte of the mask for each row to every device.
/// A device's slice takes an eighth of its free memory at most; where that was too much it is halved. T's
/// rows are made as mxv makes them; the trace says how many bytes came, and how fast. Throws Declined for an
/// operator that asks for the row of T, runtime::OutOfMemory when memory does not suffice for one row, and
/// what mxv throws.
void mxv_in_slices(const VectorOutput& w, const HostMatrixVector& call);

}  // namespace cugrb::operations
