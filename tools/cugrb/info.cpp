// cugrb info: versions, the real library, the device, the kernel cache, the settings. cugrb info -- PROGRAM:
// which GraphBLAS the program would load, and whether its calls would be offloaded.
#include <dlfcn.h>
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cuda/runtime/device.h"
#include "cugrb/context.hpp"
#include "cugrb/detail/options.hpp"
#include "src/jit/jit.h"
#include "src/jit/kernel_pack.h"
#include "src/selector/profile.h"
#include "src/support/settings.h"
#include "tools/cugrb/command.h"
#include "tools/cugrb/environment.h"
#include "tools/cugrb/outlook.h"
#include "tools/cugrb/output.h"

extern char** environ;

namespace cugrb::command {

namespace {

using nlohmann::json;

/// Of the GraphBLAS.h that the command is compiled with. What stands in for one has no version.
std::string header_version() {
#ifdef GxB_IMPLEMENTATION_MAJOR
  return fmt::format("{}.{}.{}", GxB_IMPLEMENTATION_MAJOR, GxB_IMPLEMENTATION_MINOR, GxB_IMPLEMENTATION_SUB);
#else
  return "none";
#endif
}

json describe_library() {
  int version[3] = {0, 0, 0};
  GxB_Global_Option_get(detail::library_version_field(), version);
  Dl_info where{};
  const bool found =
      dladdr(reinterpret_cast<void*>(&GxB_Global_Option_get), &where) != 0 && where.dli_fname != nullptr;
  json library = {{"version", fmt::format("{}.{}.{}", version[0], version[1], version[2])},
                  {"header", header_version()}};
  if (found) library["path"] = where.dli_fname;
  return library;
}

json describe_profile(const runtime::Properties& device) {
  const selector::Profile profile = selector::profile_of(device);
  json described = {{"source", profile.source}};
  if (!profile.problem.empty()) described["problem"] = profile.problem;
  if (!profile.advice.empty()) described["advice"] = profile.advice;
  using selector::WorkloadRates;
  for (size_t kind = 0; kind < WorkloadRates::kinds; ++kind) {
    json& rates = described["workloads"][WorkloadRates::kind_names[kind]];
    for (int c = 0; c < tile_classes; ++c) {
      for (size_t n = 0; n < WorkloadRates::lengths; ++n)
        rates[WorkloadRates::shape_of(c, n).name()] =
            profile.hardware.workloads.entries_per_second[kind][size_t(c)][n];
    }
  }
  return described;
}

json describe_device() {
  const std::string obstacle = runtime::unavailable_reason();
  if (!obstacle.empty()) return {{"unavailable", obstacle}};
  const runtime::Properties& p = runtime::device().properties();
  json numbers = json::array();
  for (const runtime::Device* device : runtime::devices()) numbers.push_back(device->properties().number);
  return {{"name", p.name},
          {"numbers", numbers},
          {"architecture", p.architecture},
          {"multiprocessors", p.multiprocessors},
          {"resident_clusters", p.resident_clusters},  // by their number of blocks, from 0 on
          {"memory_bytes", p.memory_bytes},
          {"l2_bytes", p.l2_bytes},
          {"driver_version", p.driver_version},
          {"profile", describe_profile(p)}};
}

json describe_cache() {
  namespace fs = std::filesystem;
  const std::string folder = jit::cache_directory();
  if (folder.empty()) return {{"folder", nullptr}, {"kernels", 0}, {"bytes", 0}};
  uint64_t files = 0, bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->is_regular_file(error)) continue;
    ++files;
    const auto size = entry->file_size(error);
    if (!error) bytes += size;
  }
  return {
      {"folder", folder}, {"files", files}, {"bytes", bytes}, {"limit_bytes", settings().cache_limit_bytes}};
}

/// That of the library, which programs get: the command itself may lie elsewhere.
json describe_pack(const std::string& library) {
  const char* const named = std::getenv("CUGRB_KERNEL_PACK");
  const bool is_named = named != nullptr && *named != '\0';
  const jit::KernelPack pack = is_named ? jit::KernelPack::of_process() : jit::KernelPack::beside(library);
  if (pack.path().empty()) return {{"file", nullptr}};
  if (!pack.refusal().empty()) return {{"file", pack.path()}, {"unused", pack.refusal()}};
  json described = {{"file", pack.path()}};
  for (const auto& [architecture, kernels] : pack.kernels()) described["kernels"][architecture] = kernels;
  return described;
}

