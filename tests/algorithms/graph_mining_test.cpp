// HITS and random walk with restart against the obvious loops over adjacency lists. The program's GraphBLAS
// context is in algorithms_test.cpp.
#include "algorithms/hits.hpp"
#include "algorithms/random_walk_with_restart.hpp"
#include "tests/algorithms/verify.h"
#include "tests/catch.h"
#include "tests/places.h"
#include "tools/graph_files/read.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

template <class Real>
double rounding(size_t n) {
  return 64 * static_cast<double>(std::numeric_limits<Real>::epsilon()) *
         (1 + std::log2(static_cast<double>(n)));
}

double total(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

uint64_t edges(const Example& e) {
  uint64_t count = 0;
  for (const auto& next : e.next) count += next.size();
  return count;
}

struct Scores {
  std::vector<double> authorities, hubs;
};

/// One step of the combined iteration: both from the old pair, each divided by its sum.
Scores hits_step(const Example& e, const Scores& old) {
  Scores s{std::vector<double>(e.next.size(), 0), std::vector<double>(e.next.size(), 0)};
  for (size_t i = 0; i < e.next.size(); ++i) {
    for (const uint32_t j : e.next[i]) {
      s.authorities[j] += old.hubs[i];
      s.hubs[i] += old.authorities[j];
    }
  }
  const double a = total(s.authorities), h = total(s.hubs);
  for (double& x : s.authorities) x = a > 0 ? x / a : 0;
  for (double& x : s.hubs) x = h > 0 ? x / h : 0;
  return s;
}

Scores hits_reference(const Example& e, int iterations) {
  const size_t n = e.next.size();
  Scores s{std::vector<double>(n, 1.0 / static_cast<double>(n)),
           std::vector<double>(n, 1.0 / static_cast<double>(n))};
  for (int k = 0; k < iterations; ++k) s = hits_step(e, s);
  return s;
}

template <class Real>
void check_hits(const Example& e) {
  INFO(e.name << " in " << sizeof(Real) * 8 << " bits");
  auto graph = test_graphs::graph_of(e);
  for (const int iterations : {1, 2, 7}) {
    const auto result = hits<Real>(graph, {0, iterations});
    const Scores expected = hits_reference(e, iterations);
    // An iterate's error is the rounding of each step, carried along: relative, since nothing cancels.
    const double bound = rounding<Real>(e.next.size()) * iterations;
    CHECK(verify::distance(verify::dense(result.authorities), expected.authorities) <= bound);
    CHECK(verify::distance(verify::dense(result.hubs), expected.hubs) <= bound);
    CHECK(result.authorities.nvals() == e.next.size());
    CHECK(result.hubs.nvals() == e.next.size());
    if (edges(e) > 0) {
      CHECK(result.iterations == iterations);
      CHECK_FALSE(result.converged);
    }
  }
}

/// One step of the walk's equation in double precision.
std::vector<double> walk_step(const Example& e, const std::vector<double>& r, uint64_t query, double follow) {
  std::vector<double> result(r.size(), 0);
  result[query] = 1 - follow;
  for (size_t i = 0; i < r.size(); ++i) {
    if (e.next[i].empty()) result[query] += follow * r[i];
    for (const uint32_t j : e.next[i]) result[j] += follow * r[i] / static_cast<double>(e.next[i].size());
  }
  return result;
}

template <class Real>
void check_walk(const Example& e, uint64_t query, const RandomWalk<Real>& walk, double follow,
                double tolerance) {
  INFO(e.name << " from " << query << " in " << sizeof(Real) * 8 << " bits");
  CHECK(walk.converged);
  CHECK(walk.residual <= tolerance);
  CHECK(walk.relevances.nvals() == e.next.size());
  const std::vector<double> found = verify::dense(walk.relevances);
  const double round = rounding<Real>(found.size());
  CHECK(std::abs(total(found) - 1) <= round * walk.iterations);
  // The step contracts by `follow` in the 1-norm.
  CHECK(verify::distance(found, walk_step(e, found, query, follow)) <= tolerance + round);
  std::vector<double> fixed(found.size(), 0);
  fixed[query] = 1;
  for (int k = 0; k < 400; ++k) fixed = walk_step(e, fixed, query, follow);
  CHECK(verify::distance(found, fixed) <= (tolerance * follow + round) / (1 - follow));
}

/// Walked as rows of one matrix, in one group or in several, queries end where they end alone.
template <class Real>
void check_together(const Example& e, Graph<bool>& graph, const std::vector<Index>& queries,
                    RandomWalkOptions options, const std::vector<RandomWalk<Real>>& alone) {
  for (const int together : {4, 3}) {
    options.together = together;
    const auto rows = random_walks_with_restart<Real>(graph, queries, options);
    REQUIRE(rows.size() == queries.size());
    for (size_t k = 0; k < queries.size(); ++k) {
      check_walk(e, queries[k], rows[k], options.follow, options.tolerance);
      INFO(together << " together, query " << k);
      CHECK(std::abs(rows[k].iterations - alone[k].iterations) <= 1);  // a residual may round to either side
      CHECK(verify::distance(verify::dense(rows[k].relevances), verify::dense(alone[k].relevances)) <=
            options.tolerance + rounding<Real>(e.next.size()));
    }
  }
  options.iteration_limit = 3;
  options.tolerance = 0;
  for (const RandomWalk<Real>& walk : random_walks_with_restart<Real>(graph, queries, options)) {
    CHECK(walk.iterations == 3);
    CHECK_FALSE(walk.converged);
  }
}

template <class Real>
void check_walks(const Example& e, double tolerance) {
  auto graph = test_graphs::graph_of(e);
  std::vector<Index> queries = {0, e.next.size() - 1, e.next.size() / 2, 0};
  RandomWalkOptions options;
  options.tolerance = tolerance;
  options.iteration_limit = 1000;
  options.together = 1;
  const auto batch = random_walks_with_restart<Real>(graph, queries, options);
  REQUIRE(batch.size() == queries.size());
  for (size_t k = 0; k < queries.size(); ++k) check_walk(e, queries[k], batch[k], 0.9, tolerance);
  const auto single = random_walk_with_restart<Real>(graph, queries[2], options);
  CHECK(single.iterations == batch[2].iterations);
  CHECK(verify::distance(verify::dense(single.relevances), verify::dense(batch[2].relevances)) <=
        rounding<Real>(e.next.size()));
  check_together(e, graph, queries, options, batch);
}

}  // namespace

