// Connected components of a graph in parts: a search from the hub, colours for the small ones, FastSV for
// long paths and directed graphs.
//
// The first two steps are those of algorithms/connected_components.hpp, with searches and products of graphs
// in parts (bfs.hpp): a step sends the entries of its frontier to every rank, and nothing for edges. Where
// they have not come to an end after 32 products, or an edge has a direction, FastSV begins anew.
//
// FastSV: every vertex has a parent, at first itself; parents are positions of the deal, and form trees. With
// all parents f gathered, a rank finds m, the least parent of a neighbour, for its own vertices. Then
//
//     stochastic hooking   f(f(i)) ← m(i)        the parent, on whichever rank, hangs on to the neighbour's
//     tree aggressive hooking   f(i)    ← m(i) shortcutting         f(i)    ← f(f(i))     with all parents
//     gathered again
//
// each where it lowers f, until no rank lowers anything. Then all vertices of a component have one parent.
// Hooks of other ranks' vertices are lowered in a copy of f, and each rank gets the least of all copies at
// its own positions (reduce_scatter). Which vertex a position means depends on the partition, so at last
// every component is named by its lowest vertex: the same result on any number of ranks.
//
// With F the matrix F(i, f(i)), hooks are mᵀ F over (min, first), and shortcuts F f over (min, second). F is
// made of parents on the host. An iteration gathers 16 n bytes to every rank and reduces 8 n. Memory of a
// rank: its rows, 4 vectors of n 64-bit numbers, and 4 of its vertices.
//
// Source: Y. Zhang, A. Azad, Z. Hu, "FastSV: a distributed-memory connected component algorithm with fast
// convergence", PP 2020.
#pragma once
#include <limits>
#include <numeric>

#include "../connected_components.hpp"
#include "bfs.hpp"

namespace cugrb {

namespace detail {

/// F with an entry in each row i, in the column f(i).
inline Matrix<bool> one_a_row(const Vector<uint64_t>& f, Index columns) {
  const Index n = f.size();
  auto offsets = host_array<Index>(n + 1), places = host_array<Index>(n);
  std::iota(offsets.get(), offsets.get() + n + 1, Index{0});
  with_values(f, [&](const uint64_t* values, bool iso) {
    for (Index i = 0; i < n; ++i) places[i] = values[iso ? 0 : i];
  });
  auto value = host_array<bool>(1);
  value[0] = true;
  Matrix<bool> matrix = Matrix<bool>::adopt_csr(n, columns, offsets.get(), places.get(), value.get(), true);
  offsets.release();
  places.release();
  value.release();
  return matrix;
}

/// Parents of one process's vertices, and the steps that lower them.
template <class T>
class DistributedTrees {
 public:
  explicit DistributedTrees(const DistributedGraph<T>& graph) : graph_(graph), exchange_(graph.exchange()) {
    const Index first = static_cast<Index>(graph.ranks().rank()) * exchange_.deal().stride();
    auto own = host_array<uint64_t>(exchange_.size());
    std::iota(own.get(), own.get() + exchange_.size(), first);
    parents_.emplace(adopt_values(std::move(own), exchange_.size()));
  }
  const Vector<uint64_t>& parents() const { return *parents_; }

  /// Whether any rank has lowered one.
  bool lower() {
    const Vector<uint64_t> before = *parents_;
    Vector<uint64_t> all = exchange_.all_gather(*parents_);
    const Vector<uint64_t> least = least_of_neighbours(all);
    if (exchange_.size() > 0) {
      const Matrix<bool> f = one_a_row(*parents_, all.size());
      all(accumulate(op::min<uint64_t>)) = vxm(least, f, min_first<uint64_t>);
    }
    *parents_ = exchange_.reduce_scatter(all, Reduction::min);
    *parents_ = Vector<uint64_t>(ewise_add(*parents_, least, op::min<uint64_t>));
    shortcut();
    const Vector<bool> lowered = ewise_mult(*parents_, before, op::ne<uint64_t>);
    const uint64_t any = exchange_.size() > 0 && reduce(lowered, monoid::lor<bool>) ? 1 : 0;
    return DistributedLinks<T>{graph_.arriving()}.total(any) > 0;
  }

