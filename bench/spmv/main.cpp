// bench_spmv: what is measured, on which matrices; see README.md.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "bench/spmv/bench.h"
#include "bench/spmv/suites.h"
#include "tools/calibration/products.h"

using namespace cugrb;

namespace {

constexpr const char* help =
    "bench_spmv [GRAPH]... [--set NAME]... [--data FOLDER] [--semiring NAME]... [--kernel NAME]... [--repeat "
    "N] [--limit "
    "SECONDS]\n"
    "           [--budget SECONDS] [--choice] [--no-choice] [--suitesparse] [--no-cusparse] [--bfs] "
    "[--commit TEXT] "
    "[--json FILE]\n"
    "bench/spmv/README.md says what each means.\n";

using Arguments = std::vector<std::string>;

bench::Options parse(const Arguments& words) {
  bench::Options options;
  for (size_t n = 0; n < words.size(); ++n) {
    const std::string& word = words[n];
    const auto value = [&]() -> const std::string& {
      if (n + 1 == words.size()) throw std::invalid_argument(word + " needs a value");
      return words[++n];
    };
    const auto add = [&options](const std::vector<std::string>& graphs) {
      options.graphs.insert(options.graphs.end(), graphs.begin(), graphs.end());
    };
    if (word == "--set") {
      add(bench::suite(value()));
    } else if (word == "--data") {
      add(bench::files_of(value()));
    } else if (word == "--semiring") {
      options.semirings.push_back(value());
    } else if (word == "--kernel") {
      options.kernels.push_back(value());
    } else if (word == "--repeat") {
      options.repeat = std::max(1, std::atoi(value().c_str()));
    } else if (word == "--limit") {
      options.limit_seconds = std::atof(value().c_str());
    } else if (word == "--budget") {
      options.deadline = bench::Deadline(std::atof(value().c_str()));
    } else if (word == "--json") {
      options.json = value();
    } else if (word == "--commit") {
      options.commit = value();
    } else if (word == "--choice") {
      options.kernels_forced = false;
    } else if (word == "--no-choice") {
      options.choice = false;
    } else if (word == "--suitesparse") {
      options.suitesparse = true;
    } else if (word == "--no-cusparse") {
      options.cusparse = false;
    } else if (word == "--bfs") {
      options.bfs = true;
    } else if (word == "--help") {
      std::fputs(help, stdout);
      std::exit(0);
    } else if (!word.empty() && word[0] != '-') {
      options.graphs.push_back(word);
    } else {
      throw std::invalid_argument("unknown option " + word + "\n" + help);
    }
  }
  if (options.graphs.empty()) options.graphs = {"rmat:20:16"};
  if (options.semirings.empty()) {
    options.semirings = {"PLUS_TIMES_FP32", "PLUS_TIMES_FP64", "PLUS_SECOND_FP32", "MIN_PLUS_INT32",
                         "LOR_LAND_BOOL"};
  }
  for (const std::string& name : options.semirings) {
    if (!catalogue::semiring(name))
      throw std::invalid_argument("--semiring " + name + ": not a built-in semiring");
  }
  return options;
}

/// Read + write of 1 GiB each (16 MiB on the emulated device).
double copy_bandwidth(const runtime::Properties& properties) {
  const size_t bytes = size_t(1) << (properties.kind == runtime::Kind::cuda ? 30 : 24);
  const runtime::Buffer from = runtime::Buffer::zeroed(bytes), to(bytes);
  const auto copy = [&] { runtime::device().copy_on_device(to.data(), from.data(), bytes); };
  return 2 * double(bytes) / bench::measure(20, 1, copy, bench::device_elapsed).median;
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

nlohmann::json describe_run(const bench::Options& options) {
  const runtime::Properties& properties = runtime::device().properties();
  return {{"benchmark", "spmv"},
          {"device", properties.name},
          {"driver", properties.driver_version},
          {"commit", options.commit},
          {"date", now()},
          {"cores", std::thread::hardware_concurrency()},
          {"repeat", options.repeat},
          {"copy_bytes_per_second", copy_bandwidth(properties)},
          {"complete", false},
          {"matrices", nlohmann::json::array()}};
}

nlohmann::json describe(const std::string& graph, const bench::Workbench& work, double load_seconds) {
  const formats::DeviceMatrix matrix = work.pattern();
  bench::Stopwatch watch;
  const formats::LengthDistribution& rows = matrix.row_distribution(false);
  const double distribution_seconds = watch.seconds();
  const formats::LengthDistribution& columns = matrix.row_distribution(true);
  std::string name = graph;
  if (bench::family_of(graph) == "file") {
    name = std::filesystem::path(graph).filename().string();
    name = name.substr(0, name.find(".mtx"));
  }
  return {{"name", name},
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
          {"results", nlohmann::json::array()}};
}

void print(const nlohmann::json& row, double entries, double copy) {
  const std::string kernel = row["library"].get<std::string>() + " " + row["kernel"].get<std::string>();
  std::printf("  %-18s %-32s ", row["semiring"].get<std::string>().c_str(), kernel.c_str());
  for (const char* why : {"skipped", "failed"}) {
    if (!row.contains(why)) continue;
    std::printf("%s: %s\n", why, row[why].get<std::string>().c_str());
    return;
  }
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
                     double copy, nlohmann::json& record) {
  const formats::DeviceMatrix matrix = work.matrix(semiring);
  const formats::DeviceVector u = bench::Workbench::vector(semiring.multiply.y, matrix.columns);
  bench::Product product{work, semiring, matrix, u, {}, 0};
  const selector::MxvProblem problem = bench::describe_product(product);
  record["problems"][semiring.name] = calibration::describe_problem(problem);
  // The first semiring that reads the vector has the columns counted.
  if (!record.contains("profile") || problem.popularity != nullptr)
    record["profile"] = calibration::describe_matrix(problem);
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
  const bench::Stopwatch watch;
  graph_files::Csr host = graph_files::load_graph(graph, graph_files::EdgeDirection::directed);
  const double load_seconds = watch.seconds();
  const bench::Workbench work(std::move(host));
  nlohmann::json record = describe(graph, work, load_seconds);
  std::printf("%s: %lu x %lu, %lu entries, longest row %lu; loaded in %.2f s, uploaded in %.2f s\n",
              graph.c_str(), (unsigned long)work.host().nrows, (unsigned long)work.host().ncols,
              (unsigned long)work.host().entries(), record["longest_row"].get<unsigned long>(), load_seconds,
              work.upload_seconds());
  for (const std::string& name : options.semirings) {
    if (options.deadline.over()) break;
    measure_product(work, catalogue::semiring(name).value(), options, copy, record);
  }
  if (options.bfs && work.host().nrows == work.host().ncols && !options.deadline.over())
    record["bfs"] = bench::bench_breadth_first(work, options.repeat);
  return record;
}

bool all_agree(const nlohmann::json& record) {
  for (const nlohmann::json& row : record["results"]) {
    if (!row.value("same_result", true) || row.contains("failed")) return false;
  }
  return true;
}

/// A line a matrix: thousands of row lengths on a line each would not be a readable file.
void write(const nlohmann::json& result, const std::string& path) {
  if (path.empty()) return;
  std::ofstream file(path);
  const char* before = "{";
  for (const auto& [key, value] : result.items()) {
    file << std::exchange(before, ",\n") << nlohmann::json(key) << ":";
    if (key != "matrices") {
      file << value;
      continue;
    }
    const char* between = "[\n";
    for (const nlohmann::json& matrix : value) file << std::exchange(between, ",\n") << matrix;
    file << (value.empty() ? "[]" : "]");
  }
  file << "}\n";
  if (!file.flush()) throw std::runtime_error(path + " cannot be written");
}

/// 0: everything measured and all results agree; 1: a result differs or something failed.
int run(const bench::Options& options) {
  nlohmann::json result = describe_run(options);
  const double copy = result["copy_bytes_per_second"];
  std::printf("%s, copy bandwidth %.3f TB/s\n", result["device"].get<std::string>().c_str(), copy * 1e-12);
  int code = 0;
  size_t done = 0;
  for (const std::string& graph : options.graphs) {
    if (options.deadline.over()) break;
    try {
      result["matrices"].push_back(measure_matrix(graph, options, copy));
      if (!all_agree(result["matrices"].back())) code = 1;
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "bench_spmv: %s: %s\n", graph.c_str(), failure.what());
      result["failures"].push_back({{"name", graph}, {"text", failure.what()}});
      code = 1;
    }
    ++done;
    write(result, options.json);
  }
  result["complete"] = done == options.graphs.size() && !options.deadline.over();
  if (!result["complete"]) {
    std::printf("the budget is spent: %zu of %zu matrices, the last one perhaps in part\n", done,
                options.graphs.size());
  }
  write(result, options.json);
  return code;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(parse(Arguments(arguments + 1, arguments + count)));
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_spmv: %s\n", failure.what());
    return 1;
  }
}
