// GrB_Matrix_extract: C = A(I, J); GrB_Col_extract: w = A(I, j).
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_indices.h"
#include "src/operations/matrix_extract.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {

Outcome GrB_Matrix_extract(const Target<GrB_Matrix>& target, GrB_Matrix A, const GrB_Index* I, GrB_Index ni,
                           const GrB_Index* J, GrB_Index nj) {
  return attempt([&] {
    MatrixCall call("extract", target);
    const MatrixOperand given = call.input(A);
    const MatrixOperand a = given.transposed(call.descriptor().transpose_first);
    decline_all_of_one(I, ni, a.rows);
    decline_all_of_one(J, nj, a.columns);
    const IndexList rows(I, ni, a.rows), columns(J, nj, a.columns);
    call.inputs().add(rows.view());
    call.inputs().add(columns.view());
    require(call.output().rows == rows.length() && call.output().columns == columns.length());
    call.result_type(a.type);
    call.takes_parts();
    const auto device = [&](const operations::MatrixOutput& c) {
      const bool transpose = call.descriptor().transpose_first;
      const mirror::MatrixUse use = mirror::read(a.handle, mirror::Reads::as_it_is);
      operations::settle_extraction(*use, transpose, rows.view(), columns.view());
      operations::extract(c, {*use, transpose}, rows.view(), columns.view());
    };
    return call.run("matrix", device);
  });
}

Outcome GrB_Col_extract(const Target<GrB_Vector>& w, GrB_Matrix A, const GrB_Index* I, GrB_Index ni,
                        GrB_Index j) {
  return attempt([&] {
    VectorCall call("extract", w);
    const MatrixOperand given = call.input(A);
    const bool transpose = call.descriptor().transpose_first;
    const MatrixOperand a = given.transposed(transpose);
    decline_all_of_one(I, ni, a.rows);
    const IndexList rows(I, ni, a.rows);
    call.inputs().add(rows.view());
    require(call.output().size == rows.length() && j < a.columns);
    call.result_type(a.type);
    const auto device = [&](const operations::VectorOutput& out) {
      const mirror::MatrixUse use = mirror::read(a.handle, mirror::Reads::any_form);
      operations::settle_column(*use);
      operations::extract_column(out, {*use, transpose}, rows.view(), j);
    };
    return call.run("column", device);
  });
}

}  // namespace cugrb::capi::offload
