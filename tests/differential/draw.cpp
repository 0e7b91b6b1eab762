#include "tests/differential/draw.h"

#include <algorithm>
#include <limits>
#include <set>

namespace differential {
namespace {

using Names = std::vector<std::string>;

const Names all_types = {"BOOL",   "INT8",   "INT16",  "INT32", "INT64", "UINT8",
                         "UINT16", "UINT32", "UINT64", "FP32",  "FP64"};
const Names few_types = {"BOOL", "INT32", "UINT8", "INT64", "FP32", "FP64"};

const Names binary_stems = {
    "FIRST", "SECOND", "ONEB", "MIN",    "MAX",   "PLUS",  "MINUS", "TIMES",     "DIV",   "RMINUS",  "RDIV",
    "PAIR",  "ANY",    "ISEQ", "ISNE",   "ISGT",  "ISLT",  "ISGE",  "ISLE",      "LOR",   "LAND",    "LXOR",
    "EQ",    "NE",     "GT",   "LT",     "GE",    "LE",    "BOR",   "BAND",      "BXOR",  "BXNOR",   "POW",
    "BGET",  "BSET",   "BCLR", "BSHIFT", "ATAN2", "HYPOT", "FMOD",  "REMAINDER", "LDEXP", "COPYSIGN"};
const Names few_binary_stems = {"FIRST", "SECOND", "PLUS", "MINUS", "TIMES", "DIV",
                                "MIN",   "MAX",    "LT",   "EQ",    "ONEB"};
const Names positional_stems = {"FIRSTI",  "FIRSTI1",  "FIRSTJ",  "FIRSTJ1",
                                "SECONDI", "SECONDI1", "SECONDJ", "SECONDJ1"};
const Names unary_stems = {
    "IDENTITY", "AINV",   "MINV", "ABS",   "BNOT",   "LNOT",   "ONE",   "SQRT",  "LOG",     "EXP",   "LOG2",
    "SIN",      "COS",    "TAN",  "ACOS",  "ASIN",   "ATAN",   "SINH",  "COSH",  "TANH",    "ACOSH", "ASINH",
    "ATANH",    "SIGNUM", "CEIL", "FLOOR", "ROUND",  "TRUNC",  "EXP2",  "EXPM1", "LOG10",   "LOG1P", "LGAMMA",
    "TGAMMA",   "ERF",    "ERFC", "CBRT",  "FREXPX", "FREXPE", "ISINF", "ISNAN", "ISFINITE"};
const Names few_unary_stems = {"IDENTITY", "AINV", "ABS", "ONE", "LNOT", "MINV"};
const Names positional_unary = {"POSITIONI_INT64", "POSITIONI1_INT32", "POSITIONJ_INT64", "POSITIONJ1_INT32"};
const Names index_stems = {"ROWINDEX", "COLINDEX", "DIAGINDEX"};
const Names select_places = {"TRIL",  "TRIU",  "DIAG",  "OFFDIAG",        "ROWLE",
                             "ROWGT", "COLLE", "COLGT", "ROWINDEX_INT32", "DIAGINDEX_INT64"};
const Names select_values = {"VALUEEQ", "VALUENE", "VALUELT", "VALUELE", "VALUEGT", "VALUEGE"};
const Names monoid_stems = {"MIN", "MAX", "PLUS", "TIMES", "ANY"};
const Names bool_monoids = {"LOR", "LAND", "LXOR", "LXNOR", "EQ", "ANY"};

bool is_inexact(const std::string& stem) {
  static const std::set<std::string> exact = {
      "FIRST",  "SECOND", "ONEB",  "MIN",      "MAX",   "RMINUS", "PAIR",  "ANY",      "ISEQ",     "ISNE",
      "ISGT",   "ISLT",   "ISGE",  "ISLE",     "LOR",   "LAND",   "LXOR",  "EQ",       "NE",       "GT",
      "LT",     "GE",     "LE",    "IDENTITY", "AINV",  "ABS",    "LNOT",  "ONE",      "PLUS",     "MINUS",
      "SIGNUM", "CEIL",   "FLOOR", "ROUND",    "TRUNC", "ISINF",  "ISNAN", "ISFINITE", "COPYSIGN", "BNOT"};
  return exact.count(stem) == 0;
}

/// The operator's full name when the library has it, else empty.
std::string existing(const std::string& stem, const std::string& type) {
  for (const std::string& name : {stem + "_" + type, stem}) {
    if (predefined(name) != nullptr) return name;
  }
  return "";
}

/// The same of the type of a complex number's parts, where complex numbers have none.
std::string existing_or_real(const std::string& stem, const std::string& type) {
  const std::string name = existing(stem, type);
  return name.empty() && is_complex(type) ? existing(stem, type == "FC32" ? "FP32" : "FP64") : name;
}

std::string draw_named(Random& random, const Names& stems, const Names& types, bool& inexact) {
  while (true) {
    const std::string stem = random.pick(stems), name = existing(stem, random.pick(types));
    if (name.empty()) continue;
    inexact = inexact || is_inexact(stem);
    return name;
  }
}

std::string draw_binary(Random& random, bool small, const Names& types, bool& inexact) {
  if (random.chance(small ? 3 : 8))
    return random.pick(positional_stems) + (random.chance(50) ? "_INT32" : "_INT64");
  return draw_named(random, small ? few_binary_stems : binary_stems, types, inexact);
}

std::string draw_monoid(Random& random, const Names& types) {
  const std::string type = random.pick(types);
  if (type == "BOOL") return random.pick(bool_monoids) + "_MONOID_BOOL";
  if (!type.empty() && type[0] == 'U' && random.chance(20)) {
    return random.pick(Names{"BOR", "BAND", "BXOR", "BXNOR"}) + "_" + type + "_MONOID";
  }
  return random.pick(monoid_stems) + "_MONOID_" + type;
}

std::string monoid_handle(const std::string& name) {
  if (predefined(name) != nullptr) return name;
  const size_t at = name.find("_MONOID_");  // GxB spells ANY_FP32_MONOID
  if (at == std::string::npos) return "";
  const std::string other = name.substr(0, at) + "_" + name.substr(at + 8) + "_MONOID";
  return predefined(other) != nullptr ? other : "";
}

std::string draw_existing_monoid(Random& random, const Names& types) {
  while (true) {
    const std::string name = monoid_handle(draw_monoid(random, types));
    if (!name.empty()) return name;
  }
}

void draw_semiring(Random& random, bool small, const Names& types, Configuration& c) {
  static const Names adds = {"MIN", "MAX", "PLUS", "TIMES", "ANY"};
  static const Names multiplies = {"FIRST", "SECOND", "PAIR",    "MIN",    "MAX",     "PLUS", "MINUS",
                                   "TIMES", "DIV",    "RDIV",    "RMINUS", "ISEQ",    "ISGT", "LOR",
                                   "LAND",  "FIRSTI", "SECONDI", "FIRSTJ", "SECONDJ1"};
  static const Names few = {"FIRST", "SECOND", "PAIR", "PLUS", "TIMES", "SECONDI", "FIRSTJ"};
  while (true) {
    const std::string type = random.pick(types);
    const std::string multiply = random.pick(small ? few : multiplies);
    c.inexact = c.inexact || multiply == "DIV" || multiply == "RDIV";
    if (type == "BOOL") {
      c.op = random.pick(Names{"LOR", "LAND", "LXOR", "EQ", "ANY"}) + "_" +
             random.pick(Names{"FIRST", "SECOND", "PAIR", "LOR", "LAND", "LXOR", "EQ", "GT"}) + "_BOOL";
    } else {
      c.op = random.pick(adds) + "_" + multiply + "_" + type;
    }
    if (predefined(c.op) != nullptr) break;
  }
  if (random.chance(25) || small) return;
  // LAGraph builds semirings from parts that have no built-in name.
  const std::string type = random.pick(types);
  bool ignored = false;
  const std::string op = draw_named(random, binary_stems, {type}, ignored);
  const std::string add = monoid_handle(
      (type == "BOOL" ? random.pick(bool_monoids) : random.pick(monoid_stems)) + "_MONOID_" + type);
  if (add.empty() || op.find('_' + type) == std::string::npos) return;
  static const std::set<std::string> to_bool = {"EQ", "NE", "GT", "LT", "GE", "LE"};
  if (to_bool.count(op.substr(0, op.find('_'))) != 0 && type != "BOOL") return;
  c.add = add;
  c.multiply = op;
  c.op.clear();
  c.inexact = c.inexact || ignored;
}

int draw_form(Random& random) {
  static const std::vector<int> forms = {0, GxB_SPARSE, GxB_BITMAP, GxB_FULL | GxB_BITMAP, GxB_SPARSE};
  return random.pick(forms);
}

void draw_operator(Random& random, bool small, const Names& types, Configuration& c) {
  switch (c.operation) {
    case Operation::mxv:
    case Operation::vxm:
    case Operation::mxm:
    case Operation::ewise_mult_semiring:
      draw_semiring(random, small, types, c);
      break;
    case Operation::ewise_add_monoid:
    case Operation::matrix_reduce:
    case Operation::matrix_reduce_rows:
    case Operation::reduce:
      c.op = draw_existing_monoid(random, types);
      break;
    case Operation::matrix_apply:
    case Operation::apply:
      c.op = random.chance(5) ? random.pick(positional_unary)
                              : draw_named(random, small ? few_unary_stems : unary_stems, types, c.inexact);
      break;
    case Operation::matrix_apply_index:
    case Operation::apply_index:
      c.op = random.chance(60) ? random.pick(index_stems) + (random.chance(50) ? "_INT32" : "_INT64")
                               : existing_or_real(random.pick(select_values), random.pick(types));
      break;
    case Operation::matrix_select:
    case Operation::select:
      c.op = random.chance(30) ? random.pick(select_places)
                               : existing_or_real(random.pick(select_values), random.pick(types));
      break;
    case Operation::assign:
    case Operation::assign_scalar:
    case Operation::extract:
    case Operation::matrix_assign:
    case Operation::matrix_assign_scalar:
    case Operation::matrix_extract:
    case Operation::transpose:
    case Operation::matrix_diag:
    case Operation::vector_diag:
    case Operation::subassign:
    case Operation::row_assign:
    case Operation::column_assign:
    case Operation::concat:
    case Operation::matrix_resize:
    case Operation::vector_resize:
    case Operation::matrix_assign_part:
    case Operation::matrix_assign_part_scalar:
    case Operation::matrix_subassign:
    case Operation::matrix_subassign_scalar:
    case Operation::row_subassign:
    case Operation::column_subassign:
    case Operation::elements:
    case Operation::matrix_reshape:
      break;
    case Operation::matrix_sort:
    case Operation::vector_sort:
      c.op = existing_or_real(random.pick(Names{"LT", "GT"}), random.pick(types));
      break;
    case Operation::matrix_build:
    case Operation::vector_build:
      // Three types that are one; none: no two tuples at a place, or else an error.
      if (random.chance(80))
        c.op = existing(random.pick(Names{"PLUS", "MIN", "MAX", "TIMES", "FIRST", "SECOND", "LOR"}),
                        random.pick(types));
      break;
    default:
      if (c.operation < Operation::column_extract) c.op = draw_binary(random, small, types, c.inexact);
  }
}

}  // namespace

const char* name_of(Operation operation) {
  static const char* names[] = {"mxv",
                                "vxm",
                                "eWiseAdd",
                                "eWiseMult",
                                "eWiseAdd(monoid)",
                                "eWiseMult(semiring)",
                                "eWiseUnion",
                                "apply",
                                "apply(bind 1st)",
                                "apply(bind 2nd)",
                                "apply(index)",
                                "select",
                                "assign",
                                "assign(scalar)",
                                "extract",
                                "subassign",
                                "reduce",
                                "elements",
                                "mxm",
                                "reduce(matrix)",
                                "reduce(rows)",
                                "matrix eWiseAdd",
                                "matrix eWiseMult",
                                "matrix apply",
                                "matrix apply(bind 1st)",
                                "matrix apply(bind 2nd)",
                                "matrix apply(index)",
                                "matrix select",
                                "matrix assign",
                                "matrix assign(scalar)",
                                "matrix extract",
                                "transpose",
                                "kronecker",
                                "matrix eWiseUnion",
                                "diag(vector)",
                                "diag(matrix)",
                                "matrix build",
                                "build",
                                "row assign",
                                "column assign",
                                "concat",
                                "matrix resize",
                                "resize",
                                "matrix assign(part)",
                                "matrix assign(part, scalar)",
                                "matrix subassign",
                                "matrix subassign(scalar)",
                                "row subassign",
                                "column subassign",
                                "matrix sort",
                                "sort",
                                "matrix reshape",
                                "column extract",
                                "split",
                                "matrix dup",
                                "dup",
                                "matrix clear",
                                "clear",
                                "matrix setElement",
                                "setElement",
                                "matrix removeElement",
                                "removeElement",
                                "matrix extractElement",
                                "extractElement",
                                "matrix extractTuples",
                                "extractTuples",
                                "matrix nvals",
                                "nvals",
                                "matrix wait",
                                "wait"};
  return names[int(operation)];
}

const std::vector<Operation>& all_operations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> list;
    for (int k = 0; k < operations; ++k) list.push_back(Operation(k));
    return list;
  }();
  return all;
}

