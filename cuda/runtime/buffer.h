// Buffer: owned memory of one device. Movable; shared on copy (the mirror's dup is O(1)), so writers ask
// unique() first.
#pragma once
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/runtime/device.h"

namespace cugrb::runtime {

/// Bytes of the same memory around a Buffer's own.
struct Room {
  size_t before = 0, behind = 0;
};

class Buffer {
 public:
  Buffer() = default;
  /// Uninitialised memory of the device that the calling thread works on. Throws OutOfMemory.
  explicit Buffer(size_t bytes) : Buffer(bytes, runtime::device()) {}
  Buffer(size_t bytes, Device& device)
      : bytes_(bytes), device_(&device), memory_(owned(device.allocate(bytes), device)) {}

  /// Uninitialised memory that grow() may add to (Device::allocate_growable). Throws OutOfMemory.
  static Buffer growable(size_t bytes, Device& device) {
    Buffer buffer;
    buffer.memory_ = owned(device.allocate_growable(bytes), device);
    buffer.bytes_ = bytes;
    buffer.device_ = &device;
    return buffer;
  }
  /// Uninitialised memory with room around it (Buffer::around), whose first byte is aligned as without.
  static Buffer with_room(size_t bytes, const Room& room) {
    if (room.before + room.behind == 0) return Buffer(bytes);
    constexpr size_t alignment = 256;
    const size_t before = (room.before + alignment - 1) / alignment * alignment;
    const Buffer all(before + bytes + room.behind);
    Buffer inner;
    inner.bytes_ = bytes;
    inner.device_ = all.device_;
    inner.memory_ = std::shared_ptr<void>(all.memory_, all.as<char>() + before);
    inner.surroundings_ = std::make_shared<Surroundings>(Room{before, room.behind});
    return inner;
  }
  static Buffer filled(size_t bytes, int byte) {
    const Buffer buffer(bytes);
    buffer.fill(byte);
    return buffer;
  }
  static Buffer zeroed(size_t bytes) { return filled(bytes, 0); }
  static Buffer from_host(const void* host, size_t bytes) {
    const Buffer buffer(bytes);
    buffer.write_bytes(0, host, bytes);
    return buffer;
  }

  void* data() const { return memory_.get(); }
  /// The one that has its memory. Throws NoDevice in a child of fork.
  Device& device() const { return device_ == nullptr || is_forked() ? runtime::device() : *device_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_.get());
  }
  size_t bytes() const { return bytes_; }
  explicit operator bool() const { return memory_ != nullptr; }
  /// True when no other Buffer shares this memory: it may be written in place.
  bool unique() const { return memory_.use_count() == 1; }
  /// It has `bytes` at the same place, which is this Buffer's alone. False, with nothing done, where that is
  /// not to be had. Throws OutOfMemory, and it is as it was then.
  bool grow(size_t bytes) {
    if (memory_ == nullptr || !unique() || !device().grow(data(), bytes)) return false;
    bytes_ = bytes;
    return true;
  }
  bool has_room(const Room& room) const {
    if (room.before + room.behind == 0) return true;
    return surroundings_ != nullptr && room.before <= surroundings_->room.before &&
           room.behind <= surroundings_->room.behind;
  }
  /// These bytes, and so many around them: one owner at a time may have them, since what is around may be
  /// written. While it lives unique() is false. Nothing where there is no such room, or somebody has it.
  std::optional<Buffer> around(const Room& room) const {
    if (memory_ == nullptr || !has_room(room)) return std::nullopt;
    Buffer all = *this;
    all.bytes_ = room.before + bytes_ + room.behind;
    all.surroundings_ = nullptr;
    if (room.before + room.behind == 0) return all;
    if (surroundings_->taken.exchange(true)) return std::nullopt;
    const auto give_back = [inner = memory_, surroundings = surroundings_](void*) {
      surroundings->taken = false;
    };
    all.memory_ = std::shared_ptr<void>(as<char>() - room.before, give_back);
    return all;
  }
  /// A copy with memory of its own, on the same device.
  Buffer clone() const { return first_bytes(bytes_); }
  /// The same on another device: what is queued on either before and after keeps its order.
  Buffer copy_on(Device& target) const {
    Buffer copy(bytes_, target);
    if (bytes_ == 0) return copy;
    target.follow(device());
    target.copy_from_peer(copy.data(), device(), data(), bytes_);
    device().follow(target);
    return copy;
  }
  /// The same of its first bytes.
  Buffer first_bytes(size_t bytes) const {
    const Buffer copy(bytes, device());
    copy.copy_bytes(0, *this, 0, bytes);
    return copy;
  }
  /// Each of its bytes, or `bytes` of them from `at` on, is `byte` behind what is queued.
  void fill(int byte) const { fill(byte, 0, bytes_); }
  void fill(int byte, size_t at, size_t bytes) const {
    if (bytes > 0) device().fill_bytes(as<char>() + at, byte, bytes);
  }
  /// `bytes` of the host to byte `at` and behind.
  void write_bytes(size_t at, const void* host, size_t bytes) const {
    if (bytes > 0) device().copy_to_device(as<char>() + at, host, bytes);
  }
  /// The bytes from `at` on, to the host. Waits for them.
  void read_bytes(size_t at, void* host, size_t bytes) const {
    if (bytes > 0) device().copy_to_host(host, as<char>() + at, bytes);
  }
  /// `bytes` of another one of the same device, from its byte `from_at` on, to byte `at` and behind.
  void copy_bytes(size_t at, const Buffer& from, size_t from_at, size_t bytes) const {
    if (bytes > 0) device().copy_on_device(as<char>() + at, from.as<char>() + from_at, bytes);
  }
  template <class T>
  std::vector<T> to_host(size_t count) const {
    std::vector<T> host(count);
    read_bytes(0, host.data(), count * sizeof(T));
    return host;
  }
  template <class T>
  T read(size_t index = 0) const {
    T value;
    read_bytes(index * sizeof(T), &value, sizeof(T));
    return value;
  }
  /// The same, not waited for: a T, at its address.
  template <class T>
  std::unique_ptr<Reading> start_reading(size_t index = 0) const {
    return device().start_reading(as<T>() + index, sizeof(T));
  }

 private:
  static std::shared_ptr<void> owned(void* memory, Device& device) {
    return {memory, [&device](void* p) {
              if (!is_forked()) device.release(p);
            }};
  }

  struct Surroundings {
    explicit Surroundings(const Room& has) : room(has) {}
    const Room room;
    std::atomic<bool> taken{false};
  };

  size_t bytes_ = 0;
  Device* device_ = nullptr;  ///< null: without memory
  std::shared_ptr<void> memory_;
  std::shared_ptr<Surroundings> surroundings_;  ///< null: no room
};

}  // namespace cugrb::runtime
