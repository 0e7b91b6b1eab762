// For the hook-mutation run only (-DCUGRB_HOOK_MUTATION=ON): drops the pre-hook or the post-hook of the
// function that the environment names, so that a test can show that it would notice. In other builds these
// are constants.
//
//   CUGRB_HOOK_MUTATION=GrB_mxm         its arguments are not brought to the host; what it frees is not
//   forgotten CUGRB_HOOK_MUTATION=post:GrB_mxm    the device copies of what it has changed are not dropped
#pragma once
#ifdef CUGRB_HOOK_MUTATION
#include <cstdlib>
#include <string>

#include "src/graphblas/real.h"
#include "src/support/environment.h"
#endif

namespace cugrb::capi {

#ifdef CUGRB_HOOK_MUTATION
inline const std::string& mutation() {
  static const char* const wanted = environment_variable("CUGRB_HOOK_MUTATION");
  static const std::string text = wanted == nullptr ? "" : wanted;
  return text;
}
inline bool drops_pre_hook(unsigned function) { return mutation() == real::function_names[function]; }
inline bool drops_post_hook(unsigned function) {
  return mutation() == std::string("post:") + real::function_names[function];
}
#else
constexpr bool drops_pre_hook(unsigned) { return false; }
constexpr bool drops_post_hook(unsigned) { return false; }
#endif

}  // namespace cugrb::capi
