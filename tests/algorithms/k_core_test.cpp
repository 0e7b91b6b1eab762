// Core numbers against the limit of h-indices, trusses against their definition and against dropping edges
// one by one.
#include "algorithms/k_core.hpp"

#include <map>
#include <set>

#include "algorithms/k_truss.hpp"
#include "tests/algorithms/graphs.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

/// Each vertex's number becomes the highest h such that h of its neighbours have at least h, beginning with
/// degrees: the fixed point is the core number (L. Lü and others, Nature Communications 7, 2016).
std::vector<int64_t> by_h_indices(const Example& e) {
  const size_t n = e.next.size();
  std::vector<int64_t> number(n);
  for (size_t i = 0; i < n; ++i) number[i] = static_cast<int64_t>(n);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < n; ++i) {
      std::vector<int64_t> around;
      for (const uint32_t j : e.next[i]) {
        if (j != i) around.push_back(number[j]);
      }
      std::sort(around.rbegin(), around.rend());
      int64_t h = 0;
      while (h < static_cast<int64_t>(around.size()) && around[static_cast<size_t>(h)] > h) ++h;
      changed = changed || h != number[i];
      number[i] = h;
    }
  }
  return number;
}

using Edges = std::map<std::pair<uint32_t, uint32_t>, int64_t>;

/// Common neighbours of i and j by edges of the set.
int64_t triangles_of(const std::vector<std::set<uint32_t>>& next, uint32_t i, uint32_t j) {
  int64_t count = 0;
  for (const uint32_t k : next[i]) count += next[j].count(k) > 0;
  return count;
}

/// Edges are dropped one at a time, in the order of their ends.
Edges truss_by_single_edges(const Example& e, int64_t k) {
  std::vector<std::set<uint32_t>> next(e.next.size());
  for (uint32_t i = 0; i < e.next.size(); ++i) {
    for (const uint32_t j : e.next[i]) {
      if (i != j) next[i].insert(j);
    }
  }
  for (bool dropped = true; dropped;) {
    dropped = false;
    for (uint32_t i = 0; i < next.size(); ++i) {
      for (const uint32_t j : std::set<uint32_t>(next[i])) {
        if (triangles_of(next, i, j) >= k - 2) continue;
        next[i].erase(j);
        next[j].erase(i);
        dropped = true;
      }
    }
  }
  Edges edges;
  for (uint32_t i = 0; i < next.size(); ++i) {
    for (const uint32_t j : next[i]) edges[{i, j}] = triangles_of(next, i, j);
  }
  return edges;
}

}  // namespace

TEST_CASE("core numbers are the limit of h-indices") {
  for (const Example& one_way : test_graphs::many_small_graphs()) {
    const Example e = test_graphs::undirected(one_way);
    INFO(e.name);
    auto graph = test_graphs::graph_of(e);
    const auto result = k_core(graph);
    const auto expected = by_h_indices(e);
    const auto found = result.cores.entries();
    CHECK(std::vector<int64_t>(found.values.begin(), found.values.end()) == expected);
    CHECK(result.degeneracy == *std::max_element(expected.begin(), expected.end()));
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("a path is peeled from both ends, a star in one step") {
  auto path = test_graphs::graph_of(test_graphs::undirected(test_graphs::shape("path", 10, [](uint32_t i) {
    return i < 9 ? std::vector<uint32_t>{i + 1} : std::vector<uint32_t>{};
  })));
  CHECK(k_core(path).steps == 5);
  const auto examples = test_graphs::small_examples();
  for (const Example& e : examples) {
    if (e.name != "star") continue;
    auto star = test_graphs::graph_of(e);
    CHECK(k_core(star).steps == 2);  // the points, then the middle
    CHECK(k_core(star).degeneracy == 1);
  }
}

TEST_CASE("the k-truss is what is left when edges of few triangles are dropped one by one") {
  for (const Example& one_way : test_graphs::many_small_graphs()) {
    const Example e = test_graphs::undirected(one_way);
    auto graph = test_graphs::graph_of(e);
    for (const int64_t k : {3, 4, 6}) {
      INFO(e.name << ", k " << k);
      const auto entries = k_truss(graph, k).edges.entries();
      Edges found;
      for (size_t p = 0; p < entries.rows.size(); ++p) {
        found[{static_cast<uint32_t>(entries.rows[p]), static_cast<uint32_t>(entries.columns[p])}] =
            entries.values[p];
      }
      CHECK(found == truss_by_single_edges(e, k));
    }
  }
}

TEST_CASE("cores and trusses are parts of undirected graphs") {
  auto graph = test_graphs::graph_of({"one way", Direction::directed, {{1}, {}}});
  CHECK_THROWS_AS(k_core(graph), Error);
  CHECK_THROWS_AS(k_truss(graph, 3), Error);
  Graph<bool> nothing(Matrix<bool>(0, 0), Direction::undirected);
  CHECK(k_core(nothing).degeneracy == 0);
  CHECK(k_truss(nothing, 3).edges.nvals() == 0);
  CHECK_THROWS_AS(k_truss(nothing, 2), Error);
}
