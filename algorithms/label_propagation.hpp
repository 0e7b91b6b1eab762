// Communities by label propagation.
//
// Every vertex begins with its own number as its label. In an iteration all vertices take the label that most
// of their neighbours have, the least one of several:
//
//     l'(i) = min argmax over l of |{j in N(i): l(j) = l}|
//
// In a directed graph a neighbour counts once for each direction of its edges. With the labels as a matrix
// L(j, l(j)) (function_matrix.hpp), the numbers of votes are one product:
//
//     V = A L ∪ Aᵀ L over (plus, pair)       V(i,l) = votes at i for l; Aᵀ in directed graphs only
//     x(i) = max over l of 2^32 V(i,l) + (2^32 - 1 - l)         the lower half has l', L' is what it names in
//     V
//
// It ends when no label changes, or after a number of iterations: labels may swing for ever, as on a single
// edge. Memory: A, and per vertex and label among its neighbours an entry of V, three times.
//
// Sources: U. N. Raghavan, R. Albert, S. Kumara, "Near linear time algorithm to detect community structures
// in large-scale networks", Physical Review E 76 (2007); with this rule for ties, all vertices at once: A.
// Iosup and others, "The LDBC Graphalytics benchmark" (2020), section 2.3.4. The result is that of LAGraph's
// LAGraph_cdlp.
#pragma once
#include <utility>

#include "function_matrix.hpp"

namespace cugrb {

struct LabelPropagationOptions {
  int iteration_limit = 10;
};

struct LabelPropagation {
  Vector<int64_t> labels;  ///< the number of a vertex, for every vertex
  int iterations = 0;      ///< how many were done
  bool converged = false;  ///< whether the last one changed nothing
};

namespace detail {

/// Votes for each label at each vertex; labels are the columns of `l`.
template <class T>
Matrix<uint64_t> votes(Graph<T>& graph, const Matrix<uint64_t>& l) {
  const Matrix<uint64_t> out = mxm(graph.adjacency(), l, plus_pair<uint64_t>);
  if (graph.direction() == Direction::undirected) return out;
  const Matrix<uint64_t> in = mxm(graph.transposed(), l, plus_pair<uint64_t>);
  return ewise_add(out, in, op::plus<uint64_t>);
}

}  // namespace detail

/// The labels after `iteration_limit` iterations, or when they stand still. Errors: GrB_INVALID_VALUE when
/// the graph has more than 2^32 vertices or the limit is below 1.
///
///     auto result = cugrb::label_propagation(graph);
template <class T>
LabelPropagation label_propagation(Graph<T>& graph, const LabelPropagationOptions& options = {}) {
  const Index n = graph.size();
  detail::check_32_bits(n, "label_propagation");
  if (options.iteration_limit < 1)
    throw Error(GrB_INVALID_VALUE, "label_propagation", "iteration_limit >= 1");
  LabelPropagation result{Vector<int64_t>(n)};
  if (n == 0) return result;
  Vector<uint64_t> labels = detail::numbers(n);
  const Vector<uint64_t> complements = apply(uint64_t{UINT32_MAX}, op::minus<uint64_t>, labels);
  const Matrix<uint64_t> least_first = diagonal(complements);
  Matrix<uint64_t> l = diagonal(labels);
  while (result.iterations < options.iteration_limit && !result.converged) {
    ++result.iterations;
    const Matrix<uint64_t> votes = detail::votes(graph, l);
    Matrix<uint64_t> ranked = apply(votes, op::times<uint64_t>, uint64_t{1} << 32);
    ranked = mxm(ranked, least_first, any_plus<uint64_t>);
    Vector<uint64_t> next = reduce_rows(ranked, monoid::max<uint64_t>);
    next = apply(next, op::band<uint64_t>, UINT32_MAX);
    next = apply(uint64_t{UINT32_MAX}, op::minus<uint64_t>, next);
    const Vector<bool> changed = ewise_mult(next, labels, op::ne<uint64_t>);
    result.converged = !reduce(changed, monoid::lor<bool>);
    l = detail::choose(next, votes);
    labels(structure(next)) = next;
  }
  result.labels() = labels;
  return result;
}

}  // namespace cugrb
