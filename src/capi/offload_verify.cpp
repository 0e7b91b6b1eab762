#include "src/capi/offload_verify.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "src/capi/offload_indices.h"
#include "src/mirror/types.h"
#include "src/support/trace.h"

namespace cugrb::capi::offload {
namespace {

/// A vector's entries: positions, and the bytes of the values one after the other.
struct Tuples {
  std::vector<GrB_Index> positions;
  std::string values;
  bool ok = false;
};

Tuples tuples_of(GrB_Vector vector, const Type& type) {
  const auto& real = real::table();
  Tuples tuples;
  GrB_Index count = 0;
  if (real.GrB_Vector_nvals(&count, vector) != GrB_SUCCESS) return tuples;
  tuples.positions.resize(count);
  tuples.values.resize(count * type.size);
  GrB_Info info = GrB_PANIC;
  switch (type.code) {
#define CUGRB_TYPE(SUFFIX, ctype, Code)                                                           \
  case TypeCode::Code:                                                                            \
    info = real.GrB_Vector_extractTuples_##SUFFIX(                                                \
        tuples.positions.data(), reinterpret_cast<ctype*>(tuples.values.data()), &count, vector); \
    break;
#include "semirings/types.def"
#undef CUGRB_TYPE
    case TypeCode::User:
      info = real.GrB_Vector_extractTuples_UDT(tuples.positions.data(), tuples.values.data(), &count, vector);
      break;
  }
  tuples.ok = info == GrB_SUCCESS;
  return tuples;
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
  const double scale = type.code == TypeCode::Fp32   ? largest<float>(wanted)
                       : type.code == TypeCode::Fp64 ? largest<double>(wanted)
                                                     : 0;
  for (size_t n = 0; n < count; ++n) {
    const char* a = got.data() + n * type.size;
    const char* b = wanted.data() + n * type.size;
    const bool same = type.code == TypeCode::Fp32   ? close<float>(a, b, exactness, scale)
                      : type.code == TypeCode::Fp64 ? close<double>(a, b, exactness, scale)
                                                    : std::memcmp(a, b, type.size) == 0;
    if (!same) return n;
  }
  return count;
}

}  // namespace

bool agree(const Value& a, const Value& b, const Exactness& exactness) {
  return exactness.any_value || first_difference(a.type, a.bytes, b.bytes, exactness) == 1;
}

Verification::~Verification() {
  if (expected_ != nullptr) real::table().GrB_Vector_free(&expected_);
}

bool Verification::expect(GrB_Vector w, FunctionRef<GrB_Info(GrB_Vector)> forward) {
  if (real::table().GrB_Vector_dup(&expected_, w) != GrB_SUCCESS) return false;
  return forward(expected_) == GrB_SUCCESS;
}

void Verification::compare(GrB_Vector w, const Exactness& exactness) {
  if (mirror::to_host(w) != GrB_SUCCESS) return;
  const Type type = mirror::type_of(w);
  const Tuples got = tuples_of(w, type), wanted = tuples_of(expected_, type);
  if (!got.ok || !wanted.ok) return;
  std::string difference;
  if (got.positions != wanted.positions) {
    difference = "the patterns differ (" + std::to_string(got.positions.size()) +
                 " entries, SuiteSparse has " + std::to_string(wanted.positions.size()) + ")";
  } else if (!exactness.any_value) {
    const size_t place = first_difference(type, got.values, wanted.values, exactness);
    if (place == got.positions.size()) return;
    difference = "the values at " + std::to_string(got.positions[place]) + " differ";
  } else {
    return;
  }
  trace::current().reason = "CUGRB_VERIFY: " + difference + "; SuiteSparse's answer is kept";
  const auto& real = real::table();
  GrB_Index n = 0;
  real.GrB_Vector_size(&n, w);
  real.GrB_Vector_clear(w);
  real.GrB_Vector_assign(w, nullptr, nullptr, expected_, all_indices(), n, nullptr);
  mirror::host_changed(w);
}

}  // namespace cugrb::capi::offload