TEST_CASE("HITS follows the combined iteration step by step on small graphs of every kind") {
  for (const Example& e : test_graphs::small_examples()) {
    check_hits<double>(e);
    check_hits<float>(e);
  }
}

TEST_CASE("HITS worked out by hand") {
  // 0 → 2, 1 → 2, 1 → 3. AᵀA = [[2,1],[1,1]] on (2,3): its dominant vector is (φ, 1), φ the golden ratio;
  // AAᵀ = [[1,1],[1,2]] on (0,1): (1, φ). Scaled to the sum 1: φ/(1 + φ) = 1/φ and 1/(1 + φ) = 1/φ².
  auto graph = test_graphs::graph_of({"golden", Direction::directed, {{2}, {2, 3}, {}, {}}});
  const auto result = hits<double>(graph, {1e-13, 200});
  const double phi = (1 + std::sqrt(5.0)) / 2;
  CHECK(result.converged);
  const auto a = verify::dense(result.authorities), h = verify::dense(result.hubs);
  CHECK(verify::distance(a, {0, 0, 1 / phi, 1 / phi / phi}) <= 1e-12);
  CHECK(verify::distance(h, {1 / phi / phi, 1 / phi, 0, 0}) <= 1e-12);
}

TEST_CASE("HITS converges to singular vectors, and says when it does not") {
  const auto examples = test_graphs::small_examples();
  for (const Example& e : examples) {
    if (e.name != "rmat directed" && e.name != "rmat undirected") continue;
    INFO(e.name);
    auto graph = test_graphs::graph_of(e);
    const auto result = hits<double>(graph, {1e-11, 1000});
    CHECK(result.converged);
    CHECK(result.residual <= 1e-11);
    const Scores found{verify::dense(result.authorities), verify::dense(result.hubs)};
    const Scores again = hits_step(e, found);
    CHECK(verify::distance(found.authorities, again.authorities) <= 2e-11);
    CHECK(verify::distance(found.hubs, again.hubs) <= 2e-11);
    CHECK(std::abs(total(found.authorities) - 1) <= 1e-12);
    CHECK_FALSE(hits<double>(graph, {1e-11, 2}).converged);
  }
  // Two components of the same largest singular value 2: four hubs at one authority, and two at two. Even
  // and odd iterates weigh them differently.
  auto graph =
      test_graphs::graph_of({"tie", Direction::directed, {{4}, {4}, {4}, {4}, {}, {7, 8}, {7, 8}, {}, {}}});
  const auto result = hits<double>(graph, {1e-9, 60});
  CHECK_FALSE(result.converged);
  CHECK(result.iterations == 60);
}

