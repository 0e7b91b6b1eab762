#include "src/operations/mxv_memo.h"

#include <algorithm>

#include "src/operations/mxv_kernels.h"
#include "src/support/settings.h"

namespace cugrb::operations {

namespace {

/// All that the texts of a product's kernels, its decision and its refusals depend on, beside the matrix.
struct Product {
  std::string semiring, preamble, force;
  Type vector_type;
  bool vector_iso = false, transposed = false, vector_first = false, deterministic = false;

  explicit Product(const MatrixVectorRun& run)
      : semiring(run.call.semiring.source),
        preamble(run.call.semiring.preamble),
        force(settings().force),
        vector_type(run.call.vector.type),
        vector_iso(run.call.vector.iso),
        transposed(run.call.transpose_matrix),
        vector_first(run.call.vector_first),
        deterministic(settings().deterministic) {}
  bool is(const MatrixVectorRun& run) const {
    return vector_iso == run.call.vector.iso && transposed == run.call.transpose_matrix &&
           vector_first == run.call.vector_first && deterministic == settings().deterministic &&
           force == settings().force && semiring == run.call.semiring.source &&
           vector_type == run.call.vector.type && preamble == run.call.semiring.preamble;
  }
};

bool is_memorable(const MatrixVectorRun& run) {
  return run.mask.allows_all && run.call.vector.form == Form::full;
}

uint64_t uses_of(const DeviceMatrix& matrix) { return matrix.uses(false) + matrix.uses(true); }

/// More uses cannot change the decision: what was chosen costs nothing more to make, and nothing is faster.
bool is_settled(const selector::Decision& decision) {
  if (decision.forced) return true;
  if (decision.chosen.conversion_seconds > 0) return false;
  return std::none_of(
      decision.candidates.begin(), decision.candidates.end(), [&](const selector::Candidate& other) {
        return other.applicable && other.predicted_seconds < decision.chosen.predicted_seconds;
      });
}

/// A matrix's memos. They are dropped with the formats that they know of.
class MxvMemos final : public formats::Derived {
 public:
  size_t bytes() const override { return 0; }
  std::shared_ptr<MxvMemo> find(const MatrixVectorRun& run) const {
    const DeviceMatrix& matrix = run.call.matrix;
    const std::lock_guard<std::mutex> lock(*mutex_);
    for (const Entry& entry : entries_) {
      if (!entry.product.is(run)) continue;
      const bool holds = entry.changes == matrix.changes() && uses_of(matrix) <= entry.last_use;
      return holds ? entry.memo : nullptr;
    }
    return nullptr;
  }
  void keep(const MatrixVectorRun& run, const std::shared_ptr<MxvMemo>& memo) const {
    constexpr size_t most = 16;
    // The selector counts columns and the like only for matrices that are used again.
    constexpr uint64_t least_settled_uses = 8;
    const uint64_t uses = uses_of(run.call.matrix);
    const bool settled = uses >= least_settled_uses && is_settled(memo->plan().decision);
    const std::lock_guard<std::mutex> lock(*mutex_);
    entries_.erase(std::remove_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.product.is(run); }),
                   entries_.end());
    if (entries_.size() == most) entries_.erase(entries_.begin());
    entries_.push_back(
        {Product(run), run.call.matrix.changes(), settled ? ~uint64_t(0) : uses + uses / 8, memo});
  }

 private:
  struct Entry {
    Product product;
    uint64_t changes, last_use;
    std::shared_ptr<MxvMemo> memo;
  };
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  mutable std::vector<Entry> entries_;
};

const MxvMemos& memos_of(const DeviceMatrix& matrix) {
  // Kept beside the rows that are stored: asking must not make the others.
  return matrix.derived<MxvMemos>(matrix.by_column, "memos", [](const formats::Csr&) { return MxvMemos(); });
}

}  // namespace

const runtime::Kernel* MxvMemo::kernel(const std::string& stem) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [name, kernel] : kernels_) {
    if (name == stem) return kernel;
  }
  return nullptr;
}

void MxvMemo::remember(const std::string& stem, const runtime::Kernel& kernel) {
  const std::lock_guard<std::mutex> lock(mutex_);
  kernels_.emplace_back(stem, &kernel);
}

std::shared_ptr<MxvMemo> recall(const MatrixVectorRun& run) {
  return is_memorable(run) ? memos_of(run.call.matrix).find(run) : nullptr;
}

std::shared_ptr<MxvMemo> memorise(const MatrixVectorRun& run, MxvPlan plan) {
  auto memo = std::make_shared<MxvMemo>(std::move(plan));
  if (is_memorable(run)) memos_of(run.call.matrix).keep(run, memo);
  return memo;
}

}  // namespace cugrb::operations
