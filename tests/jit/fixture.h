// Kernels of this test's own, put before the JIT through CUGRB_KERNEL_SOURCES, and a disk cache of its own.
// CUGRB_TEST_CACHE names another cache, CUGRB_TEST_CONVERT is the text of another cuda/kernels/convert.h.
#pragma once
#include <string>
#include <vector>

#include "src/jit/jit.h"

namespace fixture {

/// The argument struct of the probe kernels, as probe.h declares it.
struct ProbeArguments {
  const void* x;
  void* y;
  uint64_t n;
};

/// probe<Op>: y[i] = Op::apply(x[i]).
cugrb::jit::Request probe(const std::string& op, const std::string& preamble = "");
/// A request that no test made before: cache entries of other tests cannot hide a compilation.
cugrb::jit::Request fresh_probe();

/// Defines the operator `endless`, whose compilation makes 2^30 instantiations.
extern const char* const exponential;

/// Runs a request's kernel on n floats.
std::vector<float> run_floats(const cugrb::jit::Request& request, const std::vector<float>& x);

/// A new empty directory of this process (removed at its end).
std::string new_directory();

/// Starts this program again with one (hidden) test case and changed environment; returns exit status and
/// output.
struct Outcome {
  int status;
  std::string output;
};
Outcome run_self(const std::string& test,
                 const std::vector<std::pair<std::string, std::string>>& environment);

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace fixture
