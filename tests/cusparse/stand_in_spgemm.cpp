// C = A B row by row, in maps.
#include <map>

#include "tests/cusparse/stand_in.h"

using stand_in::Matrix;

extern "C" void stand_in_count(int change);

namespace {

constexpr int insufficient_resources = 11;

struct State {
  size_t estimation_bytes = 0, products = 0;
  bool estimated = false;
  std::vector<std::map<int32_t, double>> rows;
};

template <class Real>
void multiply(const Matrix& a, const Matrix& b, State& state) {
  state.rows.assign(size_t(a.rows), {});
  const auto* a_values = static_cast<const Real*>(a.values);
  const auto* b_values = static_cast<const Real*>(b.values);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int32_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p) {
      const int32_t k = a.column_indices[p];
      for (int32_t q = b.offsets[k]; q < b.offsets[k + 1]; ++q)
        state.rows[size_t(i)][b.column_indices[q]] += double(Real(a_values[p] * b_values[q]));
    }
  }
}

template <class Real>
void store(const Matrix& c, const State& state) {
  int32_t p = 0;
  for (size_t i = 0; i < state.rows.size(); ++i) {
    c.offsets[i] = p;
    for (const auto& [j, value] : state.rows[i]) {
      c.column_indices[p] = j;
      static_cast<Real*>(c.values)[p++] = Real(value);
    }
  }
  c.offsets[state.rows.size()] = p;
}

size_t products_of(const Matrix& a, const Matrix& b) {
  size_t products = 0;
  for (int32_t p = 0; p < a.entries; ++p)
    products += size_t(b.offsets[a.column_indices[p] + 1] - b.offsets[a.column_indices[p]]);
  return products;
}

}  // namespace

extern "C" {

int cusparseSpGEMM_createDescr(void** state) {
  if (const int status = stand_in::status_of_call()) return status;
  *state = new State;
  stand_in_count(1);
  return 0;
}
int cusparseSpGEMM_destroyDescr(void* state) {
  delete static_cast<State*>(state);
  stand_in_count(-1);
  return 0;
}

int cusparseSpGEMM_workEstimation(void*, int, int, const void*, void* a, void* b, const void*, void*, int,
                                  int algorithm, void* state, size_t* bytes, void* work) {
  if (const int status = stand_in::status_of_call()) return status;
  auto& s = *static_cast<State*>(state);
  if (algorithm != 3 || static_cast<Matrix*>(a)->columns != static_cast<Matrix*>(b)->rows) return 3;
  const size_t needed = 8 * size_t(static_cast<Matrix*>(a)->rows) + 40;
  if (work == nullptr) {
    *bytes = s.estimation_bytes = needed;
    return 0;
  }
  if (*bytes < needed) return insufficient_resources;
  stand_in::use(work, needed);
  s.products = products_of(*static_cast<Matrix*>(a), *static_cast<Matrix*>(b));
  s.estimated = true;
  return 0;
}

int cusparseSpGEMM_compute(void*, int, int, const void*, void* a, void* b, const void*, void* c, int type,
                           int, void* state, size_t* bytes, void* work) {
  if (const int status = stand_in::status_of_call()) return status;
  auto& s = *static_cast<State*>(state);
  if (!s.estimated) return 3;
  const size_t needed = 24 * s.products;
  if (work == nullptr) {
    *bytes = needed;
    return 0;
  }
  if (*bytes < needed) return insufficient_resources;
  stand_in::use(work, needed);
  if (type == 0) multiply<float>(*static_cast<Matrix*>(a), *static_cast<Matrix*>(b), s);
  if (type == 1) multiply<double>(*static_cast<Matrix*>(a), *static_cast<Matrix*>(b), s);
  static_cast<Matrix*>(c)->entries = 0;
  for (const auto& row : s.rows) static_cast<Matrix*>(c)->entries += int64_t(row.size());
  return 0;
}

int cusparseSpGEMM_copy(void*, int, int, const void*, void*, void*, const void*, void* c, int type, int,
                        void* state) {
  if (const int status = stand_in::status_of_call()) return status;
  const auto& s = *static_cast<State*>(state);
  if (type == 0) store<float>(*static_cast<Matrix*>(c), s);
  if (type == 1) store<double>(*static_cast<Matrix*>(c), s);
  return 0;
}

}  // extern "C"
