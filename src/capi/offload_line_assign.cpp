// GrB_Row_assign, GrB_Col_assign: a vector into listed positions of one row or column of a matrix. The mask
// and GrB_REPLACE act on that line only.
#include "offload_functions.h"
#include "src/capi/offload_indices.h"
#include "src/capi/offload_region.h"
#include "src/operations/matrix_extract.h"
#include "src/operations/matrix_parts.h"

namespace cugrb::capi::offload {
namespace {

bool assign_line(GrB_Info& info, GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u_handle,
                 bool column, GrB_Index line, const GrB_Index* list, GrB_Index count, GrB_Descriptor desc,
                 FunctionRef<GrB_Info(GrB_Matrix)> forward) {
  return attempt([&] {
    MatrixCall call("assign", C, nullptr, nullptr, nullptr);
    call.keeps_outside();
    const MatrixOperand c = call.output();
    const uint64_t length = column ? c.rows : c.columns;
    Region region(accum, desc);
    region.take_mask(call, mask, length);
    const VectorOperand u = call.input(u_handle);
    const IndexList indices(list, count, length);
    call.inputs().add(indices.view());
    require(u.size == indices.length() && line < (column ? c.columns : c.rows));
    region.result_type(c.type, u.type);
    const auto device = [&](const operations::MatrixOutput& out) {
      const mirror::VectorUse use = mirror::read(u.handle);
      formats::DeviceVector entries = formats::DeviceVector::empty(c.type, length);
      operations::extract_column({entries, {}, std::nullopt, false}, {out.object, !column},
                                 {true, length, nullptr}, line);
      region.write(entries, [&](const operations::VectorOutput& part) {
        operations::assign(part, *use, indices.view());
      });
      operations::replace_line(out.object, column, line, entries);
    };
    return call.run(info, column ? "column" : "row", device, forward);
  });
}

}  // namespace

bool GrB_Row_assign(GrB_Info& info, GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                    GrB_Index i, const GrB_Index* J, GrB_Index nj, GrB_Descriptor desc) {
  return assign_line(info, C, mask, accum, u, false, i, J, nj, desc, [&](GrB_Matrix out) {
    return real::table().GrB_Row_assign(out, mask, accum, u, i, J, nj, desc);
  });
}

bool GrB_Col_assign(GrB_Info& info, GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                    const GrB_Index* I, GrB_Index ni, GrB_Index j, GrB_Descriptor desc) {
  return assign_line(info, C, mask, accum, u, true, j, I, ni, desc, [&](GrB_Matrix out) {
    return real::table().GrB_Col_assign(out, mask, accum, u, I, ni, j, desc);
  });
}

}  // namespace cugrb::capi::offload
