// cuSPARSE's SpMV as comparator: y = A x for PLUS_TIMES on FP32 and FP64, every algorithm for CSR, COO and
// SELL. The library is opened at run time: a machine without it has one comparator less.
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <dlfcn.h>

#include "bench/spmv/bench.h"
#include "src/formats/coo.h"
#include "src/formats/ell.h"
#include "src/support/settings.h"

namespace cugrb::bench {

namespace {

/// The functions of libcusparse that are used here.
#define CUGRB_CUSPARSE_FUNCTIONS(use)                                                                        \
  use(cusparseCreate) use(cusparseGetVersion) use(cusparseGetErrorString) use(cusparseCreateCsr)             \
      use(cusparseCreateCoo) use(cusparseCreateSlicedEll) use(cusparseCreateDnVec) use(cusparseDestroySpMat) \
          use(cusparseDestroyDnVec) use(cusparseSpMV) use(cusparseSpMV_bufferSize)                           \
              use(cusparseSpMV_preprocess)

struct Library {
  void* handle = nullptr;
  std::string missing;
#define CUGRB_DECLARE(name) decltype(&::name) name = nullptr;
  CUGRB_CUSPARSE_FUNCTIONS(CUGRB_DECLARE)
#undef CUGRB_DECLARE

  Library() {
    for (const char* name :
         {"libcusparse.so.12", "/usr/local/cuda/lib64/libcusparse.so.12", "libcusparse.so"}) {
      if ((handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) != nullptr) break;
    }
    if (handle == nullptr) {
      missing = "no libcusparse here";
      return;
    }
#define CUGRB_FIND(name) find(name, #name);
    CUGRB_CUSPARSE_FUNCTIONS(CUGRB_FIND)
#undef CUGRB_FIND
  }

 private:
  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (function == nullptr && missing.empty()) missing = std::string("libcusparse has no ") + name;
  }
};

const Library& library() {
  static const Library opened;
  return opened;
}

void check(cusparseStatus_t status, const char* function) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(function) + ": " + library().cusparseGetErrorString(status));
}

cusparseHandle_t handle() {
  static const cusparseHandle_t made = [] {
    cusparseHandle_t h = nullptr;
    check(library().cusparseCreate(&h), "cusparseCreate");
    return h;
  }();
  return made;
}

/// Elapsed time on cuSPARSE's stream, the default one.
constexpr auto stream_elapsed = [](const auto& run, int count) {
  static const auto events = [] {
    std::pair<cudaEvent_t, cudaEvent_t> made;
    cudaEventCreate(&made.first);
    cudaEventCreate(&made.second);
    return made;
  }();
  cudaEventRecord(events.first, nullptr);
  for (int n = 0; n < count; ++n) run();
  cudaEventRecord(events.second, nullptr);
  float milliseconds = 0;
  if (cudaEventSynchronize(events.second) != cudaSuccess ||
      cudaEventElapsedTime(&milliseconds, events.first, events.second) != cudaSuccess) {
    throw std::runtime_error("cuSPARSE's events cannot be read");
  }
  return double(milliseconds) * 1e-3;
};

/// A matrix in one of cuSPARSE's formats, with the arrays that are not the CSR's own.
struct Stored {
  cusparseSpMatDescr_t matrix = nullptr;
  std::vector<runtime::Buffer> arrays;
  size_t bytes = 0;
  std::string refusal;

  Stored() = default;
  Stored(Stored&& other) noexcept
      : matrix(std::exchange(other.matrix, nullptr)),
        arrays(std::move(other.arrays)),
        bytes(other.bytes),
        refusal(std::move(other.refusal)) {}
  ~Stored() {
    if (matrix != nullptr) library().cusparseDestroySpMat(matrix);
  }
};

struct Call {
  const Product& product;
  cudaDataType type;
  const formats::Csr& csr() const { return product.matrix.stored; }
  int64_t rows() const { return int64_t(csr().rows); }
  int64_t columns() const { return int64_t(csr().columns); }
  int64_t entries() const { return int64_t(csr().entries); }
};

Stored as_csr(const Call& call) {
  Stored stored;
  check(library().cusparseCreateCsr(&stored.matrix, call.rows(), call.columns(), call.entries(),
                                    call.csr().offsets.data(), call.csr().column_indices.data(),
                                    call.csr().values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_BASE_ZERO, call.type),
        "cusparseCreateCsr");
  stored.bytes = call.csr().bytes();
  return stored;
}

