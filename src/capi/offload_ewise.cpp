// Element-wise: eWiseAdd (union of the patterns), eWiseMult (intersection), eWiseUnion (union with fill-in
// values).
#include "src/capi/offload.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_scalars.h"

namespace cugrb::capi::offload {
namespace {

using Operation = void (*)(const operations::Output&, const BinaryOp&, const operations::DeviceVector&,
                           const operations::DeviceVector&);

/// w<mask> accum= u op v. `passes`: where one operand is missing the other's value passes to the result.
bool elementwise(GrB_Info& info, VectorCall& call, const BinaryOp& given, GrB_Vector u_handle,
                 GrB_Vector v_handle, Operation operation, bool passes,
                 FunctionRef<GrB_Info(GrB_Vector)> forward) {
  const VectorOperand u = call.input(u_handle), v = call.input(v_handle);
  require(u.size == call.output().size && v.size == call.output().size);
  const BinaryOp op = catalogue::elementwise(given);
  require_first(op, u.type);
  require_second(op, v.type);
  if (passes) require(compatible(u.type, op.z) && compatible(v.type, op.z));
  call.result_type(op.z);
  call.exactness().any_value = op.stem == "any_value";
  const auto device = [&](const operations::Output& w) {
    const mirror::VectorUse left = mirror::read(u.handle);
    const mirror::VectorUse right = mirror::read(v.handle);
    operation(w, op, *left, *right);
  };
  return call.run(info, op.name, device, forward);
}

}  // namespace

// The three forms differ in where the operator comes from: itself, a monoid's, or a semiring's add (eWiseAdd)
// or multiply (eWiseMult).
#define CUGRB_EWISE(kind, operation, passes, Form, Handle, OP)                                       \
  bool GrB_Vector_##kind##_##Form(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, \
                                  Handle op, GrB_Vector u, GrB_Vector v, GrB_Descriptor desc) {      \
    return attempt([&] {                                                                             \
      require(op != nullptr);                                                                        \
      VectorCall call(#operation, w, mask, accum, desc);                                             \
      return elementwise(info, call, OP, u, v, operations::operation, passes, [&](GrB_Vector out) {  \
        return real::table().GrB_Vector_##kind##_##Form(out, mask, accum, op, u, v, desc);           \
      });                                                                                            \
    });                                                                                              \
  }
CUGRB_EWISE(eWiseAdd, ewise_add, true, BinaryOp, GrB_BinaryOp, *decode::binary_op(op))
CUGRB_EWISE(eWiseAdd, ewise_add, true, Monoid, GrB_Monoid, decode::monoid(op)->op)
CUGRB_EWISE(eWiseAdd, ewise_add, true, Semiring, GrB_Semiring, decode::semiring(op)->add.op)
CUGRB_EWISE(eWiseMult, ewise_mult, false, BinaryOp, GrB_BinaryOp, *decode::binary_op(op))
CUGRB_EWISE(eWiseMult, ewise_mult, false, Monoid, GrB_Monoid, decode::monoid(op)->op)
CUGRB_EWISE(eWiseMult, ewise_mult, false, Semiring, GrB_Semiring, decode::semiring(op)->multiply)
#undef CUGRB_EWISE

bool GxB_Vector_eWiseUnion(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                           GrB_BinaryOp op_handle, GrB_Vector u, GrB_Scalar alpha, GrB_Vector v,
                           GrB_Scalar beta, GrB_Descriptor desc) {
  return attempt([&] {
    require(op_handle != nullptr);
    VectorCall call("ewise_union", w, mask, accum, desc);
    const VectorOperand left = call.input(u), right = call.input(v);
    require(left.size == call.output().size && right.size == call.output().size);
    const BinaryOp op = catalogue::elementwise(*decode::binary_op(op_handle));
    const Value alpha_value = required_value(alpha), beta_value = required_value(beta);
    require_first(op, left.type);
    require_second(op, right.type);
    require_first(op, alpha_value.type);
    require_second(op, beta_value.type);
    call.result_type(op.z);
    call.exactness().any_value = op.stem == "any_value";
    const auto device = [&](const operations::Output& out) {
      const mirror::VectorUse x = mirror::read(left.handle);
      const mirror::VectorUse y = mirror::read(right.handle);
      operations::ewise_union(out, op, *x, alpha_value, *y, beta_value);
    };
    return call.run(info, op.name, device, [&](GrB_Vector out) {
      return real::table().GxB_Vector_eWiseUnion(out, mask, accum, op_handle, u, alpha, v, beta, desc);
    });
  });
}

}  // namespace cugrb::capi::offload