 private:
  /// No entry where there is no neighbour.
  Vector<uint64_t> least_of_neighbours(const Vector<uint64_t>& all) const {
    Vector<uint64_t> least(exchange_.size());
    if (exchange_.size() == 0) return least;
    least = mxv(graph_.arriving().block(), all, min_second<uint64_t>);
    if (!graph_.undirected()) {
      least(accumulate(op::min<uint64_t>)) = mxv(graph_.leaving().block(), all, min_second<uint64_t>);
    }
    return least;
  }
  void shortcut() {
    const Vector<uint64_t> all = exchange_.all_gather(*parents_);
    if (exchange_.size() == 0) return;
    const Vector<uint64_t> grandparents = mxv(one_a_row(*parents_, all.size()), all, min_second<uint64_t>);
    *parents_ = Vector<uint64_t>(ewise_add(*parents_, grandparents, op::min<uint64_t>));
  }

  const DistributedGraph<T>& graph_;
  Exchange& exchange_;
  std::optional<Vector<uint64_t>> parents_;
};

/// The lowest vertex of each own vertex's component, of which `roots` names one position each.
inline Vector<int64_t> lowest_vertices(const Vector<uint64_t>& roots, Exchange& exchange, int rank) {
  const Deal& deal = exchange.deal();
  const Index n = exchange.size(), positions = deal.positions();
  auto lowest = host_array<uint64_t>(positions);
  std::fill_n(lowest.get(), positions, std::numeric_limits<uint64_t>::max());
  std::vector<uint64_t> root(n);
  with_values(roots, [&](const uint64_t* values, bool iso) {
    for (Index i = 0; i < n; ++i) root[i] = values[iso ? 0 : i];
  });
  for (Index i = 0; i < n; ++i) lowest[root[i]] = std::min(lowest[root[i]], deal.vertex(rank, i));
  const Vector<uint64_t> of_roots =
      exchange.reduce_scatter(adopt_values(std::move(lowest), positions), Reduction::min);
  auto names = host_array<int64_t>(n);
  with_values(exchange.all_gather(of_roots), [&](const uint64_t* values, bool iso) {
    for (Index i = 0; i < n; ++i) names[i] = static_cast<int64_t>(values[iso ? 0 : root[i]]);
  });
  return adopt_values(std::move(names), n);
}

/// The components of an undirected graph in parts, step by step, as Multistep of one process. Colours are
/// vertices of the whole graph.
template <class T>
class DistributedMultistep {
 public:
  explicit DistributedMultistep(const DistributedGraph<T>& graph)
      : graph_(graph), edges_(graph), own_(graph.vertices()), colours_(own_.size()), reached_(own_.size()) {
    colours_() = own_;  // made where the numbers are used: a copy of the object would be where they were made
  }

  /// Nothing where the steps do not suffice.
  std::optional<ConnectedComponents> run() {
    if (edges_.entries() > 0 && !search()) return std::nullopt;
    if (!spread()) return std::nullopt;
    ConnectedComponents result{Vector<int64_t>(own_.size())};
    result.components() = colours_;
    const Vector<bool> first = ewise_mult(colours_, own_, op::eq<uint64_t>);
    result.count = edges_.total(Vector<bool>(select(first, op::value_eq<bool>, true)).nvals());
    result.iterations = iterations_;
    return result;
  }

 private:
  static constexpr int step_limit = 32;

  uint64_t over_ranks(uint64_t own, bool most) const {
    return graph_.ranks().all_reduce(
        own, [most](uint64_t a, uint64_t b) { return most ? std::max(a, b) : std::min(a, b); }, "a vertex");
  }

