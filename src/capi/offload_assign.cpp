// GrB_Vector_assign (a vector or a scalar into w(I)) and GrB_Vector_extract (w = u(I)).
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_indices.h"
#include "src/capi/offload_scalars.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {
namespace {

using Forward = FunctionRef<GrB_Info(GrB_Vector)>;

/// w<mask>(I) accum= scalar. No value: a GrB_Scalar without entry.
bool assign_scalar(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                   FunctionRef<std::optional<Value>(const Type&)> scalar, const GrB_Index* I, GrB_Index ni,
                   GrB_Descriptor desc, const Forward& forward) {
  return attempt([&] {
    VectorCall call("assign", w, mask, accum, desc);
    // SuiteSparse takes GrB_ALL with a count of 1 as the index list {0}.
    if (I == all_indices() && ni == 1 && call.output().size != 1) throw Declined("GrB_ALL with a count of 1");
    const IndexList indices(I, ni, call.output().size);
    call.inputs().add(indices.view());
    const std::optional<Value> value = scalar(call.output().type);
    call.result_type(value ? value->type : call.output().type);
    if (!indices.view().all) call.keeps_outside();
    const auto device = [&](const operations::VectorOutput& out) {
      operations::assign_scalar(out, value, indices.view());
    };
    return call.run(info, value ? "scalar " + value->type.suffix() : "empty scalar", device, forward);
  });
}

}  // namespace

bool GrB_Vector_assign(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u_handle,
                       const GrB_Index* I, GrB_Index ni, GrB_Descriptor desc) {
  return attempt([&] {
    VectorCall call("assign", w, mask, accum, desc);
    const VectorOperand u = call.input(u_handle);
    const IndexList indices(I, ni, call.output().size);
    call.inputs().add(indices.view());
    require(u.size == indices.length());
    call.result_type(u.type);
    if (!indices.view().all) call.keeps_outside();
    const auto device = [&](const operations::VectorOutput& out) {
      const mirror::VectorUse use = mirror::read(u.handle);
      operations::assign(out, *use, indices.view());
    };
    return call.run(info, "vector", device, [&](GrB_Vector out) {
      return real::table().GrB_Vector_assign(out, mask, accum, u_handle, I, ni, desc);
    });
  });
}

#define CUGRB_ASSIGN(FORM, ctype, VALUE)                                                                    \
  bool GrB_Vector_assign_##FORM(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, ctype x, \
                                const GrB_Index* I, GrB_Index ni, GrB_Descriptor desc) {                    \
    return assign_scalar(                                                                                   \
        info, w, mask, accum, [&](const Type& type) -> std::optional<Value> { return (void)type, VALUE; },  \
        I, ni, desc,                                                                                        \
        [&](GrB_Vector out) {                                                                               \
          return real::table().GrB_Vector_assign_##FORM(out, mask, accum, x, I, ni, desc);                  \
        });                                                                                                 \
  }
#define CUGRB_TYPE(SUFFIX, ctype, Code) CUGRB_ASSIGN(SUFFIX, ctype, value_of(x))
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_ASSIGN(UDT, void*, value_at(x, type))
CUGRB_ASSIGN(Scalar, GrB_Scalar, value_of(x))

bool GrB_Vector_extract(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                        GrB_Vector u_handle, const GrB_Index* I, GrB_Index ni, GrB_Descriptor desc) {
  return attempt([&] {
    VectorCall call("extract", w, mask, accum, desc);
    const VectorOperand u = call.input(u_handle);
    const IndexList indices(I, ni, u.size);
    call.inputs().add(indices.view());
    require(call.output().size == indices.length());
    call.result_type(u.type);
    const auto device = [&](const operations::VectorOutput& out) {
      const mirror::VectorUse use = mirror::read(u.handle);
      operations::extract(out, *use, indices.view());
    };
    return call.run(info, "vector", device, [&](GrB_Vector out) {
      return real::table().GrB_Vector_extract(out, mask, accum, u_handle, I, ni, desc);
    });
  });
}

}  // namespace cugrb::capi::offload
