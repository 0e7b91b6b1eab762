// GrB_Matrix_extract: C = A(I, J); GrB_Col_extract: w = A(I, j).
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_indices.h"
#include "src/operations/matrix_extract.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {
namespace {

/// SuiteSparse takes GrB_ALL with a count of 1 as the index list {0}.
void decline_all_of_one(const GrB_Index* list, GrB_Index count, uint64_t length) {
  if (list == all_indices() && count == 1 && length != 1) throw Declined("GrB_ALL with a count of 1");
}

}  // namespace

bool GrB_Matrix_extract(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Matrix A,
                        const GrB_Index* I, GrB_Index ni, const GrB_Index* J, GrB_Index nj,
                        GrB_Descriptor desc) {
  return attempt([&] {
    MatrixCall call("extract", C, M, accum, desc);
    const MatrixOperand given = call.input(A);
    const MatrixOperand a = given.transposed(call.descriptor().transpose_first);
    decline_all_of_one(I, ni, a.rows);
    decline_all_of_one(J, nj, a.columns);
    const IndexList rows(I, ni, a.rows), columns(J, nj, a.columns);
    call.inputs().add(rows.view());
    call.inputs().add(columns.view());
    require(call.output().rows == rows.length() && call.output().columns == columns.length());
    call.result_type(a.type);
    const auto device = [&](const operations::MatrixOutput& c) {
      const mirror::MatrixUse use = mirror::read(a.handle);
      operations::extract(c, {*use, call.descriptor().transpose_first}, rows.view(), columns.view());
    };
    return call.run(info, "matrix", device, [&](GrB_Matrix out) {
      return real::table().GrB_Matrix_extract(out, M, accum, A, I, ni, J, nj, desc);
    });
  });
}

bool GrB_Col_extract(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Matrix A,
                     const GrB_Index* I, GrB_Index ni, GrB_Index j, GrB_Descriptor desc) {
  return attempt([&] {
    VectorCall call("extract", w, mask, accum, desc);
    const MatrixOperand given = call.input(A);
    const bool transpose = call.descriptor().transpose_first;
    const MatrixOperand a = given.transposed(transpose);
    decline_all_of_one(I, ni, a.rows);
    const IndexList rows(I, ni, a.rows);
    call.inputs().add(rows.view());
    require(call.output().size == rows.length() && j < a.columns);
    call.result_type(a.type);
    const auto device = [&](const operations::VectorOutput& out) {
      const mirror::MatrixUse use = mirror::read(a.handle);
      operations::extract_column(out, {*use, transpose}, rows.view(), j);
    };
    return call.run(info, "column", device, [&](GrB_Vector out) {
      return real::table().GrB_Col_extract(out, mask, accum, A, I, ni, j, desc);
    });
  });
}

}  // namespace cugrb::capi::offload
