// GxB_Vector_subassign: w(I)<mask> accum= a vector or a scalar. The mask has as many positions as I, and
// GrB_REPLACE acts on w(I) only.
#include "offload_functions.h"
#include "src/capi/offload_indices.h"
#include "src/capi/offload_region.h"
#include "src/capi/offload_scalars.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {
namespace {

/// w(I) is written, of type `type`.
Outcome run(VectorCall& call, Region<VectorOperand>& region, GrB_Vector mask, const IndexList& indices,
            const Type& type, const std::string& op, const AssignToList& assign) {
  call.keeps_outside();
  call.inputs().add(indices.view());
  region.take_mask(call, mask, {nullptr, indices.length(), {}});
  region.result_type(call.output().type, type);
  const auto device = [&](const operations::VectorOutput& w) {
    assign_part(w.object, region, indices.view(), assign);
  };
  return call.run(op, device);
}

Outcome subassign_scalar(const Target<GrB_Vector>& w, FunctionRef<std::optional<Value>(const Type&)> scalar,
                         const GrB_Index* I, GrB_Index ni) {
  return attempt([&] {
    VectorCall call("subassign", whole(w));
    decline_all_of_one(I, ni, call.output().size);
    Region<VectorOperand> region(w.accum, w.descriptor);
    const IndexList indices(I, ni, call.output().size);
    const std::optional<Value> value = scalar(call.output().type);
    const auto assign = [&](const operations::VectorOutput& out, const operations::Indices& places) {
      operations::assign_scalar(out, value, places);
    };
    return run(call, region, w.mask, indices, value ? value->type : call.output().type,
               value ? "scalar " + value->type.suffix() : "empty scalar", assign);
  });
}

}  // namespace

Outcome GxB_Vector_subassign(const Target<GrB_Vector>& w, GrB_Vector u_handle, const GrB_Index* I,
                             GrB_Index ni) {
  return attempt([&] {
    VectorCall call("subassign", whole(w));
    Region<VectorOperand> region(w.accum, w.descriptor);
    const VectorOperand u = call.input(u_handle);
    const IndexList indices(I, ni, call.output().size);
    require(u.size == indices.length());
    const auto assign = [&](const operations::VectorOutput& out, const operations::Indices& places) {
      const mirror::VectorUse use = mirror::read(u.handle);
      operations::assign(out, *use, places);
    };
    return run(call, region, w.mask, indices, u.type, "vector", assign);
  });
}

#define CUGRB_SUBASSIGN(FORM, ctype, VALUE)                                                     \
  Outcome GxB_Vector_subassign_##FORM(const Target<GrB_Vector>& w, ctype x, const GrB_Index* I, \
                                      GrB_Index ni) {                                           \
    return subassign_scalar(                                                                    \
        w, [&](const Type& type) -> std::optional<Value> { return (void)type, VALUE; }, I, ni); \
  }
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) CUGRB_SUBASSIGN(SUFFIX, ctype, value_of(x))
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_SUBASSIGN(UDT, void*, value_at(x, type))
CUGRB_SUBASSIGN(Scalar, GrB_Scalar, value_of(x))
#undef CUGRB_SUBASSIGN

}  // namespace cugrb::capi::offload
