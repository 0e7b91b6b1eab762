#include "semirings/table.h"

#include <limits>

namespace cugrb::table {
namespace {

template <class T>
std::optional<Value> word_of(Word word, const Type& type) {
  using Limits = std::numeric_limits<T>;
  switch (word) {
    case Word::ZERO:
      return value_of(type, T(0));
    case Word::ONE:
      return value_of(type, T(1));
    case Word::LOWEST:
      return value_of(type, Limits::has_infinity ? T(-Limits::infinity()) : Limits::lowest());
    case Word::HIGHEST:
      return value_of(type, Limits::has_infinity ? Limits::infinity() : Limits::max());
    case Word::ALL_ONES:
      return value_of(type, Limits::max());
    case Word::NONE:
      break;
  }
  return std::nullopt;
}

}  // namespace

const std::vector<TypeCode>& codes(Types set) {
  using C = TypeCode;
  static const std::vector<C> all = {C::Bool,   C::Int8,   C::Int16, C::Int32, C::Int64, C::UInt8, C::UInt16,
                                     C::UInt32, C::UInt64, C::Fp32,  C::Fp64,  C::Fc32,  C::Fc64};
  static const std::vector<C> real(all.begin(), all.end() - 2);
  static const std::vector<C> complex(all.end() - 2, all.end());
  static const std::vector<C> number(real.begin() + 1, real.end());
  static const std::vector<C> integer(real.begin() + 1, real.end() - 2);
  static const std::vector<C> unsigned_integer(real.begin() + 5, real.end() - 2);
  static const std::vector<C> floats(real.end() - 2, real.end());
  static const std::vector<C> floating(all.end() - 4, all.end());
  static const std::vector<C> boolean = {C::Bool};
  static const std::vector<C> index = {C::Int32, C::Int64};
  static const std::vector<C> int64 = {C::Int64};
  switch (set) {
    case Types::ALL:
      return all;
    case Types::REAL:
      return real;
    case Types::COMPLEX:
      return complex;
    case Types::FLOATING:
      return floating;
    case Types::NUMBER:
      return number;
    case Types::INTEGER:
      return integer;
    case Types::UNSIGNED:
      return unsigned_integer;
    case Types::FLOAT:
      return floats;
    case Types::BOOLEAN:
      return boolean;
    case Types::INDEX:
      return index;
    case Types::INT64:
      return int64;
  }
  return all;
}

const Type& resolve(Same column, const Type& same) {
  switch (column) {
    case Same::SAME:
      return same;
    case Same::BOOL:
      return Type::of(TypeCode::Bool);
    case Same::INT8:
      return Type::of(TypeCode::Int8);
    case Same::REAL:
      return same.real();
    case Same::COMPLEX:
      return Type::of(same.code == TypeCode::Fp32 ? TypeCode::Fc32 : TypeCode::Fc64);
  }
  return same;
}

std::optional<Value> word(Word word, const Type& type) {
  switch (type.code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  case TypeCode::Code:                          \
    return word_of<ctype>(word, type);
#include "semirings/types.def"
#undef CUGRB_TYPE
    case TypeCode::User:
      break;
  }
  return std::nullopt;
}

std::string guarded(const std::string& symbol, const std::string& text) {
  return "#ifndef CUGRB_" + symbol + "\n#define CUGRB_" + symbol + "\n" + text + "#endif\n";
}

std::string digest(const std::string& text) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  static const char* digits = "0123456789abcdef";
  std::string name;
  for (int shift = 60; shift >= 0; shift -= 4) name += digits[(hash >> shift) & 15];
  return name;
}

std::string byte_list(const Value& value) {
  static const char* digits = "0123456789abcdef";
  std::string text = "{";
  for (const char c : value.bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (text.size() > 1) text += ", ";
    text += std::string("0x") + digits[byte >> 4] + digits[byte & 15];
  }
  return text + "}";
}

}  // namespace cugrb::table
