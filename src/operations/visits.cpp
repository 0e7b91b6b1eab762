#include "src/operations/visits.h"

#include "cuda/views/compact.h"
#include "src/formats/element_kernels.h"
#include "src/formats/posted_count.h"
#include "src/operations/launch.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using formats::bytes_of;
using formats::index_type;
using formats::index_width;
using runtime::Buffer;

namespace {

/// The kernel's type for a result of this form, which writes no values where there is one for all.
std::string into_id(const char* stem, const Exit& exit, const std::string& flag) {
  const std::string type = exit.w.object.type.name;
  return exit.one_value ? template_id(stem, {type, flag, "true"}) : template_id(stem, {type, flag});
}

/// `target` may be written: its memory is neither w's while others share that, nor anybody else's.
void make_writable(DeviceVector& target, const Exit& exit) {
  const DeviceVector& w = exit.w.object;
  const auto shared = [](const Buffer& mine, const Buffer& of_w, bool owned) {
    return mine && mine.data() == of_w.data() && !owned;
  };
  if (target.form == Form::sparse) target = to_bitmap(target);
  if (exit.one_value) {
    target.iso = true;
    target.values = *exit.one_value;
  } else {
    target = expand_iso(target);
    if (shared(target.values, w.values, exit.owns_values)) target.values = target.values.clone();
  }
  if (shared(target.present, w.present, exit.owns_present)) target.present = target.present.clone();
}

// ---- over a list
// -------------------------------------------------------------------------------------------------

/// The update of w at `count` places; `list` is the operand they belong to, if any.
void update(const Exit& exit, const DeviceVector* list, const void* places, uint64_t count,
            const std::string& index) {
  const bool deletes = !exit.plan.accumulate && !always_present(exit.t, list);
  DeviceVector target = exit.w.object;
  make_writable(target, exit);
  if (deletes) target = to_bitmap(target);
  Launch launch;
  set_expression(launch, exit.t, exit.t.u, exit.t.v, list);
  set_listed_mask(launch, exit, list);
  set_old(launch, target, exit.plan.accumulate, nullptr);
  if (exit.one_value && target.form == Form::full) {  // all entries are there, with their value
    exit.w.object = std::move(target);
    return;
  }
  launch.into = into_id(target.form == Form::full ? "into_full" : "into_bitmap", exit, "true");
  launch.arguments.values = target.values.data();
  launch.arguments.present = target.present.as<uint8_t>();
  launch.arguments.places = places;
  launch.arguments.count = count;
  run(exit, launch, index, {target.values, target.present});
  if (target.form == Form::bitmap) target.forget_nvals();
  exit.w.object = std::move(target);
}

/// compact() of a short list, in one launch that sends the number to the host.
void compact_few(DeviceVector& result, const Buffer& flags, uint64_t count) {
  const formats::Width width = index_width(result.length);
  const size_t value_bytes = result.iso ? 1 : result.type.size;
  const Buffer indices(count * bytes_of(width)), values(result.iso ? 0 : count * value_bytes);
  const std::shared_ptr<formats::PostedCount> posted = formats::PostedCount::of_launch(1);
  const Buffer counter(posted == nullptr ? sizeof(uint64_t) : 0);
  CompactArguments arguments;
  arguments.flags = flags.as<uint8_t>();
  arguments.indices = result.indices.data();
  arguments.values = result.values.data();
  arguments.count = count;
  arguments.kept_indices = indices.data();
  arguments.kept_values = values.data();
  if (posted != nullptr) arguments.post = posted->arguments().post;
  arguments.kept = posted == nullptr ? counter.as<uint64_t>() : static_cast<uint64_t*>(arguments.post.to);
  formats::launch_blocks("compact.h",
                         template_id("compact_few", {formats::element_of_bytes(value_bytes),
                                                     index_type(width), text_of(!result.iso)}),
                         1, arguments);
  result.indices = indices;
  if (!result.iso) result.values = values;
  posted != nullptr ? result.set_nvals_posted(posted) : result.set_nvals_counter(counter);
}

/// Keeps the flagged entries of a list-shaped result; their number is not waited for.
void compact(DeviceVector& result, const Buffer& flags, uint64_t count) {
  constexpr uint64_t few = 4096;  // a block takes them 256 at a time
  if (count <= few) return compact_few(result, flags, count);
  const size_t index_bytes = bytes_of(index_width(result.length));
  Buffer indices(count * index_bytes), counter(sizeof(uint64_t));
  if (!result.iso) {
    Buffer values(count * result.type.size);
    primitives::select_flagged(result.type.size, result.values.data(), flags.as<uint8_t>(), count,
                               values.data(), counter.as<uint64_t>());
    result.values = std::move(values);
  }
  primitives::select_flagged(index_bytes, result.indices.data(), flags.as<uint8_t>(), count, indices.data(),
                             counter.as<uint64_t>());
  result.indices = std::move(indices);
  result.set_nvals_counter(std::move(counter));
}

}  // namespace

void update_listed(const Exit& exit, const DeviceVector& list) {
  update(exit, &list, list.indices.data(), list.nvals(), index_type(index_width(list.length)));
}

void update_places(const Exit& exit, const uint64_t* places, uint64_t count) {
  update(exit, nullptr, places, count, "uint64_t");
}

