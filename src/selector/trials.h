// Predictions choose, trials correct them: which kernel should be timed next on a matrix that is used again
// and again, and when that is paid for.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "src/selector/decision.h"

namespace cugrb::selector {

/// What timing a kernel on a matrix came to.
struct Trial {
  const Kernel* kernel = nullptr;
  double seconds = 0;       ///< of one product
  std::string failure;      ///< why it could not be timed, or empty
  bool uncompiled = false;  ///< it would have had to be compiled, which nothing paid for yet
};

/// All trials of one kind of product with one matrix.
struct Trials {
  std::vector<Trial> made;
  double spent_seconds = 0;  ///< on all of them, conversions and compilations included

  /// Null when the kernel has not been tried.
  const Trial* find(const Kernel* kernel) const;
  /// In place of an earlier one of the same kernel.
  void keep(const Trial& trial);
};

struct NextTrial {
  const Kernel* kernel = nullptr;
  double due_uses = 0;    ///< so many products pay for it
  bool compiles = false;  ///< and for compiling its kernels
};

/// A trial is so many runs of products in a row, behind a warm one; the fastest run counts. It ends with the
/// first run where that is hopeless.
constexpr int runs_of_trial = 3;
constexpr double hopeless_trial = 1.2;  ///< times what the choice takes
/// Products of a run: about a tenth of a millisecond for all runs, 2 or 3.
int products_of_trial(double predicted_seconds);
/// Products that are shorter than that are one run, behind two warm ones: the device is held until all are
/// queued (runtime::Device::hold), since the host's part, which changes from one moment to the next, would
/// hide what kernels differ by. It counts as it was meanwhile (slower_of).
constexpr double held_trial_below = 10e-6;
constexpr int held_products = 8;
/// What a trial takes, about.
double seconds_of_trial(double predicted_seconds);

/// The chosen kernel at first; then, of the applicable ones that have not been tried and whose predicted time
/// is at most 1.3 times the choice's, predicted or as it was found, the one of least charged time. It is due
/// when all trials, this one included, are a tenth of what the products have taken. A kernel that turned out
/// not to be compiled comes up again, charged with `compile_seconds`. None when nothing is left to try, when
/// the kernel was forced, or while the choice's own format is still to be made. Margin and share:
/// docs/selector.md, "Trials".
std::optional<NextTrial> next_trial(const Decision& decision, const Trials& trials, double compile_seconds);

}  // namespace cugrb::selector
