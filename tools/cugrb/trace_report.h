// From a Chrome trace that libcugrb wrote to a table: which call ran where, how often, how long, and why not
// on the device.
#pragma once
#include <nlohmann/json.hpp>

#include <string>

namespace cugrb::command {

/// Reads the trace and returns {"calls": [{function, place, count, seconds, kernels, reasons}], "bytes_up",
/// "bytes_down", "compiled"}; null when the file holds no trace.
nlohmann::json summarise_trace(const std::string& file);

}  // namespace cugrb::command
