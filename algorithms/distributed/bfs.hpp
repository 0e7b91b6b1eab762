// Breadth-first search of a graph in parts, direction-optimising.
//
// It is the search of algorithms/bfs.hpp. Each rank has the levels and parents of its own vertices, and its
// part of the frontier. A level gathers the frontier: 8 bytes and a value for each entry, or a byte for each
// vertex, to every rank. Then each rank finds its own vertices next to it, by push along its columns or by
// pull along its rows. So nothing is sent for edges, and a vertex of the frontier is sent once. Memory of a
// rank: its rows and, once there was a push, the same by columns; 4 vectors of its vertices, and one of the
// frontier.
//
// Sources: as algorithms/bfs.hpp; A. Buluç, K. Madduri, "Parallel breadth-first search on distributed memory
// systems", SC 2011 (there rows and columns are both dealt).
#pragma once
#include <vector>

#include "../bfs.hpp"
#include "links.hpp"

namespace cugrb {

namespace detail {

template <class T>
class DistributedEdges {
 public:
  explicit DistributedEdges(const DistributedGraph<T>& graph)
      : graph_(graph), entries_(total(static_cast<int64_t>(graph.arriving().block().nvals()))) {}
  Index size() const { return graph_.size(); }
  int64_t entries() const { return entries_; }
  const Vector<int64_t>& out_degree() const { return graph_.out_degree(); }
  template <class Number>
  Number total(Number part) const {
    return DistributedLinks<T>{graph_.arriving()}.total(part);
  }
  template <class Value>
  EntriesOfRanks count(const Vector<Value>& part) const {
    return graph_.exchange().entries_of_ranks(part);
  }
  template <class Frontier, class Seen, class Semiring>
  void advance(Vector<Frontier>& frontier, const EntriesOfRanks& entries, const Vector<Seen>& seen,
               const Semiring& semiring, bool pull) const {
    const bool dense = pull && entries > graph_.exchange().deal().positions() / bytes_of_listed;
    Vector<Frontier> all =
        dense ? gathered_marks(frontier) : graph_.exchange().all_gather_entries(frontier, entries);
    all.prefer(pull ? Storage::bitmap : Storage::sparse);
    if (pull) {
      frontier(!structure(seen), replace) = mxv(graph_.arriving().block(), all, semiring);
    } else {
      frontier(!structure(seen), replace) = vxm(all, graph_.arriving().block_by_columns(), semiring);
    }
  }

 private:
  /// A listed entry takes 8 bytes and its value, a mark takes one byte a position.
  static constexpr Index bytes_of_listed = 8;

  /// Where any rank has an entry; what it holds is not needed.
  template <class Frontier>
  Vector<Frontier> gathered_marks(const Vector<Frontier>& frontier) const {
    Vector<bool> marks(frontier.size(), false);
    marks(structure(frontier)) = true;
    const Vector<bool> all_marks = graph_.exchange().all_gather(marks);
    Vector<Frontier> all(all_marks.size());
    all.prefer(Storage::bitmap);
    all(mask(all_marks)) = Frontier(1);
    return all;
  }

  const DistributedGraph<T>& graph_;
  int64_t entries_;
};

/// From positions to vertices, on the host.
template <class Integer>
Vector<Integer> named_by_vertices(const Vector<Integer>& positions, const Deal& deal) {
  const VectorEntries<Integer> entries = positions.entries();
  std::vector<Integer> vertices;
  for (const Integer position : entries.values)
    vertices.push_back(static_cast<Integer>(deal.vertex_at(static_cast<Index>(position))));
  Vector<Integer> result(positions.size());
  result.build(entries.indices.data(), vertices.data(), vertices.size(), op::any<Integer>);
  return result;
}

}  // namespace detail

/// Breadth-first search from `source`, a vertex of the whole graph. Parents and levels are those of this
/// rank's vertices, by their numbers in graph.exchange().deal(); parents are vertices of the whole graph.
/// Collective. Errors: as bfs of one process; RankFailure.
///
///     auto result = cugrb::bfs(parts, 0, cugrb::BfsOutput::levels);
template <class Integer = int32_t, class T>
Bfs<Integer> bfs(const DistributedGraph<T>& graph, Index source, BfsOutput output = BfsOutput::parents) {
  const Deal& deal = graph.exchange().deal();
  detail::check_search<Integer>(graph.size(), source);
  detail::check_search<Integer>(deal.positions(), source);
  const detail::DistributedEdges<T> edges(graph);
  auto result = detail::search<Integer>(edges, graph.own_number(source), deal.position(source), output);
  if (output != BfsOutput::levels) result.parents = detail::named_by_vertices(result.parents, deal);
  return result;
}

}  // namespace cugrb
