#include "cuda/emulated/device_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "cuda/emulated/sanitizers.h"
#include "cuda/emulated/shared_memory.h"
#include "cuda/runtime/device.h"
#include "src/support/device_peak.h"

namespace cugrb::emulated {
namespace {
constexpr size_t alignment = 256;
// Sanitizers guard malloc'ed memory themselves, to the byte.
constexpr size_t guard_bytes = simt::with_asan ? 0 : alignment;
constexpr size_t checked_bytes = 64;  // of each guard, nearest to the allocation
constexpr unsigned char guard_byte = 0xA7;

bool whole(const unsigned char* begin) {
  return std::all_of(begin, begin + checked_bytes, [](unsigned char b) { return b == guard_byte; });
}
}  // namespace

DeviceMemory::~DeviceMemory() {
  for (auto& [begin, allocation] : live_) give_back(allocation);
}

void DeviceMemory::require_room(size_t more) const {
  if (more <= limit_bytes_ - used_bytes_) return;
  throw runtime::OutOfMemory("emulated device: " + std::to_string(more) +
                             " bytes do not fit: " + std::to_string(used_bytes_) + " of " +
                             std::to_string(limit_bytes_) + " are in use");
}

void DeviceMemory::count(size_t more) {
  used_bytes_ += more;
  peak_bytes_ = std::max(peak_bytes_, used_bytes_);
  trace::device_bytes_in_use(used_bytes_);
}

void* DeviceMemory::allocate(size_t bytes) {
  if (bytes == 0) return nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  require_room(bytes);
  void* base = nullptr;
  if (posix_memalign(&base, alignment, bytes + 2 * guard_bytes) != 0)
    throw runtime::OutOfMemory("emulated device: the host has no memory for " + std::to_string(bytes) +
                               " bytes");
  auto* begin = static_cast<unsigned char*>(base) + guard_bytes;
  std::memset(base, guard_byte, guard_bytes);
  std::memset(begin, simt::poison_byte, bytes);
  std::memset(begin + bytes, guard_byte, guard_bytes);
  live_[reinterpret_cast<uintptr_t>(begin)] = {bytes, base};
  count(bytes);
  return begin;
}

void DeviceMemory::commit(const Allocation& allocation) {
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  const size_t asked = (allocation.bytes + 2 * guard_bytes + page - 1) / page * page;
  if (mprotect(allocation.base, asked, PROT_READ | PROT_WRITE) != 0)
    throw runtime::OutOfMemory("emulated device: the host has no memory for " +
                               std::to_string(allocation.bytes) + " bytes");
  auto* const begin = static_cast<unsigned char*>(allocation.base) + guard_bytes;
  simt::allow(begin, allocation.bytes);
  simt::forbid(begin + allocation.bytes, asked - guard_bytes - allocation.bytes);
  if (guard_bytes > 0) std::memset(begin + allocation.bytes, guard_byte, guard_bytes);
}

void* DeviceMemory::allocate_growable(size_t bytes) {
  if (bytes == 0) return nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  require_room(bytes);
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  Allocation allocation{bytes, nullptr, (limit_bytes_ / page + 2) * page};
  allocation.base =
      mmap(nullptr, allocation.reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (allocation.base == MAP_FAILED) throw runtime::OutOfMemory("emulated device: no addresses are left");
  try {
    commit(allocation);
  } catch (...) {
    give_back(allocation);
    throw;
  }
  auto* const begin = static_cast<unsigned char*>(allocation.base) + guard_bytes;
  std::memset(allocation.base, guard_byte, guard_bytes);
  std::memset(begin, simt::poison_byte, bytes);
  live_[reinterpret_cast<uintptr_t>(begin)] = allocation;
  count(bytes);
  return begin;
}

bool DeviceMemory::grow(void* pointer, size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = live_.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == live_.end() || found->second.reserved == 0) return false;
  Allocation& allocation = found->second;
  if (bytes <= allocation.bytes) return true;
  const size_t more = bytes - allocation.bytes;
  require_room(more);
  const std::string damage = check_guards(found->first, allocation);
  if (damage_at_release_.empty()) damage_at_release_ = damage;
  Allocation grown = allocation;
  grown.bytes = bytes;
  commit(grown);
  std::memset(static_cast<unsigned char*>(pointer) + allocation.bytes, simt::poison_byte, more);
  allocation = grown;
  count(more);
  return true;
}

void DeviceMemory::give_back(const Allocation& allocation) {
  if (allocation.reserved == 0) return std::free(allocation.base);
  simt::allow(allocation.base, allocation.bytes + 2 * guard_bytes + size_t(sysconf(_SC_PAGESIZE)));
  munmap(allocation.base, allocation.reserved);
}

void DeviceMemory::release(void* pointer) noexcept {
  if (pointer == nullptr) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = live_.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == live_.end()) {
    if (damage_at_release_.empty()) damage_at_release_ = "a pointer was released that is no live allocation";
    return;
  }
  const std::string damage = check_guards(found->first, found->second);
  if (damage_at_release_.empty()) damage_at_release_ = damage;
  used_bytes_ -= found->second.bytes;
  give_back(found->second);
  live_.erase(found);
}

size_t DeviceMemory::used_bytes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return used_bytes_;
}

size_t DeviceMemory::take_peak_bytes() noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(peak_bytes_, used_bytes_);
}

void DeviceMemory::require_inside(const void* begin, size_t bytes, const char* what) const {
  if (bytes == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto place = reinterpret_cast<uintptr_t>(begin);
  auto next = live_.upper_bound(place);
  if (next != live_.begin()) {
    const auto& [first, allocation] = *std::prev(next);
    if (place - first <= allocation.bytes && bytes <= allocation.bytes - (place - first)) return;
  }
  throw runtime::DeviceFailure("emulated device: " + std::string(what) + " of " + std::to_string(bytes) +
                               " bytes does not lie in one allocation");
}

bool DeviceMemory::holds(const void* address) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto place = reinterpret_cast<uintptr_t>(address);
  const auto next = live_.upper_bound(place);
  if (next == live_.begin()) return false;
  const auto& [first, allocation] = *std::prev(next);
  return place - first < allocation.bytes;
}

std::string DeviceMemory::check_guards(uintptr_t begin, const Allocation& allocation) {
  if (guard_bytes == 0) return {};
  auto* memory = reinterpret_cast<unsigned char*>(begin);
  const bool before = whole(memory - checked_bytes);
  const bool after = whole(memory + allocation.bytes);
  if (before && after) return {};
  std::memset(memory - checked_bytes, guard_byte, checked_bytes);
  std::memset(memory + allocation.bytes, guard_byte, checked_bytes);
  return "memory was written " + std::string(before ? "past the end" : "before the begin") +
         " of an allocation of " + std::to_string(allocation.bytes) + " bytes";
}

std::string DeviceMemory::take_damage() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string damage;
  damage.swap(damage_at_release_);
  if (guard_bytes == 0) return damage;
  for (const auto& [begin, allocation] : live_) {
    const std::string here = check_guards(begin, allocation);
    if (damage.empty()) damage = here;
  }
  return damage;
}

}  // namespace cugrb::emulated