Stored as_coo(const Call& call) {
  const formats::Coo coo = formats::make_coo(call.csr());
  Stored stored;
  stored.arrays = {coo.row_indices, coo.column_indices, coo.values};
  check(library().cusparseCreateCoo(&stored.matrix, call.rows(), call.columns(), call.entries(),
                                    coo.row_indices.data(), coo.column_indices.data(), coo.values.data(),
                                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, call.type),
        "cusparseCreateCoo");
  for (const runtime::Buffer& array : stored.arrays) stored.bytes += array.bytes();
  return stored;
}

/// Our slices are cuSPARSE's: 32 rows as wide as their longest, by columns, padding has column -1. Only its
/// offsets count positions, ours columns of 32 positions.
Stored as_sell(const Call& call) {
  const formats::SlicePlan plan = formats::plan_slices(call.csr());
  Stored stored;
  const uint64_t positions = plan.columns * ell_slice_rows;
  if (positions > 8 * uint64_t(call.entries()) + 1024 || positions >= uint64_t(1) << 31) {
    stored.refusal = "slices would hold " + std::to_string(positions) + " positions";
    return stored;
  }
  const formats::Ell sell = formats::make_sell(call.csr(), plan);
  stored.arrays = {formats::position_offsets(sell), sell.column_indices, sell.values};
  for (const runtime::Buffer& array : stored.arrays) stored.bytes += array.bytes();
  check(library().cusparseCreateSlicedEll(
            &stored.matrix, call.rows(), call.columns(), call.entries(), int64_t(positions),
            int64_t(ell_slice_rows), stored.arrays[0].data(), sell.column_indices.data(), sell.values.data(),
            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, call.type),
        "cusparseCreateSlicedEll");
  return stored;
}

struct Algorithm {
  const char* name;
  cusparseSpMVAlg_t algorithm;
  Stored (*store)(const Call&);
};

/// The expected result with zeros where it has no entry, as y is.
formats::DeviceVector dense(const formats::DeviceVector& expected) {
  const std::string zero(expected.type.size, '\0');
  formats::DeviceVector y = formats::DeviceVector::full_of(expected.type, expected.length, zero.data());
  operations::assign({y, {&expected, true, false}, std::nullopt, false}, expected, {});
  return y;
}

/// The algorithm beside the chosen kernel, where products are small.
void time_beside_choice(const Product& product, const std::function<void()>& run, nlohmann::json& row) {
  if (product.matrix.nvals() >= calibration::small_entries || product.chosen.empty()) return;
  formats::DeviceVector w;
  const std::function<void()> ours = [&] { multiply(product, w); };
  force_kernel(product.chosen);
  ours();
  const auto turn = [&](const std::string& whose) {
    const Timing timing = whose == "ours" ? calibration::measure(1, 0, ours, device_elapsed)
                                          : calibration::measure(1, 0, run, stream_elapsed);
    return std::optional<double>(timing.median);
  };
  const calibration::Compared compared =
      calibration::in_turns({"ours", "theirs"}, calibration::turns, /*limit_seconds=*/0, turn);
  force_kernel("");
  row["median_seconds"] = compared.seconds.at("theirs");
  row["choice_seconds"] = compared.seconds.at("ours");
  row["rounds"] = compared.rounds;
}

