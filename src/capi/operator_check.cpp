#include "src/capi/operator_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "src/operations/operations.h"
#include "src/support/declined.h"

namespace cugrb::capi {
namespace {

using formats::DeviceVector;

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
void append_numbers(std::string& bytes, const std::vector<double>& numbers) {
  for (const double x : numbers) append(bytes, T(x));
}

/// Values of a type, one behind the other. Of a user-defined one nobody knows the members: small numbers in
/// words of 32 bits.
std::string samples(const Type& type) {
  static const std::vector<double> natural = {1, 2, 3, 5, 7, 12, 40, 100},
                                   whole = {1, 2, 3, 7, 40, 100, -2, -3, -50},
                                   real = {0, 0.5, 1, 1.5, 2, 3, 100.25, -0.75, -2, -64};
  std::string bytes;
  switch (type.code) {
    case TypeCode::Bool:
      bytes.assign({'\0', '\1'});
      return bytes;
    case TypeCode::Int8:
      append_numbers<int8_t>(bytes, whole);
      return bytes;
    case TypeCode::Int16:
      append_numbers<int16_t>(bytes, whole);
      return bytes;
    case TypeCode::Int32:
      append_numbers<int32_t>(bytes, whole);
      return bytes;
    case TypeCode::Int64:
      append_numbers<int64_t>(bytes, whole);
      return bytes;
    case TypeCode::UInt8:
      append_numbers<uint8_t>(bytes, natural);
      return bytes;
    case TypeCode::UInt16:
      append_numbers<uint16_t>(bytes, natural);
      return bytes;
    case TypeCode::UInt32:
      append_numbers<uint32_t>(bytes, natural);
      return bytes;
    case TypeCode::UInt64:
      append_numbers<uint64_t>(bytes, natural);
      return bytes;
    case TypeCode::Fp32:
      append_numbers<float>(bytes, real);
      return bytes;
    case TypeCode::Fp64:
      append_numbers<double>(bytes, real);
      return bytes;
    case TypeCode::Fc32:
      append_numbers<std::complex<float>>(bytes, real);
      append(bytes, std::complex<float>(-1.5f, 2));
      append(bytes, std::complex<float>(0, -3));
      return bytes;
    case TypeCode::Fc64:
      append_numbers<std::complex<double>>(bytes, real);
      append(bytes, std::complex<double>(-1.5, 2));
      append(bytes, std::complex<double>(0, -3));
      return bytes;
    case TypeCode::User:
      break;
  }
  for (int32_t sample = 1; sample <= 6; ++sample) {
    std::string one;
    for (int32_t word = 0; one.size() < type.size; ++word) append(one, int32_t(sample + word * (sample % 3)));
    bytes += one.substr(0, type.size);
  }
  return bytes;
}

/// Each value `inner` times in a row, and all of that `outer` times.
std::string repeated(const std::string& values, size_t size, size_t inner, size_t outer) {
  std::string all;
  for (size_t n = 0; n < outer; ++n) {
    for (size_t at = 0; at < values.size(); at += size) {
      for (size_t k = 0; k < inner; ++k) all.append(values, at, size);
    }
  }
  return all;
}

DeviceVector on_device(const Type& type, const std::string& values) {
  DeviceVector vector = DeviceVector::empty(type, values.size() / type.size);
  vector.form = Form::full;
  vector.values = runtime::Buffer::from_host(values.data(), values.size());
  vector.set_nvals(vector.length);
  return vector;
}

std::string to_host(const DeviceVector& vector) {
  if (vector.iso) {
    const auto one = vector.values.to_host<char>(vector.type.size);
    return repeated(std::string(one.begin(), one.end()), vector.type.size, vector.length, 1);
  }
  const auto bytes = vector.values.to_host<char>(vector.length * vector.type.size);
  return {bytes.begin(), bytes.end()};
}

template <class T>
bool close(const char* a, const char* b, double rounding) {
  T x, y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  if (x == y || (std::isnan(x) && std::isnan(y))) return true;
  return std::fabs(double(x) - double(y)) <= rounding * std::max(std::fabs(double(x)), std::fabs(double(y)));
}

bool same(const Type& type, const char* a, const char* b) {
  if (type.code == TypeCode::Fp32) return close<float>(a, b, 1e-5);
  if (type.code == TypeCode::Fp64) return close<double>(a, b, 1e-13);
  if (type.is_complex()) {
    const size_t half = type.size / 2;
    return same(type.real(), a, b) && same(type.real(), a + half, b + half);
  }
  return std::memcmp(a, b, type.size) == 0;
}

std::string text_of(const Type& type, const char* bytes) {
  const auto number = [&](auto value) {
    std::memcpy(&value, bytes, sizeof value);
    return std::to_string(value);
  };
  switch (type.code) {
    case TypeCode::Bool:
    case TypeCode::UInt8:
      return number(uint8_t());
    case TypeCode::Int8:
      return number(int8_t());
    case TypeCode::Int16:
      return number(int16_t());
    case TypeCode::UInt16:
      return number(uint16_t());
    case TypeCode::Int32:
      return number(int32_t());
    case TypeCode::UInt32:
      return number(uint32_t());
    case TypeCode::Int64:
      return number(int64_t());
    case TypeCode::UInt64:
      return number(uint64_t());
    case TypeCode::Fp32:
      return number(float());
    case TypeCode::Fp64:
      return number(double());
    case TypeCode::Fc32:
    case TypeCode::Fc64:
      return "(" + text_of(type.real(), bytes) + ", " + text_of(type.real(), bytes + type.size / 2) + ")";
    case TypeCode::User:
      break;
  }
  return "a value of " + type.name;
}

/// The operands of every sample, and what the host's function makes of them.
struct Samples {
  const Type& x;
  const Type& z;
  std::string xs, ys;
  size_t y_size = 0;  ///< 0: there is no y
  std::string right;

