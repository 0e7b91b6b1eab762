// A side file of operators: C definitions for user-defined operators that a program makes without one.
#pragma once
#include <map>
#include <string>

namespace cugrb::catalogue {

/// A function's text, as GxB_BinaryOp_new takes it, and the line on which it begins.
struct NamedDefinition {
  std::string text;
  unsigned line = 1;
};

/// The functions of a text, by name: definitions `void NAME(...) { ... }` one after the other, with comments
/// between and inside them. Throws std::runtime_error "line N: expected ..." for anything else, and where a
/// name comes twice. Linear in the text.
std::map<std::string, NamedDefinition> read_operators(const std::string& text);

/// The same of a file; the message begins with the file's name. Throws, too, when it cannot be read.
std::map<std::string, NamedDefinition> read_operator_file(const std::string& path);

/// The function's name in what a program's macro makes of it: "larger" of "(GxB_binary_function) &larger".
/// Empty when the text does not end with an identifier.
std::string function_name(const std::string& expression);

}  // namespace cugrb::catalogue
