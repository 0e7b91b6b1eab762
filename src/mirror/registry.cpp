#include "src/mirror/registry.h"

#include "src/mirror/presence.h"
#include "src/support/declined.h"
#include "src/support/every_call.h"

namespace cugrb::mirror {

CUGRB_READ_BY_EVERY_CALL constinit std::atomic<uint64_t> detail::known_objects{0};
constinit CountingFilter detail::known_handles, detail::copied_handles, detail::moved_handles,
    detail::unsettled_handles, detail::noted_handles;

std::recursive_mutex& residency_lock() {
  static auto* const lock =
      new std::recursive_mutex;  // never destroyed: used by calls made while the process ends
  return *lock;
}

Registry& Registry::instance() {
  static auto* const registry = new Registry;  // never destroyed, see above
  return *registry;
}

void Registry::state_changes(const void* handle, State from, State to) {
  const bool was_copied = from != State::host, is_copied = to != State::host;
  if (is_copied && !was_copied) detail::copied_handles.add(handle);
  if (was_copied && !is_copied) detail::copied_handles.remove(handle);
}

void Registry::movement_changes(const void* handle, bool moved) {
  moved ? detail::moved_handles.add(handle) : detail::moved_handles.remove(handle);
}

void Registry::settlement_changes(const void* handle, bool unsettled) {
  unsettled ? detail::unsettled_handles.add(handle) : detail::unsettled_handles.remove(handle);
}

void Registry::notes_change(const void* handle, bool noted) {
  noted ? detail::noted_handles.add(handle) : detail::noted_handles.remove(handle);
}

std::shared_ptr<Entry> Registry::look_up_moved(const void* handle) {
  auto entry = find(handle);
  if (entry == nullptr || !entry->has_moved()) return nullptr;
  return entry;
}

std::shared_ptr<Entry> Registry::look_up_unsettled(const void* handle) {
  auto entry = find(handle);
  if (entry == nullptr || !entry->unsettled.load(std::memory_order_acquire)) return nullptr;
  return entry;
}

std::shared_ptr<Entry> Registry::find(const void* handle) {
  if (!detail::known_handles.may_have(handle)) return nullptr;
  Shard& s = shard(handle);
  const std::lock_guard<std::mutex> guard(s.lock);
  const auto found = s.entries.find(handle);
  return found == s.entries.end() ? nullptr : found->second;
}

template <class Handle>
std::shared_ptr<Entry> Registry::find_or_make(Handle handle) {
  using EntryType = EntryOf<ContentOf<Handle>>;
  Shard& s = shard(handle);
  const std::lock_guard<std::mutex> guard(s.lock);
  auto found = s.entries.find(handle);
  if (found == s.entries.end()) {
    auto entry = std::make_shared<EntryType>(reinterpret_cast<GrB_Matrix>(handle));
    found = s.entries.emplace(handle, std::move(entry)).first;
    detail::known_handles.add(handle);
    detail::known_objects.fetch_add(1, std::memory_order_acq_rel);
  }
  return found->second;
}

/// The old entry is settled and without copies when it leaves the table: a thread that still holds it finds
/// the content on the host.
template <class Handle>
std::shared_ptr<Entry> Registry::change_kind(Handle handle) {
  const std::lock_guard<std::recursive_mutex> guard(residency_lock());
  const auto known = find_or_make(handle);
  if (known->kind == EntryOf<ContentOf<Handle>>::own_kind) return known;
  if (known->in_use > 0) throw Declined("an object used as a vector and as a matrix in one call");
  if (known->write_back() != GrB_SUCCESS) {
    throw Declined("an object that is used as the other kind, vector or matrix, cannot come to the host");
  }
  known->drop();
  remove(handle);
  return find_or_make(handle);
}

template <class Handle>
std::shared_ptr<EntryOf<ContentOf<Handle>>> Registry::obtain(Handle handle) {
  using EntryType = EntryOf<ContentOf<Handle>>;
  if (handle == nullptr) throw Declined("a null handle");
  watch_forks();
  auto entry = find_or_make(handle);
  if (entry->kind != EntryType::own_kind) entry = change_kind(handle);
  return std::static_pointer_cast<EntryType>(entry);
}

template std::shared_ptr<VectorEntry> Registry::obtain(GrB_Vector);
template std::shared_ptr<MatrixEntry> Registry::obtain(GrB_Matrix);

std::shared_ptr<Entry> Registry::remove(const void* handle) {
  if (!detail::known_handles.may_have(handle)) return nullptr;
  Shard& s = shard(handle);
  const std::lock_guard<std::mutex> guard(s.lock);
  const auto found = s.entries.find(handle);
  if (found == s.entries.end()) return nullptr;
  std::shared_ptr<Entry> entry = std::move(found->second);
  s.entries.erase(found);
  entry->forget_notes();
  detail::known_handles.remove(handle);
  detail::known_objects.fetch_sub(1, std::memory_order_acq_rel);
  return entry;
}

std::vector<std::shared_ptr<Entry>> Registry::entries() {
  std::vector<std::shared_ptr<Entry>> all;
  for (Shard& s : shards_) {
    const std::lock_guard<std::mutex> guard(s.lock);
    for (const auto& [handle, entry] : s.entries) all.push_back(entry);
  }
  return all;
}

void Registry::clear() {
  for (const auto& entry : entries()) remove(entry->handle);
}

void Registry::lock_all() {
  for (Shard& s : shards_) s.lock.lock();
}

void Registry::unlock_all() {
  for (Shard& s : shards_) s.lock.unlock();
}

}  // namespace cugrb::mirror
