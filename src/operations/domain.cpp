#include "src/operations/domain.h"

namespace cugrb::operations {

namespace {

bool present_everywhere(const DeviceVector* vector, const DeviceVector* list) {
  return vector->form == Form::full || is_listed(*vector, list);
}

/// The sparse operand with the fewest entries among those that contain T's pattern; null when none does.
const DeviceVector* bound_of(const Expression& t) {
  if (t.pattern != Pattern::intersection && t.pattern != Pattern::part) return nullptr;
  const DeviceVector* best = nullptr;
  for (const DeviceVector* operand : {t.u, t.v}) {
    if (operand == nullptr || operand->form != Form::sparse) continue;
    if (best == nullptr || operand->nvals() < best->nvals()) best = operand;
  }
  return best;
}

/// A list costs scattered accesses: beyond a quarter of all positions, visiting all of them in order is
/// cheaper.
bool worth_it(const DeviceVector& list) { return list.nvals() <= list.length / 4; }

}  // namespace

bool always_present(const Expression& t, const DeviceVector* list) {
  switch (t.pattern) {
    case Pattern::everywhere:
      return true;
    case Pattern::intersection:
      return present_everywhere(t.u, list) && (t.v == nullptr || present_everywhere(t.v, list));
    case Pattern::any:
      return present_everywhere(t.u, list) || present_everywhere(t.v, list);
    case Pattern::part:
      return false;
    case Pattern::elsewhere:
      return t.u->form == Form::full;
  }
  return false;
}

Domain choose_domain(const Exit& exit) {
  const DeviceVector* mask = exit.mask_is_list() ? &exit.mask.vector : nullptr;
  const DeviceVector* bound = bound_of(exit.t);
  Domain domain;
  const auto offer = [&domain](DomainKind kind, const DeviceVector* list) {
    if (list == nullptr || !worth_it(*list)) return;
    if (domain.list != nullptr && domain.list->nvals() <= list->nvals()) return;
    domain = {kind, list};
  };
  if (exit.plan.mask && !exit.plan.replace) offer(DomainKind::in_place_list, mask);
  if (exit.plan.mask && exit.plan.replace) offer(DomainKind::new_list, mask);
  if (exit.plan.accumulate && !exit.plan.replace) offer(DomainKind::in_place_list, bound);
  if (!exit.plan.reads_old()) offer(DomainKind::new_list, bound);
  return domain;
}

}  // namespace cugrb::operations