namespace {

void draw_forms(Random& random, Configuration& c) {
  c.form_w = draw_form(random);
  c.form_u = draw_form(random);
  c.form_v = draw_form(random);
  c.form_mask = draw_form(random);
}

}  // namespace

void redraw_circumstances(Random& random, Configuration& c) {
  draw_forms(random, c);
  c.by_column = random.chance(30);
  std::vector<Aliasing> possible = {Aliasing::none};
  if (c.type_u == c.type_w) possible.push_back(Aliasing::output_is_u);
  if (c.type_v == c.type_w) possible.push_back(Aliasing::output_is_v);
  if (c.type_mask == c.type_w) possible.push_back(Aliasing::mask_is_output);
  if (c.type_mask == c.type_u) possible.push_back(Aliasing::mask_is_u);
  c.aliasing = random.pick(possible);
}

/// SuiteSparse 8 and later answer select by a VALUE operator of another type than the values with what lies
/// behind the thunk, and differ from themselves (tests/versions/select_cast.cpp): there the types are one.
bool selects_cast_values() { return predefined("GxB_CONTEXT_WORLD") == nullptr; }

namespace {

void take_type_of_input(Configuration& c) {
  if (c.operation != Operation::select && c.operation != Operation::matrix_select) return;
  if (c.op.rfind("VALUE", 0) != 0 || selects_cast_values()) return;
  const std::string& type = c.operation == Operation::select ? c.type_u : c.type_matrix;
  c.op = compared_as(c.op, type);
}

}  // namespace

