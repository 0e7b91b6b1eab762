#include "src/support/cuda_library.h"

#include <algorithm>
#include <filesystem>

#include "src/support/environment.h"

namespace cugrb {

namespace {

std::string environment(const char* variable) {
  const char* value = environment_variable(variable);
  return value == nullptr ? "" : value;
}

/// Where NVIDIA's packages of PyPI put their libraries when this code is in the package of Python: beside it,
/// in site-packages/nvidia/cu13/lib and the like. Sorted, so that the choice is the same everywhere.
std::vector<std::string> folders_of_packages() {
  namespace fs = std::filesystem;
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&environment), &here) == 0 || here.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path site = fs::canonical(here.dli_fname, error).parent_path().parent_path().parent_path();
  std::vector<std::string> folders;
  if (error) return folders;
  for (fs::directory_iterator entry(site / "nvidia", error), end; !error && entry != end;
       entry.increment(error))
    folders.push_back((entry->path() / "lib").string());
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<std::string> paths_of(const char* variable, const std::vector<std::string>& files) {
  const std::string chosen = environment(variable);
  if (!chosen.empty()) return {chosen};
  std::vector<std::string> paths;
  for (const std::string& file : files) {
    paths.push_back(file);
    for (const char* home : {"CUDA_HOME", "CUDA_PATH"}) {
      if (!environment(home).empty()) paths.push_back(environment(home) + "/lib64/" + file);
    }
    for (const std::string& folder : folders_of_packages()) {
      std::error_code error;
      const std::string path = folder + "/" + file;
      if (std::filesystem::exists(path, error)) paths.push_back(path);
    }
    for (const char* folder : {"/usr/local/cuda/lib64", "/usr/local/cuda-13/lib64",
                               "/usr/local/cuda-13.0/lib64", "/usr/local/cuda-12/lib64", "/opt/cuda/lib64",
                               "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"}) {
      paths.push_back(std::string(folder) + "/" + file);
    }
  }
  return paths;
}

}  // namespace

CudaLibrary open_cuda_library(const char* variable, const std::vector<std::string>& files) {
  CudaLibrary library;
  std::string tried;
  for (const std::string& path : paths_of(variable, files)) {
    library.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle != nullptr) return library;
    tried += (tried.empty() ? "" : ", ") + path;
  }
  library.failure = "it was not found (tried " + tried + "); set " + variable + " to the path of " + files[0];
  return library;
}

bool is_library_off(const char* variable, std::string& failure) {
  const char* chosen = environment_variable(variable);
  if (chosen == nullptr || std::string(chosen) != "off") return false;
  failure = std::string(variable) + "=off";
  return true;
}

}  // namespace cugrb
