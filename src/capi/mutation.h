// For the hook-mutation run only (-DCUGRB_HOOK_MUTATION=ON): drops the pre-hook of the function that the environment
// names, so that a test can show that it would notice. In other builds this is a constant.
#pragma once
#ifdef CUGRB_HOOK_MUTATION
#include <cstdlib>
#include <cstring>

#include "src/graphblas/real.h"
#endif

namespace cugrb::capi {

#ifdef CUGRB_HOOK_MUTATION
inline bool is_mutated(unsigned function) {
  static const char* const name = std::getenv("CUGRB_HOOK_MUTATION");
  return name != nullptr && std::strcmp(name, real::function_names[function]) == 0;
}
#else
constexpr bool is_mutated(unsigned) { return false; }
#endif

}  // namespace cugrb::capi
