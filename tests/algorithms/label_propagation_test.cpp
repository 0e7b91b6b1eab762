// Label propagation against counting the votes at each vertex.
#include "algorithms/label_propagation.hpp"

#include <map>
#include <numeric>

#include "tests/algorithms/graphs.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

std::vector<int64_t> next_labels(const Example& e, const std::vector<int64_t>& label) {
  std::vector<std::map<int64_t, int>> votes(label.size());
  for (size_t i = 0; i < label.size(); ++i) {
    for (const uint32_t j : e.next[i]) {
      ++votes[i][label[j]];
      if (e.direction == Direction::directed) ++votes[j][label[i]];
    }
  }
  std::vector<int64_t> next = label;
  for (size_t i = 0; i < label.size(); ++i) {
    int most = 0;
    for (const auto& [l, count] : votes[i]) {  // least labels first
      if (count > most) next[i] = l;
      most = std::max(most, count);
    }
  }
  return next;
}

void check_labels(const Example& e) {
  INFO(e.name);
  auto graph = test_graphs::graph_of(e);
  std::vector<int64_t> expected(e.next.size());
  std::iota(expected.begin(), expected.end(), 0);
  for (const int iterations : {1, 2, 9}) {
    std::vector<int64_t> label(e.next.size()), before;
    std::iota(label.begin(), label.end(), 0);
    int done = 0;
    while (done < iterations && label != before) {
      before = label;
      label = next_labels(e, label);
      ++done;
    }
    const auto result = label_propagation(graph, {iterations});
    const auto found = result.labels.entries();
    CHECK(std::vector<int64_t>(found.values.begin(), found.values.end()) == label);
    CHECK(result.iterations == done);
    CHECK(result.converged == (label == before));
  }
}

}  // namespace

TEST_CASE("labels are those that most neighbours have, iteration by iteration") {
  for (const Example& e : test_graphs::many_small_graphs()) {
    check_labels(e);
    check_labels(test_graphs::undirected(e));
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("labels swing on a single edge, and stand still in cliques") {
  auto edge = test_graphs::graph_of({"edge", Direction::undirected, {{1}, {0}}});
  CHECK_FALSE(label_propagation(edge, {7}).converged);
  const auto graphs = test_graphs::many_small_graphs();
  for (const Example& e : graphs) {
    if (e.name != "two cliques and a bridge") continue;
    auto graph = test_graphs::graph_of(test_graphs::undirected(e));
    const auto result = label_propagation(graph);
    CHECK(result.converged);
    for (Index i = 0; i < 12; ++i) CHECK(result.labels.get(i) == (i < 6 ? 0 : 6));
  }
}

TEST_CASE("label propagation without vertices, and with a wrong limit") {
  Graph<bool> graph(Matrix<bool>(0, 0), Direction::directed);
  CHECK(label_propagation(graph).iterations == 0);
  CHECK_THROWS_AS(label_propagation(graph, {0}), Error);
}
