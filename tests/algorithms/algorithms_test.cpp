#include <filesystem>

#include "tests/algorithms/verify.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"
#include "tests/places.h"
#include "tools/graph_files/read.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

const Context context;

void check_bfs(const Example& e, uint64_t source) {
  INFO(e.name << " from " << source);
  auto graph = test_graphs::graph_of(e);
  const auto expected = verify::levels(e, source);
  uint64_t reached = 0;
  int64_t depth = 0;
  for (const int64_t level : expected) {
    reached += level >= 0;
    depth = std::max(depth, level);
  }
  const auto both = bfs<int32_t>(graph, source, BfsOutput::both);
  CHECK(verify::wrong_parents(e, source, both.parents) == "");
  CHECK(both.visited == reached);
  CHECK(both.depth == depth);
  const auto only_levels = bfs<int64_t>(graph, source, BfsOutput::levels);
  CHECK(only_levels.parents.nvals() == 0);
  for (const auto* levels : {&both.levels}) {
    std::vector<int64_t> found(expected.size(), -1);
    const auto entries = levels->entries();
    for (size_t k = 0; k < entries.indices.size(); ++k) found[entries.indices[k]] = entries.values[k];
    CHECK(found == expected);
  }
  std::vector<int64_t> found(expected.size(), -1);
  const auto entries = only_levels.levels.entries();
  for (size_t k = 0; k < entries.indices.size(); ++k) found[entries.indices[k]] = entries.values[k];
  CHECK(found == expected);
  CHECK(verify::wrong_parents(e, source, bfs<int64_t>(graph, source).parents) == "");
}

template <class Real>
void check_pagerank(const Example& e, double tolerance) {
  INFO(e.name << " in " << sizeof(Real) * 8 << " bits");
  auto graph = test_graphs::graph_of(e);
  PageRankOptions options;
  options.tolerance = tolerance;
  options.iteration_limit = 500;
  const auto result = pagerank<Real>(graph, options);
  CHECK(result.converged);
  CHECK(result.residual <= tolerance);
  const std::vector<double> rank = verify::dense(result.ranks);
  // A sum of n numbers of size 1/n, each with a few roundings: the error is a few epsilons for each of log2 n
  // levels of the sum.
  const double rounding = 64 * static_cast<double>(std::numeric_limits<Real>::epsilon()) *
                          (1 + std::log2(static_cast<double>(rank.size())));
  double sum = 0;
  for (const double r : rank) sum += r;
  CHECK(std::abs(sum - 1) <= rounding * result.iterations);
  CHECK(result.ranks.nvals() == rank.size());
  // The step contracts by the damping in the 1-norm: a residual of eps leaves at most eps d/(1-d) to the
  // fixed point.
  CHECK(verify::distance(rank, verify::rank_step(e, rank, options.damping)) <= tolerance + rounding);
  CHECK(verify::distance(rank, verify::ranks(e, options.damping)) <=
        tolerance * 0.85 / 0.15 + rounding / 0.15);
}

std::string data(const char* file) { return place(CUGRB_TEST_DATA) + "/" + file; }

}  // namespace

TEST_CASE("BFS gives a right tree and right levels on small graphs of every kind") {
  for (const Example& e : test_graphs::small_examples()) {
    check_bfs(e, 0);
    if (e.next.size() > 2) check_bfs(e, e.next.size() / 2);
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("BFS refuses what is not a vertex") {
  auto graph = test_graphs::graph_of({"two", Direction::directed, {{1}, {}}});
  CHECK_THROWS_AS(bfs(graph, 2), Error);
  CHECK_THROWS_AS(Graph<bool>(Matrix<bool>(2, 3), Direction::directed), Error);
}

TEST_CASE("PageRank is the fixed point, sums to one, and spreads the rank of sinks") {
  for (const Example& e : test_graphs::small_examples()) {
    check_pagerank<double>(e, 1e-9);
    check_pagerank<float>(e, 1e-4);
  }
}

TEST_CASE("PageRank stops at the iteration limit and says so") {
  auto graph = test_graphs::graph_of(test_graphs::small_examples().back());
  const auto result = pagerank<double>(graph, {0.85, 1e-12, 3});
  CHECK(result.iterations == 3);
  CHECK_FALSE(result.converged);
  CHECK(result.residual > 1e-12);
  const auto fixed = pagerank<double>(graph, {0.85, 0, 7});
  CHECK(fixed.iterations == 7);
  CHECK_THROWS_AS(pagerank<double>(graph, {1.5, 1e-4, 100}), Error);
  CHECK_THROWS_AS(pagerank<double>(graph, {0.85, -1, 100}), Error);
  CHECK_THROWS_AS(pagerank<double>(graph, {0.85, 1e-4, 0}), Error);
}

TEST_CASE("an empty graph has no ranks") {
  Graph<bool> graph(Matrix<bool>(0, 0), Direction::directed);
  CHECK(pagerank<float>(graph).ranks.size() == 0);
}

TEST_CASE("both algorithms are right on the package graph of Debian", "[real]") {
  const auto csr = graph_files::read_matrix_market(data("debian12.mtx.xz"));
  const Example e = test_graphs::from_csr("debian12", csr);
  check_pagerank<float>(e, 1e-4);
  check_bfs(e, 0);
  check_bfs(e, e.next.size() - 1);
}

TEST_CASE("both algorithms are right on real graphs of many kinds", "[real]") {
  for (const char* name : {"wiki-Vote", "ca-HepPh", "luxembourg_osm", "delaunay_n16", "email-Enron"}) {
    const std::string path = std::string(CUGRB_GRAPH_COLLECTION) + "/" + name + ".mtx.xz";
    if (!std::filesystem::exists(path)) {
      WARN(path << " is not here: skipped");
      continue;
    }
    const Example e = test_graphs::from_csr(name, graph_files::read_matrix_market(path));
    check_pagerank<double>(e, 1e-6);
    check_bfs(e, e.next.size() / 3);
  }
}
