// The two compilers behind jit::compile: NVRTC for "sm_NN", the host's C++ compiler for the emulated device
// ("host").
#pragma once
#include <string>

#include "src/jit/jit.h"
#include "src/jit/sources.h"

namespace cugrb::jit {

/// What a compiler makes of a request. The image is bytes for both: a CUBIN, or a shared object's content.
struct Image {
  std::string bytes;
  std::string symbol;
  std::string log;
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  /// Everything besides sources and request that changes the image: the compiler and its options. Part of the
  /// cache key.
  virtual std::string fingerprint() const = 0;
  /// Whether a compilation on a background thread runs in a process of its own, which can be stopped when
  /// this one ends.
  virtual bool can_be_stopped() const = 0;
  /// Throws CompilationFailure with the compiler's message.
  virtual Image compile(const Request& request, const SourceSet& sources) const = 0;
};

/// `architecture` is "host" or "sm_NN". The compiler lives as long as the process. Throws CompilationFailure
/// when there is none (NVRTC not found, no C++ compiler) or the architecture is malformed.
const Compiler& compiler_for(const std::string& architecture);
/// Why there is none; "" where there is one.
std::string missing_compiler(const std::string& architecture);

/// The declarations, to stand behind the kernel's in namespace cugrb, by which the compiler refuses it where
/// host and kernel disagree about its arguments.
std::string agreement(const Request& request);

/// What every kernel of the host's compiler includes.
const std::vector<std::string>& host_roots();
/// Files beside the family header that every kernel for that architecture includes.
std::vector<std::string> extra_roots(const std::string& architecture);

/// $CUGRB_NVRTC, libnvrtc.so.13 by name, then where CUDA is usually installed.
std::unique_ptr<Compiler> make_nvrtc_compiler(const std::string& architecture);
std::unique_ptr<Compiler> make_host_compiler();

/// The compiler's message shortened to what a trace line can carry (the first lines; where there is more, it
/// says so).
std::string shortened_log(const std::string& log);

}  // namespace cugrb::jit