std::string compared_as(const std::string& op, const std::string& type) {
  const std::string stem = op.substr(0, op.find('_'));
  return (is_complex(type) && stem != "VALUEEQ" ? "VALUENE" : stem) + "_" + type;
}

Configuration draw_configuration(Random& random, bool small, const std::vector<Operation>& from,
                                 const Names& these) {
  const Names& types = !these.empty() ? these : small ? few_types : all_types;
  Configuration c;
  c.operation = random.pick(from);
  draw_operator(random, small, types, c);
  const bool one_type = random.chance(small ? 60 : 30);
  const std::string type = random.pick(types);
  for (std::string* t : {&c.type_w, &c.type_u, &c.type_v, &c.type_matrix})
    *t = one_type ? type : random.pick(types);
  c.type_mask = random.chance(60) ? "BOOL" : random.pick(types);
  c.mask = MaskKind(random.below(3));
  c.complement = random.chance(30);
  c.replace = random.chance(35);
  c.transpose = random.chance(35);
  if (random.chance(30))
    c.accumulate = draw_named(random, small ? few_binary_stems : binary_stems, types, c.inexact);
  draw_forms(random, c);
  c.iso_u = random.chance(15);
  c.iso_matrix = random.chance(25);
  c.by_column = random.chance(30);
  c.typed_scalar = random.chance(50);
  c.all_indices = random.chance(60);
  if (random.chance(35)) c.aliasing = Aliasing(1 + random.below(4));
  take_type_of_input(c);
  const bool sorts = c.operation == Operation::matrix_sort || c.operation == Operation::vector_sort;
  if (sorts && c.typed_scalar) c.type_u = c.type_w;  // the values, else where they come from
  if (sorts && !c.typed_scalar) c.type_w = random.chance(50) ? "INT64" : "UINT64";
  return c;
}

