#include "tests/differential/api.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <cstring>

#include "tests/past_interposers.h"

namespace differential {
namespace {

/// The loaded libgraphblas that defines GrB_mxv and is neither this program nor cuGrB.
void* real_library() {
  static const std::string path = [] {
    const char* named = std::getenv("CUGRB_GRAPHBLAS");
    return std::string(named != nullptr && *named != '\0' ? named : CUGRB_REAL_GRAPHBLAS);
  }();
  static void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error("the real GraphBLAS library cannot be loaded: " + path);
  return handle;
}

}  // namespace

const Api& exported() {
  static const Api api = [] {
    Api a;
#define TAKE(name) a.name = &::name;
    DIFFERENTIAL_FUNCTIONS(TAKE)
#undef TAKE
    return a;
  }();
  return api;
}

const Api& real() {
  static const Api api = [] {
    Api a;
#define FIND(name)                                                                                          \
  a.name = reinterpret_cast<decltype(a.name)>(cugrb::test::symbol_past_interposers(real_library(), #name)); \
  if (a.name == nullptr) throw std::runtime_error("the real library lacks " #name);
    DIFFERENTIAL_FUNCTIONS(FIND)
#undef FIND
    Dl_info found{};
    const auto* const library = static_cast<const link_map*>(real_library());
    if (dladdr(reinterpret_cast<void*>(a.GrB_mxv), &found) == 0 ||
        found.dli_fbase != reinterpret_cast<void*>(library->l_addr))
      throw std::runtime_error("the oracle's functions are not the real library's");
    return a;
  }();
  return api;
}

void* predefined(const std::string& name) {
  for (const char* prefix : {"", "GrB_", "GxB_"}) {
    if (void* symbol = dlsym(real_library(), (prefix + name).c_str())) return *static_cast<void**>(symbol);
  }
  return nullptr;
}

}  // namespace differential
