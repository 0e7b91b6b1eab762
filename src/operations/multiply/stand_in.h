// While the chosen kernel is being compiled, the next best one that is compiled stands in for it.
#pragma once
#include <string>
#include <vector>

#include "src/jit/jit.h"
#include "src/operations/multiply/kernel.h"

namespace cugrb::operations {

/// The search for one: choose without the kernels that are excluded, run the choice where it fits, exclude it
/// where that throws NotCompiled. While it lives, this thread has nothing compiled.
class StandIn {
 public:
  /// A product takes at most so many times as long as by the kernel that is missing. Where only slower ones
  /// are compiled, the call is better declined: its place was chosen for the missing one's time.
  static constexpr double slowest = 4;

  StandIn(const selector::Decision& wanted, const jit::NotCompiled& missing);

  const std::vector<const Kernel*>& excluded() const { return excluded_; }
  /// Whether the choice makes nothing for later products, and is fast enough.
  bool fits(const selector::Decision& choice) const;
  /// Throws what was missing where no other candidate is left.
  void exclude(const selector::Decision& choice);
  /// For the trace: what is missing.
  const std::string& reason() const { return reason_; }

 private:
  const jit::WhenMissing nothing_is_compiled_{jit::Missing::refuse};
  const jit::NotCompiled missing_;
  const std::string reason_;
  const double most_seconds_;
  std::vector<const Kernel*> excluded_;
};

}  // namespace cugrb::operations
