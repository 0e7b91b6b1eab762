// GrB_transpose, and GrB_Matrix_assign to all rows and columns: of a matrix, of a scalar.
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_indices.h"
#include "src/capi/offload_scalars.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {
namespace {

using Forward = FunctionRef<GrB_Info(GrB_Matrix)>;

/// SuiteSparse takes GrB_ALL with a count of 1 as the index list {0}.
void require_all(const GrB_Index* indices, GrB_Index count, uint64_t length) {
  require(indices != nullptr);
  if (indices != all_indices() || (count == 1 && length != 1)) {
    throw Declined("assign to some of a matrix's rows or columns");
  }
}

/// C<M> accum= A, or A' when `transpose`.
bool take(GrB_Info& info, MatrixCall& call, GrB_Matrix A, bool transpose, const Forward& forward) {
  const MatrixOperand a = call.input_of_shape(A, transpose);
  call.result_type(a.type);
  const auto device = [&](const operations::MatrixOutput& c) {
    const mirror::MatrixUse use = mirror::read(a.handle);
    operations::assign(c, {*use, transpose});
  };
  return call.run(info, "matrix", device, forward);
}

bool assign_scalar(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum,
                   FunctionRef<std::optional<Value>(const Type&)> scalar, const GrB_Index* I, GrB_Index ni,
                   const GrB_Index* J, GrB_Index nj, GrB_Descriptor desc, const Forward& forward) {
  return attempt([&] {
    MatrixCall call("assign", C, M, accum, desc);
    require_all(I, ni, call.output().rows);
    require_all(J, nj, call.output().columns);
    const std::optional<Value> value = scalar(call.output().type);
    if (!value) throw Declined("assign of a GrB_Scalar without a value");
    call.result_type(value->type);
    const auto device = [&](const operations::MatrixOutput& c) { operations::assign_scalar(c, *value); };
    return call.run(info, "scalar " + value->type.suffix(), device, forward);
  });
}

}  // namespace

bool GrB_transpose(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Matrix A,
                   GrB_Descriptor desc) {
  return attempt([&] {
    MatrixCall call("transpose", C, M, accum, desc);
    return take(info, call, A, !call.descriptor().transpose_first,
                [&](GrB_Matrix out) { return real::table().GrB_transpose(out, M, accum, A, desc); });
  });
}

bool GrB_Matrix_assign(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Matrix A,
                       const GrB_Index* I, GrB_Index ni, const GrB_Index* J, GrB_Index nj,
                       GrB_Descriptor desc) {
  return attempt([&] {
    MatrixCall call("assign", C, M, accum, desc);
    require_all(I, ni, call.output().rows);
    require_all(J, nj, call.output().columns);
    return take(info, call, A, call.descriptor().transpose_first, [&](GrB_Matrix out) {
      return real::table().GrB_Matrix_assign(out, M, accum, A, I, ni, J, nj, desc);
    });
  });
}

#define CUGRB_ASSIGN(FORM, ctype, VALUE)                                                                   \
  bool GrB_Matrix_assign_##FORM(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, ctype x,   \
                                const GrB_Index* I, GrB_Index ni, const GrB_Index* J, GrB_Index nj,        \
                                GrB_Descriptor desc) {                                                     \
    return assign_scalar(                                                                                  \
        info, C, M, accum, [&](const Type& type) -> std::optional<Value> { return (void)type, VALUE; }, I, \
        ni, J, nj, desc,                                                                                   \
        [&](GrB_Matrix out) {                                                                              \
          return real::table().GrB_Matrix_assign_##FORM(out, M, accum, x, I, ni, J, nj, desc);             \
        });                                                                                                \
  }
#define CUGRB_TYPE(SUFFIX, ctype, Code) CUGRB_ASSIGN(SUFFIX, ctype, value_of(x))
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_ASSIGN(UDT, void*, value_at(x, type))
CUGRB_ASSIGN(Scalar, GrB_Scalar, value_of(x))

}  // namespace cugrb::capi::offload
