// GrB_Matrix_extract: C = A(I, J).
#include "src/capi/offload.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_indices.h"
#include "src/operations/matrix_extract.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {

bool GrB_Matrix_extract(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Matrix A,
                        const GrB_Index* I, GrB_Index ni, const GrB_Index* J, GrB_Index nj,
                        GrB_Descriptor desc) {
  return attempt([&] {
    MatrixCall call("extract", C, M, accum, desc);
    const MatrixOperand given = call.input(A);
    const MatrixOperand a = given.transposed(call.descriptor().transpose_first);
    // SuiteSparse takes GrB_ALL with a count of 1 as the index list {0}.
    const auto takes_first = [](const GrB_Index* list, GrB_Index count, uint64_t length) {
      return list == all_indices() && count == 1 && length != 1;
    };
    if (takes_first(I, ni, a.rows) || takes_first(J, nj, a.columns))
      throw Declined("GrB_ALL with a count of 1");
    const IndexList rows(I, ni, a.rows), columns(J, nj, a.columns);
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

}  // namespace cugrb::capi::offload
