#include "src/operations/in_parts.h"

#include "src/formats/part_exchange.h"
#include "src/jit/jit.h"
#include "src/memory/policy.h"

namespace cugrb::operations {

using formats::Split;
using formats::VectorParts;

namespace {

bool is_in_parts(const DeviceVector* vector) { return vector != nullptr && vector->parts != nullptr; }

/// T(i) is made of what operands have at i, and of nothing else.
bool is_of_one_position(const Expression& t) {
  return t.pattern != Pattern::elsewhere && !t.reads_position && !t.selects_by_position;
}

/// That of the operand that comes first, where settle_parts() has not had them agree.
std::shared_ptr<const Split> split_of(const VectorOutput& w, const Expression& t) {
  for (const DeviceVector* operand : {t.u, t.v, w.mask.object}) {
    if (is_in_parts(operand)) return operand->parts->split;
  }
  return reads_old(w) && is_in_parts(&w.object) ? w.object.parts->split : nullptr;
}

DeviceVector old_of(const VectorOutput& w) {
  return reads_old(w) ? w.object : DeviceVector::empty(w.object.type, w.object.length);
}

void execute_collected(const VectorOutput& w, const Expression& t) {
  const auto whole = [](const DeviceVector* vector) {
    return vector == nullptr ? DeviceVector() : formats::collected(*vector);
  };
  const DeviceVector u = whole(t.u), v = whole(t.v), mask = whole(w.mask.object);
  Expression at_home = t;
  if (t.u != nullptr) at_home.u = &u;
  if (t.v != nullptr) at_home.v = &v;
  DeviceVector result = formats::collected(old_of(w));
  VectorMask asked = w.mask;
  if (asked.object != nullptr) asked.object = &mask;
  execute({result, asked, w.accumulate, w.replace}, at_home);
  w.object = std::move(result);
}

/// One operand's parts; none where the call has no such operand.
struct Operand {
  std::optional<VectorParts> parts;

  Operand(const DeviceVector* vector, const std::shared_ptr<const Split>& split) {
    if (vector != nullptr) parts = formats::parts_by(*vector, split);
  }
  const DeviceVector* of(size_t part) const { return parts ? &parts->of[part] : nullptr; }
};

/// Tells what operations write apart.
uint64_t what_of(const VectorOutput& w, const Expression& t) {
  const std::hash<std::string> number;
  const uint64_t accumulator = w.accumulate ? number(w.accumulate->source) : 0;
  return number(t.name) ^ 3 * number(t.argument) ^ 5 * accumulator;
}

}  // namespace

bool reads_parts(const VectorOutput& w, const Expression& t) {
  return is_in_parts(t.u) || is_in_parts(t.v) || is_in_parts(w.mask.object) || is_in_parts(&w.object);
}

void execute_in_parts(const VectorOutput& w, const Expression& t) {
  const std::shared_ptr<const Split> split = split_of(w, t);
  if (split == nullptr) {  // w's old content, which nobody reads, is all that is in parts
    DeviceVector result = old_of(w);
    execute({result, w.mask, w.accumulate, w.replace}, t);
    w.object = std::move(result);
    return;
  }
  if (!is_of_one_position(t)) return execute_collected(w, t);
  const DeviceVector before = old_of(w);
  const Operand u(t.u, split), v(t.v, split), mask(w.mask.object, split), old(&before, split);
  VectorParts made{split, old.parts->of, {}, nullptr};
  for (size_t p = 0; p < made.of.size(); ++p) {
    if (split->parts[p].count == 0) continue;
    const runtime::OnDevice there(*split->parts[p].device);
    Expression own = t;
    own.u = u.of(p);
    own.v = v.of(p);
    VectorMask asked = w.mask;
    asked.object = mask.of(p);
    const runtime::Room room = split->room_of(p, w.object.type.size);
    execute({made.of[p], asked, w.accumulate, w.replace, /*any_form=*/false, room}, own);
  }
  w.object = kept_in_parts(w.object.type, std::move(made), what_of(w, t));
}

namespace {

/// A list of few entries is dealt anew at each call, and one value for all positions is made on each device.
bool is_worth_dealing(const DeviceVector& vector) {
  if (vector.iso && vector.form == Form::full) return false;
  return vector.form != Form::sparse || (vector.nvals_known() && vector.nvals() >= vector.length / 16);
}

/// Without memory or a kernel for it nothing begins: what asks for it later makes room, or waits.
template <class Begin>
void begin_ahead(const Begin& begin) try {
  static_cast<void>(memory::shortage(begin));
} catch (const jit::NotCompiled&) {
}

}  // namespace

DeviceVector kept_in_parts(const Type& type, VectorParts made, uint64_t what) {
  DeviceVector whole = formats::written_in_parts(type, std::move(made), what);
  begin_ahead([&] { formats::start_early(whole); });
  begin_ahead([&] { start_sum(whole); });
  return whole;
}

void settle_parts(const VectorOutput& w, std::initializer_list<DeviceVector*> operands) {
  std::shared_ptr<const Split> split;
  // Of several, the one in which products leave their results: others would come back into it.
  const auto offer = [&](const DeviceVector* vector) {
    if (!is_in_parts(vector)) return;
    const std::shared_ptr<const Split>& own = vector->parts->split;
    if (split == nullptr || own->results_left() > split->results_left()) split = own;
  };
  for (const DeviceVector* operand : operands) offer(operand);
  if (reads_old(w)) offer(&w.object);
  const bool must = split != nullptr;
  for (const DeviceVector* operand : operands) {
    const bool leads = split == nullptr && operand != nullptr && is_worth_dealing(*operand);
    if (leads) split = formats::busy_split(operand->length);
  }
  if (split == nullptr) return;
  const auto missing = memory::shortage([&] {
    for (DeviceVector* operand : operands) {
      if (operand != nullptr && operand->length == split->length && is_worth_dealing(*operand))
        *operand = formats::in_parts(*operand, split);
    }
  });
  if (missing && must) throw runtime::OutOfMemory(*missing);
}

}  // namespace cugrb::operations
