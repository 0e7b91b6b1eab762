// Connected components of a graph that takes edges.
//
// Each vertex i has a label f(i), the lowest vertex of its component, as the matrix F with F(i, f(i)) = f(i)
// (function_matrix.hpp). Edges that join vertices of one component change nothing. The others are edges
// between labels. S is the set of the labels at their ends, ascending. H is the graph on S that has an edge
// between f(u) and f(v) for each of them. The components of H say which labels become one:
//
//     M(s, t) = t      for s in S, t the lowest label of its component in H, t < s
//     C = F ∪ F M      f' = the least column in each row of C,   F' = those entries
//
// The graph itself is not read: a batch of k edges takes the components of a graph of at most 2k vertices, a
// product and two passes over n entries. The labels at the edges' ends pass through host memory. Memory: F,
// and two more matrices of at most 2n entries while edges join. Edges that go are not for this method.
//
// Source: R. McColl, O. Green, D. A. Bader, "A new parallel algorithm for connected components in dynamic
// graphs", HiPC 2013, section III: insertions join the components' labels; here by FastSV
// (connected_components.hpp).
#pragma once
#include <algorithm>
#include <vector>

#include "connected_components.hpp"

namespace cugrb {

/// The components of an undirected graph of which edges are told.
///
///     cugrb::IncrementalComponents parts(4);
///     Matrix<bool> edge(4, 4);
///     edge.set(1, 2, true);
///     parts.add_edges(edge);
class IncrementalComponents {
 public:
  /// `n` vertices without edges. Errors: GrB_INVALID_VALUE when there are more than 2^32.
  explicit IncrementalComponents(Index n) : labels_(own_labels(n)), f_(diagonal(labels_)), count_(n) {}
  /// The components of a graph, whatever the direction of its edges. They pass through host memory.
  template <class T>
  explicit IncrementalComponents(Graph<T>& graph) : IncrementalComponents(graph.size()) {
    const ConnectedComponents known = connected_components(graph);
    labels_() = known.components;
    const auto list = labels_.entries();
    f_.clear();
    f_.build(list.indices.data(), list.values.data(), list.values.data(), list.values.size(),
             op::min<uint64_t>);
    count_ = known.count;
  }

  Index size() const { return labels_.size(); }
  /// Of every vertex: the lowest vertex of its component.
  const Vector<uint64_t>& labels() const { return labels_; }
  Index count() const { return count_; }  ///< how many components there are

  /// An entry (i,j) of `edges` joins i and j, whatever its value. By how much the count of components falls.
  /// Errors: GrB_DIMENSION_MISMATCH.
  template <class T>
  Index add_edges(const Matrix<T>& edges) {
    if (edges.nrows() != size() || edges.ncols() != size())
      throw Error(GrB_DIMENSION_MISMATCH, "add_edges", "the edges are a matrix of the graph's size");
    const auto list = edges.entries();
    const Index k = list.rows.size();
    if (k == 0) return 0;
    const Vector<uint64_t> from = extract(labels_, Indices(list.rows.data(), k));
    const Vector<uint64_t> to = extract(labels_, Indices(list.columns.data(), k));
    return join(from.entries().values, to.entries().values);
  }

 private:
  static Vector<uint64_t> own_labels(Index n) {
    detail::check_32_bits(n, "IncrementalComponents");
    return detail::numbers(n);
  }

  /// Edges between the labels from[e] and to[e].
  Index join(const Array<uint64_t>& from, const Array<uint64_t>& to) {
    std::vector<Index> labels;  // S
    for (size_t e = 0; e < from.size(); ++e) {
      if (from[e] == to[e]) continue;
      labels.push_back(from[e]);
      labels.push_back(to[e]);
    }
    if (labels.empty()) return 0;
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    Graph<bool> between(edges_between(labels, from, to), Direction::undirected);
    const ConnectedComponents parts = connected_components(between);
    relabel(labels, parts.components.entries().values);
    const Index fewer = labels.size() - parts.count;
    count_ -= fewer;
    return fewer;
  }

  /// H, both ways of each edge.
  static Matrix<bool> edges_between(const std::vector<Index>& labels, const Array<uint64_t>& from,
                                    const Array<uint64_t>& to) {
    const auto place = [&](uint64_t label) {
      return static_cast<Index>(std::lower_bound(labels.begin(), labels.end(), label) - labels.begin());
    };
    std::vector<Index> rows, columns;
    for (size_t e = 0; e < from.size(); ++e) {
      if (from[e] == to[e]) continue;
      const Index s = place(from[e]), t = place(to[e]);
      rows.insert(rows.end(), {s, t});
      columns.insert(columns.end(), {t, s});
    }
    Array<bool> values(rows.size());
    std::fill(values.begin(), values.end(), true);
    Matrix<bool> h(labels.size(), labels.size());
    h.build(rows.data(), columns.data(), values.data(), rows.size(), op::lor<bool>);
    return h;
  }

  /// labels[s] becomes labels[parts[s]], where that is another one.
  void relabel(const std::vector<Index>& labels, const Array<int64_t>& parts) {
    std::vector<Index> old, next;
    for (size_t s = 0; s < labels.size(); ++s) {
      if (static_cast<size_t>(parts[s]) == s) continue;
      old.push_back(labels[s]);
      next.push_back(labels[static_cast<size_t>(parts[s])]);
    }
    const std::vector<uint64_t> values(next.begin(), next.end());
    Matrix<uint64_t> moved(size(), size());
    moved.build(old.data(), next.data(), values.data(), old.size(), op::min<uint64_t>);
    const Matrix<uint64_t> away = mxm(f_, moved, any_second<uint64_t>);
    const Matrix<uint64_t> both = ewise_add(f_, away, op::min<uint64_t>);
    labels_ = reduce_rows(both, monoid::min<uint64_t>);
    f_ = detail::choose(labels_, both);
  }

  Vector<uint64_t> labels_;
  Matrix<uint64_t> f_;
  Index count_;
};

}  // namespace cugrb
