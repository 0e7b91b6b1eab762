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

/// What of a product changes from call to call, and how far a decision reaches: numbers of entries and shares
/// within a factor of the square root of two decide alike.
struct Circumstances {
  int entries = 0;  ///< twice the logarithm to base 2 of the vector's entries; of a full vector 0
  int allowed = 0;  ///< the same of the share of T's positions that the mask allows; 0: all
  bool operator==(const Circumstances&) const = default;
  static Circumstances of(const MatrixVectorRun& run, double allowed_share);
};

/// The memo of products like `run`: same types, operators, forms, descriptor, kind of mask and circumstances.
/// Null where nothing is remembered, and where the decision may come out differently now: other formats are
/// there than then, what was looked at has arrived, or the matrix has been used so often that looking at more
/// of it, or the format of a faster kernel, is paid for (at the earliest after an eighth more uses).
std::shared_ptr<MxvMemo> recall(const MatrixVectorRun& run, const Circumstances& circumstances);
/// A memo of this plan, kept with the matrix for products like `run`.
std::shared_ptr<MxvMemo> memorise(const MatrixVectorRun& run, const Circumstances& circumstances,
                                  MxvPlan plan);

/// Of kernels alone, for products like `run` whose plan follows from the matrix's form: kept with its
/// version.
std::shared_ptr<MxvMemo> kernels_of(const MatrixVectorRun& run);

/// What kernels were found to take in products like `run` with its matrix. Only products of full vectors that
/// no mask restricts are timed.
std::vector<selector::Trial> trials_of(const MatrixVectorRun& run);
/// Keeps a trial with the matrix, one that failed until its formats go; products like `run` are decided on
/// anew. Of products that are not timed nothing is kept.
void keep_trial(const MatrixVectorRun& run, const selector::Trial& trial, double spent_seconds);
/// What trials have found of products like `run` with another matrix holds for its matrix, too: one that is
/// as large, of rows as long, on a device as fast. What failed there may succeed here.
void adopt_trials(const MatrixVectorRun& run, const formats::DeviceMatrix& alike);
/// Whether the matrix has been used so often that the memo's next trial is paid for.
bool trial_is_due(const MatrixVectorRun& run, const MxvMemo& memo);

}  // namespace cugrb::operations
