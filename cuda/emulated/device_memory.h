// The emulated device's memory: host memory, with a limit, poisoned when fresh, and guarded on both sides.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace cugrb::emulated {

/// Thread-safe.
class DeviceMemory {
 public:
  explicit DeviceMemory(size_t limit_bytes) : limit_bytes_(limit_bytes) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// 256-byte aligned, 0xCB bytes. Throws runtime::OutOfMemory.
  void* allocate(size_t bytes);
  /// The same, with addresses behind it for grow(), as many as the device has bytes.
  void* allocate_growable(size_t bytes);
  /// An allocation of allocate_growable() has so many bytes, if it had fewer; the new ones are 0xCB. False,
  /// with nothing done, of another one. Throws runtime::OutOfMemory, and it is as it was.
  bool grow(void* pointer, size_t bytes);
  void release(void* pointer) noexcept;

  size_t limit_bytes() const { return limit_bytes_; }
  size_t used_bytes() const;
  size_t take_peak_bytes() noexcept;

  /// Throws runtime::DeviceFailure unless [begin, begin + bytes) lies in one allocation.
  void require_inside(const void* begin, size_t bytes, const char* what) const;

  /// Whether the address lies in a live allocation.
  bool holds(const void* address) const;

  /// Which allocation has been written beside, in words; empty when none has. A damaged guard is reported
  /// once. Under ASan always empty: the sanitizer stops the program at the access.
  std::string take_damage();

 private:
  struct Allocation {
    size_t bytes = 0;
    void* base = nullptr;
    size_t reserved = 0;  ///< addresses from base on, of one that can grow
  };
  void require_room(size_t more) const;
  void count(size_t more);
  static void commit(const Allocation& allocation);
  static void give_back(const Allocation& allocation);
  std::string check_guards(uintptr_t begin, const Allocation& allocation);

  const size_t limit_bytes_;
  mutable std::mutex mutex_;
  std::map<uintptr_t, Allocation> live_;
  size_t used_bytes_ = 0, peak_bytes_ = 0;  ///< the peak: since take_peak_bytes()
  std::string damage_at_release_;
};

}  // namespace cugrb::emulated
