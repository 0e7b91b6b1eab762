#include "src/capi/offload_verify.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "src/capi/offload_indices.h"
#include "src/capi/offload_trace.h"
#include "src/mirror/types.h"

namespace cugrb::capi::offload {
namespace {

/// An object's entries: positions (of a matrix: rows, then columns), and the bytes of the values one after
/// the other.
struct Tuples {
  std::vector<GrB_Index> positions;
  std::string values;
  uint64_t count = 0;
  bool ok = false;
};

GrB_Info nvals(GrB_Index* count, GrB_Vector v) { return real::table().GrB_Vector_nvals(count, v); }
GrB_Info nvals(GrB_Index* count, GrB_Matrix a) { return real::table().GrB_Matrix_nvals(count, a); }
GrB_Info dup(GrB_Vector* copy, GrB_Vector v) { return real::table().GrB_Vector_dup(copy, v); }
GrB_Info dup(GrB_Matrix* copy, GrB_Matrix a) { return real::table().GrB_Matrix_dup(copy, a); }

/// `x`: room for so many values. The suffix of the vector function is that of the matrix function too.
#define CUGRB_EXTRACT(PREFIX, SUFFIX, pointer)                                       \
  GrB_Info extract_##SUFFIX(GrB_Index* p, pointer x, GrB_Index* n, GrB_Vector v) {   \
    return real::table().PREFIX##_Vector_extractTuples_##SUFFIX(p, x, n, v);         \
  }                                                                                  \
  GrB_Info extract_##SUFFIX(GrB_Index* p, pointer x, GrB_Index* n, GrB_Matrix a) {   \
    return real::table().PREFIX##_Matrix_extractTuples_##SUFFIX(p, p + *n, x, n, a); \
  }
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) CUGRB_EXTRACT(PREFIX, SUFFIX, ctype*)
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_EXTRACT(GrB, UDT, void*)
#undef CUGRB_EXTRACT

/// More entries than this (an iso object may have 2^60) are counted, not compared.
constexpr GrB_Index most_compared = GrB_Index(1) << 26;

template <class Handle>
Tuples tuples_of(Handle object, const Type& type) {
  Tuples tuples;
  GrB_Index count = 0;
  if (nvals(&count, object) != GrB_SUCCESS) return tuples;
  tuples.count = count;
  tuples.ok = count > most_compared;
  if (tuples.ok) return tuples;
  tuples.positions.resize(std::is_same_v<Handle, GrB_Matrix> ? 2 * count : count);
  tuples.values.resize(count * type.size);
  GrB_Index* const positions = tuples.positions.data();
  GrB_Info info = GrB_PANIC;
  switch (type.code) {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                         \
  case TypeCode::Code:                                                                                  \
    info = extract_##SUFFIX(positions, reinterpret_cast<ctype*>(tuples.values.data()), &count, object); \
    break;
#include "semirings/types.def"
#undef CUGRB_TYPE
    case TypeCode::User:
      info = extract_UDT(positions, tuples.values.data(), &count, object);
      break;
  }
  tuples.ok = info == GrB_SUCCESS;
  return tuples;
}

/// "7", "(7, 9)": the place of entry n.
template <class Handle>
std::string position_text(const Tuples& tuples, size_t n) {
  if (!std::is_same_v<Handle, GrB_Matrix>) return std::to_string(tuples.positions[n]);
  std::string text("(");
  text += std::to_string(tuples.positions[n]);
  text += ", ";
  text += std::to_string(tuples.positions[tuples.count + n]);
  return text += ")";
}

/// w = expected, with w's own settings.
void replace_content(GrB_Vector w, GrB_Vector expected) {
  const auto& real = real::table();
  GrB_Index n = 0;
  real.GrB_Vector_size(&n, w);
  real.GrB_Vector_clear(w);
  real.GrB_Vector_assign(w, nullptr, nullptr, expected, all_indices(), n, nullptr);
}

void replace_content(GrB_Matrix c, GrB_Matrix expected) {
  const auto& real = real::table();
  GrB_Index rows = 0, columns = 0;
  real.GrB_Matrix_nrows(&rows, c);
  real.GrB_Matrix_ncols(&columns, c);
  real.GrB_Matrix_clear(c);
  real.GrB_Matrix_assign(c, nullptr, nullptr, expected, all_indices(), rows, all_indices(), columns, nullptr);
}

/// |x - y| within the rounding of so many additions of terms no larger than `scale`.
template <class T>
bool close(const char* a, const char* b, const Exactness& exactness, double scale) {
  T x, y;
  std::memcpy(&x, a, sizeof(T));
  std::memcpy(&y, b, sizeof(T));
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  if (x == y) return true;
  if (std::isinf(x) || std::isinf(y)) return false;
  // Library functions differ by a few units in the last place between host and device: 16 of them, besides
  // the sum's.
  const double bound =
      std::numeric_limits<T>::epsilon() * (16.0 + 2.0 * static_cast<double>(exactness.additions));
  return std::fabs(static_cast<double>(x) - static_cast<double>(y)) <= bound * scale;
}

