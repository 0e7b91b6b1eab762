// Memory pressure, stress modes, statistics.
#include <algorithm>

#include "src/mirror/registry.h"
#include "src/support/trace.h"

namespace cugrb::mirror {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

std::atomic<uint64_t> evictions{0};
std::atomic<uint64_t> uses{0};

/// Entries that no call is using, least recently used first. Those that are not on the device may share plans
/// with others, by what is known of them.
std::vector<std::shared_ptr<Entry>> evictable() {
  auto all = Registry::instance().entries();
  all.erase(std::remove_if(all.begin(), all.end(), [](const auto& entry) { return entry->in_use > 0; }),
            all.end());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->last_use < b->last_use; });
  return all;
}

size_t drop_device_copy(Entry& entry) {
  const size_t freed = entry.device_bytes();
  entry.keep_knowledge();
  entry.drop_device();
  if (entry.state == State::both) entry.set_state(State::host);
  note_eviction();
  return freed;
}

/// The device's content is copied into host memory of the mirror, not into the SuiteSparse object: that may
/// be in the hands of another thread.
bool move_to_host_memory(Entry& entry) {
  try {
    if (entry.parked.empty()) entry.park();
    return true;
  } catch (...) {
    return false;  // no host memory: this one stays where it is
  }
}

/// Moving an object out finishes its pending work: in a loop of setElement calls that makes the square of the
/// work. So an object of n kilobytes stays for n / 8 calls after it was moved out; small ones, and each at
/// first, always go.
void stress(GrB_Matrix object, const std::shared_ptr<Entry>& entry) {
  constexpr size_t bytes_a_call = 8192;
  constexpr size_t most_calls = 512;
  if (entry->state == State::device || entry->in_use > 0 || is_read_only(object)) return;
  if (entry->stress_rest > 0) {
    --entry->stress_rest;
    return;
  }
  if (entry->parked.take(object) != GrB_SUCCESS) return;
  entry->stress_rest = static_cast<unsigned>(std::min(entry->parked.bytes() / bytes_a_call, most_calls));
  entry->set_state(State::device);
}

}  // namespace

size_t evict(size_t bytes_wanted) {
  const Lock guard(residency_lock());
  size_t freed = 0;
  const auto candidates = evictable();
  for (const auto& entry : candidates) {
    if (freed >= bytes_wanted) break;
    freed += entry->drop_aside();
  }
  for (const auto& entry : candidates) {
    if (freed >= bytes_wanted) break;
    freed += entry->drop_caches();
  }
  for (const State state : {State::both, State::device}) {
    for (const auto& entry : candidates) {
      if (freed >= bytes_wanted) break;
      if (!entry->on_device || entry->state != state) continue;
      if (state == State::device && !move_to_host_memory(*entry)) continue;
      freed += drop_device_copy(*entry);
    }
  }
  if (freed > 0) {
    for (runtime::Device* const device : runtime::devices()) device->trim();
  }
  return freed;
}

void stress_evict(GrB_Vector vector) {
  if (vector == nullptr) return;
  const Lock guard(residency_lock());
  try {
    stress(reinterpret_cast<GrB_Matrix>(vector), Registry::instance().obtain(vector));
  } catch (...) {
    // Left where it is: a handle of two kinds, or no memory for its entry.
  }
}

void stress_evict(GrB_Matrix matrix) {
  if (matrix == nullptr) return;
  const Lock guard(residency_lock());
  try {
    stress(matrix, Registry::instance().obtain(matrix));
  } catch (...) {
    // As above.
  }
}

Statistics statistics() {
  const trace::Totals& totals = trace::totals();
  Statistics s;
  s.uploads = totals.uploads;
  s.upload_bytes = totals.bytes_up;
  s.downloads = totals.downloads;
  s.download_bytes = totals.bytes_down;
  s.hits = totals.hits;
  s.evictions = evictions;
  const Lock guard(residency_lock());
  for (const auto& entry : Registry::instance().entries()) {
    if (!entry->on_device) continue;
    ++s.resident;
    s.resident_bytes += entry->device_bytes();
  }
  return s;
}

void note_upload() { trace::count(trace::totals().uploads); }
void note_download() { trace::count(trace::totals().downloads); }
void note_hit() { trace::count(trace::totals().hits); }
void note_eviction() { ++evictions; }
uint64_t next_use() { return ++uses; }

}  // namespace cugrb::mirror
