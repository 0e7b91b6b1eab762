#include "src/formats/element_kernels.h"
#include "src/operations/launch.h"
#include "src/operations/template_id.h"
#include "src/operations/visits.h"
#include "src/support/declined.h"

namespace cugrb::operations {

using runtime::Buffer;

namespace {

// ---- what cannot matter
// ------------------------------------------------------------------------------------------

bool known_empty(const DeviceVector* vector) {
  return vector != nullptr && vector->nvals_known() && vector->nvals() == 0;
}

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

Exit simplify(const Output& w, const Expression& t) {
  const bool owns_values = w.vector.values.unique(), owns_present = w.vector.present.unique();
  Exit exit{w, t, prepare_mask(w.mask, MaskAccess::any), false, false, owns_values, owns_present};
  const bool old_empty = known_empty(&w.vector);
  exit.accumulate = w.accumulate.has_value() && !old_empty;
  exit.replace = !exit.mask.allows_all && (w.replace || old_empty);
  return exit;
}

// ---- results that need no launch over positions
// ------------------------------------------------------------------

/// One launch over a single element: expression(x) of iso operands.
Buffer evaluate_once(const Exit& exit) {
  const Expression& t = exit.t;
  const Type& type = exit.w.vector.type;
  const auto iso_id = [](const DeviceVector* operand) {
    return operand == nullptr ? std::string() : template_id("vector_full", {operand->type.name, "true"});
  };
  Buffer value(type.size);
  WriteBackArguments arguments;
  arguments.expression.x = t.x;
  arguments.expression.y = t.y;
  if (t.u != nullptr) arguments.expression.u.values = t.u->values.data();
  if (t.v != nullptr) arguments.expression.v.values = t.v->values.data();
  arguments.values = value.data();
  arguments.count = 1;
  const std::string name =
      template_id("write_back_all",
                  {expression_id(t, iso_id(t.u), iso_id(t.v)), "mask_none<false>", "no_accumulate", "false",
                   template_id("vector_none", {type.name}), template_id("into_full", {type.name, "false"})});
  formats::launch_per_element("write_back.h", name, 1, arguments, preamble_of(exit.w, t));
  return value;
}

/// The operand whose pattern T has, when all operands are iso, so that T is iso too; null when there is none.
const DeviceVector* iso_pattern(const Expression& t) {
  if (t.reads_position || t.u == nullptr || !t.u->iso || (t.v != nullptr && !t.v->iso)) return nullptr;
  const bool full_u = t.u->form == Form::full, full_v = t.v == nullptr || t.v->form == Form::full;
  if (t.pattern == Pattern::any) return full_u && full_v ? t.u : nullptr;
  if (t.pattern != Pattern::intersection) return nullptr;
  return full_v ? t.u : full_u ? t.v : nullptr;
}

/// T as w's whole content, where that needs no launch, or one of a single thread. False when it does.
bool share_whole(const Exit& exit) {
  DeviceVector& w = exit.w.vector;
  const Expression& t = exit.t;
  if (t.name == "expression_copy") {
    w = formats::cast(*t.u, w.type);
    return true;
  }
  if (t.name == "expression_scalar") {
    const Value value =
        typecast({t.type, std::string(reinterpret_cast<const char*>(t.x.bytes), t.type.size)}, w.type);
    w = DeviceVector::full_of(w.type, w.length, value.bytes.data());
    return true;
  }
  if (const DeviceVector* pattern = iso_pattern(t)) {
    DeviceVector result = *pattern;
    result.values = evaluate_once(exit);
    result.type = w.type;
    w = std::move(result);
    return true;
  }
  return false;
}

/// w<s(M), replace> = scalar: M's pattern with an iso value.
bool share_mask_pattern(const Exit& exit) {
  if (exit.reads_old() || exit.t.name != "expression_scalar" || !exit.w.mask.structural ||
      exit.w.mask.complement) {
    return false;
  }
  DeviceVector& w = exit.w.vector;
  const Value value = typecast(
      {exit.t.type, std::string(reinterpret_cast<const char*>(exit.t.x.bytes), exit.t.type.size)}, w.type);
  DeviceVector result = exit.mask.vector;
  result.type = w.type;
  result.iso = true;
  result.values = Buffer::from_host(value.bytes.data(), w.type.size);
  w = std::move(result);
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

void check_types(const Output& w, const Expression& t) {
  if (w.accumulate && w.accumulate->positional != Positional::None) {
    throw Declined("a positional accumulator");
  }
  if (t.type != w.vector.type && (t.type.is_user() || w.vector.type.is_user())) {
    throw Declined("no typecast between " + t.type.name + " and " + w.vector.type.name);
  }
}

void execute(const Output& w, const Expression& t) {
  check_types(w, t);
  const Exit exit = simplify(w, t);
  const bool empty_t = known_empty(t);
  if (exit.mask.allows_none || (empty_t && !exit.reads_old())) {
    if (exit.mask.allows_none && !exit.replace) return;  // nothing is allowed to change
    clear(w.vector);
    return;
  }
  if (empty_t && exit.accumulate && !exit.replace) return;  // nothing to add
  if (exit.mask.allows_all && !exit.accumulate && share_whole(exit)) return;
  if (!exit.mask.allows_all && share_mask_pattern(exit)) return;

  const Domain domain = choose_domain(exit);
  if (domain.kind == DomainKind::all) {
    visit_all(exit);
  } else if (domain.list->nvals() == 0) {
    if (domain.kind == DomainKind::new_list) clear(w.vector);
  } else if (domain.kind == DomainKind::in_place_list) {
    update_listed(exit, *domain.list);
  } else {
    make_listed(exit, *domain.list);
  }
}

void write_back(const Output& w, DeviceVector&& t, bool masked) {
  // The usual case in a few instructions: a program's loop comes by at every product.
  if (w.mask.vector == nullptr && !w.mask.complement && !w.accumulate && t.type == w.vector.type) {
    w.vector = std::move(t);
    return;
  }
  const DeviceVector own = std::move(t);
  Output exit = w;
  // T has no entries outside the mask. Then the mask decides nothing where all outside goes anyway (replace,
  // or there is nothing), nor where all outside stays as it is with or without it (an accumulator and no
  // replace).
  const bool outside_is_empty = w.replace || known_empty(&w.vector);
  if (masked && (w.accumulate ? !w.replace || known_empty(&w.vector) : outside_is_empty)) {
    exit.mask = {};
    exit.replace = false;
  }
  execute(exit, copy_of(own));
}

}  // namespace cugrb::operations