  size_t count() const { return xs.size() / x.size; }
  const char* x_at(size_t k) const { return xs.data() + k * x.size; }
  const char* y_at(size_t k) const { return ys.data() + k * y_size; }
  char* right_at(size_t k) { return right.data() + k * z.size; }
};

void compare(const std::string& name, const std::string& origin, const Samples& s, const Type* y,
             const DeviceVector& found) {
  const std::string ours = to_host(found);
  for (size_t k = 0; k < s.count(); ++k) {
    const char *got = ours.data() + k * s.z.size, *right = s.right.data() + k * s.z.size;
    if (same(s.z, got, right)) continue;
    throw Declined("user-defined operator " + name + ": its definition in " + origin + " gives " +
                   text_of(s.z, got) + " of " + text_of(s.x, s.x_at(k)) +
                   (y == nullptr ? "" : " and " + text_of(*y, s.y_at(k))) + ", the program's function " +
                   text_of(s.z, right));
  }
}

operations::VectorOutput into(DeviceVector& w) { return {w, {}, std::nullopt, false}; }

Samples of_pairs(const Type& x, const Type& y, const Type& z) {
  const std::string xs = samples(x), ys = samples(y);
  const size_t nx = xs.size() / x.size, ny = ys.size() / y.size;
  return {x,
          z,
          repeated(xs, x.size, ny, 1),
          repeated(ys, y.size, 1, nx),
          y.size,
          std::string(nx * ny * z.size, '\0')};
}

}  // namespace

void check_definition(const UnaryOp& op, const void* function, const std::string& origin) {
  const auto call = reinterpret_cast<void (*)(void*, const void*)>(const_cast<void*>(function));
  Samples s{op.x, op.z, samples(op.x), "", 0, ""};
  s.right.assign(s.count() * op.z.size, '\0');
  for (size_t k = 0; k < s.count(); ++k) call(s.right_at(k), s.x_at(k));
  DeviceVector w = DeviceVector::empty(op.z, s.count());
  operations::apply(into(w), op, on_device(op.x, s.xs));
  compare(op.name, origin, s, nullptr, w);
}

void check_definition(const BinaryOp& op, const void* function, const std::string& origin) {
  const auto call = reinterpret_cast<void (*)(void*, const void*, const void*)>(const_cast<void*>(function));
  Samples s = of_pairs(op.x, op.y, op.z);
  for (size_t k = 0; k < s.count(); ++k) call(s.right_at(k), s.x_at(k), s.y_at(k));
  DeviceVector w = DeviceVector::empty(op.z, s.count());
  operations::ewise_mult(into(w), op, on_device(op.x, s.xs), on_device(op.y, s.ys));
  compare(op.name, origin, s, &op.y, w);
}

void check_definition(const IndexUnaryOp& op, const void* function, const std::string& origin) {
  const auto call = reinterpret_cast<void (*)(void*, const void*, uint64_t, uint64_t, const void*)>(
      const_cast<void*>(function));
  const std::string thunks = samples(op.thunk);
  for (size_t at = 0; at < thunks.size(); at += op.thunk.size) {
    const Value thunk{op.thunk, thunks.substr(at, op.thunk.size)};
    Samples s{op.x, op.z, samples(op.x), "", op.thunk.size, ""};
    s.ys = repeated(thunk.bytes, op.thunk.size, s.count(), 1);
    s.right.assign(s.count() * op.z.size, '\0');
    for (size_t k = 0; k < s.count(); ++k) call(s.right_at(k), s.x_at(k), k, 0, thunk.bytes.data());
    DeviceVector w = DeviceVector::empty(op.z, s.count());
    operations::apply_index(into(w), op, on_device(op.x, s.xs), thunk);
    compare(op.name, origin, s, &op.thunk, w);
  }
}

}  // namespace cugrb::capi