void make_listed(const Exit& exit, const DeviceVector& list) {
  const DeviceVector& w = exit.w.object;
  const uint64_t count = list.nvals();
  DeviceVector result = DeviceVector::empty(w.type, w.length);
  result.iso = exit.one_value.has_value();
  result.values = result.iso ? *exit.one_value : Buffer(count * w.type.size);
  result.indices = list.indices;
  result.set_nvals(count);
  Launch launch;
  set_expression(launch, exit.t, exit.t.u, exit.t.v, &list);
  set_listed_mask(launch, exit, &list);
  set_old(launch, w, exit.plan.reads_old(), &list);
  const bool certain = launch.mask == "mask_none<false>" && always_present(exit.t, &list);
  if (certain && result.iso) {
    exit.w.object = std::move(result);
    return;
  }
  Buffer flags = certain ? Buffer() : Buffer(count);
  launch.into = into_id("into_list", exit, text_of(!certain));
  launch.arguments.values = result.values.data();
  launch.arguments.present = flags.as<uint8_t>();
  launch.arguments.places = list.indices.data();
  launch.arguments.count = count;
  run(exit, launch, index_type(index_width(list.length)), {result.values, flags});
  if (!certain) compact(result, flags, count);
  exit.w.object = std::move(result);
}

// ---- over all positions
// ------------------------------------------------------------------------------------------

namespace {

/// Every position of the result surely has an entry.
bool result_full(const Exit& exit, const Expression& t) {
  const bool old_full = exit.w.object.form == Form::full;
  const bool allowed = always_present(t, nullptr) || (exit.plan.accumulate && old_full);
  return allowed && (exit.mask.allows_all || (!exit.plan.replace && old_full));
}

/// w's memory can take the result's values: right size, nobody else's, and no other position is read from it.
bool values_reusable(const Exit& exit, const DeviceVector& old) {
  const DeviceVector& w = exit.w.object;
  if (old.iso || !old.values || old.values.bytes() != w.length * w.type.size) return false;
  if (old.values.data() == w.values.data() && !exit.owns_values) return false;
  const Expression& t = exit.t;
  return t.pattern != Pattern::elsewhere || t.u->values.data() != old.values.data();
}
bool present_reusable(const Exit& exit, const DeviceVector& old) {
  if (!old.present) return false;
  if (old.present.data() == exit.w.object.present.data() && !exit.owns_present) return false;
  const Expression& t = exit.t;
  return t.pattern != Pattern::elsewhere || t.u->present.data() != old.present.data();
}

}  // namespace

namespace {

/// The old content in a form that has every position, and the result, which takes over what it can of it.
struct DenseResult {
  DeviceVector old, result;
  bool in_place;  ///< the result's memory is the old content's
};

DenseResult dense_result(const Exit& exit, bool full) {
  const DeviceVector& w = exit.w.object;
  const bool reads_old = exit.plan.reads_old();
  DeviceVector old = w;
  if (old.form == Form::sparse && reads_old) old = to_bitmap(old);
  if (old.form == Form::full && reads_old && !full) old = to_bitmap(old);
  const bool reuse_values = exit.one_value || values_reusable(exit, old);
  const bool reuse_present = !full && old.form == Form::bitmap && present_reusable(exit, old);
  const bool in_place = reads_old && reuse_values && (full || reuse_present);

  DeviceVector result = DeviceVector::empty(w.type, w.length);
  result.form = full ? Form::full : Form::bitmap;
  const bool keep_memory = in_place || !reads_old;
  const bool keep_values = in_place || (!reads_old && old.values.has_room(exit.w.room));
  result.iso = exit.one_value.has_value();
  result.values = result.iso                    ? *exit.one_value
                  : reuse_values && keep_values ? old.values
                                                : Buffer::with_room(w.length * w.type.size, exit.w.room);
  if (!full) result.present = reuse_present && keep_memory ? old.present : Buffer(w.length);
  result.forget_nvals();
  return {std::move(old), std::move(result), in_place};
}

}  // namespace

void visit_all(const Exit& exit) {
  const DeviceVector& w = exit.w.object;
  const bool full = result_full(exit, exit.t);
  if (full && exit.one_value) {
    exit.w.object = DeviceVector::full_of(w.type, w.length, *exit.one_value);
    return;
  }
  formats::require_room(w.length, exit.one_value ? 0 : w.type.size);
  // Few answers from a long sparse vector: searching it costs less than writing it out.
  const bool search = exit.t.pattern == Pattern::elsewhere && w.length <= exit.t.u->length / 8;
  const auto dense = [search](const DeviceVector* operand) -> std::optional<DeviceVector> {
    if (operand == nullptr) return std::nullopt;
    return operand->form == Form::sparse && !search ? to_bitmap(*operand) : *operand;
  };
  const std::optional<DeviceVector> u = dense(exit.t.u), v = dense(exit.t.v);
  const PreparedMask mask = prepare_mask(exit.w.mask, MaskAccess::dense);
  auto [old, result, in_place] = dense_result(exit, full);

  Launch launch;
  set_expression(launch, exit.t, u ? &*u : nullptr, v ? &*v : nullptr, nullptr);
  set_mask(launch, mask);
  set_old(launch, old, in_place ? exit.plan.accumulate : exit.plan.reads_old(), nullptr);
  launch.into = into_id(full ? "into_full" : "into_bitmap", exit, text_of(in_place));
  launch.arguments.values = result.values.data();
  launch.arguments.present = result.present.as<uint8_t>();
  launch.arguments.count = w.length;
  run(exit, launch, "", {result.values, result.present});
  exit.w.object = std::move(result);
}

}  // namespace cugrb::operations
