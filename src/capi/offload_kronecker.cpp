// GrB_kronecker: C<M> accum= A (x) B, the operator's pairs of all entries.
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/operations/kronecker.h"

namespace cugrb::capi::offload {
namespace {

bool is_product(uint64_t whole, uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && product == whole;
}

/// `find_op` gives the operator.
template <class FindOp>
bool kronecker(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, const FindOp& find_op,
               GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc, FunctionRef<GrB_Info(GrB_Matrix)> forward) {
  return attempt([&] {
    MatrixCall call("kronecker", C, M, accum, desc);
    const decode::Descriptor& descriptor = call.descriptor();
    const MatrixOperand given_a = call.input(A), given_b = call.input(B);
    const MatrixOperand a = given_a.transposed(descriptor.transpose_first),
                        b = given_b.transposed(descriptor.transpose_second);
    require(is_product(call.output().rows, a.rows, b.rows) &&
            is_product(call.output().columns, a.columns, b.columns));
    const BinaryOp op = find_op();
    require_first(op, a.type);
    require_second(op, b.type);
    call.result_type(op.z);
    call.exactness().any_value = op.stem == "any_value";
    if (op.positional != Positional::None) call.inputs().reads_places();
    call.inputs().pairs_all(a, b);
    const auto device = [&](const operations::MatrixOutput& c) {
      const mirror::MatrixUse left = mirror::read(a.handle), right = mirror::read(b.handle);
      operations::kronecker(c, op, {*left, descriptor.transpose_first},
                            {*right, descriptor.transpose_second});
    };
    return call.run(info, op.name, device, forward);
  });
}

}  // namespace

#define CUGRB_KRONECKER(Form, Handle, OP)                                                          \
  bool GrB_Matrix_kronecker_##Form(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, \
                                   Handle op, GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc) {   \
    const auto find = [&]() -> BinaryOp { return require(op != nullptr), OP; };                    \
    return kronecker(info, C, M, accum, find, A, B, desc, [&](GrB_Matrix out) {                    \
      return real::table().GrB_Matrix_kronecker_##Form(out, M, accum, op, A, B, desc);             \
    });                                                                                            \
  }
CUGRB_KRONECKER(BinaryOp, GrB_BinaryOp, *decode::binary_op(op))
CUGRB_KRONECKER(Monoid, GrB_Monoid, decode::monoid(op)->op)
CUGRB_KRONECKER(Semiring, GrB_Semiring, decode::semiring(op)->multiply)
#undef CUGRB_KRONECKER

}  // namespace cugrb::capi::offload
