// Transitive closure against Warshall's algorithm, of whole graphs and edge by edge.
#include "algorithms/transitive_closure.hpp"

#include "tests/algorithms/graphs.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

using Pairs = std::vector<std::vector<bool>>;

Pairs warshall(const Example& e) {
  const size_t n = e.next.size();
  Pairs reaches(n, std::vector<bool>(n));
  for (size_t i = 0; i < n; ++i) {
    for (const uint32_t j : e.next[i]) reaches[i][j] = true;
  }
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i < n; ++i) {
      if (!reaches[i][k]) continue;
      for (size_t j = 0; j < n; ++j) reaches[i][j] = reaches[i][j] || reaches[k][j];
    }
  }
  return reaches;
}

Pairs pairs_of(const Matrix<bool>& reaches) {
  Pairs pairs(reaches.nrows(), std::vector<bool>(reaches.ncols()));
  const auto entries = reaches.entries();
  for (size_t k = 0; k < entries.values.size(); ++k) {
    CHECK(entries.values[k]);
    pairs[entries.rows[k]][entries.columns[k]] = true;
  }
  return pairs;
}

/// Every `of`-th edge goes to the second graph, the others to the first.
std::pair<Example, Example> divided(const Example& e, unsigned of) {
  std::pair<Example, Example> parts{e, e};
  unsigned number = 0;
  for (size_t i = 0; i < e.next.size(); ++i) {
    parts.first.next[i].clear();
    parts.second.next[i].clear();
    for (const uint32_t j : e.next[i]) (++number % of == 0 ? parts.second : parts.first).next[i].push_back(j);
  }
  return parts;
}

}  // namespace

TEST_CASE("the closure is Warshall's") {
  for (const Example& e : test_graphs::many_small_graphs()) {
    INFO(e.name);
    const auto result = transitive_closure(test_graphs::graph_of(e));
    CHECK(pairs_of(result.reaches) == warshall(e));
    CHECK(result.rounds <= 9);
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("edges that join a closed graph make it the closure of all edges, in batches of any size") {
  for (const Example& e : test_graphs::many_small_graphs()) {
    const Pairs expected = warshall(e);
    for (const unsigned of : {1u, 2u, 9u}) {
      if (of != 9 && e.next.size() > 24) continue;
      const auto [old_part, new_part] = divided(e, of);
      const Matrix<bool> edges = test_graphs::graph_of(new_part).adjacency();
      const auto start = transitive_closure(test_graphs::graph_of(old_part)).reaches;
      for (const Index together : {Index{5}, Index{64}}) {
        if (together == 5 && e.next.size() > 24) continue;
        INFO(e.name << ", every " << of << "th edge joins, batches of " << together);
        Matrix<bool> reaches = start;
        const auto update = add_edges(reaches, edges, {together});
        CHECK(pairs_of(reaches) == expected);
        CHECK(update.pairs == reaches.nvals() - start.nvals());
        CHECK(static_cast<Index>(update.batches) == (update.edges + together - 1) / together);
      }
    }
  }
}

TEST_CASE("edges one at a time, whatever their order and value") {
  const Example e = test_graphs::random_graph(40, 2, 1, 5);
  Matrix<bool> reaches(40, 40);
  Example sofar{"so far", Direction::directed, std::vector<std::vector<uint32_t>>(40)};
  for (uint32_t k = 0; k < 40; ++k) {
    const uint32_t i = (k * 7) % 40;
    for (const uint32_t j : e.next[i]) {
      Matrix<bool> edge(40, 40);
      edge.set(i, j, false);
      add_edges(reaches, edge);
      sofar.next[i].push_back(j);
    }
    if (k % 8 == 7) CHECK(pairs_of(reaches) == warshall(sofar));
  }
  CHECK(add_edges(reaches, test_graphs::graph_of(e).adjacency()).batches == 0);
}

TEST_CASE("a graph without vertices is closed; other shapes and batches of none are refused") {
  Matrix<bool> nothing(0, 0);
  CHECK(transitive_closure(Graph<bool>(nothing, Direction::directed)).reaches.nvals() == 0);
  Matrix<bool> reaches(3, 3);
  CHECK_THROWS_AS(add_edges(reaches, Matrix<bool>(3, 4)), Error);
  CHECK_THROWS_AS(add_edges(reaches, Matrix<bool>(2, 2)), Error);
  CHECK_THROWS_AS(add_edges(reaches, Matrix<bool>(3, 3), {0}), Error);
}
