// PageRank of a ring of processes: every rank makes its own part of a graph, and the edges lead from one to
// the next. The only link of each vertex goes to the next vertex, so all ranks are 1/n. Build with MPI, and
// start with
//     mpirun -n 2 cugrb exec ./processes
#include <cmath>
#include <cstdio>
#include <vector>

#include "algorithms/distributed/pagerank.hpp"

using namespace cugrb;

int main() {
  Distributed ranks;
  try {
    const Context context;
    const Index n = 1000;
    // Vertices are dealt by the entries of their blocks, here one each.
    const auto deal =
        std::make_shared<const Deal>(n, ranks.size(), std::vector<uint64_t>(Deal::blocks_of(n), 1));
    const auto exchange = std::make_shared<Exchange>(ranks, deal);

    // This rank's rows: the edge that arrives at vertex v comes from v - 1.
    Matrix<bool> arriving(exchange->size(), deal->positions());
    for (Index k = 0; k < exchange->size(); ++k) {
      const Index v = deal->vertex(ranks.rank(), k);
      arriving.set(k, deal->position((v + n - 1) % n), true);
    }
    const Vector<int64_t> degrees(exchange->size(), 1);
    const DistributedGraph<bool> ring(DistributedMatrix<bool>(exchange, std::move(arriving)), std::nullopt,
                                      degrees, false);
    const auto result = pagerank<double>(ring, {0.85, 1e-12, 100});

    double apart = 0;
    for (const double rank : result.ranks.entries().values) apart = std::fmax(apart, std::fabs(rank * n - 1));
    apart = ranks.all_reduce(apart, [](double a, double b) { return std::fmax(a, b); });
    if (ranks.rank() == 0)
      std::printf("%d iterations, n times a rank is %.6f\n", result.iterations, 1 + apart);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rank %d: %s\n", ranks.rank(), error.what());
    ranks.announce(error.what());
  }
  ranks.abort(1);
}
