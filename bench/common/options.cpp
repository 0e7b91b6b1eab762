#include "bench/common/options.h"

#include <algorithm>
#include <stdexcept>

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

void add_common_options(CLI::App& app, CommonOptions& options) {
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

void check_semirings(const CommonOptions& options) {
  for (const std::string& name : options.semirings) {
    if (!catalogue::semiring(name))
      throw std::invalid_argument("--semiring " + name + ": not a built-in semiring");
  }
}

}  // namespace cugrb::bench
