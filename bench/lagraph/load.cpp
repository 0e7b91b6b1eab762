#include "bench/lagraph/load.h"

#include <cstdlib>
#include <cstring>
#include <stdexcept>

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

}  // namespace

GrB_Matrix load_pattern(const std::string& graph) {
  const cugrb::graph_files::Csr csr =
      cugrb::graph_files::load_graph(graph, cugrb::graph_files::EdgeDirection::undirected);
  GrB_Matrix matrix = nullptr;
  GrB_Matrix_new(&matrix, GrB_BOOL, csr.nrows, csr.ncols);
  GrB_Index* offsets = given_away(csr.offsets.data(), csr.nrows + 1);
  GrB_Index* columns = given_away(csr.columns.data(), csr.entries());
  bool* one = static_cast<bool*>(std::malloc(sizeof(bool)));
  *one = true;
  void* values = one;
  const GrB_Info info =
      GxB_Matrix_pack_CSR(matrix, &offsets, &columns, &values, (csr.nrows + 1) * sizeof(GrB_Index),
                          csr.entries() * sizeof(GrB_Index), sizeof(bool), /*iso=*/true, /*jumbled=*/false, nullptr);
  if (info != GrB_SUCCESS) throw std::runtime_error("GxB_Matrix_pack_CSR failed with " + std::to_string(info));
  return matrix;
}

}  // namespace cugrb_bench
