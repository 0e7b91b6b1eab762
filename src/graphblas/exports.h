// The functions that a loaded library exports, read from its dynamic symbol table.
#pragma once
#include <string_view>
#include <vector>

namespace cugrb::real {

/// Names of the functions that the loaded object around `address` defines and exports (System V gABI, "Symbol
/// Table"). They live as long as the object. Empty when no object is loaded there, or one without a hash
/// table of symbols.
std::vector<std::string_view> exported_functions(const void* address);

}  // namespace cugrb::real
