// How the .def tables are read on the host: type sets, and names built from them.
#pragma once
#include <string>
#include <vector>

#include "semirings/operators.h"

namespace cugrb::table {

/// The type sets that the tables name.
enum class Types : uint8_t {
  ALL,
  REAL,
  COMPLEX,
  FLOATING,
  NUMBER,
  INTEGER,
  UNSIGNED,
  FLOAT,
  BOOLEAN,
  INDEX,
  INT64
};
const std::vector<TypeCode>& codes(Types set);

/// What RESULT and Y columns name.
enum class Same : uint8_t { SAME, BOOL, INT8, REAL, COMPLEX };
const Type& resolve(Same column, const Type& same);

/// "plus" and float: "plus<float>".
inline std::string template_id(const std::string& stem, const Type& type) {
  return stem + "<" + type.name + ">";
}

/// The bytes of `value` as a Value of its type.
template <class T>
Value value_of(const Type& type, T value) {
  return Value{type, std::string(reinterpret_cast<const char*>(&value), sizeof(T))};
}

/// 0, 1, lowest, highest (infinities for floats) or all bits one: the words of monoids.def.
enum class Word : uint8_t { ZERO, ONE, LOWEST, HIGHEST, ALL_ONES, NONE };
std::optional<Value> word(Word word, const Type& type);

/// A short name that stands for a text (64 bits of FNV-1a in hexadecimal): guards and namespaces of user
/// definitions.
std::string digest(const std::string& text);

/// {0x01, 0x02, ...}: a value's bytes as a brace list.
std::string byte_list(const Value& value);

/// What the name of an operator with indices has behind it where both entries are at one place.
inline constexpr char entry_form[] = "_of_entries";

/// A piece of source text that a preamble may hold twice: an include guard CUGRB_<symbol> around it.
std::string guarded(const std::string& symbol, const std::string& text);

}  // namespace cugrb::table
