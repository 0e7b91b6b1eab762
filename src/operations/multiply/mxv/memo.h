// What is remembered of products with one matrix: a program's loop decides once and finds its kernels once.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/runtime/device.h"
#include "src/operations/multiply/kernel.h"
#include "src/selector/looks.h"
#include "src/selector/trials.h"

namespace cugrb::operations {

struct MatrixVectorRun;

/// How one product is computed: the decision, and its kernel as it was planned.
struct MxvPlan {
  selector::Decision decision;
  const MxvKernel* kernel = nullptr;
  uint64_t next_look = selector::Looks::never;  ///< uses (pulls) from which choosing looks at more
  MxvLaunch launch = {};
};

/// A plan, the trial that would come next, and the kernels that were launched, by the names of their
/// templates. Thread-safe.
class MxvMemo {
 public:
  MxvMemo(MxvPlan plan, std::optional<selector::NextTrial> next_trial)
      : plan_(std::move(plan)), next_trial_(std::move(next_trial)) {}
  const MxvPlan& plan() const { return plan_; }
  /// Which kernel should be timed, from how many uses of the matrix on; it may never come to that.
  const std::optional<selector::NextTrial>& next_trial() const { return next_trial_; }
  /// Null when it has not been launched yet.
  const runtime::Kernel* kernel(std::string_view stem) const;
  void remember(std::string_view stem, const runtime::Kernel& kernel);

 private:
  const MxvPlan plan_;
  const std::optional<selector::NextTrial> next_trial_;
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, const runtime::Kernel*>> kernels_;
};

/// The memo of products like `run`: same types, operators, forms and descriptor, no mask, a full vector. Null
/// where nothing is remembered, and where the decision may come out differently now: other formats are there
/// than then, what was looked at has arrived, or the matrix has been used so often that looking at more of
/// it, or the format of a faster kernel, is paid for (at the earliest after an eighth more uses).
std::shared_ptr<MxvMemo> recall(const MatrixVectorRun& run);
/// A memo of this plan, kept with the matrix for products like `run`; not kept where a mask or the vector's
/// entries decide, which change from call to call.
std::shared_ptr<MxvMemo> memorise(const MatrixVectorRun& run, MxvPlan plan);

/// What kernels were found to take in products like `run` with its matrix.
std::vector<selector::Trial> trials_of(const MatrixVectorRun& run);
/// Keeps a trial with the matrix, one that failed until its formats go; products like `run` are decided on
/// anew.
void keep_trial(const MatrixVectorRun& run, const selector::Trial& trial, double spent_seconds);
/// Whether the matrix has been used so often that the memo's next trial is paid for.
bool trial_is_due(const MatrixVectorRun& run, const MxvMemo& memo);

}  // namespace cugrb::operations
