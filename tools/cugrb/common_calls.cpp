#include "tools/cugrb/common_calls.h"

#include "algorithms/bfs.hpp"
#include "algorithms/hits.hpp"
#include "algorithms/pagerank.hpp"
#include "algorithms/random_walk_with_restart.hpp"
#include "tools/graph_files/generate.h"

namespace cugrb::command {

namespace {

template <class T>
Matrix<T> small_matrix(graph_files::EdgeDirection direction) {
  const graph_files::Csr csr = graph_files::generate_rmat({9, 8, 1, direction});
  Matrix<T> a(csr.nrows, csr.ncols);
  for (uint64_t i = 0; i < csr.nrows; ++i) {
    for (uint64_t p = csr.offsets[i]; p < csr.offsets[i + 1]; ++p)
      a.set(i, csr.columns[p], static_cast<T>(1 + p % 7));
  }
  return a;
}

/// mxv and vxm with sparse, bitmap and full vectors, unmasked and masked, over one semiring.
template <class T, class Semiring>
void products(const Matrix<T>& a, const Semiring& semiring) {
  using Z = typename Semiring::z_type;
  const Index n = a.nrows();
  const Vector<T> full(n, T{1});
  Vector<T> sparse(n);
  for (Index i = 0; i < n; i += 97) sparse.set(i, T{1});
  Vector<Z> w(n);
  w = mxv(a, full, semiring);
  w = vxm(sparse, a, semiring);
  w(!structure(sparse), replace) = vxm(sparse, a, semiring);
  w(structure(sparse)) = mxv(a, full, semiring);
  w += mxv(a, full, semiring);
}

/// Vector operations around the products, in one type.
template <class T>
void vector_operations(Index n) {
  Vector<T> u(n, T{2}), v(n, T{3}), w(n);
  Vector<T> sparse(n);
  for (Index i = 0; i < n; i += 97) sparse.set(i, T{1});
  w = ewise_add(u, v, op::plus<T>);
  w = ewise_add(u, sparse, op::min<T>);
  w = ewise_mult(u, v, op::times<T>);
  w = ewise_mult(u, sparse, op::minus<T>);
  w = ewise_mult(u, v, op::div<T>);
  w = apply(u, op::abs<T>);
  w = apply(u, op::times<T>, T{2});
  w = T{1};
  w(structure(sparse)) = T{4};
  w(structure(sparse)) = sparse;
  w(mask(u)) = sparse;
  w -= u;
  w = select(u, op::value_gt<T>, T{1});
  w = extract(u, range(0, n));
  reduce(u, monoid::plus<T>);
  reduce(u, monoid::min<T>);
  reduce(u, monoid::max<T>);
  Vector<bool> less(n);
  less = ewise_mult(u, v, op::lt<T>);
  less = ewise_mult(u, v, op::eq<T>);
  reduce(less, monoid::land<bool>);
}

template <class T>
void type(graph_files::EdgeDirection direction) {
  const Matrix<T> a = small_matrix<T>(direction);
  products(a, plus_times<T>);
  products(a, min_plus<T>);
  products(a, plus_second<T>);
  products(a, min_second<T>);
  products(a, plus_pair<T>);
  vector_operations<T>(a.nrows());
}

}  // namespace

void make_common_calls() {
  using graph_files::EdgeDirection;
  Context context;
  type<float>(EdgeDirection::undirected);
  type<double>(EdgeDirection::undirected);
  type<int32_t>(EdgeDirection::undirected);
  type<int64_t>(EdgeDirection::undirected);
  for (const Direction direction : {Direction::undirected, Direction::directed}) {
    Graph<bool> graph(small_matrix<bool>(direction == Direction::directed ? EdgeDirection::directed
                                                                          : EdgeDirection::undirected),
                      direction);
    pagerank<float>(graph);
    pagerank<double>(graph);
    hits<float>(graph);
    hits<double>(graph);
    random_walk_with_restart<float>(graph, 0);
    random_walk_with_restart<double>(graph, 0);
    for (const BfsOutput output : {BfsOutput::parents, BfsOutput::levels, BfsOutput::both}) {
      bfs<int32_t>(graph, 0, output);
      bfs<int64_t>(graph, 0, output);
    }
  }
}

}  // namespace cugrb::command
