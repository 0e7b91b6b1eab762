// y = A x, for CSR and SELL.
#include "tests/cusparse/stand_in.h"

using stand_in::Matrix;

extern "C" void stand_in_count(int change);

namespace {

struct Vector {
  int64_t length;
  void* values;
};

int products = 0;

/// visit(position) for each place of row i, SELL's padding included.
template <class Visit>
void visit_row(const Matrix& m, int64_t i, const Visit& visit) {
  if (m.slice_rows == 0) {
    for (int64_t p = m.offsets[i]; p < m.offsets[i + 1]; ++p) visit(p);
    return;
  }
  const int64_t slice = i / m.slice_rows;
  for (int64_t p = m.offsets[slice] + i % m.slice_rows; p < m.offsets[slice + 1]; p += m.slice_rows) visit(p);
}

template <class Real>
void multiply(const Matrix& m, const Real* x, Real* y) {
  const auto* values = static_cast<const Real*>(m.values);
  for (int64_t i = 0; i < m.rows; ++i) {
    Real sum = 0;
    visit_row(m, i, [&](int64_t p) {
      if (m.column_indices[p] >= 0) sum += values[p] * x[m.column_indices[p]];
    });
    y[i] = sum;
  }
}

size_t needed(const Matrix& m) { return 4 * size_t(m.rows) + 24; }

/// What every call must be given; else invalid value.
bool fits(const Matrix& m, const Vector& x, const Vector& y, int type, int algorithm) {
  const bool algorithm_fits = m.slice_rows == 0 ? algorithm == 2 || algorithm == 3 : algorithm == 5;
  return algorithm_fits && m.type == type && x.length == m.columns && y.length == m.rows;
}

}  // namespace

extern "C" {

/// cusparseSpMV's calls so far.
int stand_in_products() { return products; }

int cusparseCreateSlicedEll(void** matrix, int64_t rows, int64_t columns, int64_t entries, int64_t positions,
                            int64_t slice_rows, void* offsets, void* column_indices, void* values,
                            int offset_type, int column_type, int base, int type) {
  if (const int status = stand_in::status_of_call()) return status;
  const auto* last = static_cast<const int32_t*>(offsets) + (rows + slice_rows - 1) / slice_rows;
  if (offset_type != 2 || column_type != 2 || base != 0 || *last != positions) return 3;
  *matrix = new Matrix{
      rows,   columns, entries,   static_cast<int32_t*>(offsets), static_cast<int32_t*>(column_indices),
      values, type,    slice_rows};
  stand_in_count(1);
  return 0;
}

int cusparseCreateDnVec(void** vector, int64_t length, void* values, int) {
  if (const int status = stand_in::status_of_call()) return status;
  if (values == nullptr) return 3;
  *vector = new Vector{length, values};
  stand_in_count(1);
  return 0;
}
int cusparseDnVecSetValues(void* vector, void* values) {
  static_cast<Vector*>(vector)->values = values;
  return 0;
}
int cusparseDestroyDnVec(void* vector) {
  delete static_cast<Vector*>(vector);
  stand_in_count(-1);
  return 0;
}

int cusparseSpMV_bufferSize(void*, int, const void*, void* matrix, void* x, const void*, void* y, int type,
                            int algorithm, size_t* bytes) {
  if (const int status = stand_in::status_of_call()) return status;
  const auto& m = *static_cast<Matrix*>(matrix);
  if (!fits(m, *static_cast<Vector*>(x), *static_cast<Vector*>(y), type, algorithm)) return 3;
  *bytes = m.slice_rows == 0 ? needed(m) : 0;
  return 0;
}

int cusparseSpMV_preprocess(void*, int, const void*, void* matrix, void*, const void*, void*, int, int,
                            void* work) {
  if (const int status = stand_in::status_of_call()) return status;
  const auto& m = *static_cast<Matrix*>(matrix);
  if (m.slice_rows > 0) return 10;  // as the library says: not supported
  stand_in::use(work, needed(m));
  return 0;
}

int cusparseSpMV(void*, int, const void*, void* matrix, void* x, const void*, void* y, int type,
                 int algorithm, void* work) {
  const auto& m = *static_cast<Matrix*>(matrix);
  const auto &from = *static_cast<Vector*>(x), &to = *static_cast<Vector*>(y);
  if (!fits(m, from, to, type, algorithm)) return 3;
  if (m.slice_rows == 0) stand_in::use(work, needed(m));
  if (type == 0) multiply(m, static_cast<const float*>(from.values), static_cast<float*>(to.values));
  if (type == 1) multiply(m, static_cast<const double*>(from.values), static_cast<double*>(to.values));
  ++products;
  return 0;
}

}  // extern "C"
