// Compiling specialisations for GPUs, which needs NVRTC but no GPU.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>

#include "src/jit/jit.h"
#include "tests/catch.h"
#include "tests/operations/breadth.h"

namespace cugrb::test {

/// Architectures by turns: where each is tried with a share of the specialisations.
inline const char* gpu_architecture(size_t turn) {
  constexpr const char* architectures[] = {"sm_90", "sm_75", "sm_80", "sm_100"};
  return architectures[turn % 4];
}

/// Fails the test where the request does not compile. Nothing, with a warning, where there is no NVRTC;
/// nothing in the sanitizers' builds, as NVRTC gives them what it gives the release build.
inline std::optional<jit::Compiled> compiled_for_gpu(const jit::Request& request,
                                                     const std::string& architecture) {
#if defined(CUGRB_SANITIZE)
  return std::nullopt;
#endif
  try {
    return jit::compile(request, architecture);
  } catch (const jit::CompilationFailure& failure) {
    if (std::string(failure.what()).find("CUGRB_NVRTC") == std::string::npos)
      FAIL(request.name << ": " << failure.what());
    WARN("no NVRTC on this machine: nothing was compiled for GPUs");
    return std::nullopt;
  }
}

/// Of the specialisations that have run in this process, of families in these headers, a third compiles for
/// the architectures by turns, without spilling registers. Nothing under another schedule than the usual one,
/// whose run has compiled them.
inline void check_third_compiles(std::initializer_list<const char*> headers) {
  if (std::getenv("CUGRB_EMULATED_SCHEDULE") != nullptr) return;
  size_t n = 0, compiled = 0;
  for (const jit::Request& request : jit::requests_so_far()) {
    if (std::find(headers.begin(), headers.end(), request.header) == headers.end()) continue;
    if (++n % 3 != 0) continue;
    const char* architecture = gpu_architecture(n / 3);
    INFO(request.name << " for " << architecture);
    const auto result = compiled_for_gpu(request, architecture);
    if (!result) return;
    CHECK(result->log.find(" 0 bytes spill stores") != std::string::npos);
    ++compiled;
  }
  if (n == 0) WARN("skipped: no other case has run in this process");
  CHECK((n == 0 || compiled > (structures_only() ? 3 : 10)));
}

}  // namespace cugrb::test
