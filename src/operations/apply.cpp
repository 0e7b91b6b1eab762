// apply and select (GraphBLAS C API 2.0, sections 4.3.8 and 4.3.9): one operand, T's pattern is u's or a part
// of it.
#include "src/operations/expression.h"

namespace cugrb::operations {

namespace {

Expression one_operand(const char* name, const std::string& source, const std::string& preamble,
                       const Type& type, const DeviceVector& u, bool reads_u = true) {
  Expression t;
  t.name = name;
  t.argument = source;
  t.type = type;
  t.pattern = Pattern::intersection;
  t.u = &u;
  t.reads_u = reads_u;
  t.preamble = preamble;
  return t;
}

}  // namespace

void apply(const VectorOutput& w, const UnaryOp& op, const DeviceVector& u) {
  // IDENTITY is a copy: without mask and accumulator it shares memory.
  if (op.stem == "identity" && op.x == u.type) {
    execute(w, one_operand("expression_copy", "", "", u.type, u));
  } else {
    Expression t = one_operand("expression_apply", op.source, op.preamble, op.z, u, op.reads_x);
    if (op.stem == "one") t.constant = catalogue::one(op.z);
    execute(w, t);
  }
}

void apply_bind_first(const VectorOutput& w, const BinaryOp& op, const Value& x, const DeviceVector& u) {
  if (op.positional != Positional::None) {
    const catalogue::BoundIndexUnaryOp bound = catalogue::positional_apply(op);
    return apply_index(w, bound.op, u, bound.thunk);
  }
  if (op.stem == "any_value") return apply_bind_first(w, catalogue::first(op.z), x, u);
  Expression t = one_operand("expression_bind_first", op.source, op.preamble, op.z, u, op.reads_y);
  t.x = scalar_view(typecast(x, op.x));
  if (!op.reads_y) t.constant = op.reads_x ? typecast(x, op.z) : catalogue::one(op.z);
  execute(w, t);
}

void apply_bind_second(const VectorOutput& w, const BinaryOp& op, const DeviceVector& u, const Value& y) {
  if (op.positional != Positional::None) {
    const catalogue::BoundIndexUnaryOp bound = catalogue::positional_apply(op);
    return apply_index(w, bound.op, u, bound.thunk);
  }
  Expression t = one_operand("expression_bind_second", op.source, op.preamble, op.z, u, op.reads_x);
  t.x = scalar_view(typecast(y, op.y));
  if (!op.reads_x) t.constant = op.reads_y ? typecast(y, op.z) : catalogue::one(op.z);
  execute(w, t);
}

void apply_index(const VectorOutput& w, const IndexUnaryOp& op, const DeviceVector& u, const Value& thunk) {
  Expression t = one_operand("expression_apply_index", op.source, op.preamble, op.z, u);
  t.x = scalar_view(typecast(thunk, op.thunk));
  t.reads_position = !catalogue::looks_at_value_only(op);
  execute(w, t);
}

namespace {

Expression selection(const IndexUnaryOp& op, const DeviceVector& u, const Value& thunk) {
  Expression t = one_operand("expression_select", op.source, op.preamble, u.type, u);
  t.pattern = Pattern::part;
  t.x = scalar_view(typecast(thunk, op.thunk));
  t.selects_by_position = !catalogue::looks_at_value_only(op);
  return t;
}

}  // namespace

bool selects_one_value(const IndexUnaryOp& op, const DeviceVector& u, const Value& thunk) {
  DeviceVector one = DeviceVector::full_of(u.type, 1, u.values);
  one.iso = false;
  DeviceVector selected = DeviceVector::empty(u.type, 1);
  execute({selected, {}, std::nullopt, false}, selection(op, one, thunk));
  return selected.nvals() == 1;
}

std::optional<Value> selected_value(const IndexUnaryOp& op, const Type& type, const Value& thunk) {
  if (!catalogue::looks_at_value_only(op) || type != op.x || type.is_user()) return std::nullopt;
  const Value wanted = typecast(thunk, type), no{type, std::string(type.size, '\0')};
  if (op.stem == "valueeq") return wanted;
  const bool no_sign = type.code >= TypeCode::UInt8 && type.code <= TypeCode::UInt64;
  if (op.stem == "valuele" && no_sign && wanted.bytes == no.bytes) return wanted;
  if (type.code != TypeCode::Bool) return std::nullopt;
  const Value yes = catalogue::one(type);
  const auto keeps = [&](const Value& x) { return reference::apply(op, x, 0, 0, thunk).bytes[0] != 0; };
  if (keeps(yes) == keeps(no)) return std::nullopt;
  return keeps(yes) ? yes : no;
}

void select(const VectorOutput& w, const IndexUnaryOp& op, const DeviceVector& u, const Value& thunk) {
  if (u.iso && catalogue::looks_at_value_only(op)) {
    const DeviceVector nothing = DeviceVector::empty(u.type, u.length);
    return execute(w, copy_of(selects_one_value(op, u, thunk) ? u : nothing));
  }
  Expression t = selection(op, u, thunk);
  t.constant = selected_value(op, u.type, thunk);
  execute(w, t);
}

}  // namespace cugrb::operations
