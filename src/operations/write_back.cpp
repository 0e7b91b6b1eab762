#include "src/formats/constants.h"
#include "src/formats/element_kernels.h"
#include "src/operations/in_parts.h"
#include "src/operations/launch.h"
#include "src/operations/template_id.h"
#include "src/operations/visits.h"

namespace cugrb::operations {

using runtime::Buffer;

namespace {

bool known_empty(const DeviceVector* vector) { return vector != nullptr && vector->known_empty(); }

bool known_empty(const Expression& t) {
  switch (t.pattern) {
    case Pattern::everywhere:
      return false;
    case Pattern::any:
      return known_empty(t.u) && known_empty(t.v);
    default:
      return known_empty(t.u) || known_empty(t.v);
  }
}

Exit exit_of(const VectorOutput& w, const Expression& t) {
  const bool owns_values = w.object.values.unique(), owns_present = w.object.present.unique();
  PreparedMask mask = prepare_mask(w.mask, MaskAccess::any);
  const WriteBackPlan plan =
      plan_write_back({mask, w.accumulate.has_value(), w.replace, w.object.known_empty(), known_empty(t)});
  return {w, t, std::move(mask), plan, owns_values, owns_present, std::nullopt};
}

// ---- results that need no launch over positions

/// A vector of one position with the first value of `vector`; nothing for no vector.
std::optional<DeviceVector> one_of(const DeviceVector* vector) {
  if (vector == nullptr) return std::nullopt;
  DeviceVector one = DeviceVector::full_of(vector->type, 1, vector->values);
  one.iso = false;
  return one;
}

/// The call at one position that has all operands (w, too, where it accumulates), iso or not read: the value
/// of every position that has them.
Buffer evaluate_once(const Exit& exit) {
  const std::optional<DeviceVector> u = one_of(exit.t.u), v = one_of(exit.t.v);
  const bool moves = exit.t.pattern == Pattern::part || exit.t.pattern == Pattern::elsewhere;
  Expression t = moves ? copy_of(*u) : exit.t;
  t.u = u ? &*u : nullptr;
  t.v = v ? &*v : nullptr;
  DeviceVector w =
      exit.plan.accumulate ? *one_of(&exit.w.object) : DeviceVector::empty(exit.w.object.type, 1);
  const VectorOutput one{w, {}, exit.w.accumulate, false};
  WriteBackPlan plan;
  plan.accumulate = exit.plan.accumulate;
  visit_all({one, t, PreparedMask(), plan, false, false, std::nullopt});
  return w.values;
}

/// T's one value in w's type.
Buffer value_of_t(const Exit& exit) {
  const Expression& t = exit.t;
  const Type& type = exit.w.object.type;
  if (t.constant) {
    const Value value = typecast(*t.constant, type);
    return formats::constant(value.bytes.data(), value.bytes.size());
  }
  if (t.argument.empty() || t.pattern == Pattern::part)  // u's own
    return formats::cast(DeviceVector::full_of(t.u->type, 1, t.u->values), type).values;
  Exit alone = exit;
  alone.plan.accumulate = false;
  return evaluate_once(alone);
}

std::string bytes_of_value(const Buffer& value, const Type& type) {
  return value_of_iso(DeviceVector::full_of(type, 1, value)).bytes;
}

}  // namespace

std::optional<Buffer> one_value(const Exit& exit, bool old_survives) {
  const DeviceVector& w = exit.w.object;
  if (!has_one_value(exit.t) || (old_survives && !w.iso)) return std::nullopt;
  Buffer value = value_of_t(exit);
  if (!old_survives) return value;
  // Entries of w stay, those of T come, and where both are the accumulator decides.
  const std::string old = bytes_of_value(w.values, w.type);
  if (bytes_of_value(value, w.type) != old) return std::nullopt;
  if (exit.plan.accumulate && bytes_of_value(evaluate_once(exit), w.type) != old) return std::nullopt;
  return w.values;
}

namespace {

/// The operand whose pattern T has; null when there is none.
const DeviceVector* pattern_of(const Expression& t) {
  if (t.pattern != Pattern::intersection) return nullptr;
  if (t.v == nullptr || t.v->form == Form::full) return t.u;
  return t.u->form == Form::full ? t.v : nullptr;
}

DeviceVector with_one_value(const DeviceVector& pattern, const Type& type, const Buffer& value) {
  DeviceVector result = pattern;
  result.type = type;
  result.iso = true;
  result.values = value;
  return result;
}

/// A T of one value as w's whole content, where its pattern is there. False where it is not.
bool share_pattern(const Exit& exit) {
  DeviceVector& w = exit.w.object;
  const Expression& t = exit.t;
  if (!exit.one_value) return false;
  if (t.pattern == Pattern::everywhere) {
    w = DeviceVector::full_of(w.type, w.length, *exit.one_value);
    return true;
  }
  const DeviceVector* const pattern = pattern_of(t);
  if (pattern == nullptr) return false;
  w = with_one_value(*pattern, w.type, *exit.one_value);
  return true;
}

/// w<s(M), replace> = scalar and w<s(w)> = scalar: M's pattern with an iso value.
bool share_mask_pattern(const Exit& exit) {
  const VectorMask& mask = exit.w.mask;
  DeviceVector& w = exit.w.object;
  const bool own = mask.object == &w && !exit.plan.accumulate;
  if (exit.t.pattern != Pattern::everywhere || !mask.structural || mask.complement) return false;
  if (!has_one_value(exit.t) || (exit.plan.reads_old() && !own)) return false;
  w = with_one_value(exit.mask.vector, w.type, value_of_t(exit));
  return true;
}

}  // namespace

Expression copy_of(const DeviceVector& u) {
  Expression t;
  t.name = "expression_copy";
  t.type = u.type;
  t.pattern = Pattern::intersection;
  t.u = &u;
  return t;
}

void execute(const VectorOutput& w, const Expression& t) {
  check_types(w, t.type);
  if (reads_parts(w, t)) return execute_in_parts(w, t);
  Exit exit = exit_of(w, t);
  if (exit.plan.kind == WriteBackPlan::Kind::keep) return;
  if (exit.plan.kind == WriteBackPlan::Kind::clear) return clear(w.object);
  const bool takes = exit.plan.kind == WriteBackPlan::Kind::take;
  if (takes && t.name == "expression_copy") {
    w.object = formats::cast(*t.u, w.object.type);
    return;
  }
  if (exit.plan.mask && share_mask_pattern(exit)) return;
  exit.one_value = one_value(exit, exit.plan.reads_old());
  if (takes && share_pattern(exit)) return;

  const Domain domain = choose_domain(exit);
  if (domain.kind == DomainKind::all) {
    visit_all(exit);
  } else if (domain.list->nvals() == 0) {
    if (domain.kind == DomainKind::new_list) clear(w.object);
  } else if (domain.kind == DomainKind::in_place_list) {
    update_listed(exit, *domain.list);
  } else {
    make_listed(exit, *domain.list);
  }
}

void write_back(const VectorOutput& w, DeviceVector&& t, bool masked) {
  // The usual case in a few instructions: a program's loop comes by at every product.
  if (w.mask.object == nullptr && !w.mask.complement && !w.accumulate && t.type == w.object.type) {
    w.object = std::move(t);
    return;
  }
  const DeviceVector own = std::move(t);
  VectorOutput exit = w;
  if (masked && mask_is_spent(w.accumulate.has_value(), w.replace, w.object.known_empty())) {
    exit.mask = {};
    exit.replace = false;
  }
  execute(exit, copy_of(own));
}

}  // namespace cugrb::operations
