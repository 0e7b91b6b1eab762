#include "src/operations/multiply/mxv/memo.h"

#include <algorithm>
#include <cmath>
#include <typeindex>
#include <utility>

#include "src/jit/jit.h"
#include "src/operations/multiply/mxv/run.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"

namespace cugrb::operations {

namespace {

/// All that the texts of a product's kernels, its decision and its refusals depend on, beside the matrix.
struct Product {
  std::string semiring, preamble, force;
  Type vector_type;
  bool vector_iso = false, transposed = false, vector_first = false, deterministic = false;
  size_t devices = 0;
  bool in_parts = false, vector_in_parts = false;
  Form vector_form = Form::full;
  MaskKind mask;
  Circumstances circumstances;

  Product(const MatrixVectorRun& run, const Circumstances& of_run)
      : semiring(run.call.semiring.source),
        preamble(run.call.semiring.preamble),
        force(settings().force),
        vector_type(run.call.vector.type),
        vector_iso(run.call.vector.iso),
        transposed(run.call.transpose_matrix),
        vector_first(run.call.vector_first),
        deterministic(settings().deterministic),
        devices(run.call.devices.size()),
        in_parts(run.call.in_parts),
        vector_in_parts(run.call.vector.parts != nullptr),
        vector_form(run.call.vector.form),
        mask(run.mask),
        circumstances(of_run) {}
  bool is(const MatrixVectorRun& run, const Circumstances& of_run) const {
    return circumstances == of_run && vector_form == run.call.vector.form &&
           devices == run.call.devices.size() && in_parts == run.call.in_parts &&
           vector_in_parts == (run.call.vector.parts != nullptr) && vector_iso == run.call.vector.iso &&
           transposed == run.call.transpose_matrix && vector_first == run.call.vector_first &&
           deterministic == settings().deterministic && force == settings().force &&
           semiring == run.call.semiring.source && vector_type == run.call.vector.type &&
           preamble == run.call.semiring.preamble && mask.is_of(run.mask);
  }
};

/// Whether one such product is like the next one, so that what it took is worth knowing.
bool is_steady(const MatrixVectorRun& run) {
  return run.mask.allows_all && run.call.vector.form == Form::full;
}

int twice_log2(double x) { return static_cast<int>(std::floor(2 * std::log2(x))); }

uint64_t uses_of(const DeviceMatrix& matrix) { return matrix.uses(false) + matrix.uses(true); }

/// Up to so many uses of the matrix (both ways) the decision stays: then more is looked at, or the format of
/// a faster kernel may be paid for. No decision is final before least_settled_uses, when trials begin, nor
/// one that had a format made: what that turned out to be is known to the next one.
uint64_t last_use_of(const MxvPlan& plan, const MatrixVectorRun& run) {
  constexpr uint64_t never = selector::Looks::never;
  const uint64_t uses = uses_of(run.call.matrix), pulls = run.call.matrix.uses(run.call.transpose_matrix);
  const selector::Candidate& chosen = plan.decision.chosen;
  if (chosen.makes_format || chosen.conversion_seconds > 0) return uses;
  const double another = std::ceil(selector::uses_until_another(plan.decision));
  // Of pulls, of which there are no more to come than uses.
  const auto left_until = [&](uint64_t next) { return next > pulls ? next - pulls - 1 : 0; };
  uint64_t left = another < double(uint64_t(1) << 62) ? left_until(uint64_t(another)) : never;
  left = std::max(left, uses / 8);
  if (plan.next_look != never) left = std::min(left, left_until(plan.next_look));
  if (uses < selector::least_settled_uses) left = std::min(left, selector::least_settled_uses - uses - 1);
  return left == never ? never : uses + left;
}

/// Results that must not depend on times, and products that were asked to run on one kernel, are not timed.
bool trials_are_wanted() {
  const Settings& s = settings();
  if (s.deterministic || s.trials == TrialPolicy::never) return false;
  return s.trials == TrialPolicy::always || runtime::device().properties().kind == runtime::Kind::cuda;
}

double expected_compile_seconds() {
  constexpr double of_nvrtc = 0.07;
  const jit::Statistics statistics = jit::statistics();
  return statistics.compiled == 0 ? of_nvrtc : statistics.compile_seconds / double(statistics.compiled);
}

/// Whether the kernel's products read what is kept by keys of that type: their own format, or what that is
/// made of. Null reads nothing.
bool reads_format(const Kernel* kernel, std::type_index key) {
  if (kernel == nullptr) return false;
  const std::vector<std::type_index>& keys = static_cast<const MxvKernel*>(kernel)->derives;
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// A matrix's memos, and what its products were found to take: knowledge, which outlives the formats. A memo
/// holds for the formats that were there (Entry::changes).
class MxvMemos {
 public:
  std::shared_ptr<MxvMemo> find(const MatrixVectorRun& run, const Circumstances& circumstances) const {
    const DeviceMatrix& matrix = run.call.matrix;
    const std::lock_guard<std::mutex> lock(*mutex_);
    const Entry* entry = known_entry(run, circumstances);
    const bool holds =
        entry != nullptr && entry->changes == matrix.changes() && uses_of(matrix) <= entry->last_use;
    return holds ? entry->memo : nullptr;
  }
  std::shared_ptr<MxvMemo> keep(const MatrixVectorRun& run, const Circumstances& circumstances,
                                MxvPlan plan) const {
    const uint64_t uses = uses_of(run.call.matrix);
    const std::lock_guard<std::mutex> lock(*mutex_);
    Entry& entry = entry_of(run, circumstances);
    std::optional<selector::NextTrial> next;
    if (is_steady(run)) next = next_trial(entry, plan.decision, uses);
    entry.kernel = plan.kernel;
    if (!entry.trials.made.empty()) retire_losers(run, entry, next);
    entry.changes = run.call.matrix.changes();
    entry.last_use = last_use_of(plan, run);
    entry.memo = std::make_shared<MxvMemo>(std::move(plan), next);
    return entry.memo;
  }
  selector::Trials trials(const MatrixVectorRun& run) const {
    const std::lock_guard<std::mutex> lock(*mutex_);
    const Entry* entry = known_entry(run, {});
    return entry == nullptr ? selector::Trials() : entry->trials;
  }
  void keep_trial(const MatrixVectorRun& run, const selector::Trial& trial, double spent_seconds) const {
    const std::lock_guard<std::mutex> lock(*mutex_);
    Entry& entry = entry_of(run, {});
    entry.trials.keep(trial);
    entry.trials.spent_seconds += spent_seconds;
    entry.memo = nullptr;  // it decided without
  }
  /// As many trials as those, which another matrix has had: nothing is spent on them here.
  void adopt(const MatrixVectorRun& run, const selector::Trials& others) const {
    const std::lock_guard<std::mutex> lock(*mutex_);
    Entry& entry = entry_of(run, {});
    for (const selector::Trial& trial : others.made) {
      const selector::Trial* const own = entry.trials.find(trial.kernel);
      const bool is_new = trial.seconds > 0 && (own == nullptr || own->uncompiled);
      if (!is_new) continue;
      entry.trials.keep(trial);
      entry.memo = nullptr;  // it decided without
    }
    entry.trials.spent_seconds = std::max(entry.trials.spent_seconds, others.spent_seconds);
  }

 private:
  struct Entry {
    Product product;
    uint64_t first_use;    ///< of the matrix when this came
    const Kernel* kernel;  ///< the last one that was chosen; null: none has been
    selector::Trials trials;
    uint64_t drops;  ///< of the matrix, that the trials have taken note of
    uint64_t changes = 0, last_use = 0;
    std::shared_ptr<MxvMemo> memo;

    /// Whether its products read a format of such a key, or will be tried on it again.
    bool needs(std::type_index key) const {
      return reads_format(kernel, key) || has_tried(key, /*uncompiled=*/true);
    }
    bool has_tried(std::type_index key, bool uncompiled) const {
      return std::any_of(trials.made.begin(), trials.made.end(), [&](const selector::Trial& trial) {
        return trial.uncompiled == uncompiled && reads_format(trial.kernel, key);
      });
    }
  };

  /// Null when it is not there. When formats were dropped what failed is forgotten: there may be room now.
  Entry* known_entry(const MatrixVectorRun& run, const Circumstances& circumstances) const {
    for (Entry& entry : is_steady(run) ? steady_ : passing_) {
      if (!entry.product.is(run, circumstances)) continue;
      const uint64_t drops = run.call.matrix.drops();
      if (std::exchange(entry.drops, drops) != drops)
        std::erase_if(entry.trials.made, [](const selector::Trial& trial) { return !trial.failure.empty(); });
      return &entry;
    }
    return nullptr;
  }

  /// Made when it is not there, in place of the oldest one where there are many.
  Entry& entry_of(const MatrixVectorRun& run, const Circumstances& circumstances) const {
    constexpr size_t most_steady = 16, most_passing = 64;
    if (Entry* const known = known_entry(run, circumstances)) return *known;
    std::vector<Entry>& entries = is_steady(run) ? steady_ : passing_;
    if (entries.size() == (is_steady(run) ? most_steady : most_passing)) entries.erase(entries.begin());
    const DeviceMatrix& matrix = run.call.matrix;
    entries.push_back(
        {Product(run, circumstances), uses_of(matrix), nullptr, {}, matrix.drops(), 0, 0, nullptr});
    return entries.back();
  }

  /// Formats that nobody's products read any more go: those that lost a trial at once, earlier choices when
  /// no trial is to come. On grids they are several times as large as the matrix.
  void retire_losers(const MatrixVectorRun& run, const Entry& entry,
                     const std::optional<selector::NextTrial>& next) const {
    std::vector<std::type_index> unused;
    for (const MxvKernel* kernel : mxv_kernels()) {
      if (kernel->derives.empty()) continue;
      const std::type_index key = kernel->derives.back();
      const bool is_needed = std::any_of(steady_.begin(), steady_.end(), [&](const Entry& e) {
        return e.product.transposed == run.call.transpose_matrix && e.needs(key);
      });
      const bool may_come = next && (reads_format(next->kernel, key) || !entry.has_tried(key, false));
      if (!is_needed && !may_come) unused.push_back(key);
    }
    run.call.matrix.retire(run.call.transpose_matrix, unused);
  }

  static std::optional<selector::NextTrial> next_trial(const Entry& entry, const selector::Decision& decision,
                                                       uint64_t uses) {
    if (uses < selector::least_settled_uses || !trials_are_wanted()) return {};
    auto next = selector::next_trial(decision, entry.trials, expected_compile_seconds());
    if (next) next->due_uses += double(entry.first_use);
    return next;
  }

  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  /// Knowledge; and decisions of products whose vector or mask is another one each time.
  mutable std::vector<Entry> steady_, passing_;
};

const MxvMemos& memos_of(const DeviceMatrix& matrix) {
  return matrix.derived(false, formats::Only<MxvMemos>(), [] { return MxvMemos(); });
}

/// Memos without plans.
class KernelMemos {
 public:
  std::shared_ptr<MxvMemo> of(const MatrixVectorRun& run) const {
    constexpr size_t most = 16;
    const std::lock_guard<std::mutex> lock(*mutex_);
    for (const auto& [product, memo] : memos_) {
      if (product.is(run, {})) return memo;
    }
    if (memos_.size() == most) memos_.erase(memos_.begin());
    memos_.emplace_back(Product(run, {}), std::make_shared<MxvMemo>(MxvPlan(), std::nullopt));
    return memos_.back().second;
  }

 private:
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  mutable std::vector<std::pair<Product, std::shared_ptr<MxvMemo>>> memos_;
};

}  // namespace

const runtime::Kernel* MxvMemo::kernel(std::string_view stem) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [name, kernel] : kernels_) {
    if (name == stem) return kernel;
  }
  return nullptr;
}