nlohmann::json measure_algorithm(const Call& call, const Algorithm& algorithm, const Stored& stored,
                                 const formats::DeviceVector& expected, const Options& options) {
  const Library& lib = library();
  formats::DeviceVector y = formats::DeviceVector::empty(expected.type, expected.length);
  y.form = Form::full;
  y.values = runtime::Buffer::zeroed(expected.length * expected.type.size);
  y.set_nvals(expected.length);
  runtime::device().synchronize();
  cusparseDnVecDescr_t x_vector = nullptr, y_vector = nullptr;
  check(lib.cusparseCreateDnVec(&x_vector, call.columns(), call.product.u.values.data(), call.type), "x");
  check(lib.cusparseCreateDnVec(&y_vector, call.rows(), y.values.data(), call.type), "y");
  const double one = 1, zero = 0;
  const float one_32 = 1, zero_32 = 0;
  const bool is_double = call.type == CUDA_R_64F;
  const void* alpha = is_double ? static_cast<const void*>(&one) : &one_32;
  const void* beta = is_double ? static_cast<const void*>(&zero) : &zero_32;
  size_t work_bytes = 0;
  check(lib.cusparseSpMV_bufferSize(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, stored.matrix,
                                    x_vector, beta, y_vector, call.type, algorithm.algorithm, &work_bytes),
        "cusparseSpMV_bufferSize");
  const runtime::Buffer work(std::max<size_t>(work_bytes, 16));
  runtime::device().synchronize();
  // Optional, and not there for every format.
  const auto prepare = [&] {
    const cusparseStatus_t status =
        lib.cusparseSpMV_preprocess(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, stored.matrix,
                                    x_vector, beta, y_vector, call.type, algorithm.algorithm, work.data());
    if (status != CUSPARSE_STATUS_NOT_SUPPORTED) check(status, "cusparseSpMV_preprocess");
  };
  const auto run = [&] {
    check(lib.cusparseSpMV(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, stored.matrix, x_vector, beta,
                           y_vector, call.type, algorithm.algorithm, work.data()),
          "cusparseSpMV");
  };
  const double prepare_seconds = stream_elapsed(prepare, 1);
  stream_elapsed(run, 1);
  double best = call.product.best_seconds;
  const Timing timing = sample(options.repeat, options.limit_seconds, run, stream_elapsed, best);
  cudaDeviceSynchronize();
  int version = 0;
  lib.cusparseGetVersion(handle(), &version);
  nlohmann::json row = {{"semiring", call.product.semiring.name},
                        {"library", "cusparse"},
                        {"version", version},
                        {"kernel", algorithm.name},
                        {"median_seconds", timing.median},
                        {"least_seconds", timing.least},
                        {"samples", timing.samples},
                        {"runs_a_sample", timing.runs_a_sample},
                        {"conversion_seconds", prepare_seconds},
                        {"bytes", stored.bytes + work_bytes},
                        {"same_result", same(y, expected)}};
  time_beside_choice(call.product, run, row);
  cudaDeviceSynchronize();
  lib.cusparseDestroyDnVec(x_vector);
  lib.cusparseDestroyDnVec(y_vector);
  return row;
}

}  // namespace

nlohmann::json bench_cusparse(const Product& product, const Options& options) {
  nlohmann::json rows = nlohmann::json::array();
  const bool single = product.semiring.name == "PLUS_TIMES_FP32";
  if (!single && product.semiring.name != "PLUS_TIMES_FP64") return rows;
  if (runtime::device().properties().kind != runtime::Kind::cuda || product.matrix.nvals() == 0) return rows;
  const auto unmeasured = [&product](const char* kernel, const char* how, const std::string& why) {
    return nlohmann::json{
        {"semiring", product.semiring.name}, {"library", "cusparse"}, {"kernel", kernel}, {how, why}};
  };
  const auto none = [&unmeasured](const std::string& why) {
    return nlohmann::json::array({unmeasured("all", "skipped", why)});
  };
  if (!library().missing.empty()) return none(library().missing);
  const formats::Csr& csr = product.matrix.stored;
  if (csr.offset_width != formats::Width::bits32 || csr.column_width != formats::Width::bits32)
    return none("indices of 64 bits");
  const Call call{product, single ? CUDA_R_32F : CUDA_R_64F};
  const Algorithm algorithms[] = {{"csr_alg1", CUSPARSE_SPMV_CSR_ALG1, as_csr},
                                  {"csr_alg2", CUSPARSE_SPMV_CSR_ALG2, as_csr},
                                  {"coo_alg1", CUSPARSE_SPMV_COO_ALG1, as_coo},
                                  {"coo_alg2", CUSPARSE_SPMV_COO_ALG2, as_coo},
                                  {"sell_alg1", CUSPARSE_SPMV_SELL_ALG1, as_sell}};
  const formats::DeviceVector expected = dense(product.expected);
  for (const Algorithm& algorithm : algorithms) {
    if (options.deadline.over()) break;
    try {
      const Stored stored = algorithm.store(call);
      product.account.charge("cusparse: making");
      rows.push_back(stored.refusal.empty() ? measure_algorithm(call, algorithm, stored, expected, options)
                                            : unmeasured(algorithm.name, "skipped", stored.refusal));
      product.account.charge("cusparse: timing");
    } catch (const runtime::OutOfMemory& failure) {
      rows.push_back(unmeasured(algorithm.name, "skipped", failure.what()));
    } catch (const std::exception& failure) {
      rows.push_back(unmeasured(algorithm.name, "failed", failure.what()));
    }
  }
  product.matrix.drop_caches();
  return rows;
}

}  // namespace cugrb::bench
