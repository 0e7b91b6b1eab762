#include "src/graphblas/loader.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace cugrb::real {
namespace {

constexpr const char* kProbe = "GrB_init";  // every GraphBLAS library has it

/// The file of the object that holds an address; empty when unknown.
std::string object_of(const void* address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

const void* base_of(const void* address) {
  Dl_info info{};
  return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

bool is_ours(const void* address) {
  return base_of(address) == base_of(reinterpret_cast<const void*>(&loaded_copies));
}

Library from_handle(void* handle) {
  Library library;
  const void* probe = handle != nullptr ? dlsym(handle, kProbe) : nullptr;
  if (probe == nullptr || is_ours(probe)) return library;
  library.find = [handle](const char* name) { return dlsym(handle, name); };
  library.path = object_of(probe);
  return library;
}

Library by_name(const std::string& name) {
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* error = handle == nullptr ? dlerror() : nullptr;
  Library library = from_handle(handle);
  if (!library.find) library.complaint = error != nullptr ? error : name + " is no GraphBLAS library";
  return library;
}

Library next_in_link_order() {
  Library library;
  const void* probe = dlsym(RTLD_NEXT, kProbe);
  if (probe == nullptr || is_ours(probe)) return library;
  library.find = [](const char* name) { return dlsym(RTLD_NEXT, name); };
  library.path = object_of(probe);
  return library;
}

/// The copy that the caller would have reached without us: the one in its own tree of needed libraries.
Library of_caller(const void* caller) {
  const std::string object = object_of(caller);
  return object.empty() ? Library{} : from_handle(dlopen(object.c_str(), RTLD_NOW | RTLD_NOLOAD));
}

Library already_loaded(const void* caller) {
  const std::vector<std::string> copies = loaded_copies();
  if (copies.empty()) return {};
  if (copies.size() == 1) return from_handle(dlopen(copies[0].c_str(), RTLD_NOW | RTLD_NOLOAD));
  Library library = of_caller(caller);
  if (!library.find) library = from_handle(dlopen(copies[0].c_str(), RTLD_NOW | RTLD_NOLOAD));
  library.complaint = "more than one copy of GraphBLAS is loaded: " + copies[0] + " and " + copies[1];
  return library;
}

int collect(dl_phdr_info* info, size_t, void* paths) {
  const std::string_view path = info->dlpi_name != nullptr ? info->dlpi_name : "";
  const std::string_view file = path.substr(path.rfind('/') + 1);
  if (file.substr(0, 12) == "libgraphblas") static_cast<std::vector<std::string>*>(paths)->emplace_back(path);
  return 0;
}

}  // namespace

std::vector<std::string> loaded_copies() {
  std::vector<std::string> paths;
  dl_iterate_phdr(collect, &paths);
  std::erase_if(paths, [](const std::string& path) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
    const void* probe = handle != nullptr ? dlsym(handle, kProbe) : nullptr;
    const bool ours = probe == nullptr || is_ours(probe);
    if (handle != nullptr) dlclose(handle);
    return ours;
  });
  return paths;
}

Library find_library(const std::string& named, const std::string& configured, const void* caller) {
  std::string complaint;
  if (!named.empty()) {
    Library library = by_name(named);
    if (library.find) return library;
    complaint = "CUGRB_GRAPHBLAS: " + library.complaint;
  }
  Library library = next_in_link_order();
  if (!library.find) library = already_loaded(caller);
  if (!library.find && !configured.empty()) library = by_name(configured);
  if (library.complaint.empty()) library.complaint = complaint;
  return library;
}

}  // namespace cugrb::real