std::string Configuration::text() const {
  std::string s = name_of(operation);
  s += op.empty() && !add.empty() ? " (" + add + ", " + multiply + ")" : " " + op;
  s += " w:" + type_w + " u:" + type_u + " v:" + type_v + " A:" + type_matrix;
  if (mask != MaskKind::none) {
    s += std::string(" mask:") + (complement ? "!" : "") + (mask == MaskKind::structural ? "s " : "") +
         type_mask;
  } else if (complement) {
    s += " mask:!none";
  }
  if (replace) s += " replace";
  if (transpose) s += " transpose";
  if (!accumulate.empty()) s += " accum:" + accumulate;
  static const char* alias[] = {"", " w=u", " w=v", " mask=w", " mask=u"};
  s += alias[int(aliasing)];
  s += " forms:" + std::to_string(form_w) + "," + std::to_string(form_u) + "," + std::to_string(form_v) +
       "," + std::to_string(form_mask);
  if (iso_u) s += " iso-u";
  if (iso_matrix) s += " iso-A";
  if (by_column) s += " by-column";
  if (typed_scalar) s += " typed";
  if (!all_indices) s += " index-list";
  return s;
}

int64_t draw_integer(const std::string& type, Random& random) {
  if (type == "BOOL") return int64_t(random.below(2));
  return type[0] == 'U' ? int64_t(random.below(8)) : int64_t(random.below(10)) - 4;
}

