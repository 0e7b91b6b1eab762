// SuiteSparse:GraphBLAS's matrix-vector product on all cores.
#include "bench/common/suitesparse.h"

#include "bench/spmv/bench.h"

namespace cugrb::bench {

namespace {

using suitesparse::check;

GrB_Vector make_vector(uint64_t n, GrB_Type type) {
  GrB_Vector vector = nullptr;
  check(GrB_Vector_new(&vector, type, n), "GrB_Vector_new");
  void* values = suitesparse::filled(type, n, element_value);
  size_t size = 1;
  check(GxB_Type_size(&size, type), "GxB_Type_size");
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

}  // namespace

nlohmann::json bench_suitesparse(const Product& product, const Options& options) {
  const suitesparse::Known* known = suitesparse::find_semiring(product.semiring.name);
  const graph_files::Csr& host = product.bench.host();
  if (known == nullptr || host.entries() == 0) return nlohmann::json::array();
  const suitesparse::Matrix a(product.bench.host_pattern(), host.entries(), known->left, known->left_iso,
                              entry_value);
  GrB_Vector u = make_vector(host.ncols, known->right), w = nullptr;
  check(GrB_Vector_new(&w, known->result, host.nrows), "GrB_Vector_new");
  const auto run = [&] {
    check(GrB_mxv(w, nullptr, nullptr, known->semiring, a, u, nullptr), "GrB_mxv");
    check(GrB_Vector_wait(w, GrB_MATERIALIZE), "GrB_Vector_wait");
  };
  product.account.charge("suitesparse: making");
  const Timing timing =
      calibration::measure(std::min(options.repeat, 10), options.limit_seconds, run, host_elapsed);
  product.account.charge("suitesparse: timing");
  const bool agrees = same(to_device(w, product.semiring.add.type()), product.expected);
  GrB_Vector_free(&u);
  GrB_Vector_free(&w);
  return nlohmann::json::array({nlohmann::json{{"semiring", product.semiring.name},
                                               {"library", "suitesparse"},
                                               {"kernel", "mxv"},
                                               {"threads", suitesparse::threads()},
                                               {"median_seconds", timing.median},
                                               {"least_seconds", timing.least},
                                               {"samples", timing.samples},
                                               {"same_result", agrees}}});
}

}  // namespace cugrb::bench
