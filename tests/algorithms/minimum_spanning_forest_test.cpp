// Spanning forests against Kruskal's algorithm.
#include "algorithms/minimum_spanning_forest.hpp"

#include <map>
#include <numeric>

#include "tests/algorithms/graphs.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

using Ends = std::pair<uint32_t, uint32_t>;  ///< the lower one first
template <class T>
using WeightedEdges = std::map<Ends, T>;

template <class T, class Draw>
WeightedEdges<T> draw_weights(const Example& e, Draw draw) {
  WeightedEdges<T> edges;
  for (uint32_t i = 0; i < e.next.size(); ++i) {
    for (const uint32_t j : e.next[i]) {
      if (i <= j) edges[{i, j}] = static_cast<T>(draw());
    }
  }
  return edges;
}

template <class T>
Graph<T> graph_with(const WeightedEdges<T>& edges, Index n) {
  std::vector<Index> rows, columns;
  std::vector<T> values;
  for (const auto& [ends, weight] : edges) {
    for (const auto& [i, j] : {ends, Ends(ends.second, ends.first)}) {
      rows.push_back(i);
      columns.push_back(j);
      values.push_back(weight);
    }
  }
  Matrix<T> a(n, n);
  a.build(rows.data(), columns.data(), values.data(), rows.size(), op::first<T>);
  return Graph<T>(std::move(a), Direction::undirected);
}

/// Edges by weight, then by their ends; each is taken that joins two trees.
template <class T>
WeightedEdges<T> kruskal(const WeightedEdges<T>& edges, size_t n) {
  std::vector<std::pair<T, Ends>> sorted;
  for (const auto& [ends, weight] : edges) sorted.push_back({weight, ends});
  std::sort(sorted.begin(), sorted.end());
  std::vector<uint32_t> parent(n);
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](uint32_t i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  WeightedEdges<T> forest;
  for (const auto& [weight, ends] : sorted) {
    const uint32_t a = root(ends.first), b = root(ends.second);
    if (a == b) continue;
    parent[a] = b;
    forest[ends] = weight;
  }
  return forest;
}

template <class T>
void check_forest(const Example& e, const WeightedEdges<T>& edges) {
  INFO(e.name);
  auto graph = graph_with(edges, e.next.size());
  const auto result = minimum_spanning_forest(graph);
  const WeightedEdges<T> expected = kruskal(edges, e.next.size());
  WeightedEdges<T> found, backwards;
  const auto entries = result.edges.entries();
  for (size_t k = 0; k < entries.rows.size(); ++k) {
    const auto i = static_cast<uint32_t>(entries.rows[k]), j = static_cast<uint32_t>(entries.columns[k]);
    (i < j ? found : backwards)[{std::min(i, j), std::max(i, j)}] = entries.values[k];
  }
  CHECK(backwards == expected);
  CHECK(found == expected);
  CHECK(result.edge_count == expected.size());
  double weight = 0;
  for (const auto& [ends, w] : expected) weight += static_cast<double>(w);
  CHECK(std::abs(result.weight - weight) <= 1e-12 * static_cast<double>(edges.size() + 1) * 4096);
  CHECK(size_t{1} << result.rounds <= 2 * std::max<size_t>(1, e.next.size()));
}

}  // namespace

TEST_CASE("forests are Kruskal's, with many equal weights and with few") {
  std::mt19937 random(3);
  for (const Example& one_way : test_graphs::many_small_graphs()) {
    const Example e = test_graphs::undirected(one_way);
    check_forest(e, draw_weights<int32_t>(e, [&] { return static_cast<int>(random() % 4) - 1; }));
    check_forest(e, draw_weights<double>(e, [&] { return static_cast<double>(random() % 4096) / 7; }));
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("the edges of a graph of bool weigh 1") {
  for (const Example& one_way : test_graphs::many_small_graphs()) {
    const Example e = test_graphs::undirected(one_way);
    INFO(e.name);
    auto graph = test_graphs::graph_of(e);
    const auto result = minimum_spanning_forest(graph);
    const auto ones = draw_weights<int32_t>(e, [] { return 1; });
    CHECK(result.edge_count == kruskal(ones, e.next.size()).size());
    CHECK(result.weight == static_cast<double>(result.edge_count));
  }
}

TEST_CASE("spanning forests are of undirected graphs, with or without vertices") {
  auto graph = test_graphs::graph_of({"one way", Direction::directed, {{1}, {}}});
  CHECK_THROWS_AS(minimum_spanning_forest(graph), Error);
  Graph<double> nothing(Matrix<double>(0, 0), Direction::undirected);
  CHECK(minimum_spanning_forest(nothing).edge_count == 0);
}
