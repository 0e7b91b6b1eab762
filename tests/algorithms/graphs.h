// Graphs for the tests of algorithms, as adjacency lists and as GraphBLAS matrices.
#pragma once
#include <cstdint>
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

}  // namespace test_graphs
