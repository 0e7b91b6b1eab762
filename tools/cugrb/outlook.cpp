#include "tools/cugrb/outlook.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <cstdlib>
#include <cstring>
#include <sstream>

#include "cugrb/cugrb.h"
#include "cugrb/detail/c_api.hpp"
#include "tools/cugrb/command.h"
#include "tools/cugrb/executable.h"
#include "tools/cugrb/output.h"
#include "tools/cugrb/program.h"

namespace cugrb::command {
namespace {

using nlohmann::json;

/// The GraphBLAS among the libraries that the loader would load for a program or a library; "" where there is
/// none. The loader lists them without running any of their code.
std::string graphblas_of(const std::string& loader, const std::string& file) {
  const Finished listed = run_file(loader, {loader, "--list", file}, {{"LD_PRELOAD", ""}}, true);
  std::istringstream lines(listed.output);  // "\tlibgraphblas.so.7 => /lib/libgraphblas.so.7 (0x7f...)"
  for (std::string line; std::getline(lines, line);) {
    const size_t arrow = line.find(" => "), address = line.rfind(" (0x");
    if (line.find("libgraphblas") == std::string::npos || arrow == std::string::npos) continue;
    if (address == std::string::npos || address <= arrow) return "";  // "not found"
    return line.substr(arrow + std::strlen(" => "), address - arrow - std::strlen(" => "));
  }
  return "";
}

bool is_python(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1).rfind("python", 0) == 0;
}

/// Prints the extension modules of the package that holds GraphBLAS for Python. Imports nothing of it.
constexpr const char* extensions_of_python = R"(
import importlib.util, pathlib
spec = importlib.util.find_spec("suitesparse_graphblas")
folder = pathlib.Path(spec.origin).parent if spec and spec.origin else None
print("\n".join(map(str, sorted(folder.glob("*.so")))) if folder else "")
)";

std::string graphblas_of_python(const std::string& python, const std::string& loader) {
  std::istringstream modules(
      run_file(python, {python, "-c", extensions_of_python}, {{"LD_PRELOAD", ""}}, true).output);
  for (std::string module; std::getline(modules, module);) {
    if (const std::string found = graphblas_of(loader, module); !found.empty()) return found;
  }
  return "";
}

/// The program that the system starts for a file: itself, or a script's interpreter, which `env` may name.
std::string started_program(const std::string& path) {
  std::string program = path;
  for (Executable head = read_executable(program); head.kind == Executable::Kind::script;
       head = read_executable(program)) {
    const bool by_env = head.interpreter.substr(head.interpreter.find_last_of('/') + 1) == "env";
    program = by_env && !head.argument.empty() ? find_program(head.argument) : head.interpreter;
  }
  return program;
}

/// LD_LIBRARY_PATH with the library's own folder in front: what an old wheel's library needs lies beside it,
/// and only the extension module says so.
std::string search_path_of(const std::string& graphblas) {
  const char* const given = std::getenv("LD_LIBRARY_PATH");
  const std::string folder = graphblas.substr(0, graphblas.find_last_of('/'));
  return given == nullptr || *given == '\0' ? folder : folder + ":" + given;
}

/// The outlook of a library, by this command in a process where libcugrb.so stands before it.
json outlook_of_library(const std::string& graphblas) {
  const std::string rest = preload_without_cugrb();
  const std::string preloaded = library_path() + ":" + graphblas + (rest.empty() ? "" : ":" + rest);
  const Finished child = run_self({"info", "--loaded-library"},
                                  {{"LD_PRELOAD", preloaded},
                                   {"LD_LIBRARY_PATH", search_path_of(graphblas)},
                                   {"CUGRB_GRAPHBLAS", graphblas},
                                   {"CUGRB_TRACE", ""},
                                   {"CUGRB_SUMMARY", ""},
                                   {"CUGRB_NOTICE", ""}},
                                  true);
  json outlook = json::parse(child.output, nullptr, false);
  if (child.exit_code != 0 || !outlook.is_object()) {
    outlook = {{"offloaded", false},
               {"reason", fmt::format("a process that loads it ends with code {}", child.exit_code)}};
  }
  return outlook;
}

}  // namespace

json outlook_of(const std::vector<std::string>& arguments) {
  const std::string path = find_program(arguments.front());
  json outlook = {{"program", path}};
  try {
    check_preloadable(path);
  } catch (const Failure& failure) {
    outlook.update({{"offloaded", false}, {"reason", failure.what()}});
    return outlook;
  }
  const std::string program = started_program(path);
  const std::string loader = read_executable(program).interpreter;
  std::string graphblas = graphblas_of(loader, program);
  if (graphblas.empty() && is_python(program)) graphblas = graphblas_of_python(program, loader);
  if (graphblas.empty()) {
    outlook["offloaded"] = nullptr;
    outlook["reason"] = is_python(program)
                            ? "this Python has no package suitesparse-graphblas"
                            : "it names no GraphBLAS library; one that it loads later is looked at then";
    return outlook;
  }
  const json of_library = outlook_of_library(graphblas);
  outlook["graphblas"] = {{"path", graphblas}, {"version", of_library.value("version", "")}};
  for (const char* part : {"device", "offloaded", "reason"}) {
    if (of_library.contains(part)) outlook[part] = of_library[part];
  }
  return outlook;
}

namespace {

template <class Function>
Function* of_cugrb(const char* name) {
  auto* const function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  if (function == nullptr) throw Failure("libcugrb.so is not in front of this process");
  return function;
}

}  // namespace

json outlook_of_loaded_library() {
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) throw Failure("GrB_init fails");
  json outlook = {{"version", of_cugrb<decltype(cugrb_graphblas_version)>("cugrb_graphblas_version")()}};
  std::string device(512, '\0');
  const auto kind = of_cugrb<decltype(cugrb_device)>("cugrb_device")(device.data(), device.size());
  device.resize(std::strlen(device.c_str()));
  std::string reason = of_cugrb<decltype(cugrb_forward_only_reason)>("cugrb_forward_only_reason")();
  if (kind != CUGRB_DEVICE_NONE) outlook["device"] = device;
  const char* const wanted = std::getenv("CUGRB_OFFLOAD");
  if (reason.empty() && wanted != nullptr && std::strcmp(wanted, "never") == 0)
    reason = "CUGRB_OFFLOAD=never";
  if (reason.empty() && kind == CUGRB_DEVICE_NONE) reason = device;
  outlook["offloaded"] = reason.empty();
  if (!reason.empty()) outlook["reason"] = reason;
  GrB_finalize();
  return outlook;
}

void print_outlook(const json& outlook) {
  fmt::print("program            {}\n", printable(outlook["program"].get<std::string>()));
  if (outlook.contains("graphblas")) {
    fmt::print("GraphBLAS          SuiteSparse {} ({})\n", outlook["graphblas"]["version"].get<std::string>(),
               printable(outlook["graphblas"]["path"].get<std::string>()));
  }
  if (outlook.contains("device")) fmt::print("device             {}\n", outlook["device"].get<std::string>());
  const json& offloaded = outlook["offloaded"];
  fmt::print("offloaded          {}{}\n",
             offloaded.is_null()     ? "not known"
             : offloaded.get<bool>() ? "yes"
                                     : "no",
             outlook.contains("reason") ? ": " + printable(outlook["reason"].get<std::string>()) : "");
}

}  // namespace cugrb::command
