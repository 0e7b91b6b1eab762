// apply and select (GraphBLAS C API 2.0, sections 4.3.8 and 4.3.9): one operand, T's pattern is u's or a part
// of it.
#include "src/operations/expression.h"

namespace cugrb::operations {

namespace {

Expression one_operand(const char* name, const std::string& source, const std::string& preamble,
                       const Type& type, const DeviceVector& u) {
  Expression t;
  t.name = name;
  t.argument = source;
  t.type = type;
  t.pattern = Pattern::intersection;
  t.u = &u;
  t.preamble = preamble;
  return t;
}

}  // namespace

void apply(const Output& w, const UnaryOp& op, const DeviceVector& u) {
  // IDENTITY is a copy: without mask and accumulator it shares memory.
  if (op.stem == "identity" && op.x == u.type) {
    execute(w, one_operand("expression_copy", "", "", u.type, u));
  } else {
    execute(w, one_operand("expression_apply", op.source, op.preamble, op.z, u));
  }
}

void apply_bind_first(const Output& w, const BinaryOp& op, const Value& x, const DeviceVector& u) {
  if (op.positional != Positional::None) {
    const catalogue::BoundIndexUnaryOp bound = catalogue::positional_apply(op);
    return apply_index(w, bound.op, u, bound.thunk);
  }
  Expression t = one_operand("expression_bind_first", op.source, op.preamble, op.z, u);
  t.x = scalar_view(typecast(x, op.x));
  execute(w, t);
}

void apply_bind_second(const Output& w, const BinaryOp& op, const DeviceVector& u, const Value& y) {
  if (op.positional != Positional::None) {
    const catalogue::BoundIndexUnaryOp bound = catalogue::positional_apply(op);
    return apply_index(w, bound.op, u, bound.thunk);
  }
  Expression t = one_operand("expression_bind_second", op.source, op.preamble, op.z, u);
  t.x = scalar_view(typecast(y, op.y));
  execute(w, t);
}

void apply_index(const Output& w, const IndexUnaryOp& op, const DeviceVector& u, const Value& thunk) {
  Expression t = one_operand("expression_apply_index", op.source, op.preamble, op.z, u);
  t.x = scalar_view(typecast(thunk, op.thunk));
  t.reads_position = true;
  execute(w, t);
}

void select(const Output& w, const IndexUnaryOp& op, const DeviceVector& u, const Value& thunk) {
  Expression t = one_operand("expression_select", op.source, op.preamble, u.type, u);
  t.pattern = Pattern::part;
  t.x = scalar_view(typecast(thunk, op.thunk));
  t.reads_position = true;
  execute(w, t);
}

}  // namespace cugrb::operations