Thunk draw_thunk(const std::string& op, bool exact, Random random) {
  const int64_t small = int64_t(random.below(5)) - 1;
  if (random.chance(60)) return {small, double(small)};
  constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  constexpr double infinite = std::numeric_limits<double>::infinity(),
                   nan = std::numeric_limits<double>::quiet_NaN();
  static const std::vector<int64_t> within = {
      least / 2, -(int64_t(1) << 40),    int64_t(INT32_MIN) - 1, -1,      0,
      INT32_MAX, int64_t(INT32_MAX) + 1, int64_t(1) << 32,       most / 2};
  static const std::vector<int64_t> ends = {least + 1, least + 9, most - 3, most - 1, most};
  static const std::vector<double> fractions = {0.9, -0.9, 1.5, -0.0, nan, -3e18, 3e18};
  static const std::vector<double> beyond = {1e30, infinite, 0x1p63, 9.2e18, -9.2e18};
  static const std::vector<double> below = {-1e30, -infinite, -0x1p63};
  const bool diagonal = op == "TRIL" || op == "TRIU";
  if ((diagonal && !exact) || random.chance(50)) return {random.pick(within), random.pick(fractions)};
  if (!diagonal && random.chance(30)) return {least, random.pick(below)};
  return {random.pick(ends), random.pick(beyond)};
}

bool transposes_b(const Configuration& c) {
  switch (c.operation) {
    case Operation::mxm:
    case Operation::matrix_ewise_add:
    case Operation::matrix_ewise_mult:
    case Operation::matrix_ewise_union:
    case Operation::kronecker:
      return c.typed_scalar;
    default:
      return false;
  }
}

}  // namespace differential
