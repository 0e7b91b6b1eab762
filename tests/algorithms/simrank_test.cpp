// SimRank against its definition, pair by pair. The program's GraphBLAS context is in algorithms_test.cpp.
#include "algorithms/simrank.hpp"

#include <algorithm>
#include <limits>

#include "tests/algorithms/graphs.h"
#include "tests/catch.h"

using namespace cugrb;
using test_graphs::Example;

namespace {

using Table = std::vector<std::vector<double>>;

std::vector<std::vector<uint32_t>> sources_of(const Example& e) {
  std::vector<std::vector<uint32_t>> before(e.next.size());
  for (uint32_t i = 0; i < e.next.size(); ++i) {
    for (const uint32_t j : e.next[i]) before[j].push_back(i);
  }
  return before;
}

/// One iteration, pair by pair: the mean over the pairs of vertices that point at it; on the diagonal 1, or
/// 1 - c added to it.
Table step(const Example& e, const Table& s, double decay, double threshold, SimRankDiagonal diagonal) {
  const auto before = sources_of(e);
  const size_t n = e.next.size();
  Table next(n, std::vector<double>(n, 0));
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (const uint32_t a : before[i]) {
        for (const uint32_t b : before[j]) sum += s[a][b];
      }
      const double pairs = static_cast<double>(before[i].size() * before[j].size());
      next[i][j] = pairs > 0 ? decay * sum / pairs : 0;
      if (next[i][j] < threshold) next[i][j] = 0;
      if (i == j) next[i][j] = diagonal == SimRankDiagonal::one ? 1 : next[i][j] + 1 - decay;
    }
  }
  return next;
}

Table reference(const Example& e, double decay, double threshold, int iterations,
                SimRankDiagonal diagonal = SimRankDiagonal::one) {
  const size_t n = e.next.size();
  Table s(n, std::vector<double>(n, 0));
  for (size_t i = 0; i < n; ++i) s[i][i] = 1;
  for (int k = 0; k < iterations; ++k) s = step(e, s, decay, threshold, diagonal);
  return s;
}

template <class Real>
Table dense(const Matrix<Real>& matrix) {
  Table table(matrix.nrows(), std::vector<double>(matrix.ncols(), 0));
  const auto entries = matrix.entries();
  for (size_t k = 0; k < entries.values.size(); ++k) {
    table[entries.rows[k]][entries.columns[k]] = static_cast<double>(entries.values[k]);
  }
  return table;
}

double largest_difference(const Table& a, const Table& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a.size(); ++j) largest = std::max(largest, std::abs(a[i][j] - b[i][j]));
  }
  return largest;
}

/// Small enough for n² pairs of neighbours of neighbours.
std::vector<Example> examples() {
  std::vector<Example> all;
  for (const Example& e : test_graphs::small_examples()) {
    if (e.next.size() <= 50) all.push_back(e);
  }
  using namespace cugrb::graph_files;
  all.push_back(test_graphs::from_csr("rmat", generate_rmat({6, 4, 3, EdgeDirection::directed})));
  all.push_back(
      test_graphs::from_csr("rmat undirected", generate_rmat({6, 4, 3, EdgeDirection::undirected})));
  return all;
}

}  // namespace

TEST_CASE("SimRank follows its definition step by step") {
  for (const Example& e : examples()) {
    INFO(e.name);
    auto graph = test_graphs::graph_of(e);
    for (const SimRankDiagonal diagonal : {SimRankDiagonal::one, SimRankDiagonal::added}) {
      for (const int iterations : {1, 2, 5}) {
        const auto result = simrank<double>(graph, {0.8, 0, 0, iterations, diagonal});
        CHECK(result.iterations == iterations);
        CHECK_FALSE(result.converged);
        // A sum of at most n² products of numbers up to 1, with weights that add up to 1.
        const double rounding =
            double(e.next.size() + 8) * std::numeric_limits<double>::epsilon() * iterations;
        CHECK(largest_difference(dense(result.similarities), reference(e, 0.8, 0, iterations, diagonal)) <=
              rounding);
      }
    }
  }
}

TEST_CASE("dropping small similarities costs at most threshold/(1 - c)") {
  for (const Example& e : examples()) {
    INFO(e.name);
    auto graph = test_graphs::graph_of(e);
    const double threshold = 0.02, decay = 0.6;
    const auto result = simrank<double>(graph, {decay, threshold, 1e-9, 100});
    CHECK(result.converged);
    const Table found = dense(result.similarities), exact = reference(e, decay, 0, 60);
    for (size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i][i] == 1);
      for (size_t j = 0; j < found.size(); ++j) {
        CHECK((found[i][j] == 0 || found[i][j] >= threshold));
        CHECK(found[i][j] <= exact[i][j] + 1e-9);
        CHECK(found[i][j] >= exact[i][j] - threshold / (1 - decay) - 1e-9);
      }
    }
  }
}

