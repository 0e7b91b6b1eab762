#include "tools/cugrb/algorithms/options.h"

namespace cugrb::command {

void add_source(CLI::App& sub, Workload& w) {
  sub.add_option("--source", w.source,
                 "where to begin: a vertex number or name (default: the vertex with most edges)");
}

void add_random_vertices(CLI::App& sub, Workload& w, const char* name, const char* help, uint64_t least) {
  sub.add_option(name, w.queries, help)
      ->excludes("--source")
      ->transform(whole(least, 1000000))
      ->capture_default_str();
}

void add_iteration(CLI::App& sub, Workload& w) {
  sub.add_option("--tolerance", w.tolerance, "stop when the scores change by less")
      ->check(real(not_negative))
      ->capture_default_str();
  sub.add_option("--iterations", w.iterations, "stop after so many")
      ->transform(whole(1, INT32_MAX))
      ->capture_default_str();
  sub.add_flag("--double", w.double_precision, "64-bit scores instead of 32-bit");
}

void add_weights(CLI::App& sub, Workload& w) {
  sub.add_option("--random-weights", w.random_weights,
                 "whole numbers from 1 to this, drawn for each edge, instead of the file's weights")
      ->transform(whole(1, UINT32_MAX));
}

}  // namespace cugrb::command
