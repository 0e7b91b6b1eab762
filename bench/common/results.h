// A benchmark's result as JSON: what run it was, and a record for each thing that was measured.
//
//   {"benchmark": name, "device", "driver", "commit", "date", "cores", "repeat", "copy_bytes_per_second":
//   reading and writing counted, measured at the start, "complete", "account": seconds by phase,
//   "failures": [{"name", "text"}] if there were any, records: [{"name", "complete", "account",
//   "results", ...}]}
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/common/options.h"

namespace cugrb::bench {

/// Measures what options.names say, one after the other, within the budget, and writes the result after each:
/// `measure(name, result)` gives a record, whose "account" is added to the run's. The exit code: 0 when
/// everything agrees, 1 when a result differs or something failed.
using Measure = std::function<nlohmann::json(const std::string& name, const nlohmann::json& result)>;
int measure_all(const Benchmark& benchmark, const CommonOptions& options, const Measure& measure);

/// Prints semiring and kernel of a row; when it was not measured, why, and the line's end: then false.
bool print_start(const nlohmann::json& row);

}  // namespace cugrb::bench
