// GrB_Row_assign, GrB_Col_assign, GxB_Row_subassign, GxB_Col_subassign: a vector into listed positions of one
// row or column of a matrix. The mask and GrB_REPLACE act on that line only, or (subassign) on the listed
// positions only.
#include "offload_functions.h"
#include "src/capi/offload_indices.h"
#include "src/capi/offload_region.h"
#include "src/operations/matrix_extract.h"
#include "src/operations/matrix_parts.h"

namespace cugrb::capi::offload {
namespace {

/// Of one row or column: which, and what its mask covers.
struct Line {
  bool column = false;
  GrB_Index index = 0;
  bool masked_alone = false;  ///< the listed positions, else all of the line
};

Outcome assign_line(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u_handle, const Line& line,
                    const GrB_Index* list, GrB_Index count, GrB_Descriptor desc,
                    FunctionRef<GrB_Info(GrB_Matrix)> real) {
  return attempt([&] {
    MatrixCall call(line.masked_alone ? "subassign" : "assign", {C, nullptr, nullptr, nullptr, real});
    call.keeps_outside();
    call.takes_any_form();
    const MatrixOperand c = call.output();
    const uint64_t length = line.column ? c.rows : c.columns;
    Region<VectorOperand> region(accum, desc);
    const VectorOperand u = call.input(u_handle);
    const IndexList indices(list, count, length);
    call.inputs().add(indices.view());
    region.take_mask(call, mask, {nullptr, line.masked_alone ? indices.length() : length, {}});
    require(u.size == indices.length() && line.index < (line.column ? c.columns : c.rows));
    region.result_type(c.type, u.type);
    const auto device = [&](const operations::MatrixOutput& out) {
      const mirror::VectorUse use = mirror::read(u.handle);
      operations::settle_column(out.object);
      formats::DeviceVector entries = formats::DeviceVector::empty(c.type, length);
      operations::extract_column({entries, {}, std::nullopt, false}, {out.object, !line.column},
                                 {true, length, nullptr}, line.index);
      const auto assign = [&](const operations::VectorOutput& part, const operations::Indices& places) {
        operations::assign(part, *use, places);
      };
      if (line.masked_alone) {
        assign_part(entries, region, indices.view(), assign);
      } else {
        region.write(entries, [&](const operations::VectorOutput& part) { assign(part, indices.view()); });
      }
      operations::replace_line(out, line.column, line.index, entries);
    };
    return call.run(line.column ? "column" : "row", device);
  });
}

}  // namespace

#define CUGRB_LINES(ROW, COLUMN, masked_alone)                                                         \
  Outcome ROW(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, GrB_Index i,            \
              const GrB_Index* J, GrB_Index nj, GrB_Descriptor desc) {                                 \
    return assign_line(C, mask, accum, u, {false, i, masked_alone}, J, nj, desc, [&](GrB_Matrix out) { \
      return real::table().ROW(out, mask, accum, u, i, J, nj, desc);                                   \
    });                                                                                                \
  }                                                                                                    \
  Outcome COLUMN(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, const GrB_Index* I,  \
                 GrB_Index ni, GrB_Index j, GrB_Descriptor desc) {                                     \
    return assign_line(C, mask, accum, u, {true, j, masked_alone}, I, ni, desc, [&](GrB_Matrix out) {  \
      return real::table().COLUMN(out, mask, accum, u, I, ni, j, desc);                                \
    });                                                                                                \
  }
CUGRB_LINES(GrB_Row_assign, GrB_Col_assign, false)
CUGRB_LINES(GxB_Row_subassign, GxB_Col_subassign, true)
#undef CUGRB_LINES

}  // namespace cugrb::capi::offload
