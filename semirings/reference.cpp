#include <cstring>
#include <stdexcept>

#include "semirings/operators.h"
#include "semirings/reference_functions.h"
#include "semirings/table.h"

namespace cugrb::reference {
namespace {

template <class T>
T get(const Value& value) {
  T result;
  if (value.bytes.size() != sizeof(T)) throw std::logic_error("reference: a value of the wrong size");
  std::memcpy(&result, value.bytes.data(), sizeof(T));
  return result;
}

/// Calls f with a null T* for each type of the set until one has this code.
template <class F>
Value with_ALL(TypeCode code, F f) {
  switch (code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  case TypeCode::Code:                          \
    return f(static_cast<ctype*>(nullptr));
#include "semirings/types.def"
#undef CUGRB_TYPE
    case TypeCode::User:
      break;
  }
  throw std::logic_error("reference: not for user-defined types");
}
template <class F>
Value with_REAL(TypeCode code, F f) {
  return with_ALL(code, [&](auto* type) -> Value {
    if constexpr (!host::complex<std::remove_pointer_t<decltype(type)>>) return f(type);
    throw std::logic_error("reference: real types only");
  });
}
template <class F>
Value with_COMPLEX(TypeCode code, F f) {
  return code == TypeCode::Fc32 ? f(static_cast<std::complex<float>*>(nullptr))
                                : f(static_cast<std::complex<double>*>(nullptr));
}
template <class F>
Value with_INTEGER(TypeCode code, F f) {
  return with_ALL(code, [&](auto* type) -> Value {
    using T = std::remove_pointer_t<decltype(type)>;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return f(type);
    throw std::logic_error("reference: integer types only");
  });
}
template <class F>
Value with_FLOAT(TypeCode code, F f) {
  return code == TypeCode::Fp32 ? f(static_cast<float*>(nullptr)) : f(static_cast<double*>(nullptr));
}
template <class F>
Value with_FLOATING(TypeCode code, F f) {
  return Type::of(code).is_complex() ? with_COMPLEX(code, f) : with_FLOAT(code, f);
}
template <class F>
Value with_INDEX(TypeCode code, F f) {
  return code == TypeCode::Int32 ? f(static_cast<int32_t*>(nullptr)) : f(static_cast<int64_t*>(nullptr));
}
template <class F>
Value with_INT64(TypeCode, F f) {
  return f(static_cast<int64_t*>(nullptr));
}

}  // namespace

Value cast(const Value& value, const Type& to) {
  if (value.type == to) return value;
  return with_ALL(value.type.code, [&](auto* from_type) {
    using From = std::remove_pointer_t<decltype(from_type)>;
    const From from = get<From>(value);
    return with_ALL(to.code, [&](auto* to_type) {
      using To = std::remove_pointer_t<decltype(to_type)>;
      return table::value_of(to, host::convert<To>(from));
    });
  });
}

Value apply(const UnaryOp& op, const Value& given) {
  const Value x = cast(given, op.x);
#define CUGRB_UNARY(NAME, stem_, TYPES, RESULT, READS_X)    \
  if (op.stem == #stem_) {                                  \
    return with_##TYPES(op.x.code, [&](auto* type) {        \
      using T = std::remove_pointer_t<decltype(type)>;      \
      return table::value_of(op.z, host::stem_(get<T>(x))); \
    });                                                     \
  }
#include "semirings/unary_operators.def"
#undef CUGRB_UNARY
  throw std::logic_error("reference: unknown unary operator " + op.name);
}

Value apply(const BinaryOp& op, const Value& given_x, const Value& given_y) {
  const Value x = cast(given_x, op.x), y = cast(given_y, op.y);
#define CUGRB_Y_SAME(T) T
#define CUGRB_Y_INT8(T) int8_t
#define CUGRB_BINARY(NAME, stem_, TYPES, RESULT, Y, READS_X, READS_Y)               \
  if (op.stem == #stem_) {                                                          \
    return with_##TYPES(op.x.code, [&](auto* type) {                                \
      using T = std::remove_pointer_t<decltype(type)>;                              \
      return table::value_of(op.z, host::stem_(get<T>(x), get<CUGRB_Y_##Y(T)>(y))); \
    });                                                                             \
  }
#include "semirings/binary_operators.def"
#undef CUGRB_BINARY
#undef CUGRB_Y_SAME
#undef CUGRB_Y_INT8
  throw std::logic_error("reference: unknown binary operator " + op.name);
}

Value apply_positional(const BinaryOp& op, uint64_t i, uint64_t k, uint64_t j) {
  uint64_t place = 0;
  switch (op.positional) {
    case Positional::FirstI:
      place = i;
      break;
    case Positional::FirstI1:
      place = i + 1;
      break;
    case Positional::FirstJ:
    case Positional::SecondI:
      place = k;
      break;
    case Positional::FirstJ1:
    case Positional::SecondI1:
      place = k + 1;
      break;
    case Positional::SecondJ:
      place = j;
      break;
    case Positional::SecondJ1:
      place = j + 1;
      break;
    case Positional::None:
    case Positional::Indices:
    case Positional::EntryIndices:
      throw std::logic_error("reference: not a positional operator: " + op.name);
  }
  return with_INDEX(op.z.code, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    return table::value_of(op.z, static_cast<T>(place));
  });
}

Value apply(const IndexUnaryOp& op, const Value& given, uint64_t i, uint64_t j, const Value& given_thunk) {
  const Value thunk = cast(given_thunk, op.thunk);
  const Value x = op.reads_x ? cast(given, op.x) : thunk;
#define CUGRB_INDEX_UNARY(NAME, stem_, TYPES, RESULT, SUFFIX, READS_X)                             \
  if (op.stem == #stem_) {                                                                         \
    return with_##TYPES(op.thunk.code, [&](auto* type) {                                           \
      using T = std::remove_pointer_t<decltype(type)>;                                             \
      return table::value_of(op.z, host::stem_(get<T>(x), int64_t(i), int64_t(j), get<T>(thunk))); \
    });                                                                                            \
  }
#include "semirings/index_unary_operators.def"
#undef CUGRB_INDEX_UNARY
  throw std::logic_error("reference: unknown index-unary operator " + op.name);
}

}  // namespace cugrb::reference
