// bench_mxm_entries GRAPH... [--json FILE]: entries of A*A, A*A' and C<A> as they are estimated from counted
// rows, beside the true numbers. On any device: the estimate does not depend on it.
#include <atomic>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "src/operations/matrix_operations.h"
#include "tools/graph_files/device_pattern.h"
#include "tools/graph_files/generate.h"

using namespace cugrb;

namespace {

struct Pattern {
  uint64_t rows, columns;
  std::vector<uint64_t> offsets, entries;
};

Pattern pattern_of(const graph_files::Csr& graph) {
  const uint64_t *offsets = graph.offsets.data(), *columns = graph.columns.data();
  return {
      graph.nrows, graph.ncols, {offsets, offsets + graph.nrows + 1}, {columns, columns + graph.entries()}};
}

Pattern transposed(const Pattern& a) {
  Pattern t{a.columns, a.rows, std::vector<uint64_t>(a.columns + 1, 0),
            std::vector<uint64_t>(a.entries.size())};
  for (const uint64_t c : a.entries) ++t.offsets[c + 1];
  for (uint64_t c = 0; c < a.columns; ++c) t.offsets[c + 1] += t.offsets[c];
  std::vector<uint64_t> places(t.offsets);
  for (uint64_t r = 0; r < a.rows; ++r) {
    for (uint64_t p = a.offsets[r]; p < a.offsets[r + 1]; ++p) t.entries[places[a.entries[p]]++] = r;
  }
  return t;
}

formats::DeviceMatrix on_device(const Pattern& pattern) {
  formats::DeviceMatrix matrix;
  matrix.type = Type::of(TypeCode::Bool);
  matrix.rows = pattern.rows;
  matrix.columns = pattern.columns;
  matrix.stored = graph_files::pattern_on_device(pattern.rows, pattern.columns, pattern.offsets.data(),
                                                 pattern.entries.data());
  return matrix;
}

struct Counts {
  std::atomic<uint64_t> products = 0, entries = 0, kept = 0;
};

/// Of A*B, and those at positions that `mask` (may be null) has.
void count(const Pattern& a, const Pattern& b, const Pattern* mask, Counts& counts) {
  std::atomic<uint64_t> next = 0;
  const auto work = [&] {
    std::vector<uint64_t> seen(b.columns, ~uint64_t(0));
    for (uint64_t r = next++; r < a.rows; r = next++) {
      uint64_t products = 0, entries = 0, kept = 0;
      for (uint64_t p = a.offsets[r]; p < a.offsets[r + 1]; ++p) {
        const uint64_t k = a.entries[p];
        products += b.offsets[k + 1] - b.offsets[k];
        for (uint64_t q = b.offsets[k]; q < b.offsets[k + 1]; ++q) {
          entries += seen[b.entries[q]] != r;
          seen[b.entries[q]] = r;
        }
      }
      for (uint64_t p = mask == nullptr ? 0 : mask->offsets[r]; mask != nullptr && p < mask->offsets[r + 1];
           ++p)
        kept += seen[mask->entries[p]] == r;
      counts.products += products;
      counts.entries += entries;
      counts.kept += kept;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned n = 0; n < std::max(1u, std::thread::hardware_concurrency()); ++n) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

nlohmann::json compare(const std::string& graph, const char* what, const Pattern& a, const Pattern& b,
                       const Pattern* mask) {
  Counts counts;
  count(a, b, mask, counts);
  const formats::DeviceMatrix left = on_device(a), right = on_device(b);
  formats::DeviceMatrix allowed;
  if (mask != nullptr) allowed = on_device(*mask);
  const Semiring semiring = catalogue::semiring("ANY_PAIR_BOOL").value();
  const selector::MxmProblem p =
      operations::decide_mxm({mask == nullptr ? nullptr : &allowed, true, false}, {semiring, left, right},
                             selector::Hardware(), nullptr)
          .problem;
  const double truth = double(mask == nullptr ? counts.entries : counts.kept);
  const double ratio = truth > 0 ? p.entries.kept / truth : 1;
  std::printf(
      "%-40s %-8s %14.0f products %s %14.0f entries, estimated %6.3f, by the mean row %6.3f (%llu rows)\n",
      graph.c_str(), what, p.products, p.products == double(counts.products.load()) ? "(right)" : "(WRONG)",
      truth, ratio, selector::entries_by_means(p).all / double(counts.entries.load()),
      static_cast<unsigned long long>(p.entries.counted_rows));
  std::fflush(stdout);
  return {{"graph", graph},
          {"what", what},
          {"products", counts.products.load()},
          {"products_counted", p.products},
          {"entries", truth},
          {"estimated", p.entries.kept},
          {"by_mean_row", mask == nullptr ? selector::entries_by_means(p).all : 0},
          {"deviation", p.entries.deviation},
          {"counted_rows", p.entries.counted_rows},
          {"uncounted_share", p.entries.uncounted_share}};
}

void run(const std::vector<std::string>& graphs, const std::string& file) {
  nlohmann::json results = nlohmann::json::array();
  for (const std::string& graph : graphs) {
    const Pattern a = pattern_of(graph_files::load_graph(graph, graph_files::EdgeDirection::undirected));
    const std::string name = graph.substr(graph.rfind('/') + 1);
    const Pattern t = transposed(a);
    const bool symmetric = t.offsets == a.offsets && t.entries == a.entries, square = a.rows == a.columns;
    if (square) results.push_back(compare(name, "A*A", a, a, nullptr));
    if (square) results.push_back(compare(name, "A*A<A>", a, a, &a));
    if (!symmetric) results.push_back(compare(name, "A*A'", a, t, nullptr));
    if (square && !symmetric) results.push_back(compare(name, "A*A'<A>", a, t, &a));
    if (!file.empty()) std::ofstream(file) << results.dump(1) << "\n";
  }
  for (const bool masked : {false, true}) {
    size_t cases = 0, good = 0;
    for (const auto& r : results) {
      if ((r["what"].get<std::string>().find('<') != std::string::npos) != masked || r["entries"] == 0)
        continue;
      ++cases;
      good += std::abs(r["estimated"].get<double>() / r["entries"].get<double>() - 1) <= 0.15;
    }
    std::printf("%s: %zu of %zu within 15 %%\n", masked ? "masked" : "without a mask", good, cases);
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> graphs(arguments + 1, arguments + count);
  std::string file;
  if (graphs.size() >= 2 && graphs[graphs.size() - 2] == "--json") {
    file = graphs.back();
    graphs.resize(graphs.size() - 2);
  }
  try {
    run(graphs, file);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_mxm_entries: %s\n", failure.what());
    return 1;
  }
  return 0;
}