template <class T>
double largest(const std::string& values) {
  double result = 0;
  for (size_t at = 0; at < values.size(); at += sizeof(T)) {
    T x;
    std::memcpy(&x, values.data() + at, sizeof(T));
    if (std::isfinite(x)) result = std::max(result, std::fabs(static_cast<double>(x)));
  }
  return result;
}

/// The first place at which the values differ, or the number of values.
size_t first_difference(const Type& type, const std::string& got, const std::string& wanted,
                        const Exactness& exactness) {
  const size_t count = got.size() / type.size;
  // A complex number is its two parts: each is as exact as the largest part allows.
  const TypeCode part = type.real().code;
  const size_t parts = type.is_complex() ? 2 : 1;
  const double scale = part == TypeCode::Fp32   ? largest<float>(wanted)
                       : part == TypeCode::Fp64 ? largest<double>(wanted)
                                                : 0;
  for (size_t n = 0; n < count * parts; ++n) {
    const size_t size = type.size / parts;
    const char* a = got.data() + n * size;
    const char* b = wanted.data() + n * size;
    const bool same = part == TypeCode::Fp32   ? close<float>(a, b, exactness, scale)
                      : part == TypeCode::Fp64 ? close<double>(a, b, exactness, scale)
                                               : std::memcmp(a, b, size) == 0;
    if (!same) return n / parts;
  }
  return count;
}

/// SuiteSparse's answer, made in a copy of w.
template <class Handle>
class Expectation {
 public:
  Expectation() = default;
  ~Expectation() {
    if (content_ != nullptr) release(&content_);
  }
  Expectation(const Expectation&) = delete;
  Expectation& operator=(const Expectation&) = delete;

  bool make(Handle w, FunctionRef<GrB_Info(Handle)> real) {
    return dup(&content_, w) == GrB_SUCCESS && real(content_) == GrB_SUCCESS;
  }
  void compare(Handle w, const Exactness& exactness) const {
    if (mirror::to_host(w) != GrB_SUCCESS) return;
    const std::string difference = difference_to(w, exactness);
    if (difference.empty()) return;
    note_difference(difference);
    replace_content(w, content_);
    mirror::host_changed(w);
  }

 private:
  /// Where w differs; empty when it does not, or cannot be read.
  std::string difference_to(Handle w, const Exactness& exactness) const {
    const Type type = mirror::type_of(w);
    const Tuples got = tuples_of(w, type), wanted = tuples_of(content_, type);
    if (!got.ok || !wanted.ok) return "";
    if (got.count != wanted.count || got.positions != wanted.positions) {
      return "the patterns differ (" + std::to_string(got.count) + " entries, SuiteSparse has " +
             std::to_string(wanted.count) + ")";
    }
    if (got.count > most_compared) {
      note_reason("CUGRB_VERIFY: " + std::to_string(got.count) + " entries were counted, not compared");
      return "";
    }
    if (exactness.any_value) return "";
    const size_t place = first_difference(type, got.values, wanted.values, exactness);
    return place == got.count ? "" : "the values at " + position_text<Handle>(got, place) + " differ";
  }

  Handle content_ = nullptr;
};

}  // namespace

template <class Handle>
Outcome compared(Handle w, FunctionRef<GrB_Info(Handle)> real, const Inputs& inputs,
                 const Exactness& exactness, FunctionRef<void()> device) {
  Expectation<Handle> expectation;
  if (!inputs.to_host() || !expectation.make(w, real)) return forwarded;
  device();
  expectation.compare(w, exactness);
  return GrB_SUCCESS;
}
template Outcome compared(GrB_Vector, FunctionRef<GrB_Info(GrB_Vector)>, const Inputs&, const Exactness&,
                          FunctionRef<void()>);
template Outcome compared(GrB_Matrix, FunctionRef<GrB_Info(GrB_Matrix)>, const Inputs&, const Exactness&,
                          FunctionRef<void()>);

Outcome compared(Value& c, FunctionRef<GrB_Info(void*)> real, const Inputs& inputs,
                 FunctionRef<Exactness()> exactness, FunctionRef<void()> device) {
  Value expected = c;
  if (!inputs.to_host() || real(expected.bytes.data()) != GrB_SUCCESS) return forwarded;
  device();
  const Exactness bound = exactness();
  if (bound.any_value || first_difference(c.type, c.bytes, expected.bytes, bound) == 1) return GrB_SUCCESS;
  note_difference("the sums differ");
  c = expected;
  return GrB_SUCCESS;
}

}  // namespace cugrb::capi::offload
