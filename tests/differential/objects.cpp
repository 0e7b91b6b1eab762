#include "tests/differential/objects.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace differential {
namespace {}  // namespace

void Objects::set(GrB_Vector vector, const std::string& type, GrB_Index i, Random& random,
                  std::optional<int64_t> fixed) {
  const int64_t value = fixed ? *fixed : draw_integer(type, random);
  if (is_real(type)) {
    require(api.GrB_Vector_setElement_FP64(vector, double(value), i), "setElement");
  } else {
    require(api.GrB_Vector_setElement_INT64(vector, value, i), "setElement");
  }
}

GrB_Vector Objects::new_vector(const std::string& type, GrB_Index n, int form, bool iso, Random& random) {
  GrB_Vector vector = nullptr;
  require(api.GrB_Vector_new(&vector, static_cast<GrB_Type>(predefined("GrB_" + type)), n), "Vector_new");
  if (form != 0) require(api.GxB_Vector_Option_set(vector, GxB_SPARSITY_CONTROL, form), "Option_set");
  static const std::vector<int> densities = {0, 5, 30, 70, 100, 100};
  const int density = random.pick(densities);
  if (iso && density == 100) {
    require(api.GrB_Vector_assign_INT64(vector, nullptr, nullptr, draw_integer(type, random), GrB_ALL, n,
                                        nullptr),
            "assign");
    return vector;
  }
  const std::optional<int64_t> fixed =
      iso ? std::optional<int64_t>(draw_integer(type, random)) : std::nullopt;
  for (GrB_Index i = 0; i < n; ++i) {
    if (random.chance(density)) set(vector, type, i, random, fixed);
  }
  if (random.chance(70)) require(api.GrB_Vector_wait(vector, GrB_MATERIALIZE), "wait");
  return vector;
}

void Objects::new_matrix(const Configuration& c, Random& random) {
  const bool flipped = c.transpose != (c.operation == Operation::vxm);
  const GrB_Index rows = flipped ? n_u : n_w, columns = flipped ? n_w : n_u;
  require(api.GrB_Matrix_new(&a, static_cast<GrB_Type>(predefined("GrB_" + c.type_matrix)), rows, columns),
          "Matrix_new");
  require(api.GxB_Matrix_Option_set(a, GxB_FORMAT, c.by_column ? GxB_BY_COL : GxB_BY_ROW), "Option_set");
  const int64_t iso_value = draw_integer(c.type_matrix, random);
  const GrB_Index long_row = random.below(rows);
  for (GrB_Index i = 0; i < rows; ++i) {
    const GrB_Index degree = i == long_row ? columns : random.chance(25) ? 0 : random.below(6);
    for (GrB_Index k = 0; k < degree; ++k) {
      const GrB_Index j = i == long_row ? k : random.below(columns);
      const int64_t value = c.iso_matrix ? iso_value : draw_integer(c.type_matrix, random);
      require(api.GrB_Matrix_setElement_FP64(a, double(value), i, j), "setElement");
    }
  }
  if (random.chance(70)) require(api.GrB_Matrix_wait(a, GrB_MATERIALIZE), "wait");
  if (c.iso_matrix) {  // an assign through the matrix's own structure makes the values iso
    require(api.GrB_Matrix_assign_FP64(a, a, nullptr, double(iso_value), GrB_ALL, rows, GrB_ALL, columns,
                                       GrB_DESC_S),
            "assign");
  }
}

Objects::Objects(const Api& chosen, const Configuration& c, uint64_t seed) : api(chosen) {
  Random random(seed);
  static const std::vector<GrB_Index> sizes = {1, 2, 5, 17, 32, 33, 64, 100, 129, 257, 400};
  const bool product = c.operation == Operation::mxv || c.operation == Operation::vxm;
  n_w = random.pick(sizes);
  n_u = product ? random.pick(sizes) : n_w;
  const bool square = c.aliasing == Aliasing::output_is_u || c.aliasing == Aliasing::mask_is_u;
  const bool listed = (c.operation == Operation::assign || c.operation == Operation::extract ||
                       c.operation == Operation::assign_scalar || c.operation == Operation::subassign) &&
                      !c.all_indices;
  if (square) n_u = n_w;
  list.resize(n_w);
  std::iota(list.begin(), list.end(), GrB_Index(0));
  for (GrB_Index k = n_w; k > 1; --k) std::swap(list[k - 1], list[random.below(k)]);
  if (listed && c.operation == Operation::extract) {
    n_u = square ? n_w : random.pick(sizes);
    for (GrB_Index& index : list) index = random.below(n_u);
  } else if (listed && !square) {
    list.resize(1 + random.below(n_w));
    n_u = list.size();
  }
  if (listed && c.operation != Operation::extract && random.chance(30)) {
    for (GrB_Index& index : list) index = random.below(n_w);  // of those that come twice the last counts
  }
  w = new_vector(c.type_w, n_w, c.form_w, false, random);
  u = c.aliasing == Aliasing::output_is_u ? w : new_vector(c.type_u, n_u, c.form_u, c.iso_u, random);
  v = c.aliasing == Aliasing::output_is_v ? w : new_vector(c.type_v, n_w, c.form_v, false, random);
  mask = c.aliasing == Aliasing::mask_is_output ? w
         : c.aliasing == Aliasing::mask_is_u
             ? u
             : new_vector(c.type_mask, c.operation == Operation::subassign ? n_u : n_w, c.form_mask, false,
                          random);
  if (product) new_matrix(c, random);
  small_integer = int64_t(random.below(4));
  require(api.GrB_Scalar_new(&scalar, static_cast<GrB_Type>(predefined("GrB_" + c.type_v))), "Scalar_new");
  require(api.GrB_Scalar_new(&beta, static_cast<GrB_Type>(predefined("GrB_" + c.type_v))), "Scalar_new");
  const bool missing = c.operation == Operation::assign_scalar && random.chance(15);
  const bool thunked = c.operation == Operation::apply_index || c.operation == Operation::select;
  if (thunked) thunk = draw_thunk(c.op, c.operation == Operation::select, Random(seed + 1));
  if (thunked && is_real(c.type_v)) {
    require(api.GrB_Scalar_setElement_FP64(scalar, thunk.real), "setElement");
  } else if (!missing) {
    require(api.GrB_Scalar_setElement_INT64(scalar, thunked ? thunk.integer : small_integer), "setElement");
  }
  require(api.GrB_Scalar_setElement_INT64(beta, small_integer + 1), "setElement");
}