void print_pack(const json& pack) {
  if (pack["file"].is_null()) return fmt::print("kernel pack        none\n");
  if (pack.contains("unused")) return fmt::print("{}\n", printable(pack["unused"].get<std::string>()));
  std::string text;
  for (const auto& [architecture, kernels] : pack["kernels"].items())
    text += fmt::format("{}{} for {}", text.empty() ? "" : ", ", kernels.get<uint64_t>(), architecture);
  fmt::print("kernel pack        {}: {}\n", printable(pack["file"].get<std::string>()),
             text.empty() ? "empty" : text);
}

json describe_settings() {
  json set = json::object();
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const size_t equals = text.find('=');
    if (text.rfind("CUGRB_", 0) == 0 && equals != std::string::npos)
      set[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return set;
}

/// The table of tile-composite's workloads: each kind of values' slowest and fastest shape.
void print_workloads(const json& kinds) {
  std::string text;
  for (const auto& [kind, rates] : kinds.items()) {
    const auto [slowest, fastest] = std::minmax_element(rates.begin(), rates.end());
    text += fmt::format("{}{} {:.0f} to {:.0f}", text.empty() ? "" : ", ", kind,
                        slowest->get<double>() * 1e-9, fastest->get<double>() * 1e-9);
  }
  fmt::print("workloads          {} (10^9 entries a second; by shape: --json)\n", text);
}

void print(const json& all) {
  fmt::print("cugrb              {}\n", all["version"].get<std::string>());
  fmt::print("libcugrb.so        {}\n", printable(all["libcugrb"].get<std::string>()));
  fmt::print("GraphBLAS          SuiteSparse {} ({})\n", all["graphblas"]["version"].get<std::string>(),
             all["graphblas"].value("path", "?"));
  const json& device = all["device"];
  if (device.contains("unavailable")) {
    fmt::print("device             none: {}\n", device["unavailable"].get<std::string>());
  } else {
    fmt::print("device             {}, {}, {} multiprocessors, {:.1f} GB\n",
               device["name"].get<std::string>(), device["architecture"].get<std::string>(),
               device["multiprocessors"].get<int>(), device["memory_bytes"].get<double>() * 1e-9);
    if (device["numbers"].size() > 1)
      fmt::print("                   {} of them, {}, share products\n", device["numbers"].size(),
                 printable(device["numbers"].dump()));
    fmt::print("profile            {}\n", device["profile"]["source"].get<std::string>());
    for (const char* note : {"problem", "advice"}) {
      if (device["profile"].contains(note))
        fmt::print("                   {}\n", device["profile"][note].get<std::string>());
    }
    print_workloads(device["profile"]["workloads"]);
  }
  const json& cache = all["cache"];
  if (cache["folder"].is_null()) {
    fmt::print("kernel cache       off\n");
  } else {
    const auto limit = cache["limit_bytes"].get<uint64_t>();
    fmt::print("kernel cache       {}: {} files, {:.1f} MB{}\n",
               printable(cache["folder"].get<std::string>()), cache["files"].get<uint64_t>(),
               cache["bytes"].get<double>() * 1e-6,
               limit == 0 ? "" : fmt::format(" of at most {:.1f} MB", double(limit) * 1e-6));
  }
  print_pack(all["pack"]);
  for (const auto& [name, value] : all["settings"].items())
    fmt::print("{:<18} {}\n", printable(name), printable(value.get<std::string>()));
}

int run(bool as_json, const std::vector<std::string>& program) {
  check_settings();
  if (!program.empty()) {
    const json outlook = outlook_of(program);
    if (as_json) {
      fmt::print("{}\n", json_text(outlook, 2));
    } else {
      print_outlook(outlook);
    }
    return 0;
  }
  std::string library;
  try {
    library = library_path();
  } catch (const Failure& failure) {
    library = failure.what();
  }
  Context context;
  const json all = {{"version", CUGRB_VERSION},        {"libcugrb", library},
                    {"graphblas", describe_library()}, {"device", describe_device()},
                    {"cache", describe_cache()},       {"pack", describe_pack(library)},
                    {"settings", describe_settings()}};
  if (as_json) {
    fmt::print("{}\n", json_text(all, 2));
  } else {
    print(all);
  }
  return 0;
}

}  // namespace

void add_info(CLI::App& app, const std::vector<std::string>& program, int& exit_code) {
  struct Options {
    bool as_json = false, of_loaded_library = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand(
      "info", "Versions, device, kernel cache and settings; info -- PROGRAM: what it would meet");
  sub->add_flag("--json", options->as_json, "as JSON");
  sub->add_flag("--loaded-library", options->of_loaded_library)->group("");
  sub->callback([options, &program, &exit_code] {
    exit_code = 0;
    if (options->of_loaded_library) {
      fmt::print("{}\n", json_text(outlook_of_loaded_library(), -1));
    } else {
      exit_code = run(options->as_json, program);
    }
  });
}

}  // namespace cugrb::command
