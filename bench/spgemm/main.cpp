// bench_spgemm: what is measured, on which products; see README.md.
#include <cstdio>

#include "bench/common/graphs.h"
#include "bench/common/results.h"
#include "bench/spgemm/cases.h"
#include "tools/graph_files/generate.h"

using namespace cugrb;

namespace {

/// "NAME=COMMAND". Throws std::invalid_argument.
bench::Peer parse_peer(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw std::invalid_argument("--peer " + text + ": expected NAME=COMMAND");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// A case without its file's folder.
std::string record_name(const std::string& word) {
  const bench::Case which = bench::parse_case(word);
  return which.kind + ":" + bench::short_name(which.graph);
}

const bench::Benchmark benchmark = {"spgemm",     "cases",    "rmat:16:8", {"PLUS_TIMES_FP32"},
                                    bench::suite, record_name};

bench::Options parse(int count, char** arguments) {
  bench::Options options;
  options.repeat = 10;
  std::vector<std::string> peers;
  CLI::App app("Times of the matrix-matrix kernels: bench/spgemm/README.md", "bench_spgemm");
  app.add_option("case", options.names, "what is multiplied; a graph alone is a square")
      ->type_name("[KIND:]GRAPH");
  app.add_option("--peer", peers, "a program that multiplies a matrix file by itself (repeatable)")
      ->type_name("NAME=COMMAND");
  app.add_option("--suitesparse-products", options.suitesparse_products, "SuiteSparse is left out beyond")
      ->capture_default_str();
  bench::parse_options(app, count, arguments, benchmark, options);
  for (const std::string& text : peers) options.peers.push_back(parse_peer(text));
  return options;
}

void print(const nlohmann::json& row, double products) {
  if (!bench::print_start(row)) return;
  const double seconds = row["median_seconds"];
  std::printf("%10.4f ms", seconds * 1e3);
  if (products > 0) std::printf(" %8.1f GFLOP/s", 2 * products / seconds * 1e-9);
  if (row.contains("workspace_bytes"))
    std::printf("  workspace %9.3f MB", row["workspace_bytes"].get<double>() * 1e-6);
  if (row["kernel"] == "choice") std::printf("  (%s)", row.value("chosen", "").c_str());
  std::printf("%s\n", row.value("same_result", true) ? "" : "  RESULT DIFFERS");
  std::fflush(stdout);
}

void measure_product(const bench::Problem& problem, const Semiring& semiring, const bench::Options& options,
                     bench::Account& account, nlohmann::json& record) {
  bench::Product product(problem, semiring, account);
  account.charge("uploading");
  const auto append = [&](const nlohmann::json& rows) {
    for (const nlohmann::json& row : rows) {
      print(row, problem.masked ? 0 : problem.products);
      record["results"].push_back(row);
    }
  };
  append(bench::bench_kernels(product, options));
  if (!product.has_expected) return;
  record["result_entries"] = product.expected.entries;
  record["row_weights"] = bench::row_weights(product);
  if (options.cusparse && !options.deadline.over()) append(bench::bench_cusparse(product, options));
  if (options.suitesparse && !options.deadline.over()) append(bench::bench_suitesparse(product, options));
  if (!options.deadline.over()) append(bench::bench_peers(product, options));
}

void measure_problem(const bench::Problem& problem, const bench::Options& options, bench::Account& account,
                     nlohmann::json& record) {
  record.update({{"what", problem.what},
                 {"rows", problem.a->rows()},
                 {"inner", problem.a->columns()},
                 {"columns", problem.b->columns()},
                 {"left_entries", problem.a->entries()},
                 {"right_entries", problem.b->entries()},
                 {"products", problem.products}});
  std::printf("%s: %s, %lu x %lu, %lu entries, times %lu; %.0f products\n",
              record["name"].get<std::string>().c_str(), problem.what.c_str(),
              (unsigned long)problem.a->rows(), (unsigned long)problem.a->columns(),
              (unsigned long)problem.a->entries(), (unsigned long)problem.b->entries(), problem.products);
  account.charge("factors");
  for (const std::string& name : options.semirings) {
    if (options.deadline.over()) break;
    measure_product(problem, catalogue::semiring(name).value(), options, account, record);
  }
}

nlohmann::json measure_case(const bench::Case& which, const bench::Options& options) {
  bench::Account account;
  nlohmann::json record{{"name", record_name(which.name)},
                        {"kind", which.kind},
                        {"family", bench::family_of(which.graph)},
                        {"complete", false},
                        {"results", nlohmann::json::array()}};
  const bool triangles = which.kind == "triangles";
  graph_files::Csr graph = graph_files::load_graph(
      which.graph, triangles ? graph_files::EdgeDirection::undirected : graph_files::EdgeDirection::directed);
  account.charge("loading");
  if (triangles) {
    record.update({{"what", "sum of L*U'<L>"}, {"rows", graph.nrows}, {"left_entries", graph.entries()}});
    std::printf("%s: %lu vertices, %lu entries\n", record["name"].get<std::string>().c_str(),
                (unsigned long)graph.nrows, (unsigned long)graph.entries());
    record["results"] = bench::bench_triangles(graph, options);
    for (const nlohmann::json& row : record["results"]) print(row, 0);
  } else {
    measure_problem(bench::make_problem(which, std::move(graph)), options, account, record);
  }
  account.charge("other");
  record["account"] = account.seconds();
  record["complete"] = !options.deadline.over();
  return record;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const bench::Options options = parse(count, arguments);
    return bench::measure_all(benchmark, options, [&](const std::string& name, const nlohmann::json&) {
      return measure_case(bench::parse_case(name), options);
    });
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_spgemm: %s\n", failure.what());
    return 1;
  }
}
