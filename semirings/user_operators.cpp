// User-defined types and operators: from the C text that the program gave to a preamble of device source.
//
// The text is put in a namespace of its own, named after its digest, so that two definitions of one name do
// not meet; its #include lines are dropped (the device compiler has no headers; user_prelude.h stands for the
// usual ones). Every piece is guarded, so that preambles may simply be put one after the other.
#include <sstream>

#include "semirings/operators.h"
#include "semirings/table.h"

namespace cugrb::catalogue {
namespace {

const char* prelude = "#include \"semirings/device/user_prelude.h\"\n";

std::string without_includes(const std::string& text) {
  std::istringstream lines(text);
  std::string result, line;
  while (std::getline(lines, line)) {
    const auto start = line.find_first_not_of(" \t");
    if (start != std::string::npos && line[start] == '#') {
      const auto word = line.find_first_not_of(" \t", start + 1);
      if (word != std::string::npos && line.compare(word, 7, "include") == 0) continue;
    }
    result += line + "\n";
  }
  return result;
}

/// The functor's name, its namespace of definition, and what precedes it.
struct Parts {
  std::string name, home, preamble;
};

Parts parts_of(const std::string& name, const std::string& definition,
               const std::vector<const Type*>& types) {
  Parts parts;
  std::string key = name + "\n" + definition;
  for (const Type* type : types) key += "\n" + type->name;
  const std::string digest = table::digest(key);
  parts.name = "user_op_" + digest;
  parts.home = "cugrb_user_" + digest;
  parts.preamble = prelude;
  for (const Type* type : types) parts.preamble += type_preamble(*type);
  return parts;
}

/// The whole preamble: types, the user's text in its namespace, and the functor whose body this is.
std::string finish(const Parts& parts, const std::string& definition, const std::string& body) {
  return parts.preamble +
         table::guarded(parts.home, "namespace " + parts.home + " {\n" + without_includes(definition) +
                                        "}\nnamespace cugrb {\nstruct " + parts.name + " {\n" + body +
                                        "};\n}  // namespace cugrb\n");
}

}  // namespace

std::string type_preamble(const Type& type) {
  if (!type.is_user()) return "";
  return prelude + table::guarded("type_" + table::digest(type.name + "\n" + type.definition),
                                  without_includes(type.definition));
}

UnaryOp user_unary_op(const std::string& name, const std::string& definition, const Type& z, const Type& x) {
  const Parts parts = parts_of(name, definition, {&z, &x});
  UnaryOp op;
  op.name = name;
  op.stem = "user";
  op.source = parts.name;
  op.x = x;
  op.z = z;
  op.preamble = finish(parts, definition,
                       "  using x_type = " + x.name + ";\n  using z_type = " + z.name +
                           ";\n  static constexpr bool reads_x = true;\n"
                           "  static CUGRB_DEVICE z_type apply(const x_type& x) {\n    z_type z;\n    ::" +
                           parts.home + "::" + name + "(&z, &x);\n    return z;\n  }\n");
  return op;
}

BinaryOp user_binary_op(const std::string& name, const std::string& definition, const Type& z, const Type& x,
                        const Type& y) {
  const Parts parts = parts_of(name, definition, {&z, &x, &y});
  BinaryOp op;
  op.name = name;
  op.stem = "user";
  op.source = parts.name;
  op.x = x;
  op.y = y;
  op.z = z;
  op.preamble = finish(
      parts, definition,
      "  using x_type = " + x.name + ";\n  using y_type = " + y.name + ";\n  using z_type = " + z.name +
          ";\n  static constexpr bool reads_x = true, reads_y = true, positional = false;\n"
          "  static CUGRB_DEVICE z_type apply(const x_type& x, const y_type& y) {\n    z_type z;\n    ::" +
          parts.home + "::" + name + "(&z, &x, &y);\n    return z;\n  }\n");
  return op;
}

IndexUnaryOp user_index_unary_op(const std::string& name, const std::string& definition, const Type& z,
                                 const Type& x, const Type& thunk) {
  const Parts parts = parts_of(name, definition, {&z, &x, &thunk});
  IndexUnaryOp op;
  op.name = name;
  op.stem = "user";
  op.source = parts.name;
  op.x = x;
  op.thunk = thunk;
  op.z = z;
  op.preamble = finish(parts, definition,
                       "  using x_type = " + x.name + ";\n  using thunk_type = " + thunk.name +
                           ";\n  using z_type = " + z.name +
                           ";\n  static constexpr bool reads_x = true, reads_thunk = true;\n"
                           "  static CUGRB_DEVICE z_type apply(const x_type& x, uint64_t i, uint64_t j, "
                           "const thunk_type& thunk) {\n"
                           "    z_type z;\n    ::" +
                           parts.home + "::" + name + "(&z, &x, i, j, &thunk);\n    return z;\n  }\n");
  return op;
}

}  // namespace cugrb::catalogue
