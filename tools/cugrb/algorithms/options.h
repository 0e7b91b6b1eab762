// Options that several algorithms of `cugrb run` have.
#pragma once
#include <CLI/CLI.hpp>

#include <limits>

#include "tools/cugrb/numbers.h"
#include "tools/cugrb/workload.h"

namespace cugrb::command {

/// Between 0 and 1, with room for rounding: a chance that is certain makes walks that never end.
inline constexpr Interval chance{1e-9, 1 - 1e-9};
inline constexpr Interval not_negative{0, std::numeric_limits<double>::infinity()};

inline void no_options(CLI::App&, Workload&) {}
/// --source, the vertex where a search or walk begins.
void add_source(CLI::App& sub, Workload& w);
/// NAME, at least `least` random vertices in place of --source.
void add_random_vertices(CLI::App& sub, Workload& w, const char* name, const char* help, uint64_t least);
/// --tolerance, --iterations, --double: of what iterates to a fixed point.
void add_iteration(CLI::App& sub, Workload& w);

/// --random-weights: of what takes weights.
void add_weights(CLI::App& sub, Workload& w);

}  // namespace cugrb::command
