// What is remembered of products with one matrix: a program's loop decides once and finds its kernels once.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/runtime/device.h"
#include "src/formats/blocked.h"
#include "src/formats/tile_composite.h"
#include "src/selector/decision.h"
#include "src/selector/kernels.h"

namespace cugrb::operations {

struct MatrixVectorRun;

/// How one product is computed: the decision, and what its kernel was planned with.
struct MxvPlan {
  selector::Decision decision;
  selector::KernelName kernel;
  uint64_t hyb_threshold = 0;              ///< Family::hyb
  uint32_t tile_columns = 0;               ///< Family::tile_coo
  formats::TileCompositeParameters tiles;  ///< Family::tile_composite
  formats::BlockedParameters blocked;      ///< Family::blocked
};

/// A plan, and the kernels that it launched, by the names of their templates. Thread-safe.
class MxvMemo {
 public:
  explicit MxvMemo(MxvPlan plan) : plan_(std::move(plan)) {}
  const MxvPlan& plan() const { return plan_; }
  /// Null when it has not been launched yet.
  const runtime::Kernel* kernel(const std::string& stem) const;
  void remember(const std::string& stem, const runtime::Kernel& kernel);

 private:
  const MxvPlan plan_;
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, const runtime::Kernel*>> kernels_;
};

/// The memo of products like `run`: same types, operators, forms and descriptor, no mask, a full vector. Null
/// where nothing is remembered, and where the decision may come out differently now: other formats are there
/// than then, or the matrix has been used an eighth more often since and something cheaper is still to be
/// paid for.
std::shared_ptr<MxvMemo> recall(const MatrixVectorRun& run);
/// A memo of this plan, kept with the matrix for products like `run`; not kept where a mask or the vector's
/// entries decide, which change from call to call.
std::shared_ptr<MxvMemo> memorise(const MatrixVectorRun& run, MxvPlan plan);

}  // namespace cugrb::operations
