// Traces: asking libcugrb for one, and making a table of it: which call ran where, how often, how long, and
// why not on the device.
#pragma once
#include <nlohmann/json.hpp>

#include <string>

namespace cugrb::command {

/// A Chrome trace of this process from construction to stop(), when libcugrb is here and a file is named.
/// (CUGRB_TRACE would also print the summary at exit.)
class Trace {
 public:
  explicit Trace(const std::string& file);
  ~Trace() { stop(); }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  void stop();

 private:
  bool running_ = false;
};

/// Reads the trace and returns {"calls": [{function, place, count, seconds, kernels, reasons}], "bytes_up",
/// "bytes_down", "compiled"}; null when the file holds no trace.
nlohmann::json summarise_trace(const std::string& file);

}  // namespace cugrb::command
