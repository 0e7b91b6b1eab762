#include "bench/common/suitesparse.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace cugrb::bench::suitesparse {

void check(GrB_Info info, const char* function) {
  if (info != GrB_SUCCESS && info != GrB_NO_VALUE)
    throw std::runtime_error(std::string(function) + " failed: " + std::to_string(info));
}

const Known* find_semiring(const std::string& name) {
  static const GrB_Info started = GrB_init(GrB_NONBLOCKING);
  check(started, "GrB_init");
  static const Known known[] = {
      {"PLUS_TIMES_FP32", GrB_PLUS_TIMES_SEMIRING_FP32, GrB_FP32, GrB_FP32, GrB_FP32, false, false},
      {"PLUS_TIMES_FP64", GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64, GrB_FP64, GrB_FP64, false, false},
      {"PLUS_SECOND_FP32", GxB_PLUS_SECOND_FP32, GrB_BOOL, GrB_FP32, GrB_FP32, true, false},
      {"PLUS_PAIR_INT32", GxB_PLUS_PAIR_INT32, GrB_BOOL, GrB_BOOL, GrB_INT32, true, true},
      {"MIN_PLUS_FP32", GrB_MIN_PLUS_SEMIRING_FP32, GrB_FP32, GrB_FP32, GrB_FP32, false, false},
      {"MIN_PLUS_INT32", GrB_MIN_PLUS_SEMIRING_INT32, GrB_INT32, GrB_INT32, GrB_INT32, false, false},
      {"LOR_LAND_BOOL", GrB_LOR_LAND_SEMIRING_BOOL, GrB_BOOL, GrB_BOOL, GrB_BOOL, true, false}};
  const auto found =
      std::find_if(std::begin(known), std::end(known), [&](const Known& k) { return k.name == name; });
  return found == std::end(known) ? nullptr : &*found;
}

int threads() {
  int count = 0;
  check(GxB_Global_Option_get(GxB_GLOBAL_NTHREADS, &count), "GxB_Global_Option_get");
  return count;
}

namespace {
GrB_Index* copied(const graph_files::Buffer<uint64_t>& source, uint64_t count) {
  graph_files::Buffer<uint64_t> copy(count);
  graph_files::parallel_for(count, 1 << 20, [&](uint64_t begin, uint64_t end) {
    std::memcpy(copy.data() + begin, source.data() + begin, (end - begin) * sizeof(uint64_t));
  });
  return reinterpret_cast<GrB_Index*>(copy.release());
}
}  // namespace

Pattern::Pattern(const graph_files::Csr& host)
    : rows_(host.nrows),
      columns_(host.ncols),
      entries_(host.entries()),
      offsets_(copied(host.offsets, host.nrows + 1)),
      indices_(copied(host.columns, entries_)),
      offsets_bytes_((rows_ + 1) * sizeof(GrB_Index)),
      indices_bytes_(std::max<GrB_Index>(entries_, 1) * sizeof(GrB_Index)) {}

Pattern::~Pattern() {
  std::free(offsets_);
  std::free(indices_);
}

GrB_Matrix Pattern::lend(GrB_Type type, bool iso, void* values) {
  GrB_Matrix matrix = nullptr;
  size_t size = 1;
  check(GxB_Type_size(&size, type), "GxB_Type_size");
  check(GrB_Matrix_new(&matrix, type, rows_, columns_), "GrB_Matrix_new");
  const GrB_Index stored = std::max<GrB_Index>(iso ? 1 : entries_, 1);
  check(GxB_Matrix_pack_CSR(matrix, &offsets_, &indices_, &values, offsets_bytes_, indices_bytes_,
                            stored * size, iso, false, nullptr),
        "GxB_Matrix_pack_CSR");
  return matrix;
}

void Pattern::take_back(GrB_Matrix matrix) {
  void* values = nullptr;
  GrB_Index values_bytes = 0;
  bool iso = false;
  GxB_Matrix_unpack_CSR(matrix, &offsets_, &indices_, &values, &offsets_bytes_, &indices_bytes_,
                        &values_bytes, &iso, nullptr, nullptr);
  std::free(values);
  GrB_Matrix_free(&matrix);
}

}  // namespace cugrb::bench::suitesparse
