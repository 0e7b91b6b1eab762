// User-defined types and operators: from the C text that the program gave to a preamble of device source.
//
// The text is put in a namespace of its own, named after its digest, so that two definitions of one name do
// not meet; its #include lines are dropped (the device compiler has no headers; user_prelude.h stands for the
// usual ones). Its macros end with it: kernels follow. An operator's text still sees those of its types, as
// it would in one file. Every piece is guarded, so that preambles may simply be put one after the other.
#include "semirings/definition.h"
#include "semirings/operators.h"
#include "semirings/table.h"

namespace cugrb::catalogue {
namespace {

const char* prelude = "#include \"semirings/device/user_prelude.h\"\n";

/// The functor's name, its namespace of definition, what precedes it, and its types' preprocessor lines.
struct Parts {
  std::string name, home, preamble, directives;
  std::vector<std::string> macros;
};

/// `constant` is what the functor holds besides: two that differ in it are two functors.
Parts parts_of(const std::string& name, const std::string& definition, const std::vector<const Type*>& types,
               const std::string& constant = {}) {
  check_identifier(name);
  Parts parts;
  std::string key = name + "\n" + definition;
  for (const Type* type : types) key += "\n" + type->name + "\n" + type->definition;
  key += constant;
  const std::string digest = table::digest(key);
  parts.name = "user_op_" + digest;
  parts.home = "cugrb_user_" + digest;
  parts.preamble = prelude;
  for (const Type* type : types) {
    if (!type->is_user()) continue;
    parts.preamble += type_preamble(*type);
    const Definition of_type = read_definition(type->definition);
    parts.directives += of_type.directives;
    parts.macros.insert(parts.macros.end(), of_type.macros.begin(), of_type.macros.end());
  }
  return parts;
}

/// The whole preamble: types, the user's text in its namespace, and the functor whose body this is.
std::string finish(const Parts& parts, const std::string& definition, const std::string& body) {
  const Definition own = read_definition(definition);
  return parts.preamble +
         table::guarded(parts.home, "namespace " + parts.home + " {\n" + parts.directives + own.text + "\n" +
                                        without_macros(parts.macros) + without_macros(own.macros) +
                                        "}\nnamespace cugrb {\nstruct " + parts.name + " {\n" + body +
                                        "};\n}  // namespace cugrb\n");
}

}  // namespace

std::string type_preamble(const Type& type) {
  if (!type.is_user()) return "";
  check_identifier(type.name);
  const Definition definition = read_definition(type.definition);
  return prelude + table::guarded("type_" + table::digest(type.name + "\n" + type.definition),
                                  definition.text + "\n" + without_macros(definition.macros));
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

namespace {

/// Without its preamble.
BinaryOp binary_op_of(const std::string& name, const Parts& parts, const Type& z, const Type& x,
                      const Type& y) {
  BinaryOp op;
  op.name = name;
  op.stem = "user";
  op.source = parts.name;
  op.x = x;
  op.y = y;
  op.z = z;
  return op;
}

}  // namespace

BinaryOp user_binary_op(const std::string& name, const std::string& definition, const Type& z, const Type& x,
                        const Type& y) {
  const Parts parts = parts_of(name, definition, {&z, &x, &y});
  BinaryOp op = binary_op_of(name, parts, z, x, y);
  op.preamble = finish(
      parts, definition,
      "  using x_type = " + x.name + ";\n  using y_type = " + y.name + ";\n  using z_type = " + z.name +
          ";\n  static constexpr bool reads_x = true, reads_y = true, positional = false;\n"
          "  static CUGRB_DEVICE z_type apply(const x_type& x, const y_type& y) {\n    z_type z;\n    ::" +
          parts.home + "::" + name + "(&z, &x, &y);\n    return z;\n  }\n");
  return op;
}

namespace {

/// The member functions of a functor that calls the definition with the entries' places.
std::string call_with_places(const Parts& parts, const std::string& name, const Value& theta,
                             const std::string& places_of_x, const std::string& places_of_y) {
  return "  static constexpr bool reads_x = true, reads_y = true, positional = true;\n"
         "  static CUGRB_DEVICE z_type apply(const x_type& x, const y_type& y, uint64_t i, uint64_t k, "
         "uint64_t j) {\n    (void)i, (void)k, (void)j;\n    const unsigned char bytes[] = " +
         table::byte_list(theta) + ";\n    const theta_type theta = from_bytes<theta_type>(bytes);\n" +
         "    z_type z;\n    ::" + parts.home + "::" + name + "(&z, &x, " + places_of_x + ", &y, " +
         places_of_y + ", &theta);\n    return z;\n  }\n";
}

}  // namespace

BinaryOp user_index_binary_op(const std::string& name, const std::string& definition, const Type& z,
                              const Type& x, const Type& y, const Value& theta) {
  const Parts parts = parts_of(name, definition, {&z, &x, &y, &theta.type}, table::byte_list(theta));
  BinaryOp op = binary_op_of(name, parts, z, x, y);
  op.positional = Positional::Indices;
  const std::string types = "  using x_type = " + x.name + ";\n  using y_type = " + y.name +
                            ";\n  using z_type = " + z.name + ";\n  using theta_type = " + theta.type.name +
                            ";\n";
  op.preamble =
      finish(parts, definition,
             types + call_with_places(parts, name, theta, "i, k", "k, j") + "};\nstruct " + parts.name +
                 table::entry_form + " {\n" + types + call_with_places(parts, name, theta, "i, j", "i, j"));
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
