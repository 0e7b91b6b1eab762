#include "bench/common/options.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "bench/common/graphs.h"
#include "semirings/operators.h"

namespace cugrb::bench {

bool CommonOptions::wants(const std::string& kernel) const {
  return kernels.empty() || std::find(kernels.begin(), kernels.end(), kernel) != kernels.end();
}

bool CommonOptions::wants_record(const std::string& name) const {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& part) {
           return name.find(part) != std::string::npos;
         });
}

namespace {

void add_options(CLI::App& app, CommonOptions& options) {
  app.add_option("--semiring", options.semirings, "measured over this one (repeatable)")->type_name("NAME");
  app.add_option("--kernel", options.kernels, "of the kernels only this one (repeatable)")->type_name("NAME");
  app.add_option("--only", options.only, "only what has this in its name (repeatable)")->type_name("TEXT");
  app.add_option("--resume", options.resume, "leave out what this result holds complete (repeatable)")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  app.add_option("--repeat", options.repeat, "samples of a candidate")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  app.add_option("--limit", options.limit_seconds, "seconds for a candidate's samples (three at least)")
      ->capture_default_str();
  app.add_option("--budget", options.budget_seconds, "end after so many seconds, between two candidates");
  app.add_option("--commit", options.commit, "what the result says of the build")->type_name("TEXT");
  app.add_option("--json", options.json, "write the result here, after every record")->type_name("FILE");
  app.add_flag("--suitesparse", options.suitesparse, "SuiteSparse:GraphBLAS on all cores, too");
  app.add_flag("!--no-cusparse", options.cusparse, "without cuSPARSE");
  app.add_flag("!--choice", options.kernels_forced, "cuGrB's free choice alone, no forced kernels");
  app.add_flag("!--no-choice", options.choice, "the forced kernels alone");
}

/// Names of the records that are complete in the files of --resume.
std::set<std::string> complete_records(const CommonOptions& options, const Benchmark& benchmark) {
  std::set<std::string> names;
  for (const std::string& path : options.resume) {
    std::ifstream file(path);
    const nlohmann::json result = nlohmann::json::parse(file, nullptr, false);
    if (!result.is_object() || result.value("benchmark", "") != benchmark.name)
      throw std::invalid_argument("--resume " + path + ": no result of bench_" + benchmark.name);
    for (const nlohmann::json& record : result.at(benchmark.records)) {
      if (record.value("complete", false)) names.insert(record.at("name"));
    }
  }
  return names;
}

}  // namespace

void parse_options(CLI::App& app, int count, char** arguments, const Benchmark& benchmark,
                   CommonOptions& options) {
  std::vector<std::string> sets;
  std::string folder;
  app.add_option("--set", sets, "a set of them (repeatable)")->type_name("NAME");
  app.add_option("--data", folder, "every matrix file of it")->type_name("FOLDER");
  add_options(app, options);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  options.deadline = calibration::Deadline(options.budget_seconds);
  const auto add = [&options](const std::vector<std::string>& names) {
    options.names.insert(options.names.end(), names.begin(), names.end());
  };
  for (const std::string& name : sets) add(benchmark.suite(name));
  if (!folder.empty()) add(files_of(folder));
  if (options.names.empty()) options.names = {benchmark.one};
  if (options.semirings.empty()) options.semirings = benchmark.semirings;
  for (const std::string& name : options.semirings) {
    if (!catalogue::semiring(name))
      throw std::invalid_argument("--semiring " + name + ": not a built-in semiring");
  }
  const std::set<std::string> complete = complete_records(options, benchmark);
  std::erase_if(options.names, [&](const std::string& word) {
    const std::string name = benchmark.record_name(word);
    return complete.contains(name) || !options.wants_record(name);
  });
}

}  // namespace cugrb::bench
