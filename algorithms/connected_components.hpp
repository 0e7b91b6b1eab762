// Connected components: a search from the hub, colours for the small ones, FastSV for long paths.
//
// Most real graphs have one component with nearly all edges. So the multistep method looks for that first:
//
//     search    R = what the vertex of highest degree reaches, breadth first (bfs.hpp); its name is min R
//     colours   every other vertex i begins with the colour c(i) = i; then
//               c = min(c, cᵀ A) over (min, first), by those lowered last, until nothing is lowered
//
// The search looks at a few edges a vertex, the colours at the edges outside R. Both take as many products as
// the components are wide, which is few in graphs that are alike in all scales, and thousands in road
// networks. After `step_limit` products FastSV (fast_sv.hpp) takes over, whose iterations are a logarithm of
// the width: on the rows of A outside R when the search has come to its end, else on all of A.
//
// Memory: 6 vectors; with FastSV the rows that are left, and what it takes on these.
//
// Sources: G. M. Slota, S. Rajamanickam, K. Madduri, "BFS and coloring-based parallel algorithms for strongly
// connected components and related problems", IPDPS 2014; Y. Zhang, A. Azad, Z. Hu, PP 2020 (fast_sv.hpp).
// The result is that of LAGraph's LAGr_ConnectedComponents.
#pragma once
#include <utility>

#include "bfs.hpp"
#include "fast_sv.hpp"
#include "lowering.hpp"

namespace cugrb {

struct ConnectedComponents {
  Vector<int64_t> components;  ///< of every vertex: the lowest vertex of its component
  Index count = 0;             ///< how many components there are
  int iterations = 0;          ///< levels of the search, products with colours and iterations of FastSV
};

namespace detail {

/// The components of an undirected graph that has vertices, step by step.
template <class T>
class Multistep {
 public:
  explicit Multistep(Graph<T>& graph)
      : graph_(graph), own_(numbers(graph.size())), colours_(own_), reached_(graph.size()) {}

  ConnectedComponents run() {
    const bool searched = search();
    if (!searched || !spread()) finish(searched);
    ConnectedComponents result{Vector<int64_t>(graph_.size())};
    result.components() = colours_;
    result.count = Vector<uint64_t>(select(colours_, cugrb_names_its_place, false)).nvals();
    result.iterations = iterations_;
    return result;
  }

 private:
  /// A product costs a hundredth of an iteration of FastSV to a tenth, so this many cost no more than the few
  /// iterations that FastSV takes on any graph.
  static constexpr int step_limit = 32;

  /// A vertex of highest degree: among the numbers with degrees above them the greatest.
  Index hub() {
    Vector<uint64_t> key(graph_.size());
    key() = graph_.out_degree();
    key = apply(key, op::times<uint64_t>, uint64_t{1} << 32);
    key += own_;
    return reduce(key, monoid::max<uint64_t>) & UINT32_MAX;
  }
  /// Whether all that the hub reaches is found; then it has its name.
  bool search() {
    if (graph_.adjacency().nvals() == 0) return true;
    Vector<bool> frontier(graph_.size());
    reached_.prefer(Storage::bitmap_or_full);
    const Index first = hub();
    reached_.set(first, true);
    frontier.set(first, true);
    const auto found = [&](int64_t, Index) {
      reached_(structure(frontier)) = true;
      ++iterations_;
    };
    if (!search_levels(LocalEdges<T>(graph_), frontier, reached_, any_pair<bool>, found, step_limit))
      return false;
    name_reached();
    return true;
  }
  void name_reached() {
    Vector<uint64_t> numbers_reached(graph_.size());
    numbers_reached(structure(reached_)) = own_;
    colours_(structure(reached_)) = reduce(numbers_reached, monoid::min<uint64_t>);
  }
  /// The vertices outside R that have neighbours, with their own numbers.
  Vector<uint64_t> others() {
    Vector<uint64_t> result(graph_.size());
    result(structure(graph_.out_degree())) = own_;
    result(!structure(reached_), replace) = Vector<uint64_t>(result);
    return result;
  }
  /// Whether no colour can be lowered any more.
  bool spread() {
    Vector<uint64_t> frontier = others();
    Lowering<uint64_t> lower(std::move(colours_));
    for (int step = 0; step < step_limit && frontier.nvals() > 0; ++step) {
      lower(frontier, graph_.adjacency(), min_first<uint64_t>);
      frontier = lower.lowered();
      ++iterations_;
    }
    colours_ = lower.values();
    return frontier.nvals() == 0;
  }
  void finish(bool searched) {
    if (!searched) reached_.clear();
    const Forest forest =
        searched ? fast_sv(Matrix<bool>(mxm(diagonal(others()), graph_.adjacency(), any_pair<bool>)))
                 : fast_sv(graph_.adjacency());
    iterations_ += forest.iterations;
    colours_(!structure(reached_)) = forest.roots;
  }

  Graph<T>& graph_;
  const Vector<uint64_t> own_;
  Vector<uint64_t> colours_;
  Vector<bool> reached_;
  int iterations_ = 0;
};

}  // namespace detail

/// The connected components of an undirected graph, the weakly connected ones of a directed graph: there an
/// edge joins its ends whatever its direction. Errors: GrB_INVALID_VALUE when the graph has more than 2^32
/// vertices.
///
///     auto result = cugrb::connected_components(graph);
template <class T>
ConnectedComponents connected_components(Graph<T>& graph) {
  detail::check_32_bits(graph.size(), "connected_components");
  if (graph.size() == 0) return {Vector<int64_t>(graph.size())};
  if (graph.direction() == Direction::undirected) return detail::Multistep<T>(graph).run();
  Graph<T> both(Matrix<T>(ewise_add(graph.adjacency(), graph.transposed(), op::any<T>)),
                Direction::undirected);
  return detail::Multistep<T>(both).run();
}

}  // namespace cugrb
