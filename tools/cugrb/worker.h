// The measuring side of `cugrb run`: runs a workload on whatever GraphBLAS this process has, and describes
// what came out.
#pragma once
#include <nlohmann/json.hpp>

#include <string>

#include "tools/cugrb/workload.h"

namespace cugrb::command {

/// Where a measurement leaves what is too much for its report; an empty name: not written.
struct ResultFiles {
  std::string values;  ///< every vertex's value (float64 each, -1 where a vertex was not reached), to compare
                       ///< backends
  std::string trace;   ///< a Chrome trace of loading and the first repetition (when libcugrb is there)
};

/// Loads the graph, runs the algorithm `repeat` times and returns a JSON object: graph, seconds (a number a
/// repetition), result, top (the vertices to print), library. Only the first repetition is traced: the others
/// are timed undisturbed.
nlohmann::json measure(const Workload& workload, const ResultFiles& files);

}  // namespace cugrb::command
