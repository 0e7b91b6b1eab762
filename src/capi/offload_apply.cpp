// GrB_Vector_apply and GrB_Matrix_apply in all forms: unary, binary with one operand bound, index-unary.
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_scalars.h"

namespace cugrb::capi::offload {
namespace {

/// T = f(u, i, j, thunk).
template <class Operand>
Outcome apply_by_place(OutputCall<Operand>& call, const IndexUnaryOp& op, const Operand& u, bool transpose,
                       const Value& thunk) {
  if (op.reads_x) require(compatible(u.type, op.x));
  require(compatible(thunk.type, op.thunk));
  const Value taken = place_thunk(op, thunk);
  call.result_type(op.z);
  if (!catalogue::looks_at_value_only(op)) call.inputs().reads_places();
  const auto device = [&](const operations::Output<typename Operand::Object>& w) {
    const auto use = mirror::read(u.handle);
    operations::apply_index(w, op, arranged(*use, transpose), taken);
  };
  return call.run(op.name, device);
}

template <class Handle>
Outcome apply_index(const Target<Handle>& target, GrB_IndexUnaryOp handle, Handle u_handle,
                    FunctionRef<Value(const IndexUnaryOp&)> thunk) {
  return attempt([&] {
    require(handle != nullptr);
    CallOn<Handle> call("apply", target);
    const bool transpose = call.descriptor().transpose_first;
    const auto u = call.input_of_shape(u_handle, transpose);
    const auto op = decode::index_unary_op(handle);
    return apply_by_place(call, *op, u, transpose, thunk(*op));
  });
}

/// T = f(x, u) or f(u, y), by `bound_first`.
template <class Handle>
Outcome apply_bound(bool bound_first, const Target<Handle>& target, GrB_BinaryOp handle,
                    FunctionRef<Value(const BinaryOp&)> scalar, Handle u_handle) {
  return attempt([&] {
    require(handle != nullptr);
    CallOn<Handle> call("apply", target);
    // The matrix is the call's second input when the first one is bound.
    const decode::Descriptor& descriptor = call.descriptor();
    const bool transpose = bound_first ? descriptor.transpose_second : descriptor.transpose_first;
    const auto u = call.input_of_shape(u_handle, transpose);
    const auto op = decode::binary_op(handle);
    const Value bound = scalar(*op);
    require(op->positional != Positional::Indices);
    if (op->positional != Positional::None) {
      const auto by_place = catalogue::positional_apply(*op);
      return apply_by_place(call, by_place.op, u, transpose, by_place.thunk);
    }
    require_first(*op, bound_first ? bound.type : u.type);
    require_second(*op, bound_first ? u.type : bound.type);
    call.result_type(op->z);
    takes_parts(call);
    const auto device = [&](const typename CallOn<Handle>::Output& out) {
      const auto use = read_by_position(u.handle);
      call.settle_form(out, use);
      if (bound_first) {
        operations::apply_bind_first(out, *op, bound, arranged(*use, transpose));
      } else {
        operations::apply_bind_second(out, *op, arranged(*use, transpose), bound);
      }
    };
    return call.run(op->name, device);
  });
}

template <class Handle>
Outcome apply(const Target<Handle>& target, GrB_UnaryOp handle, Handle u_handle) {
  return attempt([&] {
    require(handle != nullptr);
    CallOn<Handle> call("apply", target);
    const bool transpose = call.descriptor().transpose_first;
    const auto u = call.input_of_shape(u_handle, transpose);
    const decode::Unary unary = decode::unary_op(handle);
    if (unary.by_place) {
      return apply_by_place(call, unary.by_place->op, u, transpose, unary.by_place->thunk);
    }
    const UnaryOp& op = *unary.by_value;
    require(compatible(u.type, op.x));
    call.result_type(op.z);
    takes_parts(call);
    const auto device = [&](const typename CallOn<Handle>::Output& out) {
      const auto use = read_by_position(u.handle);
      call.settle_form(out, use);
      operations::apply(out, op, arranged(*use, transpose));
    };
    return call.run(op.name, device);
  });
}

}  // namespace

#define CUGRB_APPLY_UNARY(KIND)                                                           \
  Outcome GrB_##KIND##_apply(const Target<GrB_##KIND>& w, GrB_UnaryOp op, GrB_##KIND u) { \
    return apply(w, op, u);                                                               \
  }
CUGRB_APPLY_UNARY(Vector)
CUGRB_APPLY_UNARY(Matrix)

// How a form's scalar becomes a value: `x` is the argument, `wanted` the operator's type for it.
#define CUGRB_TYPED_VALUE(x, wanted) value_of(x)
#define CUGRB_UDT_VALUE(x, wanted) value_at(x, wanted)
#define CUGRB_SCALAR_VALUE(x, wanted) required_value(x)

#define CUGRB_APPLY(PREFIX, KIND, FORM, ctype, VALUE)                                                       \
  Outcome PREFIX##_##KIND##_apply_BinaryOp1st_##FORM(const Target<GrB_##KIND>& w, GrB_BinaryOp op, ctype x, \
                                                     GrB_##KIND u) {                                        \
    return apply_bound(                                                                                     \
        true, w, op, [&](const BinaryOp& f) { return (void)f, VALUE(x, f.x); }, u);                         \
  }                                                                                                         \
  Outcome PREFIX##_##KIND##_apply_BinaryOp2nd_##FORM(const Target<GrB_##KIND>& w, GrB_BinaryOp op,          \
                                                     GrB_##KIND u, ctype y) {                               \
    return apply_bound(                                                                                     \
        false, w, op, [&](const BinaryOp& f) { return (void)f, VALUE(y, f.y); }, u);                        \
  }                                                                                                         \
  Outcome PREFIX##_##KIND##_apply_IndexOp_##FORM(const Target<GrB_##KIND>& w, GrB_IndexUnaryOp op,          \
                                                 GrB_##KIND u, ctype y) {                                   \
    return apply_index(w, op, u, [&](const IndexUnaryOp& f) { return (void)f, VALUE(y, f.thunk); });        \
  }
#define CUGRB_APPLIES(PREFIX, FORM, ctype, VALUE) \
  CUGRB_APPLY(PREFIX, Vector, FORM, ctype, VALUE) \
  CUGRB_APPLY(PREFIX, Matrix, FORM, ctype, VALUE)
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) CUGRB_APPLIES(PREFIX, SUFFIX, ctype, CUGRB_TYPED_VALUE)
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_APPLIES(GrB, UDT, const void*, CUGRB_UDT_VALUE)
CUGRB_APPLIES(GrB, Scalar, GrB_Scalar, CUGRB_SCALAR_VALUE)

}  // namespace cugrb::capi::offload
