// What decides whether a call is small, by the name of its function.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "src/graphblas/real.h"

namespace cugrb::capi {

/// What a call's work grows with.
enum class Growth : uint8_t {
  elements,   ///< of its operands
  positions,  ///< of its operand, however few of them have an entry: the form that it has
  listed,     ///< as elements, which a list of indices may name
  products,   ///< of a matrix product's factors
  pairs,      ///< of entries of two matrices: the Kronecker product
  nothing     ///< the device is asked for a count or an element only because it has the object
};

constexpr Growth growth_of(std::string_view function) {
  const auto names = [function](std::string_view part) { return function.find(part) != function.npos; };
  if (names("Element") || names("_nvals")) return Growth::nothing;
  if (names("Option_set") || names("_set_INT32")) return Growth::positions;
  if (names("_mxm")) return Growth::products;
  if (names("assign") || names("_extract") || names("_build")) return Growth::listed;
  return names("_kron") ? Growth::pairs : Growth::elements;
}

/// Where few positions are little work, whatever else is true of the call.
constexpr bool grows_with_positions(Growth growth) {
  return growth == Growth::elements || growth == Growth::positions || growth == Growth::listed;
}

inline constexpr auto growths = [] {
  std::array<Growth, real::function_count> table{};
  for (size_t n = 0; n < table.size(); ++n) table[n] = growth_of(real::function_names[n]);
  return table;
}();

}  // namespace cugrb::capi
