// assign and extract (GraphBLAS C API 2.0, sections 4.3.7 and 4.3.6).
//
// Without an index list an assignment is a write-back of u, or of a scalar. With a list I it changes Z = C
// except Z(I(p)) = T(p), then C<M, replace> = Z over all of w (GrB_assign's rule; GxB_subassign's would stop
// at I):
//     without replace   one launch over the listed positions, the mask asked there
//     with replace      Z first, on a copy of w without mask; then Z is written back through the mask
// Of an index that I has more than once the last place counts (src/operations/index_set.h).
#include <algorithm>
#include <vector>

#include "src/operations/domain.h"
#include "src/operations/index_set.h"
#include "src/operations/visits.h"

namespace cugrb::operations {

using runtime::Buffer;

namespace {

/// A scalar for all places, or no entry at all of w's type.
struct ScalarSource {
  Expression t;
  DeviceVector nothing;
};
void scalar_source(ScalarSource& source, const VectorOutput& w, const std::optional<Value>& scalar) {
  if (!scalar) {
    source.nothing = DeviceVector::empty(w.object.type, w.object.length);
    source.t = copy_of(source.nothing);
    return;
  }
  // Without accumulator the value goes straight to w's type: one typecast here instead of a specialisation.
  const Value value = w.accumulate ? *scalar : typecast(*scalar, w.object.type);
  source.t.name = "expression_scalar";
  source.t.argument = value.type.name;
  source.t.type = value.type;
  source.t.pattern = Pattern::everywhere;
  source.t.x = scalar_view(value);
  source.t.constant = value;
}

bool has_duplicates(const Indices& indices, uint64_t length) {
  if (indices.count > length) return true;
  if (ascends(indices)) return false;
  if (length / 64 <= indices.count) {  // a bit a position is no larger than the list
    std::vector<bool> seen(length);
    for (uint64_t p = 0; p < indices.count; ++p) {
      if (seen[indices.list[p]]) return true;
      seen[indices.list[p]] = true;
    }
    return false;
  }
  std::vector<uint64_t> sorted(indices.list, indices.list + indices.count);
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

/// w<mask>(I) accum= T without replace: only listed positions change, and none is listed twice.
void update_list(const VectorOutput& w, const Expression& t, const Indices& indices) {
  if (indices.count == 0) return;
  check_types(w, t.type);
  const bool owns_values = w.object.values.unique(), owns_present = w.object.present.unique();
  PreparedMask mask = prepare_mask(w.mask, MaskAccess::any);
  WriteBackPlan plan;
  plan.mask = !mask.allows_all;
  plan.accumulate = w.accumulate.has_value();
  Exit exit{w, t, std::move(mask), plan, owns_values, owns_present, std::nullopt};
  if (exit.mask.allows_none) return;
  const bool lists_all = indices.count == w.object.length && w.mask.object == nullptr && !w.accumulate;
  exit.one_value = one_value(exit, /*old_survives=*/!lists_all && !w.object.known_empty());
  const Buffer places = listed(indices);
  update_places(exit, places.as<uint64_t>(), indices.count);
}

void assign_list(const VectorOutput& w, const Expression& t, const Indices& indices) {
  if (w.mask.object == nullptr && w.mask.complement) {  // nothing is allowed
    if (w.replace) clear(w.object);
    return;
  }
  if (w.mask.object == nullptr || !w.replace) return update_list(w, t, indices);
  DeviceVector z = w.object;
  const VectorOutput whole{z, {}, w.accumulate, false};
  update_list(whole, t, indices);
  execute({w.object, w.mask, std::nullopt, true}, copy_of(z));
}

}  // namespace

void assign(const VectorOutput& w, const DeviceVector& u, const Indices& indices) {
  if (indices.all) return execute(w, copy_of(u));
  if (has_duplicates(indices, w.object.length)) {
    const AscendingIndices last(indices, w.object.length);
    DeviceVector t = DeviceVector::empty(u.type, last.count());
    extract({t, {}, std::nullopt, false}, u, last.places());
    return assign(w, t, last.indices());
  }
  const DeviceVector held = u;  // shares memory: where w is u, the update will not write what it still reads
  Expression t = copy_of(held);
  t.name = "expression_spread";
  t.pattern = Pattern::elsewhere;
  assign_list(w, t, indices);
}

void assign_scalar(const VectorOutput& w, const std::optional<Value>& scalar, const Indices& indices) {
  ScalarSource source;
  scalar_source(source, w, scalar);
  if (indices.all) return execute(w, source.t);
  if (has_duplicates(indices, w.object.length)) {
    const AscendingIndices once(indices, w.object.length);
    return assign_list(w, source.t, once.indices());
  }
  assign_list(w, source.t, indices);
}

void extract(const VectorOutput& w, const DeviceVector& u, const Indices& indices) {
  Expression t = copy_of(u);
  if (indices.all) return execute(w, t);
  if (u.iso && u.form == Form::full)
    return execute(w, copy_of(DeviceVector::full_of(u.type, indices.count, u.values)));
  const Buffer list = listed(indices);
  t.name = "expression_gather";
  t.pattern = Pattern::elsewhere;
  t.list = list.as<uint64_t>();
  execute(w, t);
}

}  // namespace cugrb::operations
