// GrB_Matrix_diag, GxB_Matrix_diag: C = diag(v, k); GxB_Vector_diag: v = the k-th diagonal of A.
#include <algorithm>

#include "offload_functions.h"
#include "src/capi/index_limit.h"
#include "src/capi/offload_call.h"
#include "src/operations/matrix_extract.h"

namespace cugrb::capi::offload {
namespace {

/// Rows of a matrix whose k-th diagonal has so many positions. Throws Invalid where GraphBLAS has no such
/// matrix.
uint64_t rows_around(uint64_t length, int64_t k) {
  const uint64_t away = operations::magnitude(k);
  require(away <= most_positions && length + away <= most_positions);
  return length + away;
}

uint64_t length_of_diagonal(const MatrixOperand& a, int64_t k) {
  const uint64_t away = operations::magnitude(k), rows = k < 0 ? a.rows - std::min(away, a.rows) : a.rows,
                 columns = k < 0 ? a.columns : a.columns - std::min(away, a.columns);
  return std::min(rows, columns);
}

/// C = diag(v, k) for a C that there is.
Outcome fill_diagonal(GrB_Matrix C, GrB_Vector v, int64_t k) {
  const auto real = [&](GrB_Matrix out) { return real::table().GxB_Matrix_diag(out, v, k, nullptr); };
  MatrixCall call("diag", {C, nullptr, nullptr, nullptr, real});
  const VectorOperand given = call.input(v);
  const uint64_t rows = rows_around(given.size, k);
  require(call.output().rows == rows && call.output().columns == rows);
  call.result_type(given.type);
  const auto device = [&](const operations::MatrixOutput& c) {
    const mirror::VectorUse use = mirror::read(given.handle);
    operations::diagonal_matrix(c, *use, k);
  };
  return call.run("matrix", device);
}

}  // namespace

Outcome GxB_Matrix_diag(GrB_Matrix C, GrB_Vector v, int64_t k, GrB_Descriptor desc) {
  return attempt([&] {
    decode::descriptor(desc);  // looked at, as SuiteSparse does; nothing in it matters
    return fill_diagonal(C, v, k);
  });
}

Outcome GrB_Matrix_diag(GrB_Matrix* C, GrB_Vector v, int64_t k) {
  return attempt([&]() -> Outcome {
    require(C != nullptr);
    const uint64_t rows = rows_around(operand(v).size, k);
    Made<GrB_Matrix> made(new_matrix(type_handle(v), rows, rows));
    const Outcome outcome = fill_diagonal(made.get(), v, k);
    if (outcome) *C = made.give();
    return outcome;
  });
}

Outcome GxB_Vector_diag(GrB_Vector v, GrB_Matrix A, int64_t k, GrB_Descriptor desc) {
  return attempt([&] {
    decode::descriptor(desc);
    const auto real = [&](GrB_Vector out) { return real::table().GxB_Vector_diag(out, A, k, nullptr); };
    VectorCall call("diag", {v, nullptr, nullptr, nullptr, real});
    const MatrixOperand a = call.input(A);
    require(call.output().size == length_of_diagonal(a, k));
    call.result_type(a.type);
    const auto device = [&](const operations::VectorOutput& w) {
      const mirror::MatrixUse use = mirror::read(a.handle);
      operations::extract_diagonal(w, {*use, false}, k);
    };
    return call.run("vector", device);
  });
}

}  // namespace cugrb::capi::offload
