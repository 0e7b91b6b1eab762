// Betweenness against its definition, over all pairs.
#include "algorithms/betweenness.hpp"

#include <cmath>
#include <numeric>

#include "tests/algorithms/verify.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

/// distance[s][t], -1 where there is no path; paths[s][t], the number of shortest ones.
struct AllPairs {
  std::vector<std::vector<int64_t>> distance;
  std::vector<std::vector<double>> paths;
};

/// Paths of length d to a vertex are those of length d - 1 to the vertices before it.
AllPairs all_pairs(const Example& e) {
  const size_t n = e.next.size();
  AllPairs p{{}, std::vector<std::vector<double>>(n, std::vector<double>(n, 0))};
  for (size_t s = 0; s < n; ++s) {
    p.distance.push_back(verify::levels(e, s));
    p.paths[s][s] = 1;
    for (int64_t d = 1; d <= static_cast<int64_t>(n); ++d) {
      for (size_t i = 0; i < n; ++i) {
        if (p.distance[s][i] != d - 1) continue;
        for (const uint32_t j : e.next[i]) p.paths[s][j] += p.distance[s][j] == d ? p.paths[s][i] : 0;
      }
    }
  }
  return p;
}

std::vector<double> by_definition(const Example& e, const AllPairs& p, const std::vector<Index>& sources) {
  const size_t n = e.next.size();
  std::vector<double> b(n, 0);
  for (const Index s : sources) {
    for (size_t t = 0; t < n; ++t) {
      for (size_t v = 0; v < n; ++v) {
        if (v == s || v == t || p.distance[s][t] < 0 || p.distance[s][v] < 0 || p.distance[v][t] < 0)
          continue;
        if (p.distance[s][v] + p.distance[v][t] != p.distance[s][t]) continue;
        b[v] += p.paths[s][v] * p.paths[v][t] / p.paths[s][t];
      }
    }
  }
  return b;
}

void check_betweenness(const Example& e, const AllPairs& pairs, const std::vector<Index>& sources,
                       int together) {
  INFO(e.name << " from " << sources.size() << " sources, " << together << " together");
  auto graph = test_graphs::graph_of(e);
  const auto result = betweenness<double>(graph, sources, {together});
  const auto expected = by_definition(e, pairs, sources);
  CHECK(result.centralities.nvals() == e.next.size());
  const std::vector<double> found = verify::dense(result.centralities);
  // Sums of positive numbers, each with at most n roundings along its path and n in its sum.
  const double epsilon = 4 * static_cast<double>(e.next.size() + sources.size()) * 2.3e-16;
  for (size_t v = 0; v < expected.size(); ++v)
    CHECK(std::abs(found[v] - expected[v]) <= epsilon * (1 + expected[v]));
  int64_t depth = 0;
  for (const Index s : sources) {
    depth = std::max(depth, *std::max_element(pairs.distance[s].begin(), pairs.distance[s].end()));
  }
  CHECK(result.depth == depth);
}

}  // namespace

TEST_CASE("betweenness is its definition, from all vertices and from some, in batches of every size") {
  for (const Example& e : test_graphs::many_small_graphs()) {
    if (e.next.size() > 70) continue;
    const AllPairs pairs = all_pairs(e);
    std::vector<Index> every(e.next.size());
    std::iota(every.begin(), every.end(), Index{0});
    check_betweenness(e, pairs, every, 25);
    check_betweenness(e, pairs, {0, e.next.size() - 1, 0}, 2);
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("betweenness of graphs that can be counted") {
  // The middle of a star lies between all n (n - 1) pairs of its points, in both directions.
  const Example star = test_graphs::undirected(test_graphs::shape(
      "star", 9, [](uint32_t i) { return i > 0 ? std::vector<uint32_t>{0} : std::vector<uint32_t>{}; }));
  auto graph = test_graphs::graph_of(star);
  const auto b = betweenness<float>(graph, {0, 1, 2, 3, 4, 5, 6, 7, 8}).centralities;
  CHECK(b.get(0) == 56);
  CHECK(b.get(3) == 0);
  CHECK(betweenness<float>(graph, {}).centralities.get(0) == 0);
}

TEST_CASE("betweenness refuses what is no vertex") {
  auto graph = test_graphs::graph_of({"two", Direction::directed, {{1}, {}}});
  CHECK_THROWS_AS(betweenness(graph, {0, 2}), Error);
  CHECK_THROWS_AS(betweenness(graph, {0}, {0}), Error);
}
