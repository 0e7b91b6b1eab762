#include "src/support/cuda_library.h"

#include "src/support/environment.h"

namespace cugrb {

namespace {

std::string environment(const char* variable) {
  const char* value = environment_variable(variable);
  return value == nullptr ? "" : value;
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

}  // namespace cugrb
