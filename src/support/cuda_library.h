// A library of CUDA's, opened at run time: nothing is linked, so a machine without it starts.
#pragma once
#include <dlfcn.h>

#include <string>
#include <vector>

namespace cugrb {

struct CudaLibrary {
  void* handle = nullptr;
  std::string failure;  ///< why it cannot be used; empty when it can

  /// The function of that name; the failure names it when there is none.
  template <class Function>
  void find(const char* name, Function& function) {
    if (!failure.empty()) return;
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (function == nullptr) failure = std::string("the library has no function ") + name;
  }
};

/// Opens the file that the environment's `variable` names; when that is not set, the first of `files` that is
/// found by the loader, under $CUDA_HOME or $CUDA_PATH, in NVIDIA's packages of PyPI beside this one, or
/// where CUDA is usually installed. Never closed.
CudaLibrary open_cuda_library(const char* variable, const std::vector<std::string>& files);

/// Whether `variable` is "off": then the process does without the library, and the failure says so.
bool is_library_off(const char* variable, std::string& failure);

}  // namespace cugrb
