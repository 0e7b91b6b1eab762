// Monoids and semirings that a program composes, and the operators that other layers ask for by meaning.
#include "semirings/operators.h"
#include "semirings/table.h"

namespace cugrb::catalogue {
namespace {

/// The struct, of semirings/device/monoids.h's shape, for a monoid that the table does not have.
std::string monoid_definition(const std::string& name, const Monoid& monoid) {
  const bool terminal = monoid.terminal.has_value();
  std::string text = "struct " + name + " {\n";
  text += "  using op = " + monoid.op.source + ";\n  using type = op::z_type;\n";
  text += "  static constexpr bool has_identity = true, has_terminal = " +
          std::string(terminal ? "true" : "false") + ", is_any = false;\n";
  text += "  static CUGRB_DEVICE type identity() {\n    const unsigned char bytes[] = " +
          table::byte_list(*monoid.identity) + ";\n    return from_bytes<type>(bytes);\n  }\n";
  text += "  static CUGRB_DEVICE bool is_terminal(const type& a) {\n";
  if (terminal) {
    text += "    const unsigned char bytes[] = " + table::byte_list(*monoid.terminal) + ";\n    return " +
            (monoid.type().is_user() ? "same_bytes(a, bytes)" : "a == from_bytes<type>(bytes)") + ";\n";
  } else {
    text += "    (void)a;\n    return false;\n";
  }
  text +=
      "  }\n  static CUGRB_DEVICE type combine(const type& a, const type& b) { return op::apply(a, b); "
      "}\n};\n";
  return text;
}

}  // namespace

Monoid make_monoid(const BinaryOp& op, const Value& identity, const std::optional<Value>& terminal) {
  if (op.stem != "user") {
    // SuiteSparse ignores the identity and terminal given with an operator that is a built-in monoid's.
    if (auto known = monoid(op.name)) return *known;
  }
  Monoid made;
  made.name = op.name;
  made.op = op;
  made.identity = identity;
  made.terminal = terminal;
  const std::string name = "monoid_" + table::digest(op.preamble + op.source + identity.bytes + "/" +
                                                     (terminal ? terminal->bytes : std::string("none")));
  const std::string header = "#include \"semirings/device/semirings.h\"\n";
  made.preamble =
      op.preamble + header +
      table::guarded(name, "namespace cugrb {\n" + monoid_definition(name, made) + "}  // namespace cugrb\n");
  made.source = name;
  return made;
}

Semiring make_semiring(const Monoid& add, const BinaryOp& multiply) {
  Semiring semiring;
  semiring.name = add.op.name.substr(0, add.op.name.rfind('_')) + "_" + multiply.name;
  semiring.source = "semiring<" + add.source + ", " + multiply.source + ">";
  semiring.preamble = add.preamble + multiply.preamble;
  semiring.add = add;
  semiring.multiply = multiply;
  return semiring;
}

BinaryOp first(const Type& type) {
  BinaryOp op;
  op.name = "FIRST_" + type.suffix();
  op.stem = "first";
  op.source = table::template_id(op.stem, type);
  op.preamble = type_preamble(type);
  op.x = op.y = op.z = type;
  op.reads_y = false;
  return op;
}

BinaryOp second(const Type& type) {
  BinaryOp op = first(type);
  op.name = "SECOND_" + type.suffix();
  op.stem = "second";
  op.source = table::template_id(op.stem, type);
  op.reads_x = false;
  op.reads_y = true;
  return op;
}

UnaryOp identity(const Type& type) {
  UnaryOp op;
  op.name = "IDENTITY_" + type.suffix();
  op.stem = "identity";
  op.source = table::template_id(op.stem, type);
  op.preamble = type_preamble(type);
  op.x = op.z = type;
  return op;
}

Value one(const Type& type) { return reference::cast(table::value_of(Type::of(TypeCode::Bool), true), type); }

BinaryOp elementwise(const BinaryOp& op) {
  if (op.positional == Positional::FirstJ) return *binary_op("SECONDJ_" + op.z.suffix());
  if (op.positional == Positional::FirstJ1) return *binary_op("SECONDJ1_" + op.z.suffix());
  if (op.positional != Positional::Indices) return op;
  BinaryOp at_entries = op;
  at_entries.source += table::entry_form;
  at_entries.positional = Positional::EntryIndices;
  return at_entries;
}

std::optional<BoundIndexUnaryOp> positional_unary(const std::string& name) {
  const auto underscore = name.rfind('_');
  if (underscore == std::string::npos) return std::nullopt;
  const std::string stem = name.substr(0, underscore), suffix = name.substr(underscore + 1);
  const bool row = stem.rfind("POSITIONI", 0) == 0, column = stem.rfind("POSITIONJ", 0) == 0;
  if ((!row && !column) || (suffix != "INT32" && suffix != "INT64")) return std::nullopt;
  const std::string offset = stem.substr(9);
  if (!offset.empty() && offset != "1") return std::nullopt;
  const auto op = index_unary_op((row ? "ROWINDEX_" : "COLINDEX_") + suffix);
  const int one = offset.empty() ? 0 : 1;
  const Value thunk =
      suffix == "INT32" ? table::value_of(op->thunk, int32_t(one)) : table::value_of(op->thunk, int64_t(one));
  return BoundIndexUnaryOp{*op, thunk};
}

BoundIndexUnaryOp positional_apply(const BinaryOp& op) {
  using P = Positional;
  const bool row = op.positional == P::FirstI || op.positional == P::FirstI1 || op.positional == P::SecondI ||
                   op.positional == P::SecondI1;
  const bool from_one = op.positional == P::FirstI1 || op.positional == P::FirstJ1 ||
                        op.positional == P::SecondI1 || op.positional == P::SecondJ1;
  return *positional_unary(std::string(row ? "POSITIONI" : "POSITIONJ") + (from_one ? "1_" : "_") +
                           op.z.suffix());
}

std::optional<SelectOp> select_op(const std::string& name, const Type& type) {
  for (const char* by_place : {"TRIL", "TRIU", "DIAG", "OFFDIAG"}) {
    if (name == by_place) return SelectOp{*index_unary_op(name), std::nullopt};
  }
  static const char* relations[][2] = {{"NONZERO", "NE"},  {"EQ_ZERO", "EQ"},  {"GT_ZERO", "GT"},
                                       {"GE_ZERO", "GE"},  {"LT_ZERO", "LT"},  {"LE_ZERO", "LE"},
                                       {"NE_THUNK", "NE"}, {"EQ_THUNK", "EQ"}, {"GT_THUNK", "GT"},
                                       {"GE_THUNK", "GE"}, {"LT_THUNK", "LT"}, {"LE_THUNK", "LE"}};
  if (type.is_user()) return std::nullopt;
  for (const auto& [select, relation] : relations) {
    if (name != select) continue;
    const auto op = index_unary_op(std::string("VALUE") + relation + "_" + type.suffix());
    if (!op) return std::nullopt;
    const bool thunk = name.size() > 6 && name.substr(name.size() - 6) == "_THUNK";
    return SelectOp{*op, thunk ? std::nullopt : table::word(table::Word::ZERO, type)};
  }
  return std::nullopt;
}

}  // namespace cugrb::catalogue
