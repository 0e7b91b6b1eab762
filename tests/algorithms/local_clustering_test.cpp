// Clustering coefficients by looking at every pair of neighbours.
#include "algorithms/local_clustering.hpp"

#include <set>

#include "tests/algorithms/verify.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

std::vector<double> by_pairs(const Example& e) {
  std::vector<std::set<uint32_t>> around(e.next.size());
  for (uint32_t i = 0; i < e.next.size(); ++i) {
    for (const uint32_t j : e.next[i]) {
      if (i == j) continue;
      around[i].insert(j);
      around[j].insert(i);
    }
  }
  std::vector<double> coefficient;
  for (const auto& set : around) {
    int64_t linked = 0;
    for (const uint32_t u : set) {
      for (const uint32_t w : e.next[u]) linked += w != u && set.count(w) > 0;
    }
    const auto d = static_cast<double>(set.size());
    coefficient.push_back(set.size() < 2 ? 0 : static_cast<double>(linked) / (d * (d - 1)));
  }
  return coefficient;
}

void check_clustering(const Example& e) {
  INFO(e.name);
  auto graph = test_graphs::graph_of(e);
  const auto result = local_clustering<double>(graph);
  const std::vector<double> expected = by_pairs(e);
  CHECK(result.coefficients.nvals() == e.next.size());
  CHECK(verify::dense(result.coefficients) == expected);  // one division of the same whole numbers
  double sum = 0;
  for (const double c : expected) sum += c;
  CHECK(std::abs(result.average - sum / static_cast<double>(expected.size())) <= 1e-12);
}

}  // namespace

TEST_CASE("clustering coefficients count the linked pairs of neighbours") {
  for (const Example& e : test_graphs::many_small_graphs()) {
    check_clustering(e);
    check_clustering(test_graphs::undirected(e));
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("a graph without vertices has no clustering") {
  Graph<bool> graph(Matrix<bool>(0, 0), Direction::directed);
  CHECK(local_clustering(graph).average == 0);
}
