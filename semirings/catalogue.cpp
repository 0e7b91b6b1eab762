// The lists of built-in operators, monoids and semirings, made once from the tables.
#include <unordered_map>

#include "semirings/operators.h"
#include "semirings/table.h"

namespace cugrb::catalogue {
namespace {

using table::Same;
using table::template_id;
using table::Types;

std::vector<UnaryOp> make_unary_ops() {
  std::vector<UnaryOp> ops;
  const auto add = [&](const char* name, const char* stem, Types types, Same result, bool reads_x) {
    for (const TypeCode code : table::codes(types)) {
      const Type& type = Type::of(code);
      UnaryOp op;
      op.name = std::string(name) + "_" + type.suffix();
      op.stem = stem;
      op.source = template_id(stem, type);
      op.x = type;
      op.z = table::resolve(result, type);
      op.reads_x = reads_x;
      ops.push_back(op);
    }
  };
#define CUGRB_UNARY(NAME, stem, TYPES, RESULT, READS_X) \
  add(#NAME, #stem, Types::TYPES, Same::RESULT, READS_X);
#include "semirings/unary_operators.def"
#undef CUGRB_UNARY
  return ops;
}

void add_positional(std::vector<BinaryOp>& ops, const char* name, const char* stem, Positional kind) {
  for (const TypeCode code : table::codes(Types::INDEX)) {
    const Type& type = Type::of(code);
    BinaryOp op;
    op.name = std::string(name) + "_" + type.suffix();
    op.stem = stem;
    op.source = template_id(stem, type);
    op.x = op.y = op.z = type;
    op.reads_x = op.reads_y = false;
    op.positional = kind;
    ops.push_back(op);
  }
}

std::vector<BinaryOp> make_binary_ops() {
  std::vector<BinaryOp> ops;
  const auto add = [&](const char* name, const char* stem, Types types, Same result, Same y, bool reads_x,
                       bool reads_y) {
    for (const TypeCode code : table::codes(types)) {
      const Type& type = Type::of(code);
      BinaryOp op;
      op.name = std::string(name) + "_" + type.suffix();
      op.stem = stem;
      op.source = template_id(stem, type);
      op.x = type;
      op.y = table::resolve(y, type);
      op.z = table::resolve(result, type);
      op.reads_x = reads_x;
      op.reads_y = reads_y;
      ops.push_back(op);
    }
  };
#define CUGRB_BINARY(NAME, stem, TYPES, RESULT, Y, READS_X, READS_Y) \
  add(#NAME, #stem, Types::TYPES, Same::RESULT, Same::Y, READS_X, READS_Y);
#include "semirings/binary_operators.def"
#undef CUGRB_BINARY
#define CUGRB_POSITIONAL(NAME, stem, KIND, INDEX, OFFSET) add_positional(ops, #NAME, #stem, Positional::KIND);
#include "semirings/positional_operators.def"
#undef CUGRB_POSITIONAL
  return ops;
}

std::vector<IndexUnaryOp> make_index_unary_ops() {
  std::vector<IndexUnaryOp> ops;
  const auto add = [&](const char* name, const char* stem, Types types, Same result, bool suffix,
                       bool reads_x) {
    for (const TypeCode code : table::codes(types)) {
      const Type& type = Type::of(code);
      IndexUnaryOp op;
      op.name = suffix ? std::string(name) + "_" + type.suffix() : name;
      op.stem = stem;
      op.source = template_id(stem, type);
      op.x = op.thunk = type;
      op.z = table::resolve(result, type);
      op.reads_x = reads_x;
      ops.push_back(op);
    }
  };
#define CUGRB_INDEX_UNARY(NAME, stem, TYPES, RESULT, SUFFIX, READS_X) \
  add(#NAME, #stem, Types::TYPES, Same::RESULT, SUFFIX != 0, READS_X);
#include "semirings/index_unary_operators.def"
#undef CUGRB_INDEX_UNARY
  return ops;
}

std::vector<Monoid> make_monoids() {
  std::vector<Monoid> monoids;
  const auto add = [&](const char* name, Types types, std::optional<table::Word> identity,
                       std::optional<table::Word> terminal) {
    for (const TypeCode code : table::codes(types)) {
      const Type& type = Type::of(code);
      Monoid monoid;
      monoid.name = std::string(name) + "_" + type.suffix();
      monoid.op = *binary_op(monoid.name);
      monoid.source = "monoid<" + monoid.op.source + ">";
      monoid.is_any = !identity;
      if (identity) monoid.identity = table::word(*identity, type);
      if (terminal) monoid.terminal = table::word(*terminal, type);
      monoids.push_back(monoid);
    }
  };
#define CUGRB_MONOID(NAME, stem, TYPES, IDENTITY, TERMINAL) \
  add(#NAME, Types::TYPES, table::Word::IDENTITY, table::Word::TERMINAL);
#include "semirings/monoids.def"
#undef CUGRB_MONOID
  add("ANY", Types::ALL, std::nullopt, std::nullopt);
  return monoids;
}

using Names = std::vector<const char*>;

/// SuiteSparse's rule: every monoid of the first list with every multiplier of the second, on every type of
/// the set. The monoid is over `monoid_type`, or over the multiplier's own type when that is null.
void add_semirings(std::vector<Semiring>& semirings, const Names& adds, const Names& multipliers, Types types,
                   const char* monoid_type = nullptr) {
  for (const TypeCode code : table::codes(types)) {
    const std::string suffix = Type::of(code).suffix();
    for (const char* add : adds) {
      const Monoid sum = *monoid(std::string(add) + "_" + (monoid_type ? monoid_type : suffix));
      for (const char* multiplier : multipliers) {
        const BinaryOp product = *binary_op(std::string(multiplier) + "_" + suffix);
        Semiring semiring = make_semiring(sum, product);
        semiring.name = std::string(add) + "_" + product.name;
        semirings.push_back(std::move(semiring));
      }
    }
  }
}

std::vector<Semiring> make_semirings() {
  std::vector<Semiring> semirings;
  const Names numeric_adds = {"MIN", "MAX", "PLUS", "TIMES", "ANY"};
  const Names boolean_adds = {"LOR", "LAND", "LXOR", "EQ", "ANY"};
  const Names bitwise = {"BOR", "BAND", "BXOR", "BXNOR"};
  const Names positional = {"FIRSTI",  "FIRSTI1",  "FIRSTJ",  "FIRSTJ1",
                            "SECONDI", "SECONDI1", "SECONDJ", "SECONDJ1"};
  add_semirings(semirings, numeric_adds,
                {"FIRST", "SECOND", "PAIR", "MIN",  "MAX",  "PLUS", "MINUS", "RMINUS", "TIMES", "DIV",
                 "RDIV",  "ISEQ",   "ISNE", "ISGT", "ISLT", "ISGE", "ISLE",  "LOR",    "LAND",  "LXOR"},
                Types::NUMBER);
  add_semirings(semirings, boolean_adds, {"EQ", "NE", "GT", "LT", "GE", "LE"}, Types::NUMBER, "BOOL");
  add_semirings(semirings, boolean_adds,
                {"FIRST", "SECOND", "PAIR", "LOR", "LAND", "LXOR", "EQ", "GT", "LT", "GE", "LE"},
                Types::BOOLEAN);
  add_semirings(semirings, bitwise, bitwise, Types::UNSIGNED);
  add_semirings(semirings, numeric_adds, positional, Types::INDEX);
  add_semirings(semirings, {"PLUS", "TIMES", "ANY"},
                {"FIRST", "SECOND", "PAIR", "PLUS", "MINUS", "RMINUS", "TIMES", "DIV", "RDIV"},
                Types::COMPLEX);
  return semirings;
}

/// Names that GraphBLAS gives twice: ONEB is PAIR, LXNOR is EQ on booleans, and the boolean operators have no
/// suffix.
std::string canonical(std::string name) {
  static const std::unordered_map<std::string, std::string> whole = {
      {"LOR", "LOR_BOOL"},  {"LAND", "LAND_BOOL"},     {"LXOR", "LXOR_BOOL"},
      {"LXNOR", "EQ_BOOL"}, {"LXNOR_BOOL", "EQ_BOOL"}, {"LNOT", "LNOT_BOOL"}};
  if (const auto found = whole.find(name); found != whole.end()) return found->second;
  if (name.rfind("LXNOR_", 0) == 0) name = "EQ_" + name.substr(6);
  if (name.rfind("ONEB_", 0) == 0) name = "PAIR_" + name.substr(5);
  if (const auto at = name.find("_ONEB_"); at != std::string::npos) name.replace(at, 6, "_PAIR_");
  return name;
}

template <class Item>
std::optional<Item> find(const std::vector<Item>& list, const std::unordered_map<std::string, size_t>& places,
                         const std::string& name) {
  const auto found = places.find(canonical(name));
  if (found == places.end()) return std::nullopt;
  return list[found->second];
}

template <class Item>
std::unordered_map<std::string, size_t> places_of(const std::vector<Item>& list) {
  std::unordered_map<std::string, size_t> places;
  for (size_t n = 0; n < list.size(); ++n) places.emplace(list[n].name, n);
  return places;
}

}  // namespace

const std::vector<UnaryOp>& unary_ops() {
  static const std::vector<UnaryOp> list = make_unary_ops();
  return list;
}
const std::vector<BinaryOp>& binary_ops() {
  static const std::vector<BinaryOp> list = make_binary_ops();
  return list;
}
const std::vector<IndexUnaryOp>& index_unary_ops() {
  static const std::vector<IndexUnaryOp> list = make_index_unary_ops();
  return list;
}
const std::vector<Monoid>& monoids() {
  static const std::vector<Monoid> list = make_monoids();
  return list;
}
const std::vector<Semiring>& semirings() {
  static const std::vector<Semiring> list = make_semirings();
  return list;
}

std::optional<UnaryOp> unary_op(const std::string& name) {
  static const auto places = places_of(unary_ops());
  return find(unary_ops(), places, name);
}
std::optional<BinaryOp> binary_op(const std::string& name) {
  static const auto places = places_of(binary_ops());
  return find(binary_ops(), places, name);
}
std::optional<IndexUnaryOp> index_unary_op(const std::string& name) {
  static const auto places = places_of(index_unary_ops());
  return find(index_unary_ops(), places, name);
}
std::optional<Monoid> monoid(const std::string& name) {
  static const auto places = places_of(monoids());
  return find(monoids(), places, name);
}
std::optional<Semiring> semiring(const std::string& name) {
  static const auto places = places_of(semirings());
  return find(semirings(), places, name);
}

}  // namespace cugrb::catalogue
