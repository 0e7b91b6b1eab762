#include "src/operations/write_back_plan.h"

#include "src/support/declined.h"

namespace cugrb::operations {

using formats::check_cast;

void check_types(const Type& c, const std::optional<BinaryOp>& accumulate, const Type& t) {
  check_cast(t, c);
  if (!accumulate) return;
  if (accumulate->positional != Positional::None) throw Declined("a positional accumulator");
  check_cast(c, accumulate->x);
  check_cast(t, accumulate->y);
  check_cast(accumulate->z, c);
}

void check_operands(const BinaryOp& op, const Type& first, const Type& second) {
  if (op.reads_x) check_cast(first, op.x);
  if (op.reads_y) check_cast(second, op.y);
}

bool mask_is_spent(bool accumulate, bool replace, bool old_empty) {
  return old_empty || accumulate != replace;
}

WriteBackPlan plan_write_back(const WriteBackFacts& facts) {
  using Kind = WriteBackPlan::Kind;
  WriteBackPlan plan;
  plan.mask = !facts.mask.allows_all;
  plan.accumulate = facts.accumulate && !facts.old_empty;
  plan.replace = plan.mask && (facts.replace || (facts.old_empty && !facts.of_region));
  const Kind gone = facts.old_empty ? Kind::keep : Kind::clear;
  if (facts.mask.allows_none) {
    plan.kind = facts.replace ? gone : Kind::keep;
  } else if (facts.t_empty && !plan.reads_old()) {
    plan.kind = gone;
  } else if (facts.t_empty && plan.accumulate && !plan.replace) {
    plan.kind = Kind::keep;
  } else if (!plan.mask && !plan.accumulate) {
    plan.kind = Kind::take;
  }
  // Of C more than T has a say: but a replace where a mask of all of C allows nothing.
  const bool all_goes = facts.mask.allows_none && !facts.region_bounds_mask;
  if (facts.of_region && plan.kind != Kind::keep && !(plan.kind == Kind::clear && all_goes))
    plan.kind = Kind::join;
  return plan;
}

}  // namespace cugrb::operations
