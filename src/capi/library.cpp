// GrB_init, GxB_init, GrB_finalize: the settings, the user's allocator, the mode, the check of the library,
// the end.
#include <string>

#include "src/capi/named_operators.h"
#include "src/capi/notice.h"
#include "src/capi/wrapper.h"
#include "src/graphblas/dimensions.h"
#include "src/jit/apart.h"
#include "src/mirror/layout_check.h"
#include "src/mirror/mirror.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"
#include "src/support/trace.h"
#include "src/support/without_cancellation.h"

namespace cugrb::capi {
namespace {

bool is_blocking(int mode) { return mode == GrB_BLOCKING || mode == real::options().blocking_gpu; }

/// What is wrong with the environment; empty when nothing is. The kernels' names are known to the selector
/// only.
std::string settings_error() {
  const Settings& wanted = settings();
  if (wanted.error.empty() && !named_operators_error().empty()) return named_operators_error();
  if (!wanted.error.empty() || wanted.force.empty() || operations::can_be_forced(wanted.force))
    return wanted.error;
  return "CUGRB_FORCE=" + wanted.force + ": there is no such kernel, there are " + operations::kernel_names();
}

/// The user's functions; null where there is none.
struct Allocator {
  void* (*allocate)(size_t) = nullptr;
  void* (*reallocate)(void*, size_t) = nullptr;
  void (*release)(void*) = nullptr;
};

/// Calls are only passed on to a library that keeps its objects in another way.
void check_library() {
  if (real::forward_only()) return;
  if (const std::string difference = mirror::check_layout(); !difference.empty())
    real::set_forward_only("SuiteSparse:GraphBLAS " + real::version() + " at " + real::path() + ": " +
                           difference);
  else
    real::find_dimension_places();
}

/// After a successful start, and before any object exists.
void started(int mode, const Allocator& allocator) {
  set_blocking(is_blocking(mode));
  real::set_allocators(allocator.allocate, allocator.reallocate, allocator.release);
  real::read_version();
  check_library();
  const std::string& why = real::forward_only_reason();
  trace::current().reason = why.empty() ? "the host's library starts" : why;
  jit::lend_to_command(real::path());
  notice_at_start();
}

/// Runs one of the two init functions between the checks.
template <class Initialize>
GrB_Info start(const char* function, const Initialize& initialize, int mode,
               const Allocator& allocator) noexcept {
  const WithoutCancellation without_cancellation;
  try {
    const trace::Scope scope(function);
    if (const std::string error = settings_error(); !error.empty()) {
      trace::current().reason = error;
      return GrB_INVALID_VALUE;
    }
    const GrB_Info info = initialize();
    if (info == GrB_SUCCESS) started(mode, allocator);
    return info;
  } catch (...) {
    return GrB_PANIC;
  }
}

}  // namespace
}  // namespace cugrb::capi

extern "C" {
#pragma GCC visibility push(default)

GrB_Info GrB_init(int mode) {
  CUGRB_GATE;
  if (real.GrB_init == nullptr) return missing<GrB_Info>();
  if (called_by_library()) return real.GrB_init(mode);
  return start("GrB_init", [&] { return real.GrB_init(mode); }, mode, {});
}

GrB_Info GxB_init(int mode, void* (*user_malloc_function)(size_t),
                  void* (*user_calloc_function)(size_t, size_t),
                  void* (*user_realloc_function)(void*, size_t), void (*user_free_function)(void*)) {
  CUGRB_GATE;
  if (real.GxB_init == nullptr) return missing<GrB_Info>();
  const auto initialize = [&] {
    return real.GxB_init(mode, user_malloc_function, user_calloc_function, user_realloc_function,
                         user_free_function);
  };
  if (called_by_library()) return initialize();
  return start("GxB_init", initialize, mode,
               {user_malloc_function, user_realloc_function, user_free_function});
}

GrB_Info GrB_finalize(void) {
  CUGRB_GATE;
  if (real.GrB_finalize == nullptr) return missing<GrB_Info>();
  if (called_by_library()) return real.GrB_finalize();
  const cugrb::WithoutCancellation without_cancellation;
  try {
    cugrb::mirror::finalize();  // writes nothing back (rule 14)
    const GrB_Info info = real.GrB_finalize();
    cugrb::trace::flush();
    return info;
  } catch (...) {
    return GrB_PANIC;
  }
}

#pragma GCC visibility pop
}  // extern "C"
