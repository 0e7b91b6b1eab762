#include "src/capi/named_operators.h"

#include <dlfcn.h>

#include <cstdio>
#include <exception>
#include <map>
#include <mutex>
#include <set>

#include "semirings/operator_file.h"
#include "src/support/environment.h"
#include "src/support/write_signals.h"

namespace cugrb::capi {
namespace {

struct SideFile {
  std::string path;
  std::map<std::string, catalogue::NamedDefinition> definitions;
  std::string error;
};

const SideFile& side_file() {
  static const SideFile file = [] {
    SideFile read;
    const char* path = environment_variable("CUGRB_OPERATORS");
    if (path == nullptr || *path == '\0') return read;
    read.path = path;
    try {
      read.definitions = catalogue::read_operator_file(path);
    } catch (const std::exception& problem) {
      read.error = std::string("CUGRB_OPERATORS=") + problem.what();
    }
    return read;
  }();
  return file;
}

/// CUGRB_OPERATORS_WANTED; empty where it is not set.
const std::string& list_of_wanted() {
  static const std::string path = [] {
    const char* given = environment_variable("CUGRB_OPERATORS_WANTED");
    return std::string(given == nullptr ? "" : given);
  }();
  return path;
}

}  // namespace

std::string named_operators_error() { return side_file().error; }

std::string operator_name(const char* given, const void* function) {
  if (const std::string name = catalogue::function_name(given == nullptr ? "" : given); !name.empty())
    return name;
  Dl_info found{};
  const bool is_known = function != nullptr && dladdr(function, &found) != 0 && found.dli_sname != nullptr &&
                        found.dli_saddr == function;
  return is_known ? found.dli_sname : "";
}

std::optional<SideDefinition> side_definition(const std::string& name) {
  const auto found = side_file().definitions.find(name);
  if (found == side_file().definitions.end()) return std::nullopt;
  return SideDefinition{found->second.text,
                        side_file().path + ", line " + std::to_string(found->second.line)};
}

bool are_definitions_wanted() { return !list_of_wanted().empty(); }

void want_definition(const std::string& name, const std::vector<Type>& types, bool by_place) {
  if (!are_definitions_wanted()) return;
  static std::mutex lock;
  static std::set<std::string> written;
  const std::lock_guard<std::mutex> guard(lock);
  if (!written.insert(name).second) return;
  static const char* const names[] = {"z", "x", "y"};
  std::string line = "void " + (name.empty() ? "a_function_without_a_name" : name) + "(";
  for (size_t k = 0; k < types.size(); ++k) {
    if (k > 0) line += ", const ";
    if (k == 2 && by_place) line = line.substr(0, line.size() - 6) + "GrB_Index i, GrB_Index j, const ";
    line += types[k].name + "* " + names[k];
  }
  const WithoutWriteSignals without_signals;
  if (std::FILE* list = std::fopen(list_of_wanted().c_str(), "a")) {
    std::fprintf(list, "%s) {}\n", line.c_str());
    std::fclose(list);
  }
}

}  // namespace cugrb::capi
