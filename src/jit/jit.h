// The JIT: from a kernel request to a loaded kernel, through memory cache, kernel pack, disk cache, compiler
// (NVRTC or the host's).
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
  /// Of the struct that the host passes. It names no kernel: the generated source asserts that the kernel
  /// takes as much. 0: nobody launches it here (`cugrb precompile`).
  size_t argument_bytes = 0;
};

/// The compiler refused. `what()` holds its message; the caller declines the call and the message goes to the
/// trace.
class CompilationFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A kernel that would have to be compiled, where that is not waited for. Never remembered.
class NotCompiled : public CompilationFailure {
 public:
  using CompilationFailure::CompilationFailure;
};

/// What kernel() does with a kernel that is in neither memory, nor the kernel pack, nor the disk cache.
enum class Missing : uint8_t {
  wait,        ///< compiles it; the default of every thread
  background,  ///< has it compiled on another thread, and throws NotCompiled until it is there
  refuse       ///< throws NotCompiled
};
/// While it lives, that is done for this thread. The innermost one counts. Where no thread can compile in the
/// background (a forked child, NVRTC without the `cugrb` command beside the library) `background` is `wait`.
class WhenMissing {
 public:
  explicit WhenMissing(Missing missing);
  ~WhenMissing();
  WhenMissing(const WhenMissing&) = delete;
  WhenMissing& operator=(const WhenMissing&) = delete;

 private:
  const Missing missing_before_;
  const double patience_before_;
};
/// In `background`, until that WhenMissing goes: kernel() waits for a compilation after all, for so many
/// seconds in all, where they are expected to suffice. For a call that would take longer elsewhere.
void be_patient(double seconds);

/// The kernel for the process's device. Compiles at most once per request and process (a failure is
/// remembered too); thread-safe. Throws CompilationFailure.
const runtime::Kernel& kernel(const Request& request);

/// Compiles without a device: for `cugrb precompile` and for CI (NVRTC for any "sm_NN"; "host" for the
/// emulated device). Puts the result in the disk cache. Returns the image. Throws CompilationFailure.
struct Compiled {
  std::string image;           ///< CUBIN bytes, or a shared object's path
  std::string symbol;          ///< lowered name
  std::string log;             ///< the compiler's output (ptxas registers and spills)
  bool from_disk = false;      ///< from the disk cache
  bool from_pack = false;      ///< from the kernel pack
  bool lies_in_cache = false;  ///< the image is the path of an entry of the disk cache
  double seconds = 0;
};
Compiled compile(const Request& request, const std::string& architecture);

class KernelPackWriter;
/// The same for a kernel pack (src/jit/kernel_pack.h), which takes the image. Returns whether it was
/// compiled, not in the disk cache already.
bool add_to_pack(KernelPackWriter& pack, const Request& request, const std::string& architecture);

struct Statistics {
  uint64_t requests = 0, memory_hits = 0, disk_hits = 0, compiled = 0, failures = 0;
  uint64_t pack_hits = 0;
  uint64_t refused = 0;  ///< requests that ended with NotCompiled
  double compile_seconds = 0;
};
Statistics statistics();

/// Where the disk cache is ($CUGRB_CACHE, else $XDG_CACHE_HOME/cugrb, else ~/.cache/cugrb); empty when
/// caching is off.
std::string cache_directory();

/// Every request made so far in this process, in order (what `cugrb precompile --from-program` and tests
/// list).
std::vector<Request> requests_so_far();

/// For tests: waits until nothing is being compiled in the background, nor is to be.
void wait_for_background();

/// For tests: empties the memory cache (the disk cache stays); kernels handed out remain valid.
void forget_kernels();

}  // namespace cugrb::jit
