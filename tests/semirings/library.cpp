#include "tests/semirings/library.h"

#include <dlfcn.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "semirings/table.h"

namespace library {

using cugrb::TypeCode;

void start() {
  static const GrB_Info info = GrB_init(GrB_NONBLOCKING);
  if (info != GrB_SUCCESS) throw std::runtime_error("GrB_init failed");
}

void* predefined(const std::string& symbol) {
  void* address = dlsym(RTLD_DEFAULT, symbol.c_str());
  return address == nullptr ? nullptr : *static_cast<void**>(address);
}

void* predefined(const std::vector<std::string>& symbols) {
  for (const std::string& symbol : symbols) {
    if (void* handle = predefined(symbol)) return handle;
  }
  return nullptr;
}

GrB_Type type_of(const Type& type) { return static_cast<GrB_Type>(predefined(type.handle_name())); }

namespace {

template <class T>
T get(const Value& value) {
  T x;
  std::memcpy(&x, value.bytes.data(), sizeof(T));
  return x;
}

template <class T>
constexpr bool is_complex = false;
template <class F>
constexpr bool is_complex<std::complex<F>> = true;

/// Every pair of some values as real and imaginary part.
template <class Complex>
std::vector<Complex> complex_values() {
  using Limits = std::numeric_limits<typename Complex::value_type>;
  std::vector<Complex> values;
  for (const double re : {0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -2.5, 100.25, 1e-3, double(Limits::infinity()),
                          -double(Limits::infinity()), double(Limits::quiet_NaN())}) {
    for (const double im :
         {0.0, 1.0, -1.0, 3.0, -0.25, -40.0, double(Limits::infinity()), double(Limits::quiet_NaN())}) {
      values.emplace_back(re, im);
    }
  }
  return values;
}

template <class T>
std::vector<T> sample_values() {
  using Limits = std::numeric_limits<T>;
  if constexpr (is_complex<T>) {
    return complex_values<T>();
  } else if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (std::is_floating_point_v<T>) {
    return {0,
            T(-0.0),
            1,
            -1,
            2,
            3,
            T(0.5),
            T(-2.5),
            T(7.75),
            T(-100.25),
            255,
            256,
            -129,
            T(3e9),
            T(-3e9),
            T(1e19),
            T(-1e19),
            Limits::max(),
            Limits::lowest(),
            Limits::min(),
            Limits::denorm_min(),
            Limits::infinity(),
            -Limits::infinity(),
            Limits::quiet_NaN(),
            T(1e-3)};
  } else {
    std::vector<T> values = {0,
                             1,
                             2,
                             3,
                             5,
                             7,
                             8,
                             9,
                             16,
                             33,
                             64,
                             100,
                             Limits::max(),
                             T(Limits::max() - 1),
                             T(Limits::max() / 2 + 1),
                             T(0x5a5a5a5a5a5a5a5a),
                             Limits::min()};
    if constexpr (std::is_signed_v<T>)
      values.insert(values.end(), {T(-1), T(-2), T(-3), T(-9), T(-64), T(Limits::min() + 1)});
    return values;
  }
}

template <class T>
std::vector<Value> sample_list(const Type& type) {
  std::vector<Value> list;
  for (const T value : sample_values<T>()) list.push_back(cugrb::table::value_of(type, value));
  return list;
}

template <class T>
bool close(T a, T b, int units) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;
  if (std::isinf(a) || std::isinf(b)) return false;
  const T scale = std::max(std::fabs(a), std::fabs(b));
  return std::fabs(a - b) <=
         units * std::numeric_limits<T>::epsilon() * scale + units * std::numeric_limits<T>::denorm_min();
}

/// Finite numbers by the size of the difference, others by their parts.
template <class F>
bool close(std::complex<F> a, std::complex<F> b, int units) {
  const auto finite = [](std::complex<F> z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); };
  if (!finite(a) || !finite(b)) return close(a.real(), b.real(), units) && close(a.imag(), b.imag(), units);
  using Limits = std::numeric_limits<F>;
  return std::abs(a - b) <=
         units * (Limits::epsilon() * std::max(std::abs(a), std::abs(b)) + Limits::denorm_min());
}

}  // namespace

