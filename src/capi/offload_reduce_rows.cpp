// GrB_Matrix_reduce_<op>: w<mask> accum= the sum of each row of A under a monoid.
#include <algorithm>

#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {
namespace {

/// The sums of the rows are the product with a vector of which only the pattern is read: w = A u under
/// (monoid, FIRST), with u(j) present for every j.
bool reduce_rows(GrB_Info& info, VectorCall& call, GrB_Matrix A, const Monoid& monoid,
                 FunctionRef<GrB_Info(GrB_Vector)> forward) {
  const MatrixOperand matrix = call.input(A);
  const bool transpose = call.descriptor().transpose_first;
  const MatrixOperand arranged = matrix.transposed(transpose);
  require(call.output().size == arranged.rows);
  require(compatible(matrix.type, monoid.type()));
  call.result_type(monoid.type());
  call.exactness() = {arranged.columns, monoid.is_any};
  const Semiring semiring = catalogue::make_semiring(monoid, catalogue::first(monoid.type()));
  const auto device = [&](const operations::VectorOutput& w) {
    const mirror::MatrixUse a = mirror::read(matrix.handle);
    const bool one = true;
    const auto u = formats::DeviceVector::full_of(Type::of(TypeCode::Bool), arranged.columns, &one);
    operations::mxv(w, {semiring, *a, u, transpose, false});
  };
  return call.run(info, monoid.name, device, forward);
}

/// The built-in monoid of an operator; SuiteSparse refuses operators that have none.
const Monoid& monoid_of(const BinaryOp& op) {
  const auto& all = catalogue::monoids();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Monoid& monoid) { return monoid.op.source == op.source; });
  require(found != all.end());
  return *found;
}

}  // namespace

bool GrB_Matrix_reduce_Monoid(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                              GrB_Monoid monoid, GrB_Matrix A, GrB_Descriptor desc) {
  return attempt([&] {
    require(monoid != nullptr);
    VectorCall call("reduce_rows", w, mask, accum, desc);
    return reduce_rows(info, call, A, *decode::monoid(monoid), [&](GrB_Vector out) {
      return real::table().GrB_Matrix_reduce_Monoid(out, mask, accum, monoid, A, desc);
    });
  });
}

bool GrB_Matrix_reduce_BinaryOp(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                GrB_BinaryOp op, GrB_Matrix A, GrB_Descriptor desc) {
  return attempt([&] {
    require(op != nullptr);
    VectorCall call("reduce_rows", w, mask, accum, desc);
    return reduce_rows(info, call, A, monoid_of(*decode::binary_op(op)), [&](GrB_Vector out) {
      return real::table().GrB_Matrix_reduce_BinaryOp(out, mask, accum, op, A, desc);
    });
  });
}

}  // namespace cugrb::capi::offload
