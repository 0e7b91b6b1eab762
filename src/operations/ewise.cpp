// Element-wise operations on two vectors (GraphBLAS C API 2.0, sections 4.3.4 and 4.3.5). Of two full vectors
// all of them are the same.
#include "src/operations/expression.h"

namespace cugrb::operations {

namespace {

Expression ewise(const char* name, Pattern pattern, const BinaryOp& op, const DeviceVector& u,
                 const DeviceVector& v) {
  const BinaryOp seen = catalogue::elementwise(op);
  Expression t;
  t.name = name;
  t.argument = seen.source;
  t.type = seen.z;
  t.pattern = pattern;
  t.u = &u;
  t.v = &v;
  t.reads_u = seen.reads_x;
  t.reads_v = seen.reads_y;
  t.reads_position = seen.positional != Positional::None;
  t.preamble = seen.preamble;
  return t;
}

bool both_full(const DeviceVector& u, const DeviceVector& v) {
  return u.form == Form::full && v.form == Form::full;
}

/// Every position is known to have an entry, in whichever form.
bool has_all(const DeviceVector& u) { return u.nvals_known() && u.nvals() == u.length; }

/// The host can tell what the operator gives.
bool is_known(const BinaryOp& op) { return op.stem != "user" && op.positional == Positional::None; }

/// What an iso operand and a scalar for the missing ones have in common, if anything.
std::optional<Value> common(const DeviceVector& operand, const Type& type, const Value& scalar) {
  if (!operand.iso) return std::nullopt;
  const Value value = typecast(value_of_iso(operand), type);
  if (value.bytes != typecast(scalar, type).bytes) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Value> one_sum(const BinaryOp& op, const DeviceVector& u, const DeviceVector& v) {
  if (!is_known(op) || !u.iso || !v.iso) return std::nullopt;
  const Value a = value_of_iso(u), b = value_of_iso(v);
  const Value alone = typecast(a, op.z);
  if (typecast(b, op.z).bytes != alone.bytes) return std::nullopt;
  if (reference::apply(op, a, b).bytes != alone.bytes) return std::nullopt;
  return alone;
}

std::optional<Value> one_union(const BinaryOp& op, const DeviceVector& u, const Value& alpha,
                               const DeviceVector& v, const Value& beta) {
  if (!is_known(op)) return std::nullopt;
  if (!op.reads_x && !op.reads_y) return catalogue::one(op.z);
  if (!op.reads_x || !op.reads_y) {
    const std::optional<Value> value = op.reads_y ? common(v, op.y, beta) : common(u, op.x, alpha);
    if (!value) return std::nullopt;
    return reference::apply(op, op.reads_y ? typecast(alpha, op.x) : *value,
                            op.reads_y ? *value : typecast(beta, op.y));
  }
  if (!u.iso || !v.iso) return std::nullopt;
  const Value a = value_of_iso(u), b = value_of_iso(v), both = reference::apply(op, a, b);
  if (reference::apply(op, a, beta).bytes != both.bytes) return std::nullopt;
  if (reference::apply(op, alpha, b).bytes != both.bytes) return std::nullopt;
  return both;
}

void ewise_add(const VectorOutput& w, const BinaryOp& op, const DeviceVector& u, const DeviceVector& v) {
  if (both_full(u, v)) return ewise_mult(w, op, u, v);
  Expression t = ewise("expression_ewise_add", Pattern::any, op, u, v);
  t.constant = one_sum(op, u, v);
  // All entries meet, and the operator looks at none of them: SuiteSparse's result is iso, too.
  if (!t.reads_u && !t.reads_v && !t.reads_position && has_all(u) && has_all(v))
    t.constant = catalogue::one(op.z);
  // ANY takes the iso operand that has an entry everywhere, as in ewise_mult.
  for (const DeviceVector* operand : {&v, &u})
    if (op.stem == "any_value" && operand->iso && has_all(*operand))
      t.constant = typecast(value_of_iso(*operand), op.z);
  execute(w, t);
}

void ewise_union(const VectorOutput& w, const BinaryOp& op, const DeviceVector& u, const Value& alpha,
                 const DeviceVector& v, const Value& beta) {
  if (both_full(u, v)) return ewise_mult(w, op, u, v);
  Expression t = ewise("expression_ewise_union", Pattern::any, op, u, v);
  t.x = scalar_view(typecast(alpha, op.x));
  t.y = scalar_view(typecast(beta, op.y));
  t.constant = one_union(op, u, alpha, v, beta);
  execute(w, t);
}

void ewise_mult(const VectorOutput& w, const BinaryOp& op, const DeviceVector& u, const DeviceVector& v) {
  // ANY takes the iso operand, so that the result is iso.
  const bool takes_u = op.stem == "any_value" && u.iso && !v.iso;
  Expression t =
      ewise("expression_ewise_mult", Pattern::intersection, takes_u ? catalogue::first(op.z) : op, u, v);
  if (!t.reads_u && !t.reads_v && !t.reads_position) t.constant = catalogue::one(op.z);
  execute(w, t);
}

}  // namespace cugrb::operations
