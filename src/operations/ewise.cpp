// Element-wise operations on two vectors (GraphBLAS C API 2.0, sections 4.3.4 and 4.3.5).
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
  t.reads_position = seen.positional != Positional::None;
  t.preamble = seen.preamble;
  return t;
}

}  // namespace

void ewise_add(const Output& w, const BinaryOp& op, const DeviceVector& u, const DeviceVector& v) {
  execute(w, ewise("expression_ewise_add", Pattern::any, op, u, v));
}

void ewise_union(const Output& w, const BinaryOp& op, const DeviceVector& u, const Value& alpha,
                 const DeviceVector& v, const Value& beta) {
  Expression t = ewise("expression_ewise_union", Pattern::any, op, u, v);
  t.x = scalar_view(typecast(alpha, op.x));
  t.y = scalar_view(typecast(beta, op.y));
  execute(w, t);
}

void ewise_mult(const Output& w, const BinaryOp& op, const DeviceVector& u, const DeviceVector& v) {
  execute(w, ewise("expression_ewise_mult", Pattern::intersection, op, u, v));
}

}  // namespace cugrb::operations
