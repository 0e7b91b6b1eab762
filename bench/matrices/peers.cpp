#include "bench/matrices/peers.h"

#include "src/support/cuda_library.h"

namespace cugrb::bench {

namespace {

using runtime::Buffer;
using Description = void*;

// Values of its enumerations.
constexpr int fp32 = 0, with_values = 1, from_zero = 0, first_algorithm = 1;

/// The functions that are used here, as cuSPARSE's documentation declares them.
struct Library {
  int (*create)(void**) = nullptr;
  int (*set_stream)(void*, void*) = nullptr;
  int (*describe)(Description*) = nullptr;
  int (*transpose_bytes)(void*, int, int, int, const void*, const int*, const int*, void*, int*, int*, int,
                         int, int, int, size_t*) = nullptr;
  int (*transpose)(void*, int, int, int, const void*, const int*, const int*, void*, int*, int*, int, int,
                   int, int, void*) = nullptr;
  int (*sum_bytes)(void*, int, int, const float*, Description, int, const float*, const int*, const int*,
                   const float*, Description, int, const float*, const int*, const int*, Description,
                   const float*, const int*, const int*, size_t*) = nullptr;
  int (*sum_entries)(void*, int, int, Description, int, const int*, const int*, Description, int, const int*,
                     const int*, Description, int*, int*, void*) = nullptr;
  int (*sum)(void*, int, int, const float*, Description, int, const float*, const int*, const int*,
             const float*, Description, int, const float*, const int*, const int*, Description, float*, int*,
             int*, void*) = nullptr;
  std::string failure;
};

Library open_library() {
  CudaLibrary opened = open_cuda_library("CUGRB_CUSPARSE", {"libcusparse.so.12"});
  Library api;
  opened.find("cusparseCreate", api.create);
  opened.find("cusparseSetStream", api.set_stream);
  opened.find("cusparseCreateMatDescr", api.describe);
  opened.find("cusparseCsr2cscEx2_bufferSize", api.transpose_bytes);
  opened.find("cusparseCsr2cscEx2", api.transpose);
  opened.find("cusparseScsrgeam2_bufferSizeExt", api.sum_bytes);
  opened.find("cusparseXcsrgeam2Nnz", api.sum_entries);
  opened.find("cusparseScsrgeam2", api.sum);
  api.failure = opened.failure;
  return api;
}

void check(int status) {
  if (status != 0) throw std::runtime_error("cuSPARSE: status " + std::to_string(status));
}

/// A CSR as cuSPARSE takes it.
struct Arrays {
  const int *offsets, *columns;
  const float* values;
  explicit Arrays(const formats::Csr& csr)
      : offsets(csr.offsets.as<int>()),
        columns(csr.column_indices.as<int>()),
        values(csr.values.as<float>()) {}
};

void run_transpose(OperationBench& bench, const Library& api, void* handle, const formats::Csr& a,
                   double bytes) {
  const int n = int(a.rows), entries = int(a.entries);
  const Arrays in(a);
  bench.run("cusparseCsr2cscEx2", bytes, [&] {
    const Buffer offsets((a.rows + 1) * sizeof(int)), rows(a.entries * sizeof(int)),
        values(a.entries * sizeof(float));
    size_t work = 0;
    check(api.transpose_bytes(handle, n, n, entries, in.values, in.offsets, in.columns, values.data(),
                              offsets.as<int>(), rows.as<int>(), fp32, with_values, from_zero,
                              first_algorithm, &work));
    const Buffer memory(work);
    check(api.transpose(handle, n, n, entries, in.values, in.offsets, in.columns, values.data(),
                        offsets.as<int>(), rows.as<int>(), fp32, with_values, from_zero, first_algorithm,
                        memory.data()));
  });
}

void run_sum(OperationBench& bench, const Library& api, void* handle, const formats::Csr& a,
             const formats::Csr& b, double bytes) {
  Description description = nullptr;
  check(api.describe(&description));
  const int n = int(a.rows), of_a = int(a.entries), of_b = int(b.entries);
  const Arrays x(a), y(b);
  const float one = 1;
  bench.run("cusparseScsrgeam2", bytes, [&] {
    const Buffer offsets((a.rows + 1) * sizeof(int));
    size_t work = 0;
    check(api.sum_bytes(handle, n, n, &one, description, of_a, x.values, x.offsets, x.columns, &one,
                        description, of_b, y.values, y.offsets, y.columns, description, nullptr,
                        offsets.as<int>(), nullptr, &work));
    const Buffer memory(work);
    int entries = 0;
    check(api.sum_entries(handle, n, n, description, of_a, x.offsets, x.columns, description, of_b, y.offsets,
                          y.columns, description, offsets.as<int>(), &entries, memory.data()));
    const Buffer columns(size_t(entries) * sizeof(int)), values(size_t(entries) * sizeof(float));
    check(api.sum(handle, n, n, &one, description, of_a, x.values, x.offsets, x.columns, &one, description,
                  of_b, y.values, y.offsets, y.columns, description, values.as<float>(), offsets.as<int>(),
                  columns.as<int>(), memory.data()));
  });
}

}  // namespace

void run_cusparse(OperationBench& bench, const formats::Csr& a, const formats::Csr& b, double transpose_bytes,
                  double sum_bytes) {
  if (runtime::device().properties().kind != runtime::Kind::cuda) return;
  const Library api = open_library();
  if (!api.failure.empty()) {
    std::printf("no cuSPARSE: %s\n", api.failure.c_str());
    return;
  }
  void* handle = nullptr;
  check(api.create(&handle));
  runtime::device().with_stream([&](void* stream) { check(api.set_stream(handle, stream)); });
  run_transpose(bench, api, handle, a, transpose_bytes);
  run_sum(bench, api, handle, a, b, sum_bytes);
}

}  // namespace cugrb::bench
