// What `cugrb run` prints.
#pragma once
#include <nlohmann/json.hpp>

namespace cugrb::command {

/// The graph, the result with its top vertices, and for each backend how long it took; `reports` as worker.h
/// makes them, with "backend", and "trace" where there is one. `calls`: also where each call ran.
void print_report(const nlohmann::json& reports, bool calls);

}  // namespace cugrb::command
