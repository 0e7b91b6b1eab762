// GrB_Vector_assign (a vector or a scalar into w(I)) and GrB_Vector_extract (w = u(I)).
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_indices.h"
#include "src/capi/offload_scalars.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {
namespace {

/// w<mask>(I) accum= scalar. No value: a GrB_Scalar without entry.
Outcome assign_scalar(const Target<GrB_Vector>& w, FunctionRef<std::optional<Value>(const Type&)> scalar,
                      const GrB_Index* I, GrB_Index ni) {
  return attempt([&] {
    VectorCall call("assign", w);
    decline_all_of_one(I, ni, call.output().size);
    const IndexList indices(I, ni, call.output().size);
    call.inputs().add(indices.view());
    const std::optional<Value> value = scalar(call.output().type);
    call.result_type(value ? value->type : call.output().type);
    if (indices.view().all) call.takes_any_form();
    if (!indices.view().all) call.keeps_outside();
    const auto device = [&](const operations::VectorOutput& out) {
      operations::assign_scalar(out, value, indices.view());
    };
    return call.run(value ? "scalar " + value->type.suffix() : "empty scalar", device);
  });
}

}  // namespace

Outcome GrB_Vector_assign(const Target<GrB_Vector>& w, GrB_Vector u_handle, const GrB_Index* I,
                          GrB_Index ni) {
  return attempt([&] {
    VectorCall call("assign", w);
    const VectorOperand u = call.input(u_handle);
    const IndexList indices(I, ni, call.output().size);
    call.inputs().add(indices.view());
    require(u.size == indices.length());
    call.result_type(u.type);
    const bool all = indices.view().all;
    if (all) call.takes_any_form();
    if (!all) call.keeps_outside();
    const auto device = [&](const operations::VectorOutput& out) {
      const mirror::VectorUse use = all ? read_by_position(u.handle) : mirror::read(u.handle);
      if (all) call.settle_form(out, use);
      operations::assign(out, *use, indices.view());
    };
    return call.run("vector", device);
  });
}

#define CUGRB_ASSIGN(NAME, ctype, VALUE)                                                        \
  Outcome NAME(const Target<GrB_Vector>& w, ctype x, const GrB_Index* I, GrB_Index ni) {        \
    return assign_scalar(                                                                       \
        w, [&](const Type& type) -> std::optional<Value> { return (void)type, VALUE; }, I, ni); \
  }
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  CUGRB_ASSIGN(PREFIX##_Vector_assign_##SUFFIX, ctype, value_of(x))
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_ASSIGN(GrB_Vector_assign_UDT, void*, value_at(x, type))
CUGRB_ASSIGN(GrB_Vector_assign_Scalar, GrB_Scalar, value_of(x))

Outcome GrB_Vector_extract(const Target<GrB_Vector>& w, GrB_Vector u_handle, const GrB_Index* I,
                           GrB_Index ni) {
  return attempt([&] {
    VectorCall call("extract", w);
    const VectorOperand u = call.input(u_handle);
    const IndexList indices(I, ni, u.size);
    call.inputs().add(indices.view());
    require(call.output().size == indices.length());
    call.result_type(u.type);
    const auto device = [&](const operations::VectorOutput& out) {
      const mirror::VectorUse use = mirror::read(u.handle);
      operations::extract(out, *use, indices.view());
    };
    return call.run("vector", device);
  });
}

}  // namespace cugrb::capi::offload
