#include "tools/cugrb/compile_times.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace cugrb::command {
namespace {

using nlohmann::ordered_json;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double rounded(double seconds) { return std::round(seconds * 1e4) / 1e4; }

ordered_json summary_of(const std::string& kernel, std::vector<CompileTime> times) {
  std::sort(times.begin(), times.end(),
            [](const CompileTime& a, const CompileTime& b) { return a.seconds < b.seconds; });
  return {{"kernel", kernel},
          {"specialisations", times.size()},
          {"median_seconds", rounded(times[times.size() / 2].seconds)},
          {"worst_seconds", rounded(times.back().seconds)},
          {"worst", times.back().name}};
}

}  // namespace

double processor_seconds() {
  double total = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    total += seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  }
  return total;
}

std::string compile_times_text(const std::string& architecture, const std::vector<CompileTime>& times) {
  std::map<std::string, std::vector<CompileTime>> by_kernel;
  for (const CompileTime& time : times) by_kernel[time.name.substr(0, time.name.find('<'))].push_back(time);
  ordered_json kernels = ordered_json::array();
  for (const auto& [kernel, of_kernel] : by_kernel) kernels.push_back(summary_of(kernel, of_kernel));
  std::sort(kernels.begin(), kernels.end(), [](const ordered_json& a, const ordered_json& b) {
    return a["worst_seconds"].get<double>() > b["worst_seconds"].get<double>();
  });
  return ordered_json{{"architecture", architecture}, {"kernels", kernels}}.dump(1) + "\n";
}

}  // namespace cugrb::command
