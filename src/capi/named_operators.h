// CUGRB_OPERATORS: definitions, by name, of user-defined operators that come without one. And
// CUGRB_OPERATORS_WANTED: the list of those that a program makes so.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "semirings/types.h"

namespace cugrb::capi {

/// What is wrong with CUGRB_OPERATORS; empty when nothing is. The file is read once.
std::string named_operators_error();

/// The name of an operator without a definition: the function's in `given`, what the program's macro made, or
/// the linker's name of `function`. Empty where there is neither.
std::string operator_name(const char* given, const void* function);

/// The definition that CUGRB_OPERATORS has for this name, and where it stands ("FILE, line 3").
struct SideDefinition {
  std::string text, origin;
};
std::optional<SideDefinition> side_definition(const std::string& name);

/// Whether there is such a list.
bool are_definitions_wanted();
/// Writes the head of a definition to the list: its name and its parameters. `types`: z's and those of the
/// operands; an index-unary operator's has i and j in front of the last one.
void want_definition(const std::string& name, const std::vector<Type>& types, bool by_place);

}  // namespace cugrb::capi
