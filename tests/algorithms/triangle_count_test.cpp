// Triangle counting against every triple of vertices, and against graphs whose triangles are known. The
// program's GraphBLAS context is in algorithms_test.cpp.
#include "algorithms/triangle_count.hpp"

#include <algorithm>

#include "tests/algorithms/graphs.h"
#include "tests/catch.h"
#include "tests/places.h"
#include "tools/graph_files/read.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

constexpr TriangleMethod methods[] = {TriangleMethod::burkhardt,  TriangleMethod::cohen,
                                      TriangleMethod::sandia_ll,  TriangleMethod::sandia_uu,
                                      TriangleMethod::sandia_lut, TriangleMethod::sandia_ult};
constexpr Presort presorts[] = {Presort::automatic, Presort::none, Presort::ascending, Presort::descending};

Example complete(uint32_t n) {
  Example e{"complete", Direction::undirected, std::vector<std::vector<uint32_t>>(n)};
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t j = 0; j < n; ++j) {
      if (i != j) e.next[i].push_back(j);
    }
  }
  return e;
}

/// i < j < k with all three edges, one after another.
uint64_t count_by_triples(const Example& e) {
  const auto linked = [&](uint32_t i, uint32_t j) {
    return std::binary_search(e.next[i].begin(), e.next[i].end(), j);
  };
  uint64_t count = 0;
  for (uint32_t i = 0; i < e.next.size(); ++i) {
    for (const uint32_t j : e.next[i]) {
      if (j <= i) continue;
      for (const uint32_t k : e.next[j]) count += k > j && linked(i, k);
    }
  }
  return count;
}

void check_every_method(const Example& e, uint64_t expected) {
  auto graph = test_graphs::graph_of(e);
  for (const TriangleMethod method : methods) {
    INFO(e.name << ", method " << int(method));
    CHECK(triangle_count(graph, {method, Presort::automatic}).triangles == expected);
  }
}

}  // namespace

TEST_CASE("every method counts the triangles of graphs of every kind") {
  for (const Example& e : test_graphs::small_examples()) {
    const Example both = test_graphs::undirected(e);
    check_every_method(both, count_by_triples(both));
  }
}

TEST_CASE("triangles of graphs whose number is known") {
  check_every_method(complete(12), 12 * 11 * 10 / 6);
  // The wheel: 30 vertices around a hub, a triangle for every edge of the rim.
  Example wheel{"wheel", Direction::directed, std::vector<std::vector<uint32_t>>(31)};
  for (uint32_t i = 1; i <= 30; ++i) wheel.next[i] = {0, i % 30 + 1};
  check_every_method(test_graphs::undirected(wheel), 30);
  // A loop belongs to no triangle.
  Example loops = complete(4);
  for (uint32_t i = 0; i < 4; ++i) loops.next[i] = {0, 1, 2, 3};
  check_every_method(loops, 4);
  Graph<bool> nothing(Matrix<bool>(0, 0), Direction::undirected);
  CHECK(triangle_count(nothing).triangles == 0);
}

TEST_CASE("renumbering by degree changes no count") {
  const auto examples = test_graphs::small_examples();
  const auto found = std::find_if(examples.begin(), examples.end(),
                                  [](const Example& e) { return e.name == "rmat undirected"; });
  REQUIRE(found != examples.end());
  const uint64_t expected = count_by_triples(*found);
  auto graph = test_graphs::graph_of(*found);
  for (const Presort presort : presorts) {
    INFO("presort " << int(presort));
    const TriangleCount result = triangle_count(graph, {TriangleMethod::sandia_lut, presort});
    CHECK(result.triangles == expected);
    CHECK(result.presort != Presort::automatic);
    if (presort != Presort::automatic) CHECK(result.presort == presort);
  }
}

TEST_CASE("the automatic presort looks at mean and median of the degrees") {
  // A clique of 60 among 500 vertices: mean 7.1, too low; of 100: mean 19.8, median 0. All of 60: no spread.
  const auto clique_among = [](uint32_t clique, uint32_t n) {
    Example e = complete(clique);
    e.next.resize(n);
    return test_graphs::undirected(e);
  };
  auto sparse = test_graphs::graph_of(clique_among(60, 500));
  CHECK(triangle_count(sparse).presort == Presort::none);
  auto skewed = test_graphs::graph_of(clique_among(100, 500));
  CHECK(triangle_count(skewed).presort == Presort::descending);
  CHECK(triangle_count(skewed, {TriangleMethod::sandia_lut, Presort::automatic}).presort ==
        Presort::ascending);
  CHECK(triangle_count(skewed, {TriangleMethod::sandia_ult, Presort::automatic}).presort ==
        Presort::descending);
  CHECK(triangle_count(skewed, {TriangleMethod::cohen, Presort::automatic}).presort == Presort::none);
  auto even = test_graphs::graph_of(complete(60));
  CHECK(triangle_count(even).presort == Presort::none);
}

TEST_CASE("degrees are sorted stably, from either end") {
  Vector<int64_t> degrees(6);
  degrees.set(0, 3);
  degrees.set(1, 1);
  degrees.set(3, 3);
  degrees.set(5, 2);
  const detail::DegreeSort sort(degrees);
  CHECK(sort.vertices(true) == std::vector<Index>{2, 4, 1, 5, 0, 3});
  CHECK(sort.vertices(false) == std::vector<Index>{3, 0, 5, 1, 4, 2});
  CHECK(sort.median() == 2);  // of 0 0 1 2 3 3
}

TEST_CASE("triangles of a directed graph are refused") {
  auto graph = test_graphs::graph_of({"one way", Direction::directed, {{1}, {}}});
  CHECK_THROWS_AS(triangle_count(graph), Error);
}

TEST_CASE("triangles of Debian's package graph", "[real]") {
  const auto csr = graph_files::read_matrix_market(place(CUGRB_TEST_DATA) + "/debian12.mtx.xz");
  const Example e = test_graphs::undirected(test_graphs::from_csr("debian12", csr));
  const uint64_t expected = count_by_triples(e);
  CHECK(expected > 1000);
  check_every_method(e, expected);
}
