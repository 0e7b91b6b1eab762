// cuSPARSE's C interface, as its documentation declares it: opened at run time, no headers, nothing linked.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace cugrb::cusparse {

using Handle = void*;
using SparseMatrix = void*;
using DenseVector = void*;
using ProductState = void*;

// Values of its enumerations.
constexpr int success = 0, allocation_failed = 2, not_supported = 10, insufficient_resources = 11;
constexpr int not_transposed = 0, from_zero = 0, index_32 = 2;
constexpr int spgemm_alg1 = 3;

/// The functions that are used here.
struct Library {
  int (*create)(Handle* handle) = nullptr;
  int (*set_stream)(Handle handle, void* stream) = nullptr;
  const char* (*error_string)(int status) = nullptr;
  int (*create_csr)(SparseMatrix* matrix, int64_t rows, int64_t columns, int64_t entries, void* offsets,
                    void* column_indices, void* values, int offset_type, int column_type, int base,
                    int value_type) = nullptr;
  int (*csr_set_pointers)(SparseMatrix matrix, void* offsets, void* column_indices, void* values) = nullptr;
  int (*matrix_size)(SparseMatrix matrix, int64_t* rows, int64_t* columns, int64_t* entries) = nullptr;
  int (*destroy_matrix)(SparseMatrix matrix) = nullptr;
  int (*spgemm_create)(ProductState* state) = nullptr;
  int (*spgemm_destroy)(ProductState state) = nullptr;
  int (*spgemm_work_estimation)(Handle handle, int op_a, int op_b, const void* alpha, SparseMatrix a,
                                SparseMatrix b, const void* beta, SparseMatrix c, int type, int algorithm,
                                ProductState state, size_t* bytes, void* work) = nullptr;
  int (*spgemm_compute)(Handle handle, int op_a, int op_b, const void* alpha, SparseMatrix a, SparseMatrix b,
                        const void* beta, SparseMatrix c, int type, int algorithm, ProductState state,
                        size_t* bytes, void* work) = nullptr;
  int (*spgemm_copy)(Handle handle, int op_a, int op_b, const void* alpha, SparseMatrix a, SparseMatrix b,
                     const void* beta, SparseMatrix c, int type, int algorithm, ProductState state) = nullptr;
  int (*create_sell)(SparseMatrix* matrix, int64_t rows, int64_t columns, int64_t entries, int64_t positions,
                     int64_t slice_rows, void* offsets, void* column_indices, void* values, int offset_type,
                     int column_type, int base, int value_type) = nullptr;
  int (*create_vector)(DenseVector* vector, int64_t length, void* values, int value_type) = nullptr;
  int (*vector_set_values)(DenseVector vector, void* values) = nullptr;
  int (*destroy_vector)(DenseVector vector) = nullptr;
  int (*spmv_buffer_size)(Handle handle, int op, const void* alpha, SparseMatrix matrix, DenseVector x,
                          const void* beta, DenseVector y, int type, int algorithm, size_t* bytes) = nullptr;
  int (*spmv_preprocess)(Handle handle, int op, const void* alpha, SparseMatrix matrix, DenseVector x,
                         const void* beta, DenseVector y, int type, int algorithm, void* work) = nullptr;
  int (*spmv)(Handle handle, int op, const void* alpha, SparseMatrix matrix, DenseVector x, const void* beta,
              DenseVector y, int type, int algorithm, void* work) = nullptr;
  bool on_host = false;  ///< a stand-in that works on host memory, for the emulated device
  std::string failure;   ///< why it cannot be used; empty when it can
};

/// Opened at the first call: what CUGRB_CUSPARSE names ("off": none), else libcusparse.so.12 wherever
/// open_cuda_library looks. Never throws.
const Library& library();

}  // namespace cugrb::cusparse
