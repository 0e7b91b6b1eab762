// What the benchmarks of whole programs share: the command line, timed trials, and checksums by which two
// programs' results are compared.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/lagraph/load.h"

namespace cugrb_bench {

/// How often an algorithm is called after its first time.
struct Trials {
  int most = 9;
  double seconds = 20;
};

/// PROGRAM GRAPH [--algorithms a,b] [--repeat N] [--seconds S] [--sources N] [--json FILE] [--export FOLDER]
struct Options {
  std::string graph, algorithms, json_file, export_folder;
  int sources = 8;
  Trials trials;

  Options(int argc, char** argv, const std::string& algorithms);
  bool has(const std::string& algorithm) const;
};

struct Timing {
  double cold_seconds = 0;
  std::vector<double> warm_seconds;
  std::vector<double> checksums;  ///< of every trial, the cold one first
};
nlohmann::json to_json(const Timing& timing);

/// Calls `algorithm` for every trial, and `checksum` outside the timed part.
Timing measure(const Trials& trials, const std::function<void(int)>& algorithm,
               const std::function<double(int)>& checksum);

/// The sources of a trial in turn.
template <class Index>
Index source_of(int trial, const std::vector<Index>& sources) {
  return sources[size_t(trial) % sources.size()];
}
/// The next four of them, as the GAP benchmark asks for betweenness.
std::vector<GrB_Index> batch_of(int trial, const std::vector<GrB_Index>& sources);

/// Vertices with at least one edge, evenly spread: the same in every run.
std::vector<GrB_Index> pick_sources(GrB_Matrix a, int count);

/// The 2-norm.
double norm_of(GrB_Vector vector);
/// How many vertices a search has reached, and the sum of their levels where these are given.
double reached_by(GrB_Vector parents_or_levels, bool levels);

/// To standard output, and to the file if one was asked for.
void write(const nlohmann::json& result, const Options& options);

/// The program's main(): `run`, whose exceptions become a line of text and exit status 1.
int run_program(const char* name, const std::function<void()>& run);

}  // namespace cugrb_bench
