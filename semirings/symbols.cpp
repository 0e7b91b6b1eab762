#include "semirings/symbols.h"

namespace cugrb::catalogue {
namespace {

std::vector<std::string> both_prefixes(const std::string& name) { return {"GrB_" + name, "GxB_" + name}; }

/// "PLUS_TIMES_FP32" -> "PLUS_TIMES", "FP32".
std::pair<std::string, std::string> split_suffix(const std::string& name) {
  const auto underscore = name.rfind('_');
  return {name.substr(0, underscore), name.substr(underscore + 1)};
}

}  // namespace

std::vector<std::string> symbols(const UnaryOp& op) {
  std::vector<std::string> names = both_prefixes(op.name);
  if (op.name == "LNOT_BOOL") names.push_back("GrB_LNOT");
  return names;
}

std::vector<std::string> symbols(const BinaryOp& op) {
  std::vector<std::string> names = both_prefixes(op.name);
  const auto [stem, suffix] = split_suffix(op.name);
  if (suffix == "BOOL" && (stem == "LOR" || stem == "LAND" || stem == "LXOR")) names.push_back("GrB_" + stem);
  if (op.name == "EQ_BOOL") names.push_back("GrB_LXNOR");
  if (stem == "PAIR") names.push_back("GrB_ONEB_" + suffix);
  return names;
}

std::vector<std::string> symbols(const IndexUnaryOp& op) {
  // GxB_TRIL and its like are SelectOps, not IndexUnaryOps.
  if (op.name.find('_') == std::string::npos) return {"GrB_" + op.name};
  return both_prefixes(op.name);
}

std::vector<std::string> symbols(const Monoid& monoid) {
  const auto [stem, suffix] = split_suffix(monoid.name);
  std::vector<std::string> names = {"GrB_" + stem + "_MONOID_" + suffix, "GxB_" + monoid.name + "_MONOID"};
  if (monoid.name == "EQ_BOOL") names.push_back("GrB_LXNOR_MONOID_BOOL");
  return names;
}

std::vector<std::string> symbols(const Semiring& semiring) {
  const auto [stem, suffix] = split_suffix(semiring.name);
  std::vector<std::string> names = {"GrB_" + stem + "_SEMIRING_" + suffix, "GxB_" + semiring.name};
  if (semiring.name == "EQ_LOR_BOOL") names.push_back("GrB_LXNOR_LOR_SEMIRING_BOOL");
  return names;
}

const std::vector<std::string>& positional_unary_names() {
  static const std::vector<std::string> names = {"POSITIONI_INT32",  "POSITIONI_INT64", "POSITIONI1_INT32",
                                                 "POSITIONI1_INT64", "POSITIONJ_INT32", "POSITIONJ_INT64",
                                                 "POSITIONJ1_INT32", "POSITIONJ1_INT64"};
  return names;
}

const std::vector<std::string>& select_op_names() {
  static const std::vector<std::string> names = {
      "TRIL",    "TRIU",    "DIAG",     "OFFDIAG",  "NONZERO",  "EQ_ZERO",  "GT_ZERO",  "GE_ZERO",
      "LT_ZERO", "LE_ZERO", "NE_THUNK", "EQ_THUNK", "GT_THUNK", "GE_THUNK", "LT_THUNK", "LE_THUNK"};
  return names;
}

}  // namespace cugrb::catalogue
