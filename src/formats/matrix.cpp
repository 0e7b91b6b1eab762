#include "src/formats/matrix.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "cuda/views/mxv.h"
#include "src/formats/dcsr.h"
#include "src/formats/launch.h"
#include "src/formats/matrix_in_parts.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char profile_header[] = "mxv_profile.h";

std::string profile_kernel(const char* name, const Csr& rows) {
  return std::string(name) + "<" + index_type(rows.offset_width) + ">";
}

MxvProfileArguments profile_arguments(const Csr& rows) {
  MxvProfileArguments arguments;
  arguments.offsets = rows.offsets.data();
  arguments.rows = rows.rows;
  arguments.entries = rows.entries;
  return arguments;
}

/// `count` of them, as the distribution knows: nothing is waited for.
LongRows find_long_rows(const Csr& rows, uint64_t count) {
  LongRows found;
  found.count = count;
  found.rows = Buffer((count + 1) * sizeof(uint64_t));
  MxvProfileArguments arguments = profile_arguments(rows);
  arguments.long_rows = found.rows.as<uint64_t>();
  arguments.listed = arguments.long_rows + count;
  arguments.longest_short = longest_short_row;
  found.rows.fill(0, count * sizeof(uint64_t), sizeof(uint64_t));
  launch_blocks(profile_header, profile_kernel("list_long_rows", rows), blocks_for(rows.rows), arguments);
  return found;
}

}  // namespace

MergePlan cut_merge_path(const Csr& rows) {
  MergePlan plan;
  plan.tiles = blocks_for(rows.rows + rows.entries, merge_tile_steps);
  plan.tile_rows = Buffer((plan.tiles + 1) * sizeof(uint64_t));
  MxvProfileArguments arguments = profile_arguments(rows);
  arguments.tile_rows = plan.tile_rows.as<uint64_t>();
  arguments.tiles = plan.tiles;
  launch_blocks(profile_header, profile_kernel("merge_tile_rows", rows), blocks_for(plan.tiles + 1),
                arguments);
  return plan;
}

namespace {

using Slots = std::vector<std::unique_ptr<Slot>>;

std::mutex lazy_mutex;

/// Those that `goes(const Slot&)`.
template <class Goes>
Slots take_out(Slots& slots, const Goes& goes) {
  const auto out = std::stable_partition(slots.begin(), slots.end(),
                                         [&](const std::unique_ptr<Slot>& slot) { return !goes(*slot); });
  Slots taken(std::make_move_iterator(out), std::make_move_iterator(slots.end()));
  slots.erase(out, slots.end());
  return taken;
}

}  // namespace

DeviceMatrix::Caches& DeviceMatrix::LazyCaches::make() {
  set(std::make_shared<Caches>(std::make_shared<Pattern>()));
  return *owner_;
}

void DeviceMatrix::LazyCaches::set(std::shared_ptr<Caches> caches) {
  const std::lock_guard<std::mutex> lock(lazy_mutex);
  if (owner_ != nullptr) return;
  owner_ = std::move(caches);
  made_.store(owner_.get(), std::memory_order_release);
}

void DeviceMatrix::LazyCaches::share(const LazyCaches& other) {
  Caches* const made = other.made_.load(std::memory_order_acquire);
  owner_ = made != nullptr ? other.owner_ : nullptr;
  made_.store(made, std::memory_order_release);
}

void DeviceMatrix::defragment() {
  if (fragments == nullptr) return;
  Csr rows = to_csr(*fragments);
  next_version();
  stored = std::move(rows);
  fragments.reset();
}

void DeviceMatrix::collect() {
  if (parts == nullptr) return;
  Csr rows = collected(*parts);
  next_version();
  stored = std::move(rows);
  parts.reset();
}

void DeviceMatrix::read_rows() {
  collect();
  defragment();
  if (history.batches > 0) history.batches_before = history.batches;
  history.batches = 0;
}

void DeviceMatrix::require_rows() const {
  if (fragments != nullptr) throw std::logic_error("rows of a fragmented matrix");
  if (parts != nullptr) throw std::logic_error("rows of a matrix in parts");
}

const Csr* DeviceMatrix::rows_if_there(bool transposed) const {
  require_rows();
  if (transposed == by_column) return &stored;
  const Caches& cached = caches();
  return cached.other ? &*cached.other : nullptr;
}

