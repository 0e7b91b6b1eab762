// Inside the JIT: what the memory cache asks of the layer below it.
#pragma once
#include "src/jit/jit.h"

namespace cugrb::jit {

/// A failure that CUGRB_INJECT asked for: never remembered, so that the next request compiles.
class InjectedFailure : public CompilationFailure {
 public:
  InjectedFailure() : CompilationFailure("injected compilation failure (CUGRB_INJECT)") {}
};

/// The image from the disk cache (when `use_cached`), else from the compiler, then stored. Throws
/// CompilationFailure.
Compiled compile_or_load(const Request& request, const std::string& architecture, bool use_cached);

}  // namespace cugrb::jit
