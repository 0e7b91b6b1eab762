// Inside the JIT: what the memory cache asks of the layer below it.
#pragma once
#include <optional>

#include "src/jit/jit.h"

namespace cugrb::jit {

/// A failure that CUGRB_INJECT asked for: never remembered, so that the next request compiles.
class InjectedFailure : public CompilationFailure {
 public:
  InjectedFailure() : CompilationFailure("injected compilation failure (CUGRB_INJECT)") {}
};

enum class Origin : uint8_t {
  cache,    ///< from the kernel pack, else from the disk cache, else from the compiler
  aside,    ///< from the disk cache or the compiler; a shared object lies in the temporary folder
  compiler  ///< in any case from the compiler; a shared object lies in the temporary folder
};
/// The image, stored in the disk cache when it was compiled. Throws CompilationFailure.
Compiled compile_or_load(const Request& request, const std::string& architecture, Origin origin);

/// The same of an image that is in the kernel pack or the disk cache already; std::nullopt when there is
/// none.
std::optional<Compiled> load_compiled(const Request& request, const std::string& architecture, Origin origin);

/// Makes what a thread that compiles in the background uses, so that it outlives that thread.
void prepare_to_compile();

/// Removes a shared object that lies in the temporary folder, when it is loaded; nothing of any other image.
void discard(const Compiled& compiled);

}  // namespace cugrb::jit
