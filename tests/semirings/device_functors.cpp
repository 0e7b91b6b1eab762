#include "tests/semirings/device_functors.h"

#include <cstring>
#include <map>

#include "semirings/device/semirings.h"

namespace device_functors {
namespace {

template <class T>
T get(const Value& value) {
  T x;
  std::memcpy(&x, value.bytes.data(), sizeof(T));
  return x;
}
template <class T>
std::string bytes(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(T));
}

// The type sets that the tables name.
template <class... T>
struct types {};
using BOOLEAN = types<bool>;
using UNSIGNED = types<uint8_t, uint16_t, uint32_t, uint64_t>;
using INTEGER = types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
using FLOAT = types<float, double>;
using NUMBER = types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>;
using COMPLEX = types<cugrb::complex_of<float>, cugrb::complex_of<double>>;
using FLOATING = types<float, double, cugrb::complex_of<float>, cugrb::complex_of<double>>;
using REAL =
    types<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>;
using ALL = types<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float,
                  double, cugrb::complex_of<float>, cugrb::complex_of<double>>;
using INDEX = types<int32_t, int64_t>;
using INT64 = types<int64_t>;

/// A host type's in device source.
template <class T>
struct device_type_of {
  using type = T;
};
template <class F>
struct device_type_of<std::complex<F>> {
  using type = cugrb::complex_of<F>;
};
template <class T>
using device_type = typename device_type_of<T>::type;

template <class T>
cugrb::TypeCode code();
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  template <>                                   \
  cugrb::TypeCode code<device_type<ctype>>() {  \
    return cugrb::TypeCode::Code;               \
  }
#include "semirings/types.def"
#undef CUGRB_TYPE
template <class T>
std::string template_id(const char* stem) {
  return std::string(stem) + "<" + cugrb::Type::of(code<T>()).name + ">";
}

using Unary = std::string (*)(const Value&);
using Binary = std::string (*)(const Value&, const Value&);
using Positional = std::string (*)(uint64_t, uint64_t, uint64_t);
using IndexUnary = std::string (*)(const Value&, uint64_t, uint64_t, const Value&);

template <template <class> class F, class... T>
void add_unary(std::map<std::string, Unary>& map, const char* stem, types<T...>) {
  ((map[template_id<T>(stem)] =
        [](const Value& x) { return bytes(F<T>::apply(get<typename F<T>::x_type>(x))); }),
   ...);
}
template <template <class> class F, class... T>
void add_binary(std::map<std::string, Binary>& map, const char* stem, types<T...>) {
  ((map[template_id<T>(stem)] =
        [](const Value& x, const Value& y) {
          return bytes(
              cugrb::multiply<F<T>>(get<typename F<T>::x_type>(x), get<typename F<T>::y_type>(y), 1, 2, 3));
        }),
   ...);
}
template <template <class> class F, class... T>
void add_positional(std::map<std::string, Positional>& map, const char* stem, types<T...>) {
  ((map[template_id<T>(stem)] = [](uint64_t i, uint64_t k,
                                   uint64_t j) { return bytes(cugrb::multiply<F<T>>({}, {}, i, k, j)); }),
   ...);
}
template <template <class> class F, class... T>
void add_index_unary(std::map<std::string, IndexUnary>& map, const char* stem, types<T...>) {
  ((map[template_id<T>(stem)] =
        [](const Value& x, uint64_t i, uint64_t j, const Value& thunk) {
          return bytes(F<T>::apply(get<T>(x), i, j, get<T>(thunk)));
        }),
   ...);
}
template <template <class> class F, class... T>
void add_monoid(std::map<std::string, MonoidFacts>& map, const char* stem, types<T...>) {
  ((map["monoid<" + template_id<T>(stem) + ">"] = {cugrb::monoid<F<T>>::has_identity,
                                                   cugrb::monoid<F<T>>::has_terminal,
                                                   cugrb::monoid<F<T>>::is_any,
                                                   bytes<T>(cugrb::monoid<F<T>>::identity()),
                                                   [](const void* value) {
                                                     T x;
                                                     std::memcpy(&x, value, sizeof(T));
                                                     return bool(cugrb::monoid<F<T>>::is_terminal(x));
                                                   }}),
   ...);
}

std::map<std::string, Unary> make_unary() {
  std::map<std::string, Unary> map;
#define CUGRB_UNARY(NAME, stem, TYPES, RESULT, READS_X) add_unary<cugrb::stem>(map, #stem, TYPES());
#include "semirings/unary_operators.def"
#undef CUGRB_UNARY
  return map;
}
std::map<std::string, Binary> make_binary() {
  std::map<std::string, Binary> map;
#define CUGRB_BINARY(NAME, stem, TYPES, RESULT, Y, READS_X, READS_Y) \
  add_binary<cugrb::stem>(map, #stem, TYPES());
#include "semirings/binary_operators.def"
#undef CUGRB_BINARY
  return map;
}
std::map<std::string, Positional> make_positional() {
  std::map<std::string, Positional> map;
#define CUGRB_POSITIONAL(NAME, stem, KIND, INDEX_, OFFSET) add_positional<cugrb::stem>(map, #stem, INDEX());
#include "semirings/positional_operators.def"
#undef CUGRB_POSITIONAL
  return map;
}
std::map<std::string, IndexUnary> make_index_unary() {
  std::map<std::string, IndexUnary> map;
#define CUGRB_INDEX_UNARY(NAME, stem, TYPES, RESULT, SUFFIX, READS_X) \
  add_index_unary<cugrb::stem>(map, #stem, TYPES());
#include "semirings/index_unary_operators.def"
#undef CUGRB_INDEX_UNARY
  return map;
}
std::map<std::string, MonoidFacts> make_monoids() {
  std::map<std::string, MonoidFacts> map;
#define CUGRB_MONOID(NAME, stem, TYPES, IDENTITY, TERMINAL) add_monoid<cugrb::stem>(map, #stem, TYPES());
#include "semirings/monoids.def"
#undef CUGRB_MONOID
  add_monoid<cugrb::any_value>(map, "any_value", ALL());
  return map;
}

template <class To>
std::string cast_to(const Value& x) {
  switch (x.type.code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  case cugrb::TypeCode::Code:                   \
    return bytes<To>(cugrb::cast<To>(get<device_type<ctype>>(x)));
#include "semirings/types.def"
#undef CUGRB_TYPE
    case cugrb::TypeCode::User:
      break;
  }
  return "";
}

}  // namespace

Value unary(const cugrb::UnaryOp& op, const Value& x) {
  static const auto map = make_unary();
  return {op.z, map.at(op.source)(x)};
}
Value binary(const cugrb::BinaryOp& op, const Value& x, const Value& y) {
  static const auto map = make_binary();
  return {op.z, map.at(op.source)(x, y)};
}
Value positional(const cugrb::BinaryOp& op, uint64_t i, uint64_t k, uint64_t j) {
  static const auto map = make_positional();
  return {op.z, map.at(op.source)(i, k, j)};
}
Value index_unary(const cugrb::IndexUnaryOp& op, const Value& x, uint64_t i, uint64_t j, const Value& thunk) {
  static const auto map = make_index_unary();
  return {op.z, map.at(op.source)(x, i, j, thunk)};
}
MonoidFacts monoid(const std::string& source) {
  static const auto map = make_monoids();
  return map.at(source);
}
Value cast(const Value& x, const cugrb::Type& to) {
  switch (to.code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  case cugrb::TypeCode::Code:                   \
    return {to, cast_to<device_type<ctype>>(x)};
#include "semirings/types.def"
#undef CUGRB_TYPE
    case cugrb::TypeCode::User:
      break;
  }
  return {to, ""};
}

}  // namespace device_functors
