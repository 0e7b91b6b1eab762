// What the JIT's compilers take for each kernel: `cugrb precompile --list ... --times FILE`.
#pragma once
#include <string>
#include <vector>

namespace cugrb::command {

struct CompileTime {
  std::string name;    ///< the kernel's template-id
  double seconds = 0;  ///< processor time: other programs on the machine do not count
};

/// Processor time that this process and the children it has waited for have used, in seconds.
double processor_seconds();

/// A summary by kernel as JSON: how many specialisations, the median, the worst and which one it is.
std::string compile_times_text(const std::string& architecture, const std::vector<CompileTime>& times);

}  // namespace cugrb::command