TEST_CASE("HITS without edges, without vertices, and with wrong options") {
  auto graph = test_graphs::graph_of({"no edges", Direction::directed, {{}, {}}});
  const auto result = hits<float>(graph);
  CHECK(result.converged);
  CHECK(result.iterations == 1);
  CHECK(verify::dense(result.authorities) == std::vector<double>{0, 0});
  CHECK(verify::dense(result.hubs) == std::vector<double>{0, 0});
  Graph<bool> nothing(Matrix<bool>(0, 0), Direction::directed);
  CHECK(hits<float>(nothing).authorities.size() == 0);
  CHECK_THROWS_AS(hits<double>(graph, {-1, 100}), Error);
  CHECK_THROWS_AS(hits<double>(graph, {1e-4, 0}), Error);
}

TEST_CASE("random walks with restart reach their fixed point from every kind of query") {
  for (const Example& e : test_graphs::small_examples()) {
    check_walks<double>(e, 1e-9);
    // The star's centre is a sum of 1099 numbers one after another: the residual stays at some 1000
    // roundings.
    check_walks<float>(e, 1e-3);
  }
}

TEST_CASE("a random walk worked out by hand") {
  // On the path 0 - 1, from 0: r0 = (1 - c) + c r1, r1 = c r0, so r0 = 1/(1 + c).
  auto graph = test_graphs::graph_of({"edge", Direction::undirected, {{1}, {0}}});
  const auto walk = random_walk_with_restart<double>(graph, 0, {0.5, 1e-13, 200});
  CHECK(verify::distance(verify::dense(walk.relevances), {2.0 / 3, 1.0 / 3}) <= 1e-12);
  // A sink sends the walker back: 0 → 1 gives the same.
  auto directed = test_graphs::graph_of({"one way", Direction::directed, {{1}, {}}});
  const auto back = random_walk_with_restart<double>(directed, 0, {0.5, 1e-13, 200});
  CHECK(verify::distance(verify::dense(back.relevances), {2.0 / 3, 1.0 / 3}) <= 1e-12);
  const auto alone = random_walk_with_restart<double>(directed, 1, {0.5, 1e-13, 200});
  CHECK(verify::dense(alone.relevances) == std::vector<double>{0, 1});
}

TEST_CASE("random walks stop at the limit, and refuse what is wrong") {
  auto graph = test_graphs::graph_of(test_graphs::small_examples().back());
  const auto walk = random_walk_with_restart<double>(graph, 5, {0.9, 1e-14, 3});
  CHECK(walk.iterations == 3);
  CHECK_FALSE(walk.converged);
  CHECK(random_walk_with_restart<double>(graph, 5, {0.9, 0, 6}).iterations == 6);
  CHECK(random_walks_with_restart<float>(graph, {}).empty());
  CHECK_THROWS_AS(random_walk_with_restart<double>(graph, graph.size()), Error);
  CHECK_THROWS_AS(random_walks_with_restart<double>(graph, {0, graph.size()}), Error);
  CHECK_THROWS_AS(random_walk_with_restart<double>(graph, 0, {1.0, 1e-4, 10}), Error);
  CHECK_THROWS_AS(random_walk_with_restart<double>(graph, 0, {0.9, -1, 10}), Error);
  CHECK_THROWS_AS(random_walk_with_restart<double>(graph, 0, {0.9, 1e-4, 0}), Error);
  CHECK_THROWS_AS(random_walk_with_restart<double>(graph, 0, {0.9, 1e-4, 10, 0}), Error);
  CHECK_THROWS_AS(random_walks_with_restart<double>(graph, {0, graph.size()}, {0.9, 1e-4, 10, 2}), Error);
}

TEST_CASE("hubs, authorities and relevances of Debian's package graph", "[real]") {
  const auto csr = graph_files::read_matrix_market(place(CUGRB_TEST_DATA) + "/debian12.mtx.xz");
  const Example e = test_graphs::from_csr("debian12", csr);
  check_hits<double>(e);
  check_hits<float>(e);
  auto graph = test_graphs::graph_of(e);
  check_walk(e, 17, random_walk_with_restart<double>(graph, 17, {0.9, 1e-7, 500}), 0.9, 1e-7);
}
