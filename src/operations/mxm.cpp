// T(i,j) = reduce over k of multiply(A(i,k), B(k,j)): what is asked, which kernel answers it, and the one exit.
#include "src/operations/matrix_operations.h"
#include "src/support/declined.h"

namespace cugrb::operations {

void mxm(const MatrixOutput&, const MatrixMatrix&) { throw Declined("mxm is not on the device yet"); }

std::optional<Value> reduce_mxm(const Monoid&, const MatrixMask&, const MatrixMatrix&) {
  throw Declined("a reduced mxm is not on the device yet");
}

std::optional<Value> reduce(const Monoid&, const DeviceMatrix&) {
  throw Declined("the reduction of a matrix is not on the device yet");
}

}  // namespace cugrb::operations
