// Verifiers: properties that a right answer has, and the obvious algorithm beside it. After the GAP
// benchmark's verifiers (S. Beamer, K. Asanović, D. Patterson, "The GAP benchmark suite", 2015), in our own
// code.
#pragma once
#include <cmath>
#include <queue>

#include "algorithms/bfs.hpp"
#include "algorithms/pagerank.hpp"
#include "tests/algorithms/graphs.h"

namespace verify {

using test_graphs::Example;

/// Levels by a queue; -1 where the source does not reach.
inline std::vector<int64_t> levels(const Example& e, uint64_t source) {
  std::vector<int64_t> level(e.next.size(), -1);
  std::queue<uint64_t> open;
  level[source] = 0;
  open.push(source);
  while (!open.empty()) {
    const uint64_t i = open.front();
    open.pop();
    for (const uint32_t j : e.next[i]) {
      if (level[j] >= 0) continue;
      level[j] = level[i] + 1;
      open.push(j);
    }
  }
  return level;
}

/// What is wrong with a parent tree; empty when nothing is: the source is its own parent, every other reached
/// vertex hangs on an existing edge from the level before, and exactly the reachable vertices have a parent.
template <class Integer>
std::string wrong_parents(const Example& e, uint64_t source, const cugrb::Vector<Integer>& parents) {
  const std::vector<int64_t> level = levels(e, source);
  std::vector<int64_t> parent(e.next.size(), -1);
  const auto entries = parents.entries();
  for (size_t k = 0; k < entries.indices.size(); ++k)
    parent[entries.indices[k]] = static_cast<int64_t>(entries.values[k]);
  if (parent[source] != static_cast<int64_t>(source)) return "the source is not its own parent";
  for (size_t j = 0; j < parent.size(); ++j) {
    const std::string vertex = "vertex " + std::to_string(j);
    if ((parent[j] >= 0) != (level[j] >= 0))
      return vertex + (level[j] >= 0 ? " was not reached" : " cannot be reached");
    if (j == source || parent[j] < 0) continue;
    if (parent[j] >= static_cast<int64_t>(parent.size())) return vertex + " has a parent that is no vertex";
    const auto& next = e.next[static_cast<size_t>(parent[j])];
    if (!std::binary_search(next.begin(), next.end(), static_cast<uint32_t>(j)))
      return vertex + " has no edge from its parent";
    if (level[j] != level[static_cast<size_t>(parent[j])] + 1) return vertex + " hangs on the wrong level";
  }
  return "";
}

/// One step of the rank equation in double precision.
inline std::vector<double> rank_step(const Example& e, const std::vector<double>& rank, double damping) {
  const double n = static_cast<double>(e.next.size());
  double at_sinks = 0;
  for (size_t i = 0; i < rank.size(); ++i) at_sinks += e.next[i].empty() ? rank[i] : 0;
  std::vector<double> result(rank.size(), (1 - damping) / n + damping * at_sinks / n);
  for (size_t i = 0; i < rank.size(); ++i) {
    for (const uint32_t j : e.next[i]) result[j] += damping * rank[i] / static_cast<double>(e.next[i].size());
  }
  return result;
}

inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

/// The ranks, iterated until they stand still.
inline std::vector<double> ranks(const Example& e, double damping) {
  std::vector<double> rank(e.next.size(), 1.0 / static_cast<double>(e.next.size()));
  for (int k = 0; k < 1000; ++k) {
    std::vector<double> next = rank_step(e, rank, damping);
    const double moved = distance(rank, next);
    rank = std::move(next);
    if (moved < 1e-14) break;
  }
  return rank;
}

template <class Real>
std::vector<double> dense(const cugrb::Vector<Real>& v) {
  std::vector<double> result(v.size(), 0);
  const auto entries = v.entries();
  for (size_t k = 0; k < entries.indices.size(); ++k)
    result[entries.indices[k]] = static_cast<double>(entries.values[k]);
  return result;
}

}  // namespace verify
