#include "tests/cusparse/stand_in.h"

#include <cstring>

namespace {

int calls_left = 0, failing_status = 0, descriptions = 0;

}  // namespace

namespace stand_in {

int status_of_call() {
  if (calls_left > 0 && --calls_left == 0) return failing_status;
  return 0;
}

void use(void* work, size_t bytes) { std::memset(work, 0x5A, bytes); }

}  // namespace stand_in

using stand_in::Matrix;

extern "C" {

/// What tells cuda/cusparse that it may be used on the emulated device.
int cugrb_cusparse_on_host = 1;

/// From now on the n-th call that can fail does, with this status; 0: none.
void stand_in_fail(int n, int status) {
  calls_left = n;
  failing_status = status;
}
/// Matrices and states that have not been destroyed.
int stand_in_descriptions() { return descriptions; }
void stand_in_count(int change) { descriptions += change; }

int cusparseCreate(void** handle) {
  static int one;
  *handle = &one;
  return stand_in::status_of_call();
}
int cusparseSetStream(void*, void*) { return stand_in::status_of_call(); }
const char* cusparseGetErrorString(int status) {
  return status == 11 ? "insufficient resources" : status == 2 ? "allocation failed" : "a failure";
}

int cusparseCreateCsr(void** matrix, int64_t rows, int64_t columns, int64_t entries, void* offsets,
                      void* column_indices, void* values, int offset_type, int column_type, int base,
                      int type) {
  if (const int status = stand_in::status_of_call()) return status;
  if (offset_type != 2 || column_type != 2 || base != 0) return 3;
  *matrix = new Matrix{
      rows,   columns, entries, static_cast<int32_t*>(offsets), static_cast<int32_t*>(column_indices),
      values, type,    0};
  ++descriptions;
  return 0;
}
int cusparseCsrSetPointers(void* matrix, void* offsets, void* column_indices, void* values) {
  auto& m = *static_cast<Matrix*>(matrix);
  m.offsets = static_cast<int32_t*>(offsets);
  m.column_indices = static_cast<int32_t*>(column_indices);
  m.values = values;
  return stand_in::status_of_call();
}
int cusparseSpMatGetSize(void* matrix, int64_t* rows, int64_t* columns, int64_t* entries) {
  const auto& m = *static_cast<Matrix*>(matrix);
  *rows = m.rows;
  *columns = m.columns;
  *entries = m.entries;
  return stand_in::status_of_call();
}
int cusparseDestroySpMat(void* matrix) {
  delete static_cast<Matrix*>(matrix);
  --descriptions;
  return 0;
}

}  // extern "C"
