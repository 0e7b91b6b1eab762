// The C text that a program gives for a type or an operator, as the preprocessor sees it.
#pragma once
#include <string>
#include <vector>

namespace cugrb::catalogue {

/// A definition that can stand in front of kernels without changing what they say.
struct Definition {
  std::string text;                 ///< without comments and #include lines; every line keeps its number
  std::string directives;           ///< its preprocessor lines alone
  std::vector<std::string> macros;  ///< the names that they define or undefine, in order
};

/// Throws Declined, with the line, for what would reach beyond the definition: a conditional without its
/// other end, a macro of the library's or the compiler's, #pragma and _Pragma (unroll, omp and STDC are
/// harmless), and what compilers read in different ways (raw strings, trigraphs, literals without an end).
/// Linear in the text.
Definition read_definition(const std::string& text);

/// "#undef NAME" for each: what keeps a definition's macros from the text behind it.
std::string without_macros(const std::vector<std::string>& names);

/// Throws Declined unless `name` is one C identifier.
void check_identifier(const std::string& name);

}  // namespace cugrb::catalogue
