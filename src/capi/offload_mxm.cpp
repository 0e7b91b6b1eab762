// GrB_mxm: C<M> accum= A B.
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/operations/fragment_factors.h"

namespace cugrb::capi::offload {

Outcome GrB_mxm(const Target<GrB_Matrix>& target, GrB_Semiring semiring_handle, GrB_Matrix A, GrB_Matrix B) {
  return attempt([&] {
    require(semiring_handle != nullptr);
    MatrixCall call("mxm", target);
    const decode::Descriptor& descriptor = call.descriptor();
    const MatrixOperand a = call.input(A), b = call.input(B);
    const MatrixOperand left = a.transposed(descriptor.transpose_first);
    const MatrixOperand right = b.transposed(descriptor.transpose_second);
    require(call.output().rows == left.rows && call.output().columns == right.columns);
    require(left.columns == right.rows);
    const auto semiring = decode::semiring(semiring_handle);
    require_first(semiring->multiply, a.type);
    require_second(semiring->multiply, b.type);
    call.result_type(semiring->add.type());
    call.exactness() = {left.columns, semiring->add.is_any};
    call.inputs().multiplies(left, right, descriptor.transpose_first, descriptor.transpose_second);
    if (!descriptor.transpose_second) call.inputs().meets_rows_of(a);
    const auto device = [&](const operations::MatrixOutput& c) {
      const mirror::MatrixUse first = mirror::read(a.handle, mirror::Reads::as_it_is);
      const mirror::MatrixUse second = mirror::read(b.handle, mirror::Reads::as_it_is);
      operations::settle_factors(*first, *second, descriptor.transpose_first, descriptor.transpose_second);
      operations::mxm(c, {*semiring, *first, *second, descriptor.transpose_first, descriptor.transpose_second,
                          runtime::devices(), /*in_parts=*/true});
    };
    const auto in_slices = [&](const operations::HostOutput& c, formats::RowSink& sink) {
      const mirror::HostUse first(a.handle), second(b.handle);
      operations::mxm_in_slices(
          c, {*semiring, *first, *second, descriptor.transpose_first, descriptor.transpose_second}, sink);
    };
    const MatrixCall::InSlices by_slices = in_slices;
    call.in_slices(by_slices);
    return call.run(semiring->name, device);
  });
}

}  // namespace cugrb::capi::offload
