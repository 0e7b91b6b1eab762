// GxB_Vector_apply_BinaryOp1st, for scalars that are real.
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_scalars.h"
#include "src/support/declined.h"
#include "tests/recipes/operation/scaled.h"

namespace cugrb::capi::offload {

Outcome GxB_Vector_apply_BinaryOp1st(const Target<GrB_Vector>& w, GrB_BinaryOp handle, GrB_Scalar x,
                                     GrB_Vector u_handle) {
  return attempt([&] {
    require(handle != nullptr);
    VectorCall call("scaled", w);
    const VectorOperand u = call.input_of_shape(u_handle, false);
    const auto op = decode::binary_op(handle);
    const Value value = required_value(x);
    if (value.type.is_complex()) throw Declined("a complex scalar");
    if (op->positional != Positional::None || !op->reads_x || !op->reads_y) {
      throw Declined("an operator that does not read both of its operands");
    }
    require_first(*op, value.type);
    require_second(*op, u.type);
    call.result_type(op->z);
    return call.run(op->name, [&](const operations::VectorOutput& out) {
      const mirror::VectorUse use = mirror::read(u.handle);
      operations::scaled(out, *op, value, *use);
    });
  });
}

}  // namespace cugrb::capi::offload
