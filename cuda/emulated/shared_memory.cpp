#include "cuda/emulated/shared_memory.h"

#include <algorithm>

#include "cuda/emulated/fiber.h"
#include "cuda/emulated/sanitizers.h"

namespace cugrb::simt {
namespace {
constexpr size_t redzone_bytes = 128;
constexpr unsigned char redzone_byte = 0xA7;
constexpr size_t static_limit_bytes = 48 * 1024;  // what ptxas allows
constexpr size_t most_arrays = 64;

}  // namespace

void SharedMemory::reset(size_t dynamic_bytes, size_t limit_bytes) {
  const size_t needed =
      std::max(limit_bytes, dynamic_bytes) + static_limit_bytes + (most_arrays + 2) * 2 * redzone_bytes;
  if (needed > arena_bytes_) {
    arena_ = reinterpret_cast<unsigned char*>(arena_memory(needed));
    arena_bytes_ = needed;
    forbid(arena_, arena_bytes_);
  }
  if (used_ > 0) {
    allow(arena_, used_);
    forget_accesses(arena_, used_);
    forbid(arena_, used_);
  }
  used_ = 0;
  limit_bytes_ = limit_bytes;
  dynamic_bytes_ = dynamic_bytes;
  static_bytes_ = 0;
  arrays_.clear();
  add_redzone();
  dynamic_ = arena_ + used_;
  allow(dynamic_, dynamic_bytes);
  quiet_fill(dynamic_, poison_byte, dynamic_bytes);
  used_ += dynamic_bytes;
  add_redzone();
}

void SharedMemory::add_redzone() {
  // To the next multiple of the redzone's size, then one whole redzone: the end of an array is not rounded
  // up.
  const size_t end = (used_ / redzone_bytes + 2) * redzone_bytes;
  if (!with_asan) quiet_fill(arena_ + used_, redzone_byte, end - used_);
  used_ = end;
}

void* SharedMemory::array(const void* site, size_t bytes, size_t alignment, const char* file, int line) {
  for (const Array& a : arrays_) {
    if (a.site == site) return a.begin;
  }
  const size_t grown = (static_bytes_ + alignment - 1) / alignment * alignment + bytes;
  if (grown > static_limit_bytes || grown + dynamic_bytes_ > limit_bytes_ || arrays_.size() == most_arrays) {
    return nullptr;
  }
  static_bytes_ = grown;
  unsigned char* begin = arena_ + used_;
  allow(begin, bytes);
  quiet_fill(begin, poison_byte, bytes);
  arrays_.push_back({site, begin, bytes, file, line});
  used_ += bytes;
  add_redzone();
  return begin;
}

SharedMemory::Damage SharedMemory::damage() const {
  if (with_asan) return {};  // the sanitizer has stopped the program at the access itself
  const auto whole = [](const unsigned char* begin, const unsigned char* end) {
    return std::all_of(begin, end, [](unsigned char b) { return b == redzone_byte; });
  };
  if (!whole(arena_, dynamic_)) return {"shared memory was written before its begin", "", 0};
  const unsigned char* at = dynamic_ + dynamic_bytes_;
  Damage suspect{"shared memory was written past the end of the " + std::to_string(dynamic_bytes_) +
                     " dynamic bytes (or before the array behind them)",
                 "", 0};
  for (const Array& a : arrays_) {
    if (!whole(at, a.begin)) return suspect;
    suspect = {"shared memory was written past the end of an array of " + std::to_string(a.bytes) +
                   " bytes (or before the array behind it)",
               a.file, a.line};
    at = a.begin + a.bytes;
  }
  return whole(at, arena_ + used_) ? Damage{} : suspect;
}

}  // namespace cugrb::simt
