// The comparator: cusparseSpGEMM, C = A * A in FP32, all phases, buffers allocated anew in each run as a
// program would.
#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "bench/spgemm/bench.h"

namespace cugrb::bench {

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}
void check(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS) throw std::runtime_error(cusparseGetErrorString(status));
}

/// Device memory by CUDA's own allocator.
class Memory {
 public:
  ~Memory() { cudaFree(data_); }
  void* of(size_t bytes) {
    check(cudaMalloc(&data_, bytes == 0 ? 1 : bytes));
    return data_;
  }

 private:
  void* data_ = nullptr;
};

struct Outcome {
  int64_t entries = 0;
  size_t buffer_bytes = 0;
};

cusparseSpMatDescr_t describe(const formats::DeviceMatrix& a) {
  const formats::Csr& csr = a.stored;
  cusparseSpMatDescr_t matrix;
  check(cusparseCreateCsr(&matrix, int64_t(csr.rows), int64_t(csr.columns), int64_t(csr.entries),
                          csr.offsets.data(), csr.column_indices.data(), csr.values.data(),
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  return matrix;
}

Outcome multiply(cusparseHandle_t handle, const formats::DeviceMatrix& a, cusparseSpGEMMAlg_t algorithm) {
  const float one = 1, zero = 0;
  const auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseSpMatDescr_t left = describe(a), right = describe(a);
  cusparseSpMatDescr_t c;
  check(cusparseCreateCsr(&c, int64_t(a.rows), int64_t(a.columns), 0, nullptr, nullptr, nullptr,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  cusparseSpGEMMDescr_t state;
  check(cusparseSpGEMM_createDescr(&state));
  Memory first, second, third, offsets, columns, values;
  size_t bytes = 0;
  Outcome outcome;
  const auto estimate = [&](void* memory) {
    check(cusparseSpGEMM_workEstimation(handle, none, none, &one, left, right, &zero, c, CUDA_R_32F,
                                        algorithm, state, &bytes, memory));
  };
  estimate(nullptr);
  outcome.buffer_bytes += bytes;
  estimate(first.of(bytes));
  if (algorithm == CUSPARSE_SPGEMM_ALG2 || algorithm == CUSPARSE_SPGEMM_ALG3) {
    size_t least = 0;
    check(cusparseSpGEMM_estimateMemory(handle, none, none, &one, left, right, &zero, c, CUDA_R_32F,
                                        algorithm, state, 0.2f, &bytes, nullptr, nullptr));
    outcome.buffer_bytes += bytes;
    void* memory = third.of(bytes);
    check(cusparseSpGEMM_estimateMemory(handle, none, none, &one, left, right, &zero, c, CUDA_R_32F,
                                        algorithm, state, 0.2f, &bytes, memory, &least));
    bytes = least;
  } else {
    check(cusparseSpGEMM_compute(handle, none, none, &one, left, right, &zero, c, CUDA_R_32F, algorithm,
                                 state, &bytes, nullptr));
  }
  outcome.buffer_bytes += bytes;
  check(cusparseSpGEMM_compute(handle, none, none, &one, left, right, &zero, c, CUDA_R_32F, algorithm, state,
                               &bytes, second.of(bytes)));
  int64_t rows = 0, count = 0;
  check(cusparseSpMatGetSize(c, &rows, &count, &outcome.entries));
  check(cusparseCsrSetPointers(c, offsets.of((a.rows + 1) * 4), columns.of(size_t(outcome.entries) * 4),
                               values.of(size_t(outcome.entries) * 4)));
  check(cusparseSpGEMM_copy(handle, none, none, &one, left, right, &zero, c, CUDA_R_32F, algorithm, state));
  check(cudaDeviceSynchronize());
  cusparseSpGEMM_destroyDescr(state);
  for (const cusparseSpMatDescr_t matrix : {left, right, c}) cusparseDestroySpMat(matrix);
  return outcome;
}

}  // namespace

nlohmann::json bench_cusparse(const formats::DeviceMatrix& a, int repeat) {
  if (a.stored.offset_width != formats::Width::bits32 || a.stored.column_width != formats::Width::bits32)
    return nullptr;
  runtime::device().synchronize();
  runtime::device().trim();  // leave it the memory
  cusparseHandle_t handle;
  check(cusparseCreate(&handle));
  nlohmann::json results = nlohmann::json::array();
  const std::pair<const char*, cusparseSpGEMMAlg_t> algorithms[] = {{"cusparse_alg1", CUSPARSE_SPGEMM_ALG1},
                                                                    {"cusparse_alg2", CUSPARSE_SPGEMM_ALG2},
                                                                    {"cusparse_alg3", CUSPARSE_SPGEMM_ALG3}};
  for (const auto& [name, algorithm] : algorithms) {
    nlohmann::json row{{"what", "A*A"}, {"kernel", name}};
    try {
      std::vector<double> seconds;
      Outcome outcome = multiply(handle, a, algorithm);
      for (int n = 0; n < repeat; ++n) {
        const auto begin = std::chrono::steady_clock::now();
        outcome = multiply(handle, a, algorithm);
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      }
      std::sort(seconds.begin(), seconds.end());
      row["median_seconds"] = median(seconds);
      row["entries"] = outcome.entries;
      row["buffer_bytes"] = outcome.buffer_bytes;
      std::printf("%-10s %-18s %-10s %10.4f ms  %12ld entries  %.3f GB of buffers\n", "A*A",
                  "PLUS_TIMES_FP32", name, median(seconds) * 1e3, (long)outcome.entries,
                  double(outcome.buffer_bytes) / 1e9);
    } catch (const std::exception& failure) {
      row["failure"] = failure.what();
      std::printf("%-10s %-18s %-10s %s\n", "A*A", "PLUS_TIMES_FP32", name, failure.what());
    }
    std::fflush(stdout);
    results.push_back(row);
  }
  cusparseDestroy(handle);
  return results;
}

}  // namespace cugrb::bench
