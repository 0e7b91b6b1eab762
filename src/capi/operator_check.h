// Whether a definition says what the program's function does: both are run on sample values.
#pragma once
#include <string>

#include "semirings/operators.h"

namespace cugrb::capi {

/// Runs the operator on the device and `function`, the program's, on the host, on sample values of its types:
/// small numbers, never 0 for integers, which functions may divide by. Floats may differ by rounding. Throws
/// Declined, with the first values on which they differ, or with what the device lacks. `origin` says where
/// the definition stands.
void check_definition(const UnaryOp& op, const void* function, const std::string& origin);
void check_definition(const BinaryOp& op, const void* function, const std::string& origin);
void check_definition(const IndexUnaryOp& op, const void* function, const std::string& origin);

}  // namespace cugrb::capi