void MxvMemo::remember(std::string_view stem, const runtime::Kernel& kernel) {
  const std::lock_guard<std::mutex> lock(mutex_);
  kernels_.emplace_back(stem, &kernel);
}

Circumstances Circumstances::of(const MatrixVectorRun& run, double allowed_share) {
  Circumstances c;
  if (run.call.vector.form != Form::full) {
    const uint64_t entries = run.vector_entries ? *run.vector_entries : run.call.vector.nvals();
    c.entries = twice_log2(double(entries) + 1);
  }
  if (!run.mask.allows_all) c.allowed = twice_log2(std::max(allowed_share, 1e-18)) - 1;
  return c;
}

std::shared_ptr<MxvMemo> recall(const MatrixVectorRun& run, const Circumstances& circumstances) {
  run.call.matrix.collect_arrivals();  // a change, after which the decision is made anew
  return memos_of(run.call.matrix).find(run, circumstances);
}

std::shared_ptr<MxvMemo> memorise(const MatrixVectorRun& run, const Circumstances& circumstances,
                                  MxvPlan plan) {
  return memos_of(run.call.matrix).keep(run, circumstances, std::move(plan));
}

std::shared_ptr<MxvMemo> kernels_of(const MatrixVectorRun& run) {
  return run.call.matrix.derived(false, formats::Only<KernelMemos>(), [] { return KernelMemos(); }).of(run);
}

void adopt_trials(const MatrixVectorRun& run, const DeviceMatrix& alike) {
  if (!is_steady(run)) return;
  const selector::Trials others = memos_of(alike).trials(run);
  if (!others.made.empty()) memos_of(run.call.matrix).adopt(run, others);
}

bool trial_is_due(const MatrixVectorRun& run, const MxvMemo& memo) {
  return memo.next_trial().has_value() && double(uses_of(run.call.matrix)) >= memo.next_trial()->due_uses;
}

std::vector<selector::Trial> trials_of(const MatrixVectorRun& run) {
  if (!is_steady(run)) return {};
  return memos_of(run.call.matrix).trials(run).made;
}

void keep_trial(const MatrixVectorRun& run, const selector::Trial& trial, double spent_seconds) {
  if (!is_steady(run)) return;
  memos_of(run.call.matrix).keep_trial(run, trial, spent_seconds);
}

}  // namespace cugrb::operations
