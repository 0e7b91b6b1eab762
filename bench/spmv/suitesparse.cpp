// SuiteSparse:GraphBLAS on all cores, through its C API: no header of cuGrB's C++ API here.
#include <complex>  // GraphBLAS.h includes it for C++, which must not happen inside extern "C"
#include <cstring>
#include <optional>
#include <stdexcept>

extern "C" {
#include <GraphBLAS.h>
}

#include "bench/spmv/bench.h"
#include "tools/graph_files/parallel.h"

namespace cugrb::bench {

namespace {

void check(GrB_Info info, const char* function) {
  if (info != GrB_SUCCESS && info != GrB_NO_VALUE)
    throw std::runtime_error(std::string(function) + " failed: " + std::to_string(info));
}

/// A semiring that both know; the type of its matrix and vector there.
struct Known {
  GrB_Semiring semiring;
  GrB_Type matrix, vector, result;
  bool iso;
};

std::optional<Known> known(const std::string& name) {
  if (name == "PLUS_TIMES_FP32")
    return Known{GrB_PLUS_TIMES_SEMIRING_FP32, GrB_FP32, GrB_FP32, GrB_FP32, false};
  if (name == "PLUS_TIMES_FP64")
    return Known{GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64, GrB_FP64, GrB_FP64, false};
  if (name == "PLUS_SECOND_FP32") return Known{GxB_PLUS_SECOND_FP32, GrB_BOOL, GrB_FP32, GrB_FP32, true};
  if (name == "MIN_PLUS_INT32")
    return Known{GrB_MIN_PLUS_SEMIRING_INT32, GrB_INT32, GrB_INT32, GrB_INT32, false};
  if (name == "LOR_LAND_BOOL") return Known{GrB_LOR_LAND_SEMIRING_BOOL, GrB_BOOL, GrB_BOOL, GrB_BOOL, true};
  return std::nullopt;
}

template <class T, class ValueOf>
void* filled(uint64_t count, const ValueOf& value) {
  graph_files::Buffer<T> values(count);
  graph_files::parallel_for(count, 1 << 20, [&](uint64_t begin, uint64_t end) {
    for (uint64_t p = begin; p < end; ++p) values[p] = T(value(p));
  });
  return values.release();
}
template <class ValueOf>
void* filled(GrB_Type type, uint64_t count, const ValueOf& value) {
  if (type == GrB_FP32) return filled<float>(count, value);
  if (type == GrB_FP64) return filled<double>(count, value);
  if (type == GrB_INT32) return filled<int32_t>(count, value);
  return filled<bool>(count, [&](uint64_t p) { return value(p) != 0; });
}

void* copied(const graph_files::Buffer<uint64_t>& source, uint64_t count) {
  graph_files::Buffer<uint64_t> copy(count);
  graph_files::parallel_for(count, 1 << 20, [&](uint64_t begin, uint64_t end) {
    std::memcpy(copy.data() + begin, source.data() + begin, (end - begin) * sizeof(uint64_t));
  });
  return copy.release();
}

GrB_Matrix make_matrix(const graph_files::Csr& host, const Known& k) {
  GrB_Matrix matrix = nullptr;
  check(GrB_Matrix_new(&matrix, k.matrix, host.nrows, host.ncols), "GrB_Matrix_new");
  const uint64_t count = host.entries(), stored = k.iso ? 1 : count;
  auto* offsets = static_cast<GrB_Index*>(copied(host.offsets, host.nrows + 1));
  auto* columns = static_cast<GrB_Index*>(copied(host.columns, count));
  void* values = filled(k.matrix, std::max<uint64_t>(stored, 1), entry_value);
  size_t size = 1;
  check(GxB_Type_size(&size, k.matrix), "GxB_Type_size");
  check(GxB_Matrix_pack_CSR(matrix, &offsets, &columns, &values, (host.nrows + 1) * 8,
                            std::max<uint64_t>(count, 1) * 8, std::max<uint64_t>(stored, 1) * size, k.iso,
                            false, nullptr),
        "GxB_Matrix_pack_CSR");
  return matrix;
}

GrB_Vector make_vector(uint64_t n, const Known& k) {
  GrB_Vector vector = nullptr;
  check(GrB_Vector_new(&vector, k.vector, n), "GrB_Vector_new");
  void* values = filled(k.vector, n, element_value);
  size_t size = 1;
  check(GxB_Type_size(&size, k.vector), "GxB_Type_size");
  check(GxB_Vector_pack_Full(vector, &values, n * size, false, nullptr), "GxB_Vector_pack_Full");
  return vector;
}

/// The entries of w as an operand of the comparison on the device.
formats::DeviceVector to_device(GrB_Vector w, const Type& type) {
  GrB_Index n = 0;
  check(GrB_Vector_size(&n, w), "GrB_Vector_size");
  int8_t* present = nullptr;
  void* values = nullptr;
  GrB_Index present_bytes = 0, value_bytes = 0, entries = 0;
  bool iso = false;
  check(GxB_Vector_unpack_Bitmap(w, &present, &values, &present_bytes, &value_bytes, &iso, &entries, nullptr),
        "GxB_Vector_unpack_Bitmap");
  formats::DeviceVector result = formats::DeviceVector::empty(type, n);
  result.form = Form::bitmap;
  result.iso = iso;
  result.present = runtime::Buffer::from_host(present, n);
  result.values = runtime::Buffer::from_host(values, (iso ? 1 : n) * type.size);
  result.set_nvals(entries);
  std::free(present);
  std::free(values);
  return result;
}

constexpr auto host_elapsed = [](const auto& run, int count) {
  const Stopwatch watch;
  for (int n = 0; n < count; ++n) run();
  return watch.seconds();
};

}  // namespace

nlohmann::json bench_suitesparse(const Product& product, const Options& options) {
  const std::optional<Known> k = known(product.semiring.name);
  if (!k || product.bench.host().entries() == 0) return nlohmann::json::array();
  static const GrB_Info started = GrB_init(GrB_NONBLOCKING);
  check(started, "GrB_init");
  GrB_Matrix a = make_matrix(product.bench.host(), *k);
  GrB_Vector u = make_vector(product.bench.host().ncols, *k), w = nullptr;
  check(GrB_Vector_new(&w, k->result, product.bench.host().nrows), "GrB_Vector_new");
  const auto run = [&] {
    check(GrB_mxv(w, nullptr, nullptr, k->semiring, a, u, nullptr), "GrB_mxv");
    check(GrB_Vector_wait(w, GrB_MATERIALIZE), "GrB_Vector_wait");
  };
  run();
  const Timing timing = measure(std::min(options.repeat, 10), options.limit_seconds, run, host_elapsed);
  const bool agrees = same(to_device(w, product.semiring.add.type()), product.expected);
  GrB_Matrix_free(&a);
  GrB_Vector_free(&u);
  GrB_Vector_free(&w);
  int threads = 0;
  GxB_Global_Option_get(GxB_GLOBAL_NTHREADS, &threads);
  return nlohmann::json::array({nlohmann::json{{"semiring", product.semiring.name},
                                               {"library", "suitesparse"},
                                               {"kernel", "mxv"},
                                               {"threads", threads},
                                               {"median_seconds", timing.median},
                                               {"least_seconds", timing.least},
                                               {"samples", timing.samples},
                                               {"same_result", agrees}}});
}

}  // namespace cugrb::bench
