// The measuring side of `cugrb run`: runs a workload on whatever GraphBLAS this process has, and describes what came out.
#pragma once
#include <nlohmann/json.hpp>

#include <string>

#include "tools/cugrb/workload.h"

namespace cugrb::command {

/// Loads the graph, runs the algorithm `repeat` times and returns a JSON object: graph, seconds (a number a repetition),
/// result, top (the vertices to print), library. `values_file`: where every vertex's value goes (float64 each, -1 where a
/// vertex was not reached), so that two backends can be compared; not written when empty.
nlohmann::json measure(const Workload& workload, const std::string& values_file);

}  // namespace cugrb::command