Objects::~Objects() {
  if (mask != w && mask != u) api.GrB_Vector_free(&mask);
  if (v != w) api.GrB_Vector_free(&v);
  if (u != w) api.GrB_Vector_free(&u);
  api.GrB_Vector_free(&w);
  if (a != nullptr) api.GrB_Matrix_free(&a);
  api.GrB_Scalar_free(&scalar);
  api.GrB_Scalar_free(&beta);
}

namespace {

/// The first n entries by ascending position: extractTuples may give a vector's entries in any order.
Entries sorted(const Entries& e, size_t n) {
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return e.positions[a] < e.positions[b]; });
  Entries result;
  for (size_t k : order) {
    result.positions.push_back(e.positions[k]);
    if (!e.reals.empty()) result.reals.push_back(e.reals[k]);
    if (!e.integers.empty()) result.integers.push_back(e.integers[k]);
  }
  return result;
}

}  // namespace

Entries entries_of(const Api& api, GrB_Vector vector, const std::string& type) {
  GrB_Index n = 0;
  require(api.GrB_Vector_nvals(&n, vector), "nvals");
  Entries e;
  e.positions.resize(n + 1);
  const GrB_Index reported = n;
  if (is_real(type)) {
    e.reals.resize(n + 1);
    require(api.GrB_Vector_extractTuples_FP64(e.positions.data(), e.reals.data(), &n, vector),
            "extractTuples");
  } else {
    e.integers.resize(n + 1);
    if (type == "UINT64") {
      std::vector<uint64_t> values(n + 1);
      require(api.GrB_Vector_extractTuples_UINT64(e.positions.data(), values.data(), &n, vector),
              "extractTuples");
      std::copy(values.begin(), values.end(), e.integers.begin());
    } else {
      require(api.GrB_Vector_extractTuples_INT64(e.positions.data(), e.integers.data(), &n, vector),
              "extractTuples");
    }
  }
  if (n != reported)
    throw std::runtime_error("nvals says " + std::to_string(reported) + ", extractTuples gives " +
                             std::to_string(n));
  return sorted(e, n);
}

namespace {

bool equal_reals(double a, double b, bool exact, bool single) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;
  if (exact) return false;
  const double limit = single ? 1e-4 : 1e-9;
  if (std::isinf(a) || std::isinf(b)) {  // overflow may come one rounding earlier
    return single && std::max(std::fabs(a), std::fabs(b)) > 3e38 &&
           std::min(std::fabs(a), std::fabs(b)) > 3e38;
  }
  return std::fabs(a - b) <= limit * std::max({1.0, std::fabs(a), std::fabs(b)});
}

bool equal_integers(int64_t a, int64_t b, bool exact) {
  if (a == b) return true;
  if (exact) return false;  // an integer made from an inexact real may fall on either side
  const double difference = std::fabs(double(a) - double(b));
  return difference <= std::max(1.0, 1e-4 * std::max(std::fabs(double(a)), std::fabs(double(b))));
}

}  // namespace

std::string difference(const Entries& ours, const Entries& real, const Configuration& c,
                       const std::string& type, bool pattern_only, const std::vector<GrB_Index>& any_sign) {
  if (ours.positions != real.positions) {
    return "patterns differ: " + std::to_string(ours.positions.size()) + " entries, SuiteSparse " +
           std::to_string(real.positions.size());
  }
  if (pattern_only) return "";
  const bool single = c.text().find("FP32") != std::string::npos;
  const bool floats = c.text().find("FP") != std::string::npos;
  for (size_t k = 0; k < ours.positions.size(); ++k) {
    const std::string where = " at position " + std::to_string(ours.positions[k]);
    const bool either_sign = std::binary_search(any_sign.begin(), any_sign.end(), ours.positions[k]);
    if (either_sign && !is_real(type)) continue;  // a cast may have made one of the two 0
    if (either_sign && equal_reals(std::fabs(ours.reals[k]), std::fabs(real.reals[k]), !c.inexact, single))
      continue;
    if (is_real(type) && !equal_reals(ours.reals[k], real.reals[k], !c.inexact, single)) {
      return std::to_string(ours.reals[k]) + ", SuiteSparse " + std::to_string(real.reals[k]) + where;
    }
    if (!is_real(type) &&
        !equal_integers(ours.integers[k], real.integers[k], !(c.inexact && floats && type != "BOOL"))) {
      return std::to_string(ours.integers[k]) + ", SuiteSparse " + std::to_string(real.integers[k]) + where;
    }
  }
  return "";
}

}  // namespace differential
