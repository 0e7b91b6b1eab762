// GrB_transpose, and GrB_Matrix_assign to all rows and columns: of a matrix, of a scalar.
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_indices.h"
#include "src/capi/offload_scalars.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {
namespace {

void require_all(const GrB_Index* indices, GrB_Index count, uint64_t length) {
  require(indices != nullptr);
  if (indices != all_indices() || is_all_of_one(indices, count, length)) {
    throw Declined("assign to some of a matrix's rows or columns");
  }
}

/// C<M> accum= A, or A' when `transpose`.
Outcome take(MatrixCall& call, GrB_Matrix A, bool transpose) {
  const MatrixOperand a = call.input_of_shape(A, transpose);
  call.result_type(a.type);
  const auto device = [&](const operations::MatrixOutput& c) {
    const mirror::MatrixUse use = mirror::read(a.handle);
    operations::assign(c, {*use, transpose});
  };
  return call.run("matrix", device);
}

Outcome assign_scalar(const Target<GrB_Matrix>& C, FunctionRef<std::optional<Value>(const Type&)> scalar,
                      const GrB_Index* I, GrB_Index ni, const GrB_Index* J, GrB_Index nj) {
  return attempt([&] {
    MatrixCall call("assign", C);
    require_all(I, ni, call.output().rows);
    require_all(J, nj, call.output().columns);
    const std::optional<Value> value = scalar(call.output().type);
    if (!value) throw Declined("assign of a GrB_Scalar without a value");
    call.result_type(value->type);
    const auto device = [&](const operations::MatrixOutput& c) { operations::assign_scalar(c, *value); };
    return call.run("scalar " + value->type.suffix(), device);
  });
}

}  // namespace

Outcome GrB_transpose(const Target<GrB_Matrix>& C, GrB_Matrix A) {
  return attempt([&] {
    MatrixCall call("transpose", C);
    return take(call, A, !call.descriptor().transpose_first);
  });
}

Outcome GrB_Matrix_assign(const Target<GrB_Matrix>& C, GrB_Matrix A, const GrB_Index* I, GrB_Index ni,
                          const GrB_Index* J, GrB_Index nj) {
  return attempt([&] {
    MatrixCall call("assign", C);
    require_all(I, ni, call.output().rows);
    require_all(J, nj, call.output().columns);
    return take(call, A, call.descriptor().transpose_first);
  });
}

#define CUGRB_ASSIGN(FORM, ctype, VALUE)                                                                   \
  Outcome GrB_Matrix_assign_##FORM(const Target<GrB_Matrix>& C, ctype x, const GrB_Index* I, GrB_Index ni, \
                                   const GrB_Index* J, GrB_Index nj) {                                     \
    return assign_scalar(                                                                                  \
        C, [&](const Type& type) -> std::optional<Value> { return (void)type, VALUE; }, I, ni, J, nj);     \
  }
#define CUGRB_TYPE(SUFFIX, ctype, Code) CUGRB_ASSIGN(SUFFIX, ctype, value_of(x))
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_ASSIGN(UDT, void*, value_at(x, type))
CUGRB_ASSIGN(Scalar, GrB_Scalar, value_of(x))

}  // namespace cugrb::capi::offload