bool DeviceMatrix::has_rows(bool transposed) const {
  if (fragments != nullptr || parts != nullptr) return false;
  if (transposed == by_column) return true;
  const Lock lock(caches().mutex());
  return rows_if_there(transposed) != nullptr;
}

const Csr& DeviceMatrix::rows_uncounted(bool transposed) const {
  require_rows();
  if (transposed == by_column) return stored;
  Caches& cached = caches();
  const Lock lock(cached.mutex());
  if (!cached.other) {
    cached.other = transpose(stored);
    ++cached.changes;
  }
  return *cached.other;
}

const Csr& DeviceMatrix::by_rows(bool transposed) const {
  const Csr& rows = rows_uncounted(transposed);
  ++caches().uses[transposed];
  return rows;
}

const LengthDistribution& DeviceMatrix::row_distribution(bool transposed,
                                                         const std::function<void()>& meanwhile) const {
  using Key = OfPattern<LengthDistribution>;
  const Lock lock(caches().mutex());
  if (const SlotOf<Key>* known = slot_of(transposed, Key())) return known->made();
  const Csr* rows = rows_if_there(transposed);
  // Not a change: who depends on lengths asks for them.
  return kept_for<Key>(transposed)
      .add(Key(), rows != nullptr ? formats::row_distribution(*rows, meanwhile) : column_distribution(stored))
      .made();
}

HeldPattern DeviceMatrix::held_pattern() const {
  const Caches& cached = caches();
  const Lock lock(cached.mutex());
  HeldPattern held{cached.pattern, cached.flipped, {}, {}};
  for (const bool transposed : {false, true}) {
    const Csr* rows = fragments == nullptr && parts == nullptr ? rows_if_there(transposed) : nullptr;
    if (rows == nullptr) continue;
    held.offsets[transposed] = rows->offsets;
    held.column_indices[transposed] = rows->column_indices;
  }
  return held;
}

void DeviceMatrix::keep_pattern(const HeldPattern& held) {
  const void* const columns = stored.column_indices.data();
  for (const bool transposed : {false, true}) {
    if (columns == nullptr || held.column_indices[transposed].data() != columns ||
        held.offsets[transposed].data() != stored.offsets.data())
      continue;
    const bool turned = transposed != by_column;
    caches_.set(std::make_shared<Caches>(held.pattern, held.flipped != turned));
  }
}

void DeviceMatrix::replace_rows(Csr rows, bool by_column) {
  const HeldPattern held = held_pattern();
  *this = matrix_by(std::move(rows), by_column);
  keep_pattern(held);
}

void DeviceMatrix::next_version() {
  const Caches& before = caches();
  LazyCaches next;
  next.set(std::make_shared<Caches>(
      std::make_shared<Pattern>(before.pattern->identity, before.pattern->version + 1)));
  // As many uses again are expected as there were: of a matrix that changes, as between two batches.
  const uint64_t expected = std::max(history.products, history.products_before);
  for (const bool transposed : {false, true})
    next.get().uses[transposed] = std::min(before.uses[transposed].load(), expected);
  caches_ = next;
}

void DeviceMatrix::arrive(Kept& kept, Slot& slot) const {
  Pattern& pattern = *caches().pattern;
  --pattern.under_way;
  try {
    slot.take();
  } catch (...) {
    take_out(kept.slots, [&](const Slot& other) { return &other == &slot; });
    throw;
  }
  ++pattern.changes;
}

void DeviceMatrix::collect_arrivals() const {
  const Caches& cached = caches();
  Pattern& pattern = *cached.pattern;
  if (pattern.under_way == 0) return;
  const Lock lock(pattern.mutex);
  for (const bool side : {false, true}) {
    for (Kept* kept : {&pattern.storage[side], &pattern.knowledge[side]}) {
      for (const std::unique_ptr<Slot>& slot : kept->slots) {
        if (!slot->is_there() && is_due(side != cached.flipped, *slot)) arrive(*kept, *slot);
      }
    }
  }
}

bool DeviceMatrix::has_derived(bool transposed, std::type_index key) const {
  const Lock lock(caches().mutex());
  const Slots& formats = caches().storage[transposed].slots;
  return std::any_of(formats.begin(), formats.end(), [&](const auto& slot) { return slot->type == key; });
}

