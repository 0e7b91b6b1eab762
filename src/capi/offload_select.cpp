// GrB_Vector_select (index-unary operators) and GxB_Vector_select (the older select operators).
#include "src/capi/offload.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_scalars.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {
namespace {

using Forward = FunctionRef<GrB_Info(GrB_Vector)>;

/// Comparisons of booleans take their thunk through int64 in SuiteSparse: 0.5 becomes false.
void check_boolean_thunk(const IndexUnaryOp& op, const Type& u, const Value& thunk) {
  if (!op.reads_x || op.stem == "user" || u.code != TypeCode::Bool || op.x.code != TypeCode::Bool) return;
  const Value whole = reference::cast(thunk, Type::of(TypeCode::Int64));
  if (reference::cast(whole, op.thunk).bytes != reference::cast(thunk, op.thunk).bytes) {
    throw Declined("a boolean thunk that SuiteSparse casts through int64");
  }
}

/// T = the entries of u for which f(u, i, j, thunk) is true.
bool select_by(GrB_Info& info, VectorCall& call, const IndexUnaryOp& op, const VectorOperand& u,
               const Value& thunk, const Forward& forward) {
  if (op.reads_x) require(compatible(u.type, op.x));
  require(compatible(thunk.type, op.thunk) && !op.z.is_user());
  check_place_thunk(op, thunk);
  check_boolean_thunk(op, u.type, thunk);
  call.result_type(u.type);
  const auto device = [&](const operations::Output& w) {
    const mirror::VectorUse use = mirror::read(u.handle);
    operations::select(w, op, *use, thunk);
  };
  return call.run(info, op.name, device, forward);
}

bool select(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_IndexUnaryOp handle,
            GrB_Vector u_handle, FunctionRef<Value(const IndexUnaryOp&)> thunk, GrB_Descriptor desc,
            const Forward& forward) {
  return attempt([&] {
    require(handle != nullptr);
    VectorCall call("select", w, mask, accum, desc);
    const VectorOperand u = call.input(u_handle);
    require(u.size == call.output().size);
    const auto op = decode::index_unary_op(handle);
    return select_by(info, call, *op, u, thunk(*op), forward);
  });
}

}  // namespace

#define CUGRB_SELECT(FORM, ctype, VALUE)                                                           \
  bool GrB_Vector_select_##FORM(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, \
                                GrB_IndexUnaryOp op, GrB_Vector u, ctype y, GrB_Descriptor desc) { \
    return select(                                                                                 \
        info, w, mask, accum, op, u, [&](const IndexUnaryOp& f) { return (void)f, VALUE; }, desc,  \
        [&](GrB_Vector out) {                                                                      \
          return real::table().GrB_Vector_select_##FORM(out, mask, accum, op, u, y, desc);         \
        });                                                                                        \
  }
#define CUGRB_TYPE(SUFFIX, ctype, Code) CUGRB_SELECT(SUFFIX, ctype, value_of(y))
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_SELECT(UDT, const void*, value_at(y, f.thunk))
CUGRB_SELECT(Scalar, GrB_Scalar, required_value(y))

bool GxB_Vector_select(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GxB_SelectOp handle,
                       GrB_Vector u_handle, GrB_Scalar thunk, GrB_Descriptor desc) {
  return attempt([&] {
    require(handle != nullptr);
    VectorCall call("select", w, mask, accum, desc);
    const VectorOperand u = call.input(u_handle);
    require(u.size == call.output().size);
    const std::string name = decode::select_op(handle);
    const auto op = catalogue::select_op(name, u.type);
    if (!op) throw Declined("GxB_" + name + " on values of a user-defined type");
    std::optional<Value> value = op->thunk;
    if (!value && thunk != nullptr) value = value_of(thunk);
    // Operators on places take a missing thunk as 0.
    if (!value && !op->op.reads_x) value = value_of(int64_t(0));
    if (!value) throw Declined("GxB_" + name + " without a thunk");
    return select_by(info, call, op->op, u, *value, [&](GrB_Vector out) {
      return real::table().GxB_Vector_select(out, mask, accum, handle, u_handle, thunk, desc);
    });
  });
}

}  // namespace cugrb::capi::offload
