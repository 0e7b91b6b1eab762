// Shortest paths against Dijkstra's algorithm. Both find the least distances for which d(j) is the rounded
// sum d(i) + w(i,j) of one of its edges and at most that of every other, so they are equal to the last bit.
#include "algorithms/shortest_paths.hpp"

#include <queue>

#include "tests/algorithms/graphs.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

/// weights[i][k] is that of the edge to next[i][k].
template <class T>
struct Weighted {
  Example example;
  std::vector<std::vector<T>> weights;
};

template <class T, class Draw>
Weighted<T> weighted(const Example& e, Draw draw) {
  Weighted<T> w{e, std::vector<std::vector<T>>(e.next.size())};
  for (size_t i = 0; i < e.next.size(); ++i) {
    for (size_t k = 0; k < e.next[i].size(); ++k) w.weights[i].push_back(static_cast<T>(draw()));
  }
  return w;
}

template <class T>
Graph<T> weighted_graph(const Weighted<T>& w) {
  const auto& next = w.example.next;
  Matrix<T> a(next.size(), next.size());
  std::vector<Index> rows, columns;
  std::vector<T> values;
  for (size_t i = 0; i < next.size(); ++i) {
    for (size_t k = 0; k < next[i].size(); ++k) {
      rows.push_back(i);
      columns.push_back(next[i][k]);
      values.push_back(w.weights[i][k]);
    }
  }
  a.build(rows.data(), columns.data(), values.data(), rows.size(), op::first<T>);
  return Graph<T>(std::move(a), Direction::directed);
}

/// Infinite where the source does not reach.
template <class Real, class T>
std::vector<Real> dijkstra(const Weighted<T>& w, Index source) {
  std::vector<Real> distance(w.example.next.size(), std::numeric_limits<Real>::infinity());
  using Item = std::pair<Real, Index>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
  distance[source] = 0;
  open.push({Real(0), source});
  while (!open.empty()) {
    const auto [d, i] = open.top();
    open.pop();
    if (d > distance[i]) continue;
    for (size_t k = 0; k < w.example.next[i].size(); ++k) {
      const Real through = d + static_cast<Real>(w.weights[i][k]);
      const Index j = w.example.next[i][k];
      if (through < distance[j]) open.push({distance[j] = through, j});
    }
  }
  return distance;
}

template <class Real>
std::vector<Real> dense_distances(const Vector<Real>& v) {
  std::vector<Real> all(v.size(), std::numeric_limits<Real>::infinity());
  const auto entries = v.entries();
  for (size_t k = 0; k < entries.indices.size(); ++k) all[entries.indices[k]] = entries.values[k];
  return all;
}

/// What is wrong with a tree of shortest paths: every vertex reached has a parent by an edge of the right
/// length, and parents lead to the source.
template <class Real, class T>
std::string wrong_tree(const Weighted<T>& w, Index source, const std::vector<Real>& distance,
                       const Vector<int64_t>& parents) {
  std::vector<int64_t> parent(distance.size(), -1);
  const auto entries = parents.entries();
  for (size_t k = 0; k < entries.indices.size(); ++k) parent[entries.indices[k]] = entries.values[k];
  if (parent[source] != static_cast<int64_t>(source)) return "the source is not its own parent";
  for (size_t j = 0; j < parent.size(); ++j) {
    const std::string vertex = "vertex " + std::to_string(j);
    const bool reached = distance[j] < std::numeric_limits<Real>::infinity();
    if (reached != (parent[j] >= 0)) return vertex + (reached ? " has no parent" : " has a parent");
    if (!reached || j == source) continue;
    const auto p = static_cast<size_t>(parent[j]);
    const auto& next = w.example.next[p];
    const auto edge = std::find(next.begin(), next.end(), j);
    if (edge == next.end()) return vertex + " has no edge from its parent";
    const T weight = w.weights[p][static_cast<size_t>(edge - next.begin())];
    if (distance[p] + static_cast<Real>(weight) != distance[j]) return vertex + " hangs on a longer path";
    size_t at = j, hops = 0;
    while (at != source && hops++ <= parent.size()) at = static_cast<size_t>(parent[at]);
    if (at != source) return vertex + " is in a circle";
  }
  return "";
}

template <class Real, class T>
void check_paths(const Weighted<T>& w, Index source, double delta) {
  INFO(w.example.name << " from " << source << ", delta " << delta);
  auto graph = weighted_graph(w);
  const auto result = shortest_paths<Real>(graph, source, {delta, true});
  const auto expected = dijkstra<Real>(w, source);
  CHECK(dense_distances(result.distances) == expected);
  CHECK(wrong_tree(w, source, expected, result.parents) == "");
  CHECK(result.delta > 0);
}

}  // namespace

TEST_CASE("distances are Dijkstra's and parents make a tree of them, for every width of a bucket") {
  std::mt19937 random(7);
  for (const Example& e : test_graphs::many_small_graphs()) {
    const auto whole = weighted<int32_t>(e, [&] { return random() % 20; });  // zeros make circles of length 0
    const Index last = e.next.size() - 1;
    for (const double delta : {0.0, 3.0, 1000.0}) check_paths<double>(whole, 0, delta);
    const auto real = weighted<float>(e, [&] { return static_cast<double>(random() % 4096) / 1000.0; });
    for (const double delta : {0.0, 0.01}) check_paths<float>(real, last, delta);
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("lengths that rounding swallows are no endless loop") {
  // 2^24 + 1 is no float: from vertex 1 on, the short edges add nothing.
  const Weighted<float> w{{"long and short", Direction::directed, {{1}, {2}, {3, 1}, {4}, {}, {}}},
                          {{16777216.0f}, {0.25f}, {0.5f, 0.25f}, {16777216.0f}, {}, {}}};
  for (const double delta : {0.0, 0.3, 1e30}) check_paths<float>(w, 0, delta);
}

TEST_CASE("a graph of bool has lengths of 1") {
  for (const Example& e : test_graphs::small_examples()) {
    INFO(e.name);
    auto graph = test_graphs::graph_of(e);
    const auto ones = weighted<float>(e, [] { return 1; });
    const auto result = shortest_paths<float>(graph, 0, {0, true});
    const auto expected = dijkstra<float>(ones, 0);
    CHECK(dense_distances(result.distances) == expected);
    CHECK(wrong_tree(ones, 0, expected, result.parents) == "");
    CHECK(shortest_paths<float>(graph, 0).parents.nvals() == 0);
  }
}

TEST_CASE("negative lengths and what is no vertex are refused") {
  auto graph = weighted_graph<double>({{"two", Direction::directed, {{1}, {}}}, {{-0.5}, {}}});
  CHECK_THROWS_AS(shortest_paths(graph, 0), Error);
  CHECK_THROWS_AS(shortest_paths(graph, 2), Error);
  auto right = weighted_graph<double>({{"two", Direction::directed, {{1}, {}}}, {{0.5}, {}}});
  CHECK_THROWS_AS(shortest_paths(right, 0, {-1, false}), Error);
}
