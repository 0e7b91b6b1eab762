// GrB_Vector_apply in all forms: unary, binary with one operand bound, index-unary.
#include "src/capi/offload.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_scalars.h"

namespace cugrb::capi::offload {
namespace {

using Forward = FunctionRef<GrB_Info(GrB_Vector)>;

/// T = f(u, i, j, thunk).
bool apply_by_place(GrB_Info& info, VectorCall& call, const IndexUnaryOp& op, const VectorOperand& u,
                    const Value& thunk, const Forward& forward) {
  if (op.reads_x) require(compatible(u.type, op.x));
  require(compatible(thunk.type, op.thunk));
  check_place_thunk(op, thunk);
  call.result_type(op.z);
  const auto device = [&](const operations::Output& w) {
    const mirror::VectorUse use = mirror::read(u.handle);
    operations::apply_index(w, op, *use, thunk);
  };
  return call.run(info, op.name, device, forward);
}

bool apply_index(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_IndexUnaryOp handle,
                 GrB_Vector u_handle, FunctionRef<Value(const IndexUnaryOp&)> thunk, GrB_Descriptor desc,
                 const Forward& forward) {
  return attempt([&] {
    require(handle != nullptr);
    VectorCall call("apply", w, mask, accum, desc);
    const VectorOperand u = call.input(u_handle);
    require(u.size == call.output().size);
    const auto op = decode::index_unary_op(handle);
    return apply_by_place(info, call, *op, u, thunk(*op), forward);
  });
}

/// T = f(x, u) or f(u, y), by `bound_first`.
bool apply_bound(GrB_Info& info, bool bound_first, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                 GrB_BinaryOp handle, FunctionRef<Value(const BinaryOp&)> scalar, GrB_Vector u_handle,
                 GrB_Descriptor desc, const Forward& forward) {
  return attempt([&] {
    require(handle != nullptr);
    VectorCall call("apply", w, mask, accum, desc);
    const VectorOperand u = call.input(u_handle);
    require(u.size == call.output().size);
    const auto op = decode::binary_op(handle);
    const Value bound = scalar(*op);
    if (op->positional != Positional::None) {
      const auto by_place = catalogue::positional_apply(*op);
      return apply_by_place(info, call, by_place.op, u, by_place.thunk, forward);
    }
    require_first(*op, bound_first ? bound.type : u.type);
    require_second(*op, bound_first ? u.type : bound.type);
    call.result_type(op->z);
    const auto device = [&](const operations::Output& out) {
      const mirror::VectorUse use = mirror::read(u.handle);
      if (bound_first) {
        operations::apply_bind_first(out, *op, bound, *use);
      } else {
        operations::apply_bind_second(out, *op, *use, bound);
      }
    };
    return call.run(info, op->name, device, forward);
  });
}

}  // namespace

bool GrB_Vector_apply(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_UnaryOp handle,
                      GrB_Vector u_handle, GrB_Descriptor desc) {
  return attempt([&] {
    require(handle != nullptr);
    VectorCall call("apply", w, mask, accum, desc);
    const VectorOperand u = call.input(u_handle);
    require(u.size == call.output().size);
    const auto forward = [&](GrB_Vector out) {
      return real::table().GrB_Vector_apply(out, mask, accum, handle, u_handle, desc);
    };
    const decode::Unary unary = decode::unary_op(handle);
    if (unary.by_place) {
      return apply_by_place(info, call, unary.by_place->op, u, unary.by_place->thunk, forward);
    }
    const UnaryOp& op = *unary.by_value;
    require(compatible(u.type, op.x));
    call.result_type(op.z);
    const auto device = [&](const operations::Output& out) {
      const mirror::VectorUse use = mirror::read(u.handle);
      operations::apply(out, op, *use);
    };
    return call.run(info, op.name, device, forward);
  });
}

// How a form's scalar becomes a value: `x` is the argument, `wanted` the operator's type for it.
#define CUGRB_TYPED_VALUE(x, wanted) value_of(x)
#define CUGRB_UDT_VALUE(x, wanted) value_at(x, wanted)
#define CUGRB_SCALAR_VALUE(x, wanted) required_value(x)

#define CUGRB_APPLY(FORM, ctype, VALUE)                                                                      \
  bool GrB_Vector_apply_BinaryOp1st_##FORM(GrB_Info& info, GrB_Vector w, GrB_Vector mask,                    \
                                           GrB_BinaryOp accum, GrB_BinaryOp op, ctype x, GrB_Vector u,       \
                                           GrB_Descriptor desc) {                                            \
    return apply_bound(                                                                                      \
        info, true, w, mask, accum, op, [&](const BinaryOp& f) { return (void)f, VALUE(x, f.x); }, u, desc,  \
        [&](GrB_Vector out) {                                                                                \
          return real::table().GrB_Vector_apply_BinaryOp1st_##FORM(out, mask, accum, op, x, u, desc);        \
        });                                                                                                  \
  }                                                                                                          \
  bool GrB_Vector_apply_BinaryOp2nd_##FORM(GrB_Info& info, GrB_Vector w, GrB_Vector mask,                    \
                                           GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u, ctype y,       \
                                           GrB_Descriptor desc) {                                            \
    return apply_bound(                                                                                      \
        info, false, w, mask, accum, op, [&](const BinaryOp& f) { return (void)f, VALUE(y, f.y); }, u, desc, \
        [&](GrB_Vector out) {                                                                                \
          return real::table().GrB_Vector_apply_BinaryOp2nd_##FORM(out, mask, accum, op, u, y, desc);        \
        });                                                                                                  \
  }                                                                                                          \
  bool GrB_Vector_apply_IndexOp_##FORM(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,    \
                                       GrB_IndexUnaryOp op, GrB_Vector u, ctype y, GrB_Descriptor desc) {    \
    return apply_index(                                                                                      \
        info, w, mask, accum, op, u, [&](const IndexUnaryOp& f) { return (void)f, VALUE(y, f.thunk); },      \
        desc,                                                                                                \
        [&](GrB_Vector out) {                                                                                \
          return real::table().GrB_Vector_apply_IndexOp_##FORM(out, mask, accum, op, u, y, desc);            \
        });                                                                                                  \
  }
#define CUGRB_TYPE(SUFFIX, ctype, Code) CUGRB_APPLY(SUFFIX, ctype, CUGRB_TYPED_VALUE)
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_APPLY(UDT, const void*, CUGRB_UDT_VALUE)
CUGRB_APPLY(Scalar, GrB_Scalar, CUGRB_SCALAR_VALUE)

}  // namespace cugrb::capi::offload
