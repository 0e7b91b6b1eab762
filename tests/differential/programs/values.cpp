#include "tests/differential/programs/values.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace differential::programs {

std::string real_text(double x) {
  if (std::isnan(x)) return "NAN";
  if (std::isinf(x)) return x < 0 ? "-INFINITY" : "INFINITY";
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  const std::string digits = text;
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

std::string integer_text(int64_t n) {
  return n == std::numeric_limits<int64_t>::min() ? "INT64_MIN" : std::to_string(n) + "L";
}

Triple triple_value(int64_t n) { return {uint32_t(n), uint32_t(2 * n + 1), uint32_t(n * n)}; }

std::string triple_text(int64_t n) {
  const Triple t = triple_value(n);
  return "&(triple){" + std::to_string(t.x) + "u, " + std::to_string(t.y) + "u, " + std::to_string(t.z) +
         "u}";
}

Entry entry_of(GrB_Index i, GrB_Index j, uint64_t value) { return {i, j, {value, 0}}; }

Entry entry_of(GrB_Index i, GrB_Index j, double value) {
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  if (value == 0) value = 0;
  Entry entry = {i, j, {}};
  std::memcpy(entry.bits.data(), &value, sizeof value);
  return entry;
}

Entry entry_of(GrB_Index i, GrB_Index j, GxB_FC64_t value) {
  return {i, j, {entry_of(i, j, value.real()).bits[0], entry_of(i, j, value.imag()).bits[0]}};
}

GxB_FC64_t complex_value(int64_t n) { return {double(n), double((n * 3 + 21) % 5 - 2)}; }

std::string complex_text(GxB_FC64_t z) {
  return "GxB_CMPLX(" + real_text(z.real()) + ", " + real_text(z.imag()) + ")";
}

double imaginary_value(const Entry& entry) {
  double value = 0;
  std::memcpy(&value, &entry.bits[1], sizeof value);
  return value;
}

Entry entry_of(GrB_Index i, GrB_Index j, const Triple& value) {
  return {i, j, {uint64_t(value.x) << 32 | value.y, value.z}};
}

double real_value(const std::string& type, const Entry& entry) {
  if (is_user(type)) return 0;
  if (type == "UINT64") return double(entry.bits[0]);
  if (!is_real(type) && !is_complex(type)) return double(int64_t(entry.bits[0]));
  double value = 0;
  std::memcpy(&value, entry.bits.data(), sizeof value);
  return value;
}

std::string text_of(const std::string& type, const Entry& entry) {
  if (is_user(type)) {
    return "{" + std::to_string(entry.bits[0] >> 32) + ", " + std::to_string(uint32_t(entry.bits[0])) + ", " +
           std::to_string(entry.bits[1]) + "}";
  }
  if (is_real(type)) return real_text(real_value(type, entry));
  if (is_complex(type)) return complex_text({real_value(type, entry), imaginary_value(entry)});
  return type == "UINT64" ? std::to_string(entry.bits[0]) : std::to_string(int64_t(entry.bits[0]));
}

TupleArrays::TupleArrays(const std::vector<Tuple>& tuples) {
  for (const Tuple& tuple : tuples) {
    rows.push_back(tuple.i);
    columns.push_back(tuple.j);
    integers.push_back(tuple.value);
    reals.push_back(double(tuple.value));
    complexes.push_back(complex_value(tuple.value));
    triples.push_back(triple_value(tuple.value));
  }
}

namespace {

template <class Text>
std::string array_text(const std::string& type, size_t n, const Text& text) {
  std::string all = "(" + type + "[]){";
  for (size_t k = 0; k < n; ++k) all += (k == 0 ? "" : ", ") + text(k);
  return all + (n == 0 ? "0}" : "}");
}

}  // namespace

std::string TupleArrays::integers_text() const {
  return array_text("int64_t", integers.size(), [&](size_t k) { return integer_text(integers[k]); });
}
std::string TupleArrays::reals_text() const {
  return array_text("double", reals.size(), [&](size_t k) { return real_text(reals[k]); });
}
std::string TupleArrays::complexes_text() const {
  return array_text("GxB_FC64_t", complexes.size(), [&](size_t k) { return complex_text(complexes[k]); });
}
std::string TupleArrays::triples_text() const {
  return array_text("triple", integers.size(), [&](size_t k) {
    const std::string text = triple_text(integers[k]);
    return text.substr(text.find('{'));
  });
}

bool takes_thunk(Operation operation) {
  return operation == Operation::apply_index || operation == Operation::select ||
         operation == Operation::matrix_apply_index || operation == Operation::matrix_select;
}

bool takes_scalar(const Step& s) {
  switch (s.configuration.operation) {
    case Operation::ewise_union:
    case Operation::matrix_ewise_union:
    case Operation::apply_first:
    case Operation::apply_second:
    case Operation::matrix_apply_first:
    case Operation::matrix_apply_second:
    case Operation::assign_scalar:
    case Operation::matrix_assign_scalar:
    case Operation::matrix_assign_part_scalar:
    case Operation::matrix_subassign_scalar:
      return true;
    case Operation::subassign:
      return s.configuration.iso_matrix;
    default:
      return takes_thunk(s.configuration.operation);
  }
}

bool has_empty_scalar(const Step& s) {
  switch (s.configuration.operation) {
    case Operation::assign_scalar:
    case Operation::matrix_assign_scalar:
    case Operation::matrix_assign_part_scalar:
    case Operation::matrix_subassign_scalar:
      return s.configuration.iso_u;
    default:
      return false;
  }
}

}  // namespace differential::programs
