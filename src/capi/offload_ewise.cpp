// Element-wise: eWiseAdd (union of the patterns), eWiseMult (intersection), eWiseUnion (union with fill-in
// values).
#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_scalars.h"

namespace cugrb::capi::offload {
namespace {

/// Vectors are n-by-1 matrices: their column is 0 (catalogue::elementwise).
BinaryOp operator_on(GrB_Vector, const BinaryOp& op) { return catalogue::elementwise(op); }
BinaryOp operator_on(GrB_Matrix, const BinaryOp& op) { return op; }

struct Add {
  static constexpr const char* name = "ewise_add";
  static constexpr bool passes =
      true;  ///< where one operand is missing the other's value passes to the result
  template <class Output, class U, class V>
  static void run(const Output& w, const BinaryOp& op, const U& u, const V& v) {
    operations::ewise_add(w, op, u, v);
  }
};
struct Multiply {
  static constexpr const char* name = "ewise_mult";
  static constexpr bool passes = false;
  template <class Output, class U, class V>
  static void run(const Output& w, const BinaryOp& op, const U& u, const V& v) {
    operations::ewise_mult(w, op, u, v);
  }
};

/// Of an operand by places SuiteSparse reads those that the other one, a list, has entries at.
void meets_entries_of_list(MatrixCall& call, const MatrixOperand& u, const MatrixOperand& v) {
  if (!accumulates_by_places(call)) return;
  const bool u_is_list = !is_held_by_places(u), v_is_list = !is_held_by_places(v);
  if (u_is_list != v_is_list) call.inputs().writes_entries_of(u_is_list ? u : v);
}

/// Whether w<mask> = w op v is w<mask> op= v: an entry of one alone is no other value then.
template <class Operand>
bool adds_to_output(const OutputCall<Operand>& call, const Operand& u, const Operand& v, const BinaryOp& op) {
  const Type& type = call.output().type;
  return std::is_same_v<Operand, MatrixOperand> && !call.accumulates() &&
         !call.descriptor().transpose_first && u.handle == call.output().handle && v.handle != u.handle &&
         v.type == type && op.x == type && op.y == type && op.z == type && op.positional == Positional::None;
}

/// C<mask> op= B.
Outcome add_to_output(MatrixCall& call, const MatrixOperand& b, const BinaryOp& op) {
  call.accumulates(op);
  call.takes_any_form();
  call.takes_parts();
  return call.run(op.name, [&](const operations::MatrixOutput& c) {
    const mirror::MatrixUse use = read_by_position(b.handle);
    operations::assign(c, operations::MatrixInput{*use, call.descriptor().transpose_second});
  });
}

/// w<mask> accum= u op v. `find_op` gives the operator.
template <class Operation, class Handle>
Outcome elementwise(const Target<Handle>& target, FunctionRef<BinaryOp()> find_op, Handle u_handle,
                    Handle v_handle) {
  return attempt([&] {
    CallOn<Handle> call(Operation::name, target);
    const decode::Descriptor& descriptor = call.descriptor();
    const auto u = call.input_of_shape(u_handle, descriptor.transpose_first);
    const auto v = call.input_of_shape(v_handle, descriptor.transpose_second);
    const BinaryOp op = operator_on(target.w, find_op());
    require_first(op, u.type);
    require_second(op, v.type);
    if (Operation::passes) require(compatible(u.type, op.z) && compatible(v.type, op.z));
    call.result_type(op.z);
    call.exactness().any_value = op.stem == "any_value";
    if (op.positional != Positional::None) call.inputs().reads_places();
    if constexpr (Operation::passes && std::is_same_v<Handle, GrB_Matrix>) {
      if (adds_to_output(call, u, v, op)) return add_to_output(call, v, op);
    }
    if constexpr (!Operation::passes && std::is_same_v<Handle, GrB_Matrix>) meets_entries_of_list(call, u, v);
    const bool by_position = op.positional == Positional::None;
    if (by_position) takes_parts(call);
    const auto device = [&](const typename CallOn<Handle>::Output& out) {
      const auto left = by_position ? read_by_position(u.handle) : mirror::read(u.handle);
      const auto right = by_position ? read_by_position(v.handle) : mirror::read(v.handle);
      if (by_position) call.settle_form(out, left, right);
      Operation::run(out, op, arranged(*left, descriptor.transpose_first),
                     arranged(*right, descriptor.transpose_second));
    };
    return call.run(op.name, device);
  });
}

}  // namespace

// The three forms differ in where the operator comes from: itself, a monoid's, or a semiring's add (eWiseAdd)
// or multiply (eWiseMult).
#define CUGRB_EWISE_OF(KIND, kind, Operation, Form, Handle, OP)                                              \
  Outcome GrB_##KIND##_##kind##_##Form(const Target<GrB_##KIND>& w, Handle op, GrB_##KIND u, GrB_##KIND v) { \
    const auto find = [&]() -> BinaryOp { return require(op != nullptr), OP; };                              \
    return elementwise<Operation>(w, find, u, v);                                                            \
  }
