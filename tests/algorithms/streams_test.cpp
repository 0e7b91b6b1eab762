// PageRank and components of graphs that take edges, against the same from scratch.
#include "algorithms/incremental_components.hpp"
#include "algorithms/incremental_pagerank.hpp"
#include "tests/algorithms/graphs.h"
#include "tests/algorithms/verify.h"
#include "tests/catch.h"
#include "tests/device_took_part.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

/// The graph's edges in `count` batches, some of which may have none.
std::vector<Example> batches_of(const Example& e, unsigned count) {
  std::vector<Example> batches(count, e);
  for (Example& batch : batches) {
    for (auto& list : batch.next) list.clear();
  }
  unsigned number = 0;
  for (size_t i = 0; i < e.next.size(); ++i) {
    for (const uint32_t j : e.next[i]) {
      number = number * 1664525u + 1013904223u;
      batches[(number >> 16) % count].next[i].push_back(j);
    }
  }
  return batches;
}

Example joined(const Example& a, const Example& b) {
  Example both = a;
  for (size_t i = 0; i < b.next.size(); ++i) {
    both.next[i].insert(both.next[i].end(), b.next[i].begin(), b.next[i].end());
    std::sort(both.next[i].begin(), both.next[i].end());
  }
  return both;
}

std::vector<double> values_of(const Vector<double>& vector) {
  std::vector<double> values(vector.size(), 0);
  const auto entries = vector.entries();
  for (size_t k = 0; k < entries.indices.size(); ++k) values[entries.indices[k]] = entries.values[k];
  return values;
}

/// The lowest vertex that each one is joined with, by following edges both ways until nothing changes.
std::vector<uint64_t> lowest_joined(const Example& e) {
  std::vector<uint64_t> label(e.next.size());
  for (size_t i = 0; i < label.size(); ++i) label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < label.size(); ++i) {
      for (const uint32_t j : e.next[i]) {
        const uint64_t low = std::min(label[i], label[j]);
        changed = changed || label[i] != low || label[j] != low;
        label[i] = label[j] = low;
      }
    }
  }
  return label;
}

std::vector<uint64_t> labels_of(const IncrementalComponents& parts) {
  std::vector<uint64_t> labels;
  for (const uint64_t label : parts.labels().entries().values) labels.push_back(label);
  return labels;
}

}  // namespace

TEST_CASE("ranks after each batch of edges are those of the graph as it is then") {
  const PageRankOptions options{0.85, 1e-9, 200};
  for (const Example& e : test_graphs::many_small_graphs()) {
    INFO(e.name);
    IncrementalPageRank<double> pages(e.next.size(), options);
    Example sofar{e.name, e.direction, std::vector<std::vector<uint32_t>>(e.next.size())};
    for (const Example& batch : batches_of(e, 3)) {
      pages.add_edges(test_graphs::graph_of(batch).adjacency());
      sofar = joined(sofar, batch);
      const auto result = pages.update();
      CHECK(result.converged);
      const auto expected = verify::ranks(sofar, options.damping);
      CHECK(verify::distance(values_of(result.ranks), expected) < 1e-8);
      CHECK(verify::distance(values_of(pages.ranks()), expected) < 1e-8);
    }
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("a link that comes twice counts twice; few new edges take fewer rounds than all at first") {
  const Example e = test_graphs::random_graph(200, 12, 1, 77);
  Graph<bool> graph = test_graphs::graph_of(e);
  const PageRankOptions options{0.85, 1e-8, 200};
  IncrementalPageRank<double> pages(graph, options);
  const auto first = pages.update();
  CHECK(first.converged);
  CHECK(pages.update().iterations <= 1);
  Matrix<bool> again(200, 200);
  again.set(3, e.next[3][0], false);
  pages.add_edges(again);
  const auto second = pages.update();
  CHECK(second.iterations < first.iterations);
  Example twice = e;
  twice.next[3].push_back(e.next[3][0]);
  CHECK(verify::distance(values_of(second.ranks), verify::ranks(twice, options.damping)) < 1e-7);
  CHECK(pages.links().get(e.next[3][0], 3) == 2.0);
}

TEST_CASE("components after each batch of edges are those of the graph as it is then") {
  for (const Example& e : test_graphs::many_small_graphs()) {
    INFO(e.name);
    IncrementalComponents parts(e.next.size());
    Example sofar{e.name, e.direction, std::vector<std::vector<uint32_t>>(e.next.size())};
    for (const Example& batch : batches_of(e, 4)) {
      const Index before = parts.count();
      const Index fewer = parts.add_edges(test_graphs::graph_of(batch).adjacency());
      sofar = joined(sofar, batch);
      const auto expected = lowest_joined(sofar);
      CHECK(labels_of(parts) == expected);
      Index count = 0;
      for (size_t i = 0; i < expected.size(); ++i) count += expected[i] == i ? 1 : 0;
      CHECK(parts.count() == count);
      CHECK(fewer == before - count);
    }
    CHECK(parts.add_edges(test_graphs::graph_of(e).adjacency()) == 0);
    Graph<bool> whole = test_graphs::graph_of(e);
    CHECK(labels_of(IncrementalComponents(whole)) == lowest_joined(e));
  }
  CHECK(test::device_left_out(100) == "");
}

TEST_CASE("components of a graph go on with edges; other shapes and options are refused") {
  Example e = test_graphs::random_graph(60, 1, 6, 5);
  Graph<bool> graph = test_graphs::graph_of(e);
  IncrementalComponents parts(graph);
  Matrix<bool> bridges(60, 60);
  for (uint32_t i = 0; i + 1 < 6; ++i) {
    bridges.set(i, i + 1, true);
    e.next[i].push_back(i + 1);
  }
  parts.add_edges(bridges);
  CHECK(labels_of(parts) == lowest_joined(e));
  CHECK_THROWS_AS(parts.add_edges(Matrix<bool>(59, 60)), Error);
  IncrementalPageRank<float> pages(60);
  CHECK_THROWS_AS(pages.add_edges(Matrix<bool>(60, 59)), Error);
  CHECK_THROWS_AS(IncrementalPageRank<float>(3, PageRankOptions{1.5}), Error);
}