Vector::Vector(const Type& type, size_t length) : type_(type) {
  GrB_Vector_new(&handle, type_of(type), length);
}

Vector::Vector(const Type& type, const std::vector<Value>& values) : Vector(type, values.size()) {
  for (size_t i = 0; i < values.size(); ++i) {
    switch (type.code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                            \
  case TypeCode::Code:                                                     \
    PREFIX##_Vector_setElement_##SUFFIX(handle, get<ctype>(values[i]), i); \
    break;
#include "semirings/types.def"
#undef CUGRB_TYPE
      case TypeCode::User:
        break;
    }
  }
}

Value Vector::at(size_t i) const {
  Value value{type_, std::string(type_.size, '\0')};
  GrB_Info info = GrB_PANIC;
  switch (type_.code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                              \
  case TypeCode::Code:                                                                                       \
    info = PREFIX##_Vector_extractElement_##SUFFIX(reinterpret_cast<ctype*>(value.bytes.data()), handle, i); \
    break;
#include "semirings/types.def"
#undef CUGRB_TYPE
    case TypeCode::User:
      break;
  }
  if (info != GrB_SUCCESS) value.bytes.clear();
  return value;
}

bool Vector::has(size_t i) const { return at(i).bytes.size() == type_.size; }

const std::vector<Value>& samples(const Type& type) {
  static const std::map<TypeCode, std::vector<Value>> all = {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  {TypeCode::Code, sample_list<ctype>(Type::of(TypeCode::Code))},
#include "semirings/types.def"
#undef CUGRB_TYPE
  };
  return all.at(type.code);
}

Pairs pairs(const Type& x, const Type& y) {
  Pairs result;
  for (const Value& a : samples(x)) {
    for (const Value& b : samples(y)) {
      result.x.push_back(a);
      result.y.push_back(b);
    }
  }
  return result;
}

bool same(const Value& a, const Value& b, int units) {
  if (a.type != b.type || a.bytes.size() != b.bytes.size()) return false;
  if (a.type.code == TypeCode::Fp32) return close(get<float>(a), get<float>(b), units);
  if (a.type.code == TypeCode::Fp64) return close(get<double>(a), get<double>(b), units);
  if (a.type.code == TypeCode::Fc32)
    return close(get<std::complex<float>>(a), get<std::complex<float>>(b), units);
  if (a.type.code == TypeCode::Fc64)
    return close(get<std::complex<double>>(a), get<std::complex<double>>(b), units);
  return a.bytes == b.bytes;
}

namespace {

template <class F>
Value with_missing_parts(const Value& given, const Value& wanted) {
  auto parts = get<std::complex<F>>(given);
  const auto since = get<std::complex<F>>(wanted);
  if (parts.real() == 0 && std::isnan(since.real())) parts.real(since.real());
  if (parts.imag() == 0 && std::isnan(since.imag())) parts.imag(since.imag());
  return cugrb::table::value_of(given.type, parts);
}

}  // namespace

Value divided_as_since_9(const Value& given, const Value& wanted) {
  if (GxB_IMPLEMENTATION_MAJOR >= 9 || given.bytes.size() != given.type.size) return given;
  if (given.type.code == TypeCode::Fc32) return with_missing_parts<float>(given, wanted);
  return given.type.code == TypeCode::Fc64 ? with_missing_parts<double>(given, wanted) : given;
}

namespace {

template <class T>
std::string number_text(T x) {
  if constexpr (is_complex<T>)
    return "(" + std::to_string(x.real()) + ", " + std::to_string(x.imag()) + ")";
  else
    return std::to_string(x);
}

}  // namespace

std::string to_text(const Value& value) {
  if (value.bytes.size() != value.type.size) return "no value";
  switch (value.type.code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  case TypeCode::Code:                          \
    return number_text(get<ctype>(value));
#include "semirings/types.def"
#undef CUGRB_TYPE
    case TypeCode::User:
      break;
  }
  return "?";
}

}  // namespace library