const LongRows& DeviceMatrix::long_rows(bool transposed) const {
  static const LongRows none;
  const LengthDistribution& lengths = row_distribution(transposed);
  if (lengths.longest() <= longest_short_row) return none;
  return derived(transposed, OfPattern<LongRows>(), [&](const Csr& rows) {
    return find_long_rows(rows, lengths.rows_above(longest_short_row));
  });
}

const MergePlan& DeviceMatrix::merge_plan(bool transposed) const {
  return derived(transposed, OfPattern<MergePlan>(), cut_merge_path);
}

DeviceMatrix::Pin::Pin(const DeviceMatrix& matrix) : caches_(matrix.caches()) { ++caches_.pins; }

// A pin that comes after a slot was retired cannot find it any more, so pins are counted without the lock.
DeviceMatrix::Pin::~Pin() {
  if (--caches_.pins != 0 || !caches_.has_retired) return;
  Slots retired;
  const Lock lock(caches_.mutex());
  if (caches_.pins != 0) return;
  retired.swap(caches_.retired);
  caches_.has_retired = false;
}

void DeviceMatrix::retire(bool transposed, std::span<const std::type_index> keys) const {
  Caches& cached = caches();
  const Pin until_the_end(*this);
  const Lock lock(cached.mutex());
  for (std::unique_ptr<Slot>& slot : take_out(cached.storage[transposed].slots, [&](const Slot& slot) {
         return std::find(keys.begin(), keys.end(), slot.type) != keys.end();
       })) {
    cached.retired.push_back(std::move(slot));
    cached.has_retired = true;
    ++cached.changes;
  }
}

size_t DeviceMatrix::content_bytes() const {
  return stored.bytes() + (fragments != nullptr ? fragments->bytes() : 0) +
         (parts != nullptr ? parts->bytes() : 0);
}

size_t DeviceMatrix::derived_bytes() const {
  const Caches& cached = caches();
  size_t bytes = 0;
  for (const bool side : {false, true})
    bytes += cached.storage[side].bytes() + cached.pattern->storage[side].bytes();
  return bytes;
}

size_t DeviceMatrix::bytes() const {
  const Caches& cached = caches();
  const Lock lock(cached.mutex());
  size_t bytes = content_bytes() + (cached.other ? cached.other->bytes() : 0) + derived_bytes();
  for (const std::unique_ptr<Slot>& slot : cached.retired) bytes += slot->bytes();
  return bytes;
}

size_t DeviceMatrix::drop_caches() const {
  Caches& cached = caches();
  const Lock lock(cached.mutex());
  size_t freed = derived_bytes() + (cached.other ? cached.other->bytes() : 0);
  // An iso transpose shares its one value with `stored`: that stays.
  if (cached.other && cached.other->iso) freed -= cached.other->values.bytes();
  Pattern& pattern = *cached.pattern;
  for (const bool side : {false, true}) {
    cached.storage[side].slots.clear();
    pattern.storage[side].slots.clear();
    take_out(pattern.knowledge[side].slots, [](const Slot& slot) { return !slot.is_there(); });
  }
  if (parts != nullptr) {
    for (const DeviceMatrix& part : parts->of) freed += part.drop_caches();
  }
  pattern.under_way = 0;
  cached.other.reset();
  ++cached.changes;
  ++cached.drops;
  ++pattern.changes;
  return freed;
}

DeviceMatrix DeviceMatrix::without_storage() const {
  drop_caches();
  DeviceMatrix known = *this;
  known.stored = Csr(SparseShape(stored));
  known.fragments.reset();
  known.parts.reset();
  return known;
}

void DeviceMatrix::take_knowledge(const DeviceMatrix& of) {
  if (by_column == of.by_column && stored.iso == of.stored.iso) caches_ = of.caches_;
}

DeviceMatrix matrix_by(Csr rows, bool by_column) {
  DeviceMatrix matrix;
  matrix.type = rows.type;
  matrix.by_column = by_column;
  matrix.rows = by_column ? rows.columns : rows.rows;
  matrix.columns = by_column ? rows.rows : rows.columns;
  matrix.stored = std::move(rows);
  return matrix;
}

}  // namespace cugrb::formats
