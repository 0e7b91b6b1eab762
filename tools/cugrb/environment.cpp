#include "tools/cugrb/environment.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "semirings/operator_file.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"
#include "tools/cugrb/command.h"

namespace cugrb::command {

namespace {

void add_variable(CLI::App& app, Environment& environment, const char* option, const char* variable,
                  const char* help) {
  app.add_option_function<std::string>(
         option, [&environment, variable](const std::string& value) { environment[variable] = value; }, help)
      ->group("Settings");
}

void add_switch(CLI::App& app, Environment& environment, const char* option, const char* variable,
                const char* help) {
  app.add_flag_callback(
         option, [&environment, variable] { environment[variable] = "1"; }, help)
      ->group("Settings");
}

/// LD_PRELOAD without the names of which `leaves_out(name)` says so.
template <class LeavesOut>
std::string preload_without(const LeavesOut& leaves_out) {
  const char* existing = std::getenv("LD_PRELOAD");
  std::string kept, name;
  std::istringstream names(existing == nullptr ? "" : existing);
  while (std::getline(names, name, ':')) {
    if (!leaves_out(name)) kept += (kept.empty() ? "" : ":") + name;
  }
  return kept;
}

}  // namespace

void add_settings(CLI::App& app, Environment& environment) {
  add_variable(app, environment, "--offload", "CUGRB_OFFLOAD",
               "auto (by predicted time), always (whatever the device can do), never");
  add_variable(app, environment, "--cache", "CUGRB_CACHE", "folder of compiled kernels, or off");
  add_variable(app, environment, "--memory-limit", "CUGRB_MEMORY_LIMIT",
               "device memory to use, with K, M or G");
  add_variable(app, environment, "--force", "CUGRB_FORCE", "a kernel to use wherever it applies");
  add_switch(app, environment, "--verify", "CUGRB_VERIFY",
             "repeat every offloaded call on the CPU and compare (slow)");
  add_switch(app, environment, "--deterministic", "CUGRB_DETERMINISTIC",
             "no result may depend on the order of atomic operations");
}

void apply(const Environment& environment) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
}

void check_settings() {
  const Settings settings = parse_settings([](const char* name) -> const char* { return std::getenv(name); });
  if (!settings.error.empty()) throw Failure(settings.error, usage);
  if (const char* operators = std::getenv("CUGRB_OPERATORS"); operators != nullptr && *operators != '\0') {
    try {
      catalogue::read_operator_file(operators);
    } catch (const std::runtime_error& error) {
      throw Failure(std::string("CUGRB_OPERATORS=") + error.what(), usage);
    }
  }
  if (!settings.force.empty() && !operations::can_be_forced(settings.force)) {
    throw Failure("CUGRB_FORCE=" + settings.force + ": expected one of " + operations::kernel_names(), usage);
  }
}

std::string own_executable() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    throw Failure("/proc/self/exe cannot be read (" + error.message() +
                  "): cugrb finds itself and libcugrb.so by it; is /proc mounted?");
  }
  return path;
}

std::string library_path() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::path(own_executable()).parent_path();
  const fs::path candidates[] = {here / ".." / "lib" / "libcugrb.so",
                                 here / CUGRB_LIBRARY_RELATIVE / "libcugrb.so",
                                 fs::path(CUGRB_LIBRARY_FOLDER) / "libcugrb.so"};
  std::string looked_at;
  for (const fs::path& candidate : candidates) {
    if (access(candidate.c_str(), R_OK) == 0) return fs::canonical(candidate, error).string();
    looked_at += "\n  " + candidate.lexically_normal().string();
  }
  throw Failure("libcugrb.so is not there; looked at" + looked_at);
}

std::string preload_value(const std::string& library) {
  if (library.find_first_of(": \t") != std::string::npos)
    throw Failure(library + " cannot be preloaded: the loader splits LD_PRELOAD at blanks and colons");
  const char* existing = std::getenv("LD_PRELOAD");
  return existing != nullptr && *existing != '\0' ? library + ":" + existing : library;
}

std::string preload_without_cugrb() {
  return preload_without(
      [](const std::string& name) { return name.find("libcugrb.so") != std::string::npos; });
}

void forget_own_graphblas() {
  constexpr const char* variable = "_CUGRB_COMMAND_GRAPHBLAS";
  const char* value = std::getenv(variable);
  if (value == nullptr) return;
  const std::string own = ":" + std::string(value) + ":";
  const std::string kept = preload_without(
      [&own](const std::string& name) { return own.find(":" + name + ":") != std::string::npos; });
  if (kept.empty()) {
    unsetenv("LD_PRELOAD");
  } else {
    setenv("LD_PRELOAD", kept.c_str(), 1);
  }
  unsetenv(variable);
}

}  // namespace cugrb::command