#define CUGRB_EWISE(kind, Operation, Form, Handle, OP)      \
  CUGRB_EWISE_OF(Vector, kind, Operation, Form, Handle, OP) \
  CUGRB_EWISE_OF(Matrix, kind, Operation, Form, Handle, OP)
CUGRB_EWISE(eWiseAdd, Add, BinaryOp, GrB_BinaryOp, *decode::binary_op(op))
CUGRB_EWISE(eWiseAdd, Add, Monoid, GrB_Monoid, decode::monoid(op)->op)
CUGRB_EWISE(eWiseAdd, Add, Semiring, GrB_Semiring, decode::semiring(op)->add.op)
CUGRB_EWISE(eWiseMult, Multiply, BinaryOp, GrB_BinaryOp, *decode::binary_op(op))
CUGRB_EWISE(eWiseMult, Multiply, Monoid, GrB_Monoid, decode::monoid(op)->op)
CUGRB_EWISE(eWiseMult, Multiply, Semiring, GrB_Semiring, decode::semiring(op)->multiply)
#undef CUGRB_EWISE
#undef CUGRB_EWISE_OF

namespace {

template <class Handle>
Outcome elementwise_union(const Target<Handle>& target, GrB_BinaryOp op_handle, Handle u, GrB_Scalar alpha,
                          Handle v, GrB_Scalar beta) {
  return attempt([&] {
    require(op_handle != nullptr);
    CallOn<Handle> call("ewise_union", target);
    const decode::Descriptor& descriptor = call.descriptor();
    const auto left = call.input_of_shape(u, descriptor.transpose_first);
    const auto right = call.input_of_shape(v, descriptor.transpose_second);
    const BinaryOp op = operator_on(target.w, *decode::binary_op(op_handle));
    if (op.positional != Positional::None) call.inputs().reads_places();
    const Value alpha_value = required_value(alpha), beta_value = required_value(beta);
    require_first(op, left.type);
    require_second(op, right.type);
    require_first(op, alpha_value.type);
    require_second(op, beta_value.type);
    call.result_type(op.z);
    call.exactness().any_value = op.stem == "any_value";
    const bool by_position = op.positional == Positional::None;
    if (by_position) takes_parts(call);
    const auto device = [&](const typename CallOn<Handle>::Output& out) {
      const auto x = by_position ? read_by_position(left.handle) : mirror::read(left.handle);
      const auto y = by_position ? read_by_position(right.handle) : mirror::read(right.handle);
      if (by_position) call.settle_form(out, x, y);
      operations::ewise_union(out, op, arranged(*x, descriptor.transpose_first), alpha_value,
                              arranged(*y, descriptor.transpose_second), beta_value);
    };
    return call.run(op.name, device);
  });
}

}  // namespace

#define CUGRB_UNION(KIND)                                                                     \
  Outcome GxB_##KIND##_eWiseUnion(const Target<GrB_##KIND>& w, GrB_BinaryOp op, GrB_##KIND u, \
                                  GrB_Scalar alpha, GrB_##KIND v, GrB_Scalar beta) {          \
    return elementwise_union(w, op, u, alpha, v, beta);                                       \
  }
CUGRB_UNION(Vector)
CUGRB_UNION(Matrix)
#undef CUGRB_UNION

}  // namespace cugrb::capi::offload
