#include "bench/common/results.h"

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "cuda/runtime/buffer.h"

namespace cugrb::bench {

namespace {

/// Read + write of 1 GiB each (16 MiB on the emulated device).
double copy_bandwidth(const runtime::Properties& properties) {
  const size_t bytes = size_t(1) << (properties.kind == runtime::Kind::cuda ? 30 : 24);
  const runtime::Buffer from = runtime::Buffer::zeroed(bytes), to(bytes);
  const auto copy = [&] { runtime::device().copy_on_device(to.data(), from.data(), bytes); };
  return 2 * double(bytes) / calibration::measure(20, 1, copy, calibration::device_elapsed).median;
}

/// A line a record: thousands of row lengths on a line each would not be a readable file.
void write_result(const nlohmann::json& result, const std::string& records, const std::string& path) {
  if (path.empty()) return;
  std::ofstream file(path);
  const char* before = "{";
  for (const auto& [key, value] : result.items()) {
    file << std::exchange(before, ",\n") << nlohmann::json(key) << ":";
    if (key != records) {
      file << value;
      continue;
    }
    const char* between = "[\n";
    for (const nlohmann::json& record : value) file << std::exchange(between, ",\n") << record;
    file << (value.empty() ? "[]" : "]");
  }
  file << "}\n";
  if (!file.flush()) throw std::runtime_error(path + " cannot be written");
}

bool all_agree(const nlohmann::json& record) {
  for (const nlohmann::json& row : record["results"]) {
    if (!row.value("same_result", true) || row.contains("failed")) return false;
  }
  return true;
}

nlohmann::json describe_run(const Benchmark& benchmark, const CommonOptions& options) {
  const runtime::Properties& properties = runtime::device().properties();
  return {{"benchmark", benchmark.name},
          {"device", properties.name},
          {"driver", properties.driver_version},
          {"commit", options.commit},
          {"date", calibration::utc_now()},
          {"cores", std::thread::hardware_concurrency()},
          {"repeat", options.repeat},
          {"copy_bytes_per_second", copy_bandwidth(properties)},
          {"complete", false},
          {"account", nlohmann::json::object()},
          {benchmark.records, nlohmann::json::array()}};
}

}  // namespace

int measure_all(const Benchmark& benchmark, const CommonOptions& options, const Measure& measure) {
  const std::string& records = benchmark.records;
  const std::vector<std::string>& names = options.names;
  nlohmann::json result = describe_run(benchmark, options);
  std::printf("%s, copy bandwidth %.3f TB/s\n", result["device"].get<std::string>().c_str(),
              result["copy_bytes_per_second"].get<double>() * 1e-12);
  int code = 0;
  size_t done = 0;
  for (const std::string& name : names) {
    if (options.deadline.over()) break;
    try {
      nlohmann::json record = measure(name, result);
      for (const auto& [phase, seconds] : record["account"].items())
        result["account"][phase] = result["account"].value(phase, 0.0) + seconds.get<double>();
      if (!all_agree(record)) code = 1;
      result[records].push_back(record);
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "bench_%s: %s: %s\n", benchmark.name.c_str(), name.c_str(), failure.what());
      result["failures"].push_back({{"name", name}, {"text", failure.what()}});
      code = 1;
    }
    ++done;
    write_result(result, records, options.json);
  }
  result["complete"] = done == names.size() && !options.deadline.over();
  if (!result["complete"])
    std::printf("the budget is spent: %zu of %zu, the last one perhaps in part\n", done, names.size());
  write_result(result, records, options.json);
  return code;
}

bool print_start(const nlohmann::json& row) {
  const std::string kernel = row["library"].get<std::string>() + " " + row["kernel"].get<std::string>();
  std::printf("  %-18s %-32s ", row["semiring"].get<std::string>().c_str(), kernel.c_str());
  for (const char* why : {"skipped", "failed"}) {
    if (!row.contains(why)) continue;
    std::printf("%s: %s\n", why, row[why].get<std::string>().c_str());
    return false;
  }
  return true;
}

}  // namespace cugrb::bench
