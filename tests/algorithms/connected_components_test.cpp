// Connected components against union-find.
#include "algorithms/connected_components.hpp"

#include <numeric>

#include "tests/algorithms/graphs.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

/// Of each vertex the lowest one of its component.
std::vector<int64_t> by_union_find(const Example& e) {
  std::vector<int64_t> parent(e.next.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int64_t i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  for (size_t i = 0; i < e.next.size(); ++i) {
    for (const uint32_t j : e.next[i]) {
      const int64_t a = root(static_cast<int64_t>(i)), b = root(j);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  for (int64_t& p : parent) p = root(p);
  return parent;
}

int check_components(const Example& e) {
  INFO(e.name << (e.direction == Direction::undirected ? ", undirected" : ", directed"));
  auto graph = test_graphs::graph_of(e);
  const auto result = connected_components(graph);
  const std::vector<int64_t> expected = by_union_find(e);
  const auto found = result.components.entries();
  CHECK(std::vector<int64_t>(found.values.begin(), found.values.end()) == expected);
  Index roots = 0;
  for (size_t i = 0; i < expected.size(); ++i) roots += expected[i] == static_cast<int64_t>(i);
  CHECK(result.count == roots);
  return result.iterations;
}

}  // namespace

TEST_CASE("connected components are those of union-find, of directed and undirected graphs") {
  for (const Example& e : test_graphs::many_small_graphs()) {
    check_components(e);
    check_components(test_graphs::undirected(e));
  }
  for (const Example& e : test_graphs::small_examples()) check_components(e);
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("a long path takes a limited search, then iterations in the order of the logarithm of its length") {
  const auto path = [](uint32_t n) {
    return test_graphs::shape("path", n, [n](uint32_t i) {
      return i + 1 < n ? std::vector<uint32_t>{i + 1} : std::vector<uint32_t>{};
    });
  };
  CHECK(check_components(path(20)) <= 20);  // the search from the end of the path
  CHECK(check_components(path(1024)) <= 32 + 12);
}

TEST_CASE("long paths beside a component that a search finds are left to FastSV") {
  // A star of 40 vertices, and a path of 200 whose numbers descend and ascend in turn.
  const Example e = test_graphs::shape("star and path", 240, [](uint32_t i) {
    if (i == 7) {
      std::vector<uint32_t> tips;
      for (uint32_t tip = 0; tip < 40; ++tip) tips.push_back(tip);
      return tips;
    }
    const auto place = [](uint32_t k) { return 40 + (k % 2 == 0 ? k / 2 : 199 - k / 2); };
    for (uint32_t k = 0; k + 1 < 200; ++k) {
      if (place(k) == i) return std::vector<uint32_t>{place(k + 1)};
    }
    return std::vector<uint32_t>{};
  });
  const int iterations = check_components(test_graphs::undirected(e));
  CHECK(iterations > 32);
  CHECK(iterations <= 1 + 32 + 12);
}

TEST_CASE("a graph without vertices has no components") {
  Graph<bool> graph(Matrix<bool>(0, 0), Direction::undirected);
  const auto result = connected_components(graph);
  CHECK(result.count == 0);
  CHECK(result.components.size() == 0);
}
