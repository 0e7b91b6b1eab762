// Data symbols of the real library that hold the predefined objects: from a description to the names it may
// have.
#pragma once
#include <string>
#include <vector>

#include "semirings/operators.h"

namespace cugrb::catalogue {

/// Every name under which SuiteSparse:GraphBLAS 7 to 10 may export the object ("GrB_PLUS_FP32",
/// "GxB_PLUS_FP32"); a library has some of them. Aliases (GrB_ONEB_T, GrB_LXNOR) hold the same handle as the
/// name listed and need no mention.
std::vector<std::string> symbols(const UnaryOp& op);
std::vector<std::string> symbols(const BinaryOp& op);
std::vector<std::string> symbols(const IndexUnaryOp& op);
std::vector<std::string> symbols(const Monoid& monoid);
std::vector<std::string> symbols(const Semiring& semiring);

/// Names, without prefix, of the positional unary operators and of the GxB_SelectOps.
const std::vector<std::string>& positional_unary_names();
const std::vector<std::string>& select_op_names();

}  // namespace cugrb::catalogue
