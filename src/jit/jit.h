// The JIT: from a kernel request to a loaded kernel, through memory cache, disk cache, compiler (NVRTC or the
// host's).
#pragma once
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/runtime/device.h"

namespace cugrb::jit {

/// What identifies a specialisation. `name` is a kernel's template-id with every argument spelt out; it is
/// the cache key's readable part, NVRTC's name expression and the emulator's key. Spaces inside type names
/// matter ("long long").
struct Request {
  std::string header;  ///< the family's file under cuda/kernels: "mxv_rows.h"
  std::string name;    ///< "mxv_rows<semiring<monoid<plus<float>>, second<float>>, ...>", in namespace cugrb
  std::string preamble;  ///< user-defined types and operators, put in front of the family's include
};

/// The compiler refused. `what()` holds its message; the caller declines the call and the message goes to the
/// trace.
class CompilationFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A kernel that would have to be compiled, asked for while that is forbidden. Never remembered.
class NotCompiled : public CompilationFailure {
 public:
  using CompilationFailure::CompilationFailure;
};
/// While it lives, what this thread asks kernel() for comes from memory or the disk cache: NotCompiled is
/// thrown for anything else. May be nested.
class WithoutCompiling {
 public:
  WithoutCompiling();
  ~WithoutCompiling();
  WithoutCompiling(const WithoutCompiling&) = delete;
  WithoutCompiling& operator=(const WithoutCompiling&) = delete;
};

/// The kernel for the process's device. Compiles at most once per request and process (a failure is
/// remembered too); thread-safe. Throws CompilationFailure.
const runtime::Kernel& kernel(const Request& request);

/// Compiles without a device: for `cugrb precompile` and for CI (NVRTC for any "sm_NN"; "host" for the
/// emulated device). Puts the result in the disk cache. Returns the image. Throws CompilationFailure.
struct Compiled {
  std::string image;   ///< CUBIN bytes, or a shared object's path
  std::string symbol;  ///< lowered name
  std::string log;     ///< the compiler's output (ptxas registers and spills)
  bool from_disk = false;
  bool lies_in_cache = false;  ///< the image is the path of an entry of the disk cache
  double seconds = 0;
};
Compiled compile(const Request& request, const std::string& architecture);

struct Statistics {
  uint64_t requests = 0, memory_hits = 0, disk_hits = 0, compiled = 0, failures = 0;
  double compile_seconds = 0;
};
Statistics statistics();

/// Where the disk cache is ($CUGRB_CACHE, else $XDG_CACHE_HOME/cugrb, else ~/.cache/cugrb); empty when
/// caching is off.
std::string cache_directory();

/// Every request made so far in this process, in order (what `cugrb precompile --from-program` and tests
/// list).
std::vector<Request> requests_so_far();

/// For tests: empties the memory cache (the disk cache stays); kernels handed out remain valid.
void forget_kernels();

}  // namespace cugrb::jit
