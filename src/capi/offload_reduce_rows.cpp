// GrB_Matrix_reduce_<op>: w<mask> accum= the sum of each row of A under a monoid.
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_monoid.h"
#include "src/operations/matrix_update.h"

namespace cugrb::capi::offload {
namespace {

/// The sums of the rows are the product with a vector of which only the pattern is read: w = A u under
/// (monoid, FIRST), with u(j) present for every j.
Outcome reduce_rows(VectorCall& call, GrB_Matrix A, const Monoid& monoid) {
  const MatrixOperand matrix = call.input(A);
  const bool transpose = call.descriptor().transpose_first;
  const MatrixOperand arranged = matrix.transposed(transpose);
  require(call.output().size == arranged.rows);
  require(compatible(matrix.type, monoid.type()));
  call.result_type(monoid.type());
  if (mirror::held_by_column(A) == transpose) call.inputs().entries_in_order();
  call.exactness() = {arranged.columns, monoid.is_any};
  const Semiring semiring = catalogue::make_semiring(monoid, catalogue::first(monoid.type()));
  const auto device = [&](const operations::VectorOutput& w) {
    const mirror::MatrixUse a = mirror::read(matrix.handle, mirror::Reads::any_form);
    operations::settle_form(*a, semiring, transpose);
    const bool one = true;
    const auto u = formats::DeviceVector::full_of(Type::of(TypeCode::Bool), arranged.columns, &one);
    operations::mxv(w, {semiring, *a, u, transpose, false});
  };
  return call.run(monoid.name, device);
}

}  // namespace

Outcome GrB_Matrix_reduce_Monoid(const Target<GrB_Vector>& w, GrB_Monoid monoid, GrB_Matrix A) {
  return attempt([&] {
    require(monoid != nullptr);
    VectorCall call("reduce_rows", w);
    return reduce_rows(call, A, *decode::monoid(monoid));
  });
}

Outcome GrB_Matrix_reduce_BinaryOp(const Target<GrB_Vector>& w, GrB_BinaryOp op, GrB_Matrix A) {
  return attempt([&] {
    VectorCall call("reduce_rows", w);
    return reduce_rows(call, A, monoid_of(op));
  });
}

}  // namespace cugrb::capi::offload
