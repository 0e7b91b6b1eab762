// Algorithms on graphs in parts beside those of one process, which have verifiers of their own.
#include <cmath>
#include <functional>
#include <limits>

#include "algorithms/distributed/bfs.hpp"
#include "algorithms/distributed/connected_components.hpp"
#include "algorithms/distributed/hits.hpp"
#include "algorithms/distributed/pagerank.hpp"
#include "algorithms/distributed/random_walk_with_restart.hpp"
#include "algorithms/distributed/shortest_paths.hpp"
#include "algorithms/distributed/triangle_count.hpp"
#include "tests/algorithms/verify.h"
#include "tests/catch.h"
#include "tests/distributed/ranks.h"
#include "tools/graph_files/random_weight.h"

using namespace cugrb;
using distributed_tests::ranks;
using distributed_tests::SharedFile;
using distributed_tests::whole;

namespace {

/// A graph in parts and whole.
struct Both {
  explicit Both(const std::string& name, bool is_directed = false)
      : directed(is_directed),
        csr(graph_files::load_graph(
            name, directed ? graph_files::EdgeDirection::directed : graph_files::EdgeDirection::undirected)),
        example(test_graphs::from_csr(name, csr)),
        graph(test_graphs::graph_of(example)) {
    tools::LoadOptions options;
    options.directed = directed;
    options.leaving = options.weights = true;
    options.random_weights = 20;
    parts = tools::load_parts(ranks(), name, options);
  }
  const DistributedGraph<bool>& in_parts() const { return *parts.graph; }
  const Deal& deal() const { return in_parts().exchange().deal(); }
  /// With the weights of the parts.
  Graph<double> weighted() const {
    std::vector<Index> rows, columns;
    std::vector<double> values;
    for (Index i = 0; i < csr.nrows; ++i) {
      for (Index p = csr.offsets[i]; p < csr.offsets[i + 1]; ++p) {
        rows.push_back(i);
        columns.push_back(csr.columns[p]);
        values.push_back(graph_files::random_weight(i, csr.columns[p], 20));
      }
    }
    Matrix<double> a(csr.nrows, csr.nrows);
    a.build(rows.data(), columns.data(), values.data(), rows.size(), op::plus<double>);
    return Graph<double>(std::move(a), csr.symmetric ? Direction::undirected : Direction::directed);
  }

  bool directed;
  graph_files::Csr csr;
  test_graphs::Example example;
  Graph<bool> graph;
  tools::LoadedParts parts;
};

/// Graphs with the shapes that break algorithms; fewer vertices than ranks, and more.
void for_each_graph(const std::function<void(Both&)>& check) {
  for (const char* name : {"rmat:8:6:3", "rmat:8:4:4:directed", "uniform:300:2:5:directed", "uniform:200:1",
                           "rmat:0:3", "uniform:2:1"}) {
    Both both(name);
    INFO(name);
    check(both);
  }
  std::string path, star;
  for (int i = 0; i < 60; ++i)
    path += std::to_string(i * 37 % 61) + " " + std::to_string((i + 1) * 37 % 61) + "\n";
  for (int i = 1; i < 50; ++i) star += "0 " + std::to_string(i) + "\n";
  for (const std::string& text : {path, star}) {
    const SharedFile file(".el", text);
    for (const bool directed : {false, true}) {
      Both both(file.path(), directed);
      INFO((text == path ? "path" : "star") << (directed ? ", directed" : ""));
      check(both);
    }
  }
}

/// -1 where there is no entry.
template <class T>
std::vector<double> all_of(const Vector<T>& vector) {
  std::vector<double> values(vector.size(), -1);
  const auto entries = vector.entries();
  for (size_t k = 0; k < entries.indices.size(); ++k)
    values[entries.indices[k]] = static_cast<double>(entries.values[k]);
  return values;
}

/// Sums of n numbers in another order: a few roundings for each of log2 n levels, in some iterations.
template <class Real>
void check_close(const std::vector<double>& found, const Vector<Real>& expected) {
  const std::vector<double> values = verify::dense(expected);
  REQUIRE(found.size() == values.size());
  const double bound = 256 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (size_t k = 0; k < found.size(); ++k) {
    INFO("vertex " << k);
    CHECK(std::abs(found[k] - values[k]) <=
          bound * std::max(values[k], 1.0 / static_cast<double>(found.size())));
  }
}

template <class Real>
void check_scores() {
  for_each_graph([](Both& both) {
    const PageRankOptions options{0.85, 0, 12};
    check_close(whole(pagerank<Real>(both.in_parts(), options).ranks, both.deal(), 0),
                pagerank<Real>(both.graph, options).ranks);
    const HitsOptions hits_options{0, 8};
    const auto found = hits<Real>(both.in_parts(), hits_options),
               expected = hits<Real>(both.graph, hits_options);
    check_close(whole(found.authorities, both.deal(), 0), expected.authorities);
    check_close(whole(found.hubs, both.deal(), 0), expected.hubs);
    CHECK(found.iterations == expected.iterations);
    const Index query = both.csr.nrows / 2;
    const RandomWalkOptions walk_options{0.9, 0, 10};
    check_close(whole(random_walk_with_restart<Real>(both.in_parts(), query, walk_options).relevances,
                      both.deal(), 0),
                random_walk_with_restart<Real>(both.graph, query, walk_options).relevances);
  });
}

}  // namespace

TEST_CASE("scores of parts are those of the whole graph") {
  SECTION("in 64 bits") { check_scores<double>(); }
  SECTION("in 32 bits") { check_scores<float>(); }
}

