// Compiling specialisations for GPUs, which needs NVRTC but no GPU.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "src/jit/jit.h"
#include "tests/catch.h"

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

}  // namespace cugrb::test
