#include "tests/differential/api.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <cstring>

#include "include/cugrb/cugrb.h"
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

void require_of_real_library(void* function) {
  Dl_info found{};
  const auto* const library = static_cast<const link_map*>(real_library());
  if (dladdr(function, &found) == 0 || found.dli_fbase != reinterpret_cast<void*>(library->l_addr))
    throw std::runtime_error("the oracle's functions are not the real library's");
}

void set_offload(cugrb_offload wanted) {
  static const auto function =
      reinterpret_cast<decltype(&cugrb_set_offload)>(dlsym(RTLD_DEFAULT, "cugrb_set_offload"));
  if (function != nullptr) function(wanted);
}

/// Some versions answer one function by a jump to another that they export, GrB_Vector_eWiseAdd_Monoid by
/// GrB_Vector_eWiseAdd_BinaryOp, say, and find cuGrB's in its place, called by the oracle as it seems. Where
/// that passes every call on, the oracle stays the real library's work alone, and cuGrB learns nothing of
/// objects that it does not see freed.
class PassedOn {
 public:
  PassedOn() { set_offload(CUGRB_OFFLOAD_NEVER); }
  ~PassedOn() { end_oracle_call(); }
  PassedOn(const PassedOn&) = delete;
  PassedOn& operator=(const PassedOn&) = delete;
};

/// `call` is the function with every call that it makes passed on. One instance of the template for each
/// name.
template <class Name, class Function>
struct Oracle;
template <class Name, class Result, class... Arguments>
struct Oracle<Name, Result (*)(Arguments...)> {
  static inline Result (*function)(Arguments...) = nullptr;
  static Result call(Arguments... arguments) {
    const PassedOn guard;
    return function(arguments...);
  }
  static auto of(Result (*found)(Arguments...)) {
    function = found;
    return &call;
  }
};
/// Those with `...` cannot be called through another; they set options and call nothing that is exported.
template <class Name, class Result, class... Arguments>
struct Oracle<Name, Result (*)(Arguments..., ...)> {
  static auto of(Result (*found)(Arguments..., ...)) { return found; }
};

}  // namespace

void end_oracle_call() { set_offload(CUGRB_OFFLOAD_DEFAULT); }

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
#define FIND(name)                                                                           \
  {                                                                                          \
    struct Name;                                                                             \
    void* const symbol = cugrb::test::symbol_past_interposers(real_library(), #name);        \
    if (symbol == nullptr) throw std::runtime_error("the real library lacks " #name);        \
    require_of_real_library(symbol);                                                         \
    a.name = Oracle<Name, decltype(a.name)>::of(reinterpret_cast<decltype(a.name)>(symbol)); \
  }
    DIFFERENTIAL_FUNCTIONS(FIND)
#undef FIND
    return a;
  }();
  return api;
}

void* predefined_exactly(const std::string& name) {
  void* const symbol = dlsym(real_library(), name.c_str());
  return symbol == nullptr ? nullptr : *static_cast<void**>(symbol);
}

void* predefined(const std::string& name) {
  for (const char* prefix : {"", "GrB_", "GxB_"}) {
    if (void* found = predefined_exactly(prefix + name)) return found;
  }
  return nullptr;
}

}  // namespace differential