TEST_CASE("SimRank worked out by hand") {
  // Jeh and Widom's example, their Figure 1: univ(0) → profA(1), profB(2); profA → studentA(3); profB →
  // studentB(4); studentA → univ; studentB → profB. With c = 0.8 and p = s(profA, profB): s(3,4) = c p,
  // s(0,2) = c/2 c p, s(1,4) = c s(0,2), s(3,2) = c/2 s(1,4), s(0,4) = c s(3,2), and p = c/2 (1 + s(0,4)): p
  // = 0.414.
  auto graph = test_graphs::graph_of({"university", Direction::directed, {{1, 2}, {3}, {4}, {0}, {2}}});
  const auto result = simrank<double>(graph, {0.8, 0, 1e-9, 200});
  CHECK(result.converged);
  CHECK(result.residual <= 1e-9);
  const Table s = dense(result.similarities);
  const auto near = [](double x, double y) { return std::abs(x - y) <= 0.0006; };
  CHECK(near(s[1][2], 0.414));
  CHECK(near(s[3][4], 0.331));
  CHECK(near(s[0][2], 0.132));
  CHECK(near(s[1][4], 0.106));
  CHECK(near(s[3][2], 0.042));
  CHECK(near(s[0][4], 0.034));
  CHECK(s[1][2] == s[2][1]);
}

TEST_CASE("a matrix that is added leaves less than 1 on the diagonal") {
  // 0 points at 1 and 2, nothing at 0. With c = 0.8 S_1 has c + (1 - c) = 1 at (1,1) and (2,2), c at (1,2),
  // and 1 - c = 0.2 at (0,0); from then on 0.8 * 0.2 = 0.16 at (1,2) and 0.16 + 0.2 at (1,1). By the
  // definition s(1,2) is c.
  auto graph = test_graphs::graph_of({"fork", Direction::directed, {{1, 2}, {}, {}}});
  const auto close = [](double x, double y) { return std::abs(x - y) <= 1e-15; };
  const auto first = dense(simrank<double>(graph, {0.8, 0, 0, 1, SimRankDiagonal::added}).similarities);
  CHECK(close(first[0][0], 0.2));
  CHECK(close(first[1][1], 1));
  CHECK(close(first[1][2], 0.8));
  const auto result = simrank<double>(graph, {0.8, 0, 1e-9, 9, SimRankDiagonal::added});
  CHECK(result.converged);
  CHECK(result.iterations == 3);
  const Table last = dense(result.similarities);
  CHECK(close(last[0][0], 0.2));
  CHECK(close(last[1][1], 0.36));
  CHECK(close(last[2][2], 0.36));
  CHECK(close(last[1][2], 0.16));
  CHECK(last[0][1] == 0);
  CHECK(close(dense(simrank<double>(graph).similarities)[1][2], 0.8));
  // Parts below the threshold are dropped before the addition: what is left is (1 - c) I.
  const Table dropped =
      dense(simrank<double>(graph, {0.8, 0.17, 1e-9, 9, SimRankDiagonal::added}).similarities);
  CHECK(close(dropped[1][1], 0.2));
  CHECK(dropped[1][2] == 0);
}

TEST_CASE("SimRank in single precision, without edges, and with wrong options") {
  auto graph = test_graphs::graph_of(examples().back());
  const auto single = simrank<float>(graph, {0.8, 1e-3, 1e-3, 50});
  CHECK(single.converged);
  const auto exact = simrank<double>(graph, {0.8, 1e-3, 1e-3, 50});
  CHECK(largest_difference(dense(single.similarities), dense(exact.similarities)) <= 2e-3);
  auto unlinked = test_graphs::graph_of({"no edges", Direction::directed, {{}, {}}});
  const auto result = simrank<float>(unlinked);
  CHECK(result.converged);
  CHECK(result.iterations == 1);
  CHECK(dense(result.similarities) == Table{{1, 0}, {0, 1}});
  CHECK_THROWS_AS(simrank<float>(graph, {1, 0, 1e-3, 5}), Error);
  CHECK_THROWS_AS(simrank<float>(graph, {0.8, -1, 1e-3, 5}), Error);
  CHECK_THROWS_AS(simrank<float>(graph, {0.8, 0, -1, 5}), Error);
  CHECK_THROWS_AS(simrank<float>(graph, {0.8, 0, 1e-3, 0}), Error);
}
