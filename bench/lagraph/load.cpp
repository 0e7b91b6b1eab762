#include "bench/lagraph/load.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "tools/graph_files/generate.h"

namespace cugrb_bench {
namespace {

/// A malloc'ed copy: packing hands the array to GraphBLAS, which frees it.
template <class T>
T* given_away(const T* from, size_t count) {
  T* copy = static_cast<T*>(std::malloc(count * sizeof(T)));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, from, count * sizeof(T));
  return copy;
}

cugrb::graph_files::Csr load(const std::string& graph) {
  return cugrb::graph_files::load_graph(graph, cugrb::graph_files::EdgeDirection::undirected);
}

/// Takes the values.
GrB_Matrix pack(const cugrb::graph_files::Csr& csr, GrB_Type type, void* values, size_t bytes, bool iso) {
  GrB_Matrix matrix = nullptr;
  GrB_Matrix_new(&matrix, type, csr.nrows, csr.ncols);
  GrB_Index* offsets = given_away(csr.offsets.data(), csr.nrows + 1);
  GrB_Index* columns = given_away(csr.columns.data(), csr.entries());
  const GrB_Info info =
      GxB_Matrix_pack_CSR(matrix, &offsets, &columns, &values, (csr.nrows + 1) * sizeof(GrB_Index),
                          csr.entries() * sizeof(GrB_Index), bytes, iso, /*jumbled=*/false, nullptr);
  if (info != GrB_SUCCESS)
    throw std::runtime_error("GxB_Matrix_pack_CSR failed with " + std::to_string(info));
  return matrix;
}

}  // namespace

GrB_Matrix load_pattern(const std::string& graph) {
  const bool one = true;
  return pack(load(graph), GrB_BOOL, given_away(&one, 1), sizeof one, /*iso=*/true);
}

GrB_Matrix load_lengths(const std::string& graph) {
  const cugrb::graph_files::Csr csr = load(graph);
  std::vector<int32_t> lengths(csr.entries());
  for (uint64_t i = 0; i < csr.nrows; ++i) {
    for (uint64_t p = csr.offsets.data()[i]; p < csr.offsets.data()[i + 1]; ++p) {
      const uint64_t j = csr.columns.data()[p];
      const uint64_t hash = (std::min(i, j) * 0x9E3779B97F4A7C15u) ^ (std::max(i, j) * 0xC2B2AE3D27D4EB4Fu);
      lengths[p] = int32_t(1 + (hash >> 40) % 255);
    }
  }
  return pack(csr, GrB_INT32, given_away(lengths.data(), lengths.size()), lengths.size() * sizeof(int32_t),
              /*iso=*/false);
}

}  // namespace cugrb_bench
