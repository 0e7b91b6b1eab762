#include "tools/cugrb/trace_report.h"

#include <dlfcn.h>

#include <fstream>
#include <map>
#include <set>

#include "cugrb/cugrb.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

struct Calls {
  uint64_t count = 0, bytes_between = 0;  ///< the latter: devices
  double seconds = 0;
  std::set<std::string> kernels, reasons;
};

}  // namespace

Trace::Trace(const std::string& file) {
  const auto start = reinterpret_cast<decltype(&cugrb_trace_start)>(dlsym(RTLD_DEFAULT, "cugrb_trace_start"));
  running_ = !file.empty() && start != nullptr && start(file.c_str(), 0) == 0;
}

void Trace::stop() {
  const auto stop = reinterpret_cast<decltype(&cugrb_trace_stop)>(dlsym(RTLD_DEFAULT, "cugrb_trace_stop"));
  if (running_ && stop != nullptr) stop();
  running_ = false;
}

json summarise_trace(const std::string& path) {
  std::ifstream file(path);
  const json trace = json::parse(file, nullptr, false);
  if (trace.is_discarded()) return nullptr;
  const json& events = trace.is_object() && trace.contains("traceEvents") ? trace["traceEvents"] : trace;
  if (!events.is_array()) return nullptr;
  std::map<std::pair<std::string, std::string>, Calls> table;
  uint64_t up = 0, down = 0, between = 0, compiled = 0;
  for (const json& event : events) {
    if (event.value("ph", "") != "X" || !event.contains("args")) continue;
    const json& args = event["args"];
    Calls& calls = table[{event.value("name", ""), args.value("place", "cpu")}];
    ++calls.count;
    calls.seconds += event.value("dur", 0.0) * 1e-6;
    if (args.contains("kernel")) calls.kernels.insert(args["kernel"].get<std::string>());
    if (args.contains("reason") && args.value("place", "cpu") == "cpu")
      calls.reasons.insert(args["reason"].get<std::string>());
    up += args.value("bytes_up", uint64_t{0});
    down += args.value("bytes_down", uint64_t{0});
    calls.bytes_between += args.value("bytes_between", uint64_t{0});
    between += args.value("bytes_between", uint64_t{0});
    compiled += args.value("compiled", uint64_t{0});
  }
  json list = json::array();
  for (const auto& [key, calls] : table) {
    list.push_back({{"function", key.first},
                    {"place", key.second},
                    {"count", calls.count},
                    {"seconds", calls.seconds},
                    {"bytes_between", calls.bytes_between},
                    {"kernels", calls.kernels},
                    {"reasons", calls.reasons}});
  }
  return {{"calls", list},
          {"bytes_up", up},
          {"bytes_down", down},
          {"bytes_between", between},
          {"compiled", compiled}};
}

}  // namespace cugrb::command
