#include "tests/recipes/operation/scaled.h"

#include "src/operations/expression.h"

namespace cugrb::operations {

void scaled(const VectorOutput& w, const BinaryOp& op, const Value& x, const DeviceVector& u) {
  Expression t;
  t.name = "expression_bind_first";
  t.argument = op.source;
  t.type = op.z;
  t.pattern = Pattern::intersection;
  t.u = &u;
  t.x = scalar_view(typecast(x, op.x));
  t.preamble = op.preamble;
  execute(w, t);
}

}  // namespace cugrb::operations