  /// A vertex of highest degree in the whole graph: among the numbers with degrees above them the greatest.
  Index hub() const {
    Vector<uint64_t> key(own_.size());
    key() = graph_.out_degree();
    key = apply(key, op::times<uint64_t>, uint64_t{1} << 32);
    key += own_;
    return over_ranks(own_.size() > 0 ? reduce(key, monoid::max<uint64_t>) : 0, true) & UINT32_MAX;
  }
  /// Whether all that the hub reaches is found; then it has its lowest vertex's name.
  bool search() {
    Vector<bool> frontier(own_.size());
    reached_.prefer(Storage::bitmap_or_full);
    if (const std::optional<Index> first = graph_.own_number(hub())) {
      reached_.set(*first, true);
      frontier.set(*first, true);
    }
    const auto found = [&](int64_t, Index) {
      reached_(structure(frontier)) = true;
      ++iterations_;
    };
    if (!search_levels(edges_, frontier, reached_, any_pair<bool>, found, step_limit)) return false;
    Vector<uint64_t> numbers_reached(own_.size());
    numbers_reached(structure(reached_)) = own_;
    const uint64_t none = std::numeric_limits<uint64_t>::max();
    const uint64_t least =
        numbers_reached.nvals() > 0 ? reduce(numbers_reached, monoid::min<uint64_t>) : none;
    colours_(structure(reached_)) = over_ranks(least, false);
    return true;
  }
  /// Whether no colour of the others, which have neighbours, can be lowered any more.
  bool spread() {
    Vector<uint64_t> frontier(own_.size());
    frontier(structure(graph_.out_degree())) = own_;
    frontier(!structure(reached_), replace) = Vector<uint64_t>(frontier);
    Lowering<uint64_t> lower(std::move(colours_));
    EntriesOfRanks left = edges_.count(frontier);
    for (int step = 0; step < step_limit && left > 0; ++step) {
      lower(graph_.exchange().all_gather_entries(frontier, left), graph_.arriving().block_by_columns(),
            min_first<uint64_t>);
      frontier = lower.lowered();
      left = edges_.count(frontier);
      ++iterations_;
    }
    colours_ = lower.values();
    return left == 0;
  }

  const DistributedGraph<T>& graph_;
  const DistributedEdges<T> edges_;
  const Vector<uint64_t>& own_;
  Vector<uint64_t> colours_;
  Vector<bool> reached_;
  int iterations_ = 0;
};

template <class T>
ConnectedComponents components_by_fast_sv(const DistributedGraph<T>& graph) {
  Exchange& exchange = graph.exchange();
  ConnectedComponents result{Vector<int64_t>(exchange.size())};
  DistributedTrees<T> trees(graph);
  do {
    ++result.iterations;
  } while (trees.lower());
  const int rank = graph.ranks().rank();
  result.components = lowest_vertices(trees.parents(), exchange, rank);
  Index own = 0;
  with_values(result.components, [&](const int64_t* values, bool iso) {
    for (Index i = 0; i < exchange.size(); ++i)
      own += static_cast<Index>(values[iso ? 0 : i]) == exchange.deal().vertex(rank, i);
  });
  result.count = DistributedLinks<T>{graph.arriving()}.total(own);
  return result;
}

}  // namespace detail

/// The connected components of an undirected graph in parts, the weakly connected ones of a directed graph.
/// `components` are those of this rank's vertices, by their numbers in graph.exchange().deal(), each named by
/// its lowest vertex in the whole graph; `count` is of the whole graph. Collective. Errors: GrB_INVALID_VALUE
/// where a directed graph was made without the edges that leave; RankFailure.
///
///     auto result = cugrb::connected_components(parts);
template <class T>
ConnectedComponents connected_components(const DistributedGraph<T>& graph) {
  if (graph.size() == 0) return {Vector<int64_t>(graph.exchange().size())};
  graph.leaving();  // an error where it is missing
  if (graph.undirected() && graph.size() <= UINT32_MAX) {
    if (auto result = detail::DistributedMultistep<T>(graph).run()) return *std::move(result);
  }
  return detail::components_by_fast_sv(graph);
}

}  // namespace cugrb
