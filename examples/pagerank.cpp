// PageRank of a star of 99 pages and a hub, whose rank is (1 + 99 d) / (100 (1 + d)) for the damping d.
// Run: g++ -std=c++17 -Iinclude -I. examples/pagerank.cpp -lgraphblas && cugrb exec ./a.out
#include "algorithms/pagerank.hpp"

#include <cstdio>

#include "cugrb/graphblas.hpp"

int main() {
  const cugrb::Context context;
  const cugrb::Index n = 100;
  const double d = 0.85;
  cugrb::Matrix<bool> links(n, n);
  for (cugrb::Index page = 1; page < n; ++page) {
    links.set(page, 0, true);
    links.set(0, page, true);
  }
  cugrb::Graph<bool> graph(std::move(links), cugrb::Direction::undirected);
  const auto result = cugrb::pagerank<double>(graph, {d, 1e-9, 500});
  std::printf("the hub has rank %.6f, in closed form %.6f\n", *result.ranks.get(0),
              (1 + (n - 1) * d) / (n * (1 + d)));
}
