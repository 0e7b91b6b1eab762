// bench_spmv: what is measured, on which matrices; see README.md.
#include <cstdio>

#include "bench/common/graphs.h"
#include "bench/common/results.h"
#include "bench/spmv/bench.h"
#include "bench/spmv/suites.h"
#include "tools/calibration/products.h"

using namespace cugrb;

namespace {

const bench::Benchmark benchmark = {
    "spmv",
    "matrices",
    "rmat:20:16",
    {"PLUS_TIMES_FP32", "PLUS_TIMES_FP64", "PLUS_SECOND_FP32", "MIN_PLUS_INT32", "LOR_LAND_BOOL"},
    bench::suite,
    bench::short_name};

bench::Options parse(int count, char** arguments) {
  bench::Options options;
  CLI::App app("Times of the matrix-vector kernels: bench/spmv/README.md", "bench_spmv");
  app.add_option("graph", options.names, "generated graphs and matrix files")->type_name("GRAPH");
  app.add_flag("--bfs", options.bfs, "a breadth-first search, too");
  bench::parse_options(app, count, arguments, benchmark, options);
  return options;
}

nlohmann::json describe(const std::string& graph, const bench::Workbench& work, double load_seconds) {
  const formats::DeviceMatrix matrix = work.pattern();
  bench::Stopwatch watch;
  const formats::LengthDistribution& rows = matrix.row_distribution(false);
  const double distribution_seconds = watch.seconds();
  const formats::LengthDistribution& columns = matrix.row_distribution(true);
  return {{"name", bench::short_name(graph)},
          {"family", bench::family_of(graph)},
          {"rows", matrix.rows},
          {"columns", matrix.columns},
          {"entries", matrix.nvals()},
          {"mean", rows.mean()},
          {"deviation", rows.deviation()},
          {"longest_row", rows.longest()},
          {"empty_rows", rows.empty_rows()},
          {"longest_column", columns.longest()},
          {"load_seconds", load_seconds},
          {"upload_seconds", work.upload_seconds()},
          {"distribution_seconds", distribution_seconds},
          {"stored_bytes", matrix.stored.bytes()},
          {"analytic", bench::analytic_estimates(rows)},
          {"complete", false},
          {"results", nlohmann::json::array()}};
}

void print(const nlohmann::json& row, double entries, double copy) {
  if (!bench::print_start(row)) return;
  const double seconds = row["median_seconds"];
  std::printf("%9.4f ms %8.1f GFLOP/s", seconds * 1e3, 2 * entries / seconds * 1e-9);
  if (row.contains("csr_bytes")) {
    std::printf("  %5.1f %% of copy", 100 * row["csr_bytes"].get<double>() / seconds / copy);
  }
  if (row.value("predicted_seconds", 0.0) > 0) {
    std::printf("  predicted %9.4f ms", row["predicted_seconds"].get<double>() * 1e3);
  }
  if (row.contains("conversion_seconds")) {
    std::printf("  conversion %9.4f ms", row["conversion_seconds"].get<double>() * 1e3);
  }
  if (row["kernel"] == "choice") std::printf("  (%s)", row.value("chosen", "").c_str());
  std::printf("%s\n", row.value("same_result", true) ? "" : "  RESULT DIFFERS");
  std::fflush(stdout);
}

/// All candidates of one product.
void measure_product(const bench::Workbench& work, const Semiring& semiring, const bench::Options& options,
                     double copy, bench::Account& account, nlohmann::json& record) {
  const formats::DeviceMatrix matrix = work.matrix(semiring);
  const formats::DeviceVector u =
      bench::values_on_device(semiring.multiply.y, matrix.columns, bench::element_value);
  account.charge("values");
  bench::Product product{work, semiring, matrix, u, account};
  const selector::MxvProblem problem = bench::describe_product(product);
  record["problems"][semiring.name] = calibration::describe_problem(problem);
  // The first semiring that reads the vector has the columns counted.
  if (!record.contains("profile") || problem.popularity != nullptr)
    record["profile"] = calibration::describe_matrix(problem);
  account.charge("describing");
  nlohmann::json rows = bench::bench_kernels(product, options);
  const auto append = [&rows](const nlohmann::json& more) {
    for (const nlohmann::json& row : more) rows.push_back(row);
  };
  if (product.expected.length > 0) {
    if (options.kernels_forced && !options.deadline.over()) append(bench::bench_thresholds(product, options));
    if (options.cusparse && !options.deadline.over()) append(bench::bench_cusparse(product, options));
    if (options.suitesparse && !options.deadline.over()) append(bench::bench_suitesparse(product, options));
  }
  for (nlohmann::json& row : rows) {
    if (row.contains("median_seconds")) row["csr_bytes"] = bench::csr_bytes(product);
    print(row, double(matrix.nvals()), copy);
    record["results"].push_back(row);
  }
}

nlohmann::json measure_matrix(const std::string& graph, const bench::Options& options, double copy) {
  bench::Account account;
  const bench::Stopwatch watch;
  graph_files::Csr host = graph_files::load_graph(graph, graph_files::EdgeDirection::directed);
  const double load_seconds = watch.seconds();
  account.charge("loading");
  const bench::Workbench work(std::move(host));
  nlohmann::json record = describe(graph, work, load_seconds);
  account.charge("uploading");
  std::printf("%s: %lu x %lu, %lu entries, longest row %lu; loaded in %.2f s, uploaded in %.2f s\n",
              graph.c_str(), (unsigned long)work.host().nrows, (unsigned long)work.host().ncols,
              (unsigned long)work.host().entries(), record["longest_row"].get<unsigned long>(), load_seconds,
              work.upload_seconds());
  for (const std::string& name : options.semirings) {
    if (options.deadline.over()) break;
    measure_product(work, catalogue::semiring(name).value(), options, copy, account, record);
  }
  if (options.bfs && work.host().nrows == work.host().ncols && !options.deadline.over())
    record["bfs"] = bench::bench_breadth_first(work, options.repeat);
  account.charge("other");
  record["account"] = account.seconds();
  record["complete"] = !options.deadline.over();
  return record;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const bench::Options options = parse(count, arguments);
    return bench::measure_all(benchmark, options,
                              [&](const std::string& graph, const nlohmann::json& result) {
                                return measure_matrix(graph, options, result["copy_bytes_per_second"]);
                              });
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_spmv: %s\n", failure.what());
    return 1;
  }
}