TEST_CASE("PageRank ends where one process does, and its ranks have the sum 1") {
  Both both("rmat:9:6:8");
  const PageRankOptions options{0.85, 1e-10, 500};
  const auto found = pagerank<double>(both.in_parts(), options);
  CHECK(found.converged);
  CHECK(std::abs(found.iterations - pagerank<double>(both.graph, options).iterations) <= 1);
  double sum = 0;
  for (const double rank : whole(found.ranks, both.deal())) sum += rank;
  CHECK(sum == Approx(1).epsilon(1e-12));
}

TEST_CASE("BFS of parts finds the levels, and parents that are right") {
  for_each_graph([](Both& both) {
    for (const Index source : {Index{0}, both.csr.nrows - 1, both.csr.nrows / 3}) {
      INFO("from " << source);
      const std::vector<int64_t> expected = verify::levels(both.example, source);
      const auto found = bfs<int64_t>(both.in_parts(), source, BfsOutput::both);
      const std::vector<double> levels = whole(found.levels, both.deal());
      CHECK(std::vector<int64_t>(levels.begin(), levels.end()) == expected);
      Vector<int64_t> parents(both.csr.nrows);
      const std::vector<double> of_all = whole(found.parents, both.deal());
      for (Index v = 0; v < of_all.size(); ++v) {
        if (of_all[v] >= 0) parents.set(v, static_cast<int64_t>(of_all[v]));
      }
      CHECK(verify::wrong_parents(both.example, source, parents) == "");
      const auto one = bfs<int64_t>(both.graph, source, BfsOutput::levels);
      CHECK((found.visited == one.visited && found.depth == one.depth));
      CHECK(whole(bfs<int32_t>(both.in_parts(), source, BfsOutput::levels).levels, both.deal()) == levels);
    }
  });
}

TEST_CASE("components of parts are those of the whole graph") {
  for_each_graph([](Both& both) {
    const auto found = connected_components(both.in_parts());
    const auto expected = connected_components(both.graph);
    CHECK(whole(found.components, both.deal()) == all_of(expected.components));
    CHECK(found.count == expected.count);
  });
}

TEST_CASE("a path's components take a number of rounds that grows as its logarithm") {
  std::string text;
  for (int i = 0; i < 600; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  const SharedFile file(".el", text);
  Both both(file.path());
  const auto found = connected_components(both.in_parts());
  CHECK(found.count == 1);
  CHECK(found.iterations <= 14);
}

TEST_CASE("distances of parts have the same bits as in one process") {
  for_each_graph([](Both& both) {
    Graph<double> weighted = both.weighted();
    for (const double delta : {0.0, 1.0, 1e9}) {
      ShortestPathsOptions options;
      options.delta = delta;
      const Index source = both.csr.nrows / 2;
      INFO("delta " << delta);
      const auto found = shortest_paths<double>(*both.parts.weighted, source, options);
      const auto expected = shortest_paths<double>(weighted, source, options);
      CHECK(whole(found.distances, both.deal()) == all_of(expected.distances));
      CHECK(found.delta == expected.delta);
      CHECK((found.steps == expected.steps && found.buckets == expected.buckets));
    }
    const auto hops = shortest_paths<float>(both.in_parts(), 0);
    CHECK(whole(hops.distances, both.deal()) == all_of(shortest_paths<float>(both.graph, 0).distances));
  });
}

TEST_CASE("frontiers of thousands of vertices go another way than short ones, to the same result") {
  Both both("rmat:14:8:2");
  Graph<double> weighted = both.weighted();
  const Index source = both.parts.graph->size() / 3;
  CHECK(whole(bfs<int64_t>(both.in_parts(), source, BfsOutput::levels).levels, both.deal()) ==
        all_of(bfs<int64_t>(both.graph, source, BfsOutput::levels).levels));
  CHECK(whole(connected_components(both.in_parts()).components, both.deal()) ==
        all_of(connected_components(both.graph).components));
  CHECK(whole(shortest_paths<double>(*both.parts.weighted, source).distances, both.deal()) ==
        all_of(shortest_paths<double>(weighted, source).distances));
}

TEST_CASE("triangles of parts are those of the whole graph") {
  for (const char* name : {"rmat:8:8:5", "uniform:60:12:2", "uniform:4:6", "rmat:0:2", "uniform:1000:2"}) {
    INFO(name);
    Both both(name);
    CHECK(triangle_count(both.in_parts()).triangles == triangle_count(both.graph).triangles);
  }
  std::string complete;
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j <= i; ++j) complete += std::to_string(i) + " " + std::to_string(j) + "\n";
  }
  const SharedFile file(".el", complete);  // with loops
  Both both(file.path());
  CHECK(triangle_count(both.in_parts()).triangles == 40 * 39 * 38 / 6);
}

TEST_CASE("wrong arguments are errors on every rank") {
  Both both("uniform:20:3:1:directed");
  CHECK_THROWS_AS(pagerank<float>(both.in_parts(), {1.5, 0, 3}), Error);
  CHECK_THROWS_AS(hits<float>(both.in_parts(), {-1, 3}), Error);
  CHECK_THROWS_AS(random_walk_with_restart<float>(both.in_parts(), 20), Error);
  CHECK_THROWS_AS(bfs(both.in_parts(), 20), Error);
  CHECK_THROWS_AS(shortest_paths<double>(*both.parts.weighted, 20), Error);
  CHECK_THROWS_AS(shortest_paths<double>(*both.parts.weighted, 0, {-1, false}), Error);
  CHECK_THROWS_AS(triangle_count(both.in_parts()), Error);
  const auto arriving_alone = tools::load_parts(ranks(), "uniform:20:3:1:directed", {});
  CHECK_THROWS_AS(hits<float>(*arriving_alone.graph), Error);
  CHECK_THROWS_AS(connected_components(*arriving_alone.graph), Error);
}
