// cugrb-mpi: algorithms on graphs in parts, one process a GPU. A launcher of MPI starts it, each process with
// libcugrb.so in front of GraphBLAS where it is to use a GPU:
//
//     mpirun -n 2 cugrb exec cugrb-mpi pagerank rmat:25
#include <dlfcn.h>
#include <fmt/core.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <sstream>

#include "cugrb/cugrb.h"
#include "tools/cugrb/command.h"
#include "tools/cugrb/numbers.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/units.h"
#include "tools/distributed/task.h"

namespace cugrb::tools {
namespace {

using command::real;
using command::seconds_text;
using command::whole;
using nlohmann::json;

void add_options(CLI::App& sub, TaskOptions& o) {
  sub.add_option("GRAPH", o.graph,
                 "Matrix Market file or edge list (plain text), rmat:SCALE:EDGE_FACTOR, uniform:N:DEGREE, "
                 "poisson2d:NX:NY, poisson3d:NX:NY:NZ, banded:N:HALF_WIDTH")
      ->required();
  sub.add_flag("--directed", o.load.directed, "an edge list's lines are edges in one direction");
  sub.add_option("--random-weights", o.load.random_weights, "whole numbers from 1 to this as weights")
      ->transform(whole(1, UINT32_MAX));
  sub.add_option("--dealing", o.load.dealing, "how rows are dealt to ranks: bitonic or contiguous")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Dealing>{
          {"bitonic", Dealing::bitonic}, {"contiguous", Dealing::contiguous}}));
  sub.add_flag(
      "--overlap", [&o](int64_t count) { o.load.overlap = count > 0 ? Overlap::on : Overlap::off; },
      "multiply this rank's columns while the others' values arrive");
  sub.add_option("--deadline", o.deadline, "seconds without a word after which a rank is given up")
      ->check(real({0.1, 1e6}));
  sub.add_option("--repeat", o.repeat, "runs to time; the first one is cold")->transform(whole(1, 1000000));
  sub.add_option("--top", o.top, "vertices to print")->transform(whole(0, 100000))->capture_default_str();
  sub.add_option("--iterations", o.iterations, "stop after so many")->transform(whole(1, INT32_MAX));
  sub.add_option("--tolerance", o.tolerance, "stop when the scores change by less; 0: never");
  sub.add_option("--damping", o.damping, "chance to follow a link");
  sub.add_option("--source", o.source, "where to begin (default: the vertex with most edges)");
  sub.add_option("--delta", o.delta, "sssp: the width of a bucket; 0: chosen");
  sub.add_flag("--double", o.double_precision, "64-bit scores instead of 32-bit");
  sub.add_option("--json", o.json_file, "write the report to this file");
  sub.add_option("--values", o.values_file, "write every vertex's value (float64) to this file");
  sub.add_option("--compare", o.compare_file, "compare with the values in this file");
}

/// What works here: the device's name, or GraphBLAS on the CPU.
std::string place_text() {
  const auto device = reinterpret_cast<decltype(&cugrb_device)>(dlsym(RTLD_DEFAULT, "cugrb_device"));
  char text[256] = "SuiteSparse on the CPU";
  if (device == nullptr) return text;
  if (device(text, sizeof text) == CUGRB_DEVICE_NONE) return std::string("no device: ") + text;
  return text;
}

json imbalance(Distributed& ranks, const LoadedParts& loaded) {
  const uint64_t most = ranks.all_reduce(
      loaded.own_entries, [](uint64_t a, uint64_t b) { return std::max(a, b); }, "the imbalance");
  const double mean = static_cast<double>(loaded.entries) / ranks.size();
  return mean > 0 ? static_cast<double>(most) / mean : 1.0;
}

/// Values of a vector that a rank sends in a product, of the rank that sends most.
uint64_t most_sent(Distributed& ranks, const LoadedParts& loaded) {
  return ranks.all_reduce(
      uint64_t{loaded.graph->arriving().sent_values()}, [](uint64_t a, uint64_t b) { return std::max(a, b); },
      "the values that are sent");
}

/// Every rank's place by rank, as a text of at most 255 characters each.
json places(Distributed& ranks) {
  struct Name {
    char text[256] = "";
  } own;
  detail::copy_text(place_text(), own.text, sizeof own.text);
  json list = json::array();
  for (const Name& name : ranks.all_values(own, "names of devices")) list.push_back(name.text);
  return list;
}

