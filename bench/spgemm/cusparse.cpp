// The comparator: cusparseSpGEMM, all phases. Its buffers and C come from cuGrB's allocator, which keeps
// blocks: neither side pays the driver for memory in a warm run.
#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <stdexcept>

#include "bench/spgemm/bench.h"

namespace cugrb::bench {

namespace {

/// What it cannot do is no failure: runtime::OutOfMemory becomes `skipped`.
void check(cusparseStatus_t status) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  if (status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES || status == CUSPARSE_STATUS_ALLOC_FAILED)
    throw runtime::OutOfMemory(cusparseGetErrorString(status));
  throw std::runtime_error(cusparseGetErrorString(status));
}

/// Memory for cuSPARSE's stream, which is not the device's: what the allocator has queued is waited for.
runtime::Buffer memory(size_t bytes) {
  runtime::Buffer buffer(std::max<size_t>(bytes, 1));
  runtime::device().synchronize();
  return buffer;
}

struct Descriptors {
  cusparseSpMatDescr_t a = nullptr, b = nullptr, c = nullptr;
  cusparseSpGEMMDescr_t state = nullptr;
  ~Descriptors() {
    if (state != nullptr) cusparseSpGEMM_destroyDescr(state);
    for (const cusparseSpMatDescr_t matrix : {a, b, c}) {
      if (matrix != nullptr) cusparseDestroySpMat(matrix);
    }
  }
};

cusparseSpMatDescr_t describe(const formats::Csr& csr, cudaDataType type) {
  cusparseSpMatDescr_t matrix = nullptr;
  check(cusparseCreateCsr(&matrix, int64_t(csr.rows), int64_t(csr.columns), int64_t(csr.entries),
                          csr.offsets.data(), csr.column_indices.data(), csr.values.data(),
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
  return matrix;
}

struct Call {
  cusparseHandle_t handle;
  const formats::DeviceMatrix &a, &b;
  cusparseSpGEMMAlg_t algorithm;
  cudaDataType type;
};

/// C = A B into `result`.
void multiply(const Call& call, formats::DeviceMatrix& result) {
  const double one = 1, zero = 0;
  const float one_32 = 1, zero_32 = 0;
  const bool is_double = call.type == CUDA_R_64F;
  const void* alpha = is_double ? static_cast<const void*>(&one) : &one_32;
  const void* beta = is_double ? static_cast<const void*>(&zero) : &zero_32;
  const auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  formats::Csr& c = result.stored;
  c = formats::Csr({call.a.type, call.a.rows, call.b.columns, 0});
  Descriptors d;
  d.a = describe(call.a.stored, call.type);
  d.b = describe(call.b.stored, call.type);
  d.c = describe(c, call.type);
  check(cusparseSpGEMM_createDescr(&d.state));
  std::vector<runtime::Buffer> buffers;
  size_t bytes = 0;
  const auto estimate = [&](void* work) {
    check(cusparseSpGEMM_workEstimation(call.handle, none, none, alpha, d.a, d.b, beta, d.c, call.type,
                                        call.algorithm, d.state, &bytes, work));
  };
  const auto compute = [&](void* work) {
    check(cusparseSpGEMM_compute(call.handle, none, none, alpha, d.a, d.b, beta, d.c, call.type,
                                 call.algorithm, d.state, &bytes, work));
  };
  estimate(nullptr);
  buffers.push_back(memory(bytes));
  estimate(buffers.back().data());
  if (call.algorithm == CUSPARSE_SPGEMM_ALG1) {
    compute(nullptr);
  } else {
    constexpr float chunk = 0.2f;  // of the products at a time, as in NVIDIA's sample
    size_t least = 0;
    const auto estimate_memory = [&](void* work, size_t* buffer_bytes) {
      check(cusparseSpGEMM_estimateMemory(call.handle, none, none, alpha, d.a, d.b, beta, d.c, call.type,
                                          call.algorithm, d.state, chunk, &bytes, work, buffer_bytes));
    };
    estimate_memory(nullptr, nullptr);
    buffers.push_back(memory(bytes));
    estimate_memory(buffers.back().data(), &least);
    bytes = least;
  }
  buffers.push_back(memory(bytes));
  compute(buffers.back().data());
  int64_t rows = 0, columns = 0, entries = 0;
  check(cusparseSpMatGetSize(d.c, &rows, &columns, &entries));
  c.entries = uint64_t(entries);
  c.offsets = memory((c.rows + 1) * sizeof(int32_t));
  c.column_indices = memory(c.entries * sizeof(int32_t));
  c.values = memory(c.entries * c.type.size);
  check(cusparseCsrSetPointers(d.c, c.offsets.data(), c.column_indices.data(), c.values.data()));
  check(cusparseSpGEMM_copy(call.handle, none, none, alpha, d.a, d.b, beta, d.c, call.type, call.algorithm,
                            d.state));
  if (cudaDeviceSynchronize() != cudaSuccess) throw std::runtime_error("cuSPARSE's kernels failed");
  result.type = c.type;
  result.rows = c.rows;
  result.columns = c.columns;
}

void measure_algorithm(const Call& call, Product& product, const Options& options, nlohmann::json& row) {
  formats::DeviceMatrix c;
  const auto run = [&] {
    c = {};
    multiply(call, c);
  };
  run();
  product.account.charge("cusparse: first calls");
  double best = product.best_seconds;
  const Timing timing = sample(options.repeat, options.limit_seconds, run, host_elapsed, best);
  product.account.charge("cusparse: timing");
  row["median_seconds"] = timing.median;
  row["least_seconds"] = timing.least;
  row["samples"] = timing.samples;
  row["workspace_bytes"] = workspace_of(c, run);
  const Checksum found = checksum(c);
  row["entries"] = found.entries;
  row["same_result"] = product.agrees(found);
  product.account.charge("comparing");
}

}  // namespace

nlohmann::json bench_cusparse(Product& product, const Options& options) {
  nlohmann::json rows = nlohmann::json::array();
  const Problem& problem = product.problem;
  const bool single = product.semiring.name == "PLUS_TIMES_FP32";
  if (!single && product.semiring.name != "PLUS_TIMES_FP64") return rows;
  if (runtime::device().properties().kind != runtime::Kind::cuda || problem.masked) return rows;
  const formats::DeviceMatrix b =
      problem.b_is_transposed ? on_device(*problem.b, product.semiring.multiply.y, true) : product.b;
  static const cusparseHandle_t handle = [] {
    cusparseHandle_t made = nullptr;
    check(cusparseCreate(&made));
    return made;
  }();
  const std::pair<const char*, cusparseSpGEMMAlg_t> algorithms[] = {
      {"alg1", CUSPARSE_SPGEMM_ALG1}, {"alg2", CUSPARSE_SPGEMM_ALG2}, {"alg3", CUSPARSE_SPGEMM_ALG3}};
  for (const auto& [name, algorithm] : algorithms) {
    if (options.deadline.over()) break;
    nlohmann::json row{{"semiring", product.semiring.name}, {"library", "cusparse"}, {"kernel", name}};
    const formats::Csr& left = product.a.stored;
    if (left.offset_width != formats::Width::bits32 || left.column_width != formats::Width::bits32) {
      row["skipped"] = "indices of 64 bits";
    } else {
      const Call call{handle, product.a, b, algorithm, single ? CUDA_R_32F : CUDA_R_64F};
      attempt(row, [&] { measure_algorithm(call, product, options, row); });
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace cugrb::bench
