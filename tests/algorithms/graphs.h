// Graphs for the tests of algorithms, as adjacency lists and as GraphBLAS matrices.
#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "algorithms/graph.hpp"
#include "tools/graph_files/generate.h"

namespace test_graphs {

struct Example {
  std::string name;
  cugrb::Direction direction;
  std::vector<std::vector<uint32_t>> next;  ///< next[i]: where the edges from i go, ascending
};

inline Example from_csr(const std::string& name, const cugrb::graph_files::Csr& csr) {
  Example e{name, csr.symmetric ? cugrb::Direction::undirected : cugrb::Direction::directed, {}};
  e.next.resize(csr.nrows);
  for (uint64_t i = 0; i < csr.nrows; ++i) {
    for (uint64_t p = csr.offsets[i]; p < csr.offsets[i + 1]; ++p)
      e.next[i].push_back(static_cast<uint32_t>(csr.columns[p]));
  }
  return e;
}

inline cugrb::Graph<bool> graph_of(const Example& e) {
  std::vector<cugrb::Index> rows, columns;
  for (size_t i = 0; i < e.next.size(); ++i) {
    for (const uint32_t j : e.next[i]) {
      rows.push_back(i);
      columns.push_back(j);
    }
  }
  const cugrb::Array<bool> values = [&] {
    cugrb::Array<bool> all(rows.size());
    std::fill(all.begin(), all.end(), true);
    return all;
  }();
  cugrb::Matrix<bool> a(e.next.size(), e.next.size());
  a.build(rows.data(), columns.data(), values.data(), rows.size(), cugrb::op::lor<bool>);
  return cugrb::Graph<bool>(std::move(a), e.direction);
}

/// Graphs with the shapes that break algorithms: nothing, one vertex, sinks, islands, loops, long and short
/// diameters.
inline std::vector<Example> small_examples() {
  using cugrb::Direction;
  std::vector<Example> all = {{"one vertex", Direction::directed, {{}}},
                              {"one loop", Direction::directed, {{0}}},
                              {"no edges", Direction::undirected, {{}, {}, {}}},
                              {"only sinks but one", Direction::directed, {{1, 2, 3}, {}, {}, {}}},
                              {"two islands", Direction::undirected, {{1}, {0}, {3}, {2}, {}}},
                              {"everything points at 0", Direction::directed, {{}, {0}, {0}, {0}, {0, 4}}}};
  Example path{"directed path", Direction::directed, std::vector<std::vector<uint32_t>>(40)};
  for (uint32_t i = 0; i + 1 < 40; ++i) path.next[i] = {i + 1};
  Example star{"star", Direction::undirected, std::vector<std::vector<uint32_t>>(1100)};
  for (uint32_t i = 1; i < 1100; ++i) {
    star.next[0].push_back(i);
    star.next[i] = {0};
  }
  all.push_back(path);
  all.push_back(star);
  using namespace cugrb::graph_files;
  all.push_back(from_csr("rmat undirected", generate_rmat({9, 8, 3, EdgeDirection::undirected})));
  all.push_back(from_csr("rmat directed", generate_rmat({9, 8, 4, EdgeDirection::directed})));
  all.push_back(from_csr("uniform directed", generate_uniform({700, 3, 5, EdgeDirection::directed})));
  all.push_back(from_csr("grid", generate_poisson2d(24, 17)));
  return all;
}

/// Both ways of every edge, loops too.
inline Example undirected(const Example& e) {
  Example both{e.name, cugrb::Direction::undirected, std::vector<std::vector<uint32_t>>(e.next.size())};
  for (uint32_t i = 0; i < e.next.size(); ++i) {
    for (const uint32_t j : e.next[i]) {
      both.next[i].push_back(j);
      both.next[j].push_back(i);
    }
  }
  for (auto& list : both.next) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return both;
}

/// n vertices, each with `degree` edges to random vertices among those of its part; loops are edges like
/// others. Vertex i is in part i mod `parts`.
inline Example random_graph(uint32_t n, uint32_t degree, uint32_t parts, uint32_t seed) {
  Example e{"random of " + std::to_string(n) + ", degree " + std::to_string(degree) + ", seed " +
                std::to_string(seed),
            cugrb::Direction::directed, std::vector<std::vector<uint32_t>>(n)};
  std::mt19937 random(seed);
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t k = 0; k < degree; ++k) {
      const uint32_t of_part = (n - i % parts + parts - 1) / parts;
      e.next[i].push_back(static_cast<uint32_t>(random() % of_part) * parts + i % parts);
    }
    std::sort(e.next[i].begin(), e.next[i].end());
    e.next[i].erase(std::unique(e.next[i].begin(), e.next[i].end()), e.next[i].end());
  }
  return e;
}

/// Each vertex of a path, a cycle, … linked with those that `next_of` names.
template <class NextOf>
Example shape(const std::string& name, uint32_t n, NextOf next_of) {
  Example e{name, cugrb::Direction::directed, std::vector<std::vector<uint32_t>>(n)};
  for (uint32_t i = 0; i < n; ++i) {
    for (const uint32_t j : std::vector<uint32_t>(next_of(i))) e.next[i].push_back(j);
  }
  return e;
}

/// 52 directed graphs of at most 200 vertices: special ones, then random ones from sparse to dense, of
/// one part and of several.
inline std::vector<Example> many_small_graphs() {
  using List = std::vector<uint32_t>;
  std::vector<Example> all;
  for (const Example& e : small_examples()) {
    if (e.next.size() <= 40) all.push_back(e);
  }
  all.push_back(shape("path, numbered from both ends", 33, [](uint32_t i) {
    const uint32_t n = 33, next = n - 1 - i + (i < n / 2 ? 0 : 1);
    return i == n / 2 ? List{} : List{next};
  }));
  all.push_back(shape("cycle", 17, [](uint32_t i) { return List{(i + 1) % 17}; }));
  all.push_back(shape("star of the highest", 20, [](uint32_t i) { return i < 19 ? List{19} : List{}; }));
  all.push_back(shape("complete, with loops", 8, [](uint32_t) { return List{0, 1, 2, 3, 4, 5, 6, 7}; }));
  all.push_back(shape("two cliques and a bridge", 12, [](uint32_t i) {
    List list;
    for (uint32_t j = i / 6 * 6; j < i / 6 * 6 + 6; ++j) {
      if (j != i) list.push_back(j);
    }
    if (i == 5) list.push_back(6);
    return list;
  }));
  all.push_back(shape("binary tree", 31, [](uint32_t i) {
    return i < 15 ? List{2 * i + 1, 2 * i + 2} : List{};
  }));
  using namespace cugrb::graph_files;
  all.push_back(from_csr("small grid", generate_poisson2d(9, 7)));
  all.push_back(from_csr("small rmat", generate_rmat({6, 4, 7, EdgeDirection::undirected})));
  all.push_back(from_csr("small directed rmat", generate_rmat({7, 3, 8, EdgeDirection::directed})));
  uint32_t seed = 100;
  for (const uint32_t n : {3u, 4u, 5u, 7u, 10u, 16u, 24u, 40u, 60u, 130u, 200u}) {
    for (const uint32_t degree : {1u, 2u, 5u, 12u}) {
      if (degree < n) all.push_back(random_graph(n, degree, degree == 1 ? 3 : degree == 2 ? 2 : 1, ++seed));
    }
  }
  return all;
}

}  // namespace test_graphs