void print(const json& report, const TaskKind& kind) {
  const json& graph = report["graph"];
  fmt::print("{}: {} vertices, {} entries on {} ranks, the largest {:.3f} times the mean\n",
             graph["name"].get<std::string>(), graph["vertices"].get<uint64_t>(),
             graph["entries"].get<uint64_t>(), report["places"].size(), graph["imbalance"].get<double>());
  for (size_t r = 0; r < report["places"].size(); ++r)
    fmt::print("  rank {}: {}\n", r, report["places"][r].get<std::string>());
  fmt::print("vectors by {}; dealt in {}, exchanged in {}, built in {}\n",
             report["vectors_by"].get<std::string>(), seconds_text(graph["deal_seconds"]),
             seconds_text(graph["exchange_seconds"]), seconds_text(graph["build_seconds"]));
  const auto sent = graph["sent_values"].get<uint64_t>(), own = graph["values_of_rank"].get<uint64_t>();
  if (sent < own) fmt::print("near its diagonal: of {} values a rank sends at most {}\n", own, sent);
  kind.print(report);
  fmt::print("time: {}", seconds_text(report["seconds"][0]));
  for (size_t k = 1; k < report["seconds"].size(); ++k)
    fmt::print(", {}", seconds_text(report["seconds"][k]));
  fmt::print("; {:.3f} G edges a second\n", report["edges_per_second"].get<double>() * 1e-9);
  if (report.contains("checksum")) fmt::print("checksum {:.12g}\n", report["checksum"].get<double>());
  if (report.contains("compared")) {
    fmt::print("differs from {} by {:.3g} at most, relative to a value by {:.3g}\n",
               report["compared"]["file"].get<std::string>(),
               report["compared"]["largest_difference"].get<double>(),
               report["compared"]["largest_relative_difference"].get<double>());
  }
  for (const json& entry : report.value("top", json::array()))
    fmt::print("  {:<14.8g} vertex {}\n", entry["value"].get<double>(), entry["vertex"].get<uint64_t>());
}

void work(Distributed& ranks, const TaskOptions& options, const TaskKind& kind) {
  TaskOptions asked = options;
  asked.load.leaving = kind.needs.leaving;
  asked.load.weights = kind.needs.weights;
  if (asked.load.overlap == Overlap::on && !kind.needs.full_vectors)
    throw command::Failure("--overlap is for pagerank, hits and rwr", command::usage);
  Context context;
  LoadedParts loaded = load_parts(ranks, asked.graph, asked.load);
  Task task(ranks, asked, loaded);
  kind.run(task);
  json& report = task.report;
  report["algorithm"] = kind.name;
  report["graph"] = {{"name", asked.graph},
                     {"vertices", loaded.graph->size()},
                     {"entries", loaded.entries},
                     {"imbalance", imbalance(ranks, loaded)},
                     {"sent_values", most_sent(ranks, loaded)},
                     {"values_of_rank", loaded.graph->exchange().deal().stride()},
                     {"deal_seconds", loaded.deal_seconds},
                     {"exchange_seconds", loaded.exchange_seconds},
                     {"build_seconds", loaded.build_seconds}};
  report["places"] = places(ranks);
  report["vectors_by"] = loaded.graph->exchange().means();
  const std::vector<double> seconds = report["seconds"].get<std::vector<double>>();
  report["edges_per_second"] = report.value("edges", 0.0) / *std::min_element(seconds.begin(), seconds.end());
  if (ranks.rank() != 0) return;
  print(report, kind);
  if (!asked.json_file.empty()) command::write_file(asked.json_file, command::json_text(report, 2) + "\n");
}

int run(Distributed& ranks, int argc, char** argv) {
  CLI::App app("Algorithms on graphs in parts, one process a GPU", "cugrb-mpi");
  app.require_subcommand(1);
  TaskOptions options;
  const TaskKind* chosen = nullptr;
  for (const TaskKind& kind : task_kinds()) {
    CLI::App* sub = app.add_subcommand(kind.name, kind.help);
    add_options(*sub, options);
    sub->callback([&chosen, &kind] { chosen = &kind; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream text;
    const int code = app.exit(error, text, text);
    if (ranks.rank() == 0) fmt::print(code == 0 ? stdout : stderr, "{}", text.str());
    return code == 0 ? 0 : command::usage;
  }
  if (options.deadline > 0) ranks.set_deadline(options.deadline);
  ranks.together([&] { work(ranks, options, *chosen); });
  return 0;
}

}  // namespace
}  // namespace cugrb::tools

int main(int argc, char** argv) {
  cugrb::Distributed ranks;
  int code = cugrb::command::failed;
  try {
    return cugrb::tools::run(ranks, argc, argv);
  } catch (const std::exception& error) {
    const auto* const failure = dynamic_cast<const cugrb::command::Failure*>(&error);
    if (failure != nullptr) code = failure->code();
    fmt::print(stderr, "cugrb-mpi: rank {}: {}\n", ranks.rank(), error.what());
    std::fflush(stderr);
    usleep(500000);  // the other ranks say theirs before all are ended
  }
  ranks.abort(code);
}
