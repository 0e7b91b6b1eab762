// The operation of the recipe: what a contributor would put into src/operations.
#pragma once
#include "src/operations/operations.h"

namespace cugrb::operations {

/// w<mask> accum= f(x, u): T(i) = f(x, u(i)) where u has an entry. O(entries of u). f is not positional, and
/// reads both of its operands.
void scaled(const VectorOutput& w, const BinaryOp& op, const Value& x, const DeviceVector& u);

}  // namespace cugrb::operations
