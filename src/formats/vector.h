// DeviceVector: a GraphBLAS vector in device memory. It knows no GraphBLAS handle; src/mirror ties it to one.
#pragma once
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>

#include "cuda/primitives/primitives.h"
#include "cuda/runtime/buffer.h"
#include "cuda/views/vector.h"
#include "semirings/types.h"

namespace cugrb::formats {

struct VectorParts;  // src/formats/vector_parts.h
class PostedCount;   // src/formats/posted_count.h

using primitives::Width;

/// Positions fit 32 bits up to 2^31 of them (a signed reading is safe too).
inline Width index_width(uint64_t n) { return n <= (uint64_t(1) << 31) ? Width::bits32 : Width::bits64; }
/// Bits of the numbers below n.
inline unsigned bits_of(uint64_t n) { return n <= 1 ? 0 : unsigned(std::bit_width(n - 1)); }
inline size_t bytes_of(Width width) { return width == Width::bits32 ? 4 : 8; }
inline const char* index_type(Width width) { return width == Width::bits32 ? "uint32_t" : "uint64_t"; }

/// A vector of `length` positions, in one of the forms of cuda/views/vector.h. Copying shares memory
/// (Buffer): writers make their buffers unique first. Values of bitmap positions that are not present are
/// unspecified.
///
/// A vector in parts has its content in `parts`, on several devices, and no memory of its own. It is full or
/// a bitmap, and not iso. What is not made for such a vector asks for collected() first; view() and the
/// conversions throw std::logic_error.
class DeviceVector {
 public:
  DeviceVector() = default;
  /// No entries: sparse with none.
  static DeviceVector empty(const Type& type, uint64_t length);
  /// Full and iso: every position holds `value` (type.size bytes).
  static DeviceVector full_of(const Type& type, uint64_t length, const void* value);
  /// The same with a value in device memory, which it shares.
  static DeviceVector full_of(const Type& type, uint64_t length, const runtime::Buffer& value);

  Type type;
  uint64_t length = 0;
  Form form = Form::sparse;
  bool iso = false;                          ///< `values` holds one element that stands for all entries
  runtime::Buffer values;                    ///< length (bitmap, full), entries (sparse) or 1 (iso) elements
  runtime::Buffer present;                   ///< bitmap: length bytes, each 0 or 1
  runtime::Buffer indices;                   ///< sparse: sorted positions of width index_width(length)
  std::shared_ptr<const VectorParts> parts;  ///< null: it lies on one device

  VectorView view() const;
  size_t bytes() const;

  /// Number of entries. Known at once for full; for sparse and bitmap it may still be a counter on the
  /// device, or (bitmap) not counted yet: then the first call counts or reads (waits for the device) and
  /// remembers. Several threads may ask.
  uint64_t nvals() const;
  bool nvals_known() const { return form == Form::full || nvals_.get() != Count::unknown || parts_counted(); }
  bool known_empty() const { return nvals_known() && nvals() == 0; }  ///< never waits
  void set_nvals(uint64_t nvals) { count_is(nvals, {}, nullptr); }
  void set_nvals_counter(runtime::Buffer counter) { count_is(Count::unknown, std::move(counter), nullptr); }
  /// The kernel that makes it sends the number.
  void set_nvals_posted(std::shared_ptr<PostedCount> posted) {
    count_is(Count::unknown, {}, std::move(posted));
  }
  /// Bitmap only: nobody has counted; the first nvals() counts `present` on the device.
  void forget_nvals() { count_is(Count::unknown, {}, nullptr); }

 private:
  bool parts_counted() const;  ///< it has parts, and each knows its number of entries
  /// A number that readers may fill in while others read or copy it.
  class Count {
   public:
    static constexpr uint64_t unknown = ~uint64_t(0);
    Count() = default;
    Count(const Count& other) : value_(other.get()) {}
    Count& operator=(const Count& other) {
      set(other.get());
      return *this;
    }
    uint64_t get() const { return value_.load(std::memory_order_relaxed); }
    void set(uint64_t value) { value_.store(value, std::memory_order_relaxed); }

   private:
    std::atomic<uint64_t> value_ = 0;
  };
  void count_is(uint64_t nvals, runtime::Buffer counter, std::shared_ptr<PostedCount> posted) {
    nvals_.set(nvals);
    counter_ = std::move(counter);
    posted_ = std::move(posted);
  }
  mutable Count nvals_;
  runtime::Buffer counter_;              ///< one uint64_t, when the number is on the device
  std::shared_ptr<PostedCount> posted_;  ///< when it comes by itself
};

/// Throws Declined when a bitmap or full vector of so many positions cannot fit the device at all: then there
/// is no use in making room for it. (Lengths up to 2^60 are legal; such vectors are sparse.)
void require_room(uint64_t length, size_t value_bytes);

/// The integers in[i] + shift (modulo 2^64), in width `to`; `in` itself where nothing changes. One launch.
runtime::Buffer shifted(const runtime::Buffer& in, Width from, Width to, uint64_t count, uint64_t shift);
/// The same, stored in `out` from its element `at` on.
void shift_into(const runtime::Buffer& out, uint64_t at, const runtime::Buffer& in, Width from, Width to,
                uint64_t count, uint64_t shift);
/// The integers from `begin` on, of 64 bits. One launch.
runtime::Buffer counted(uint64_t begin, uint64_t count);

/// Conversions between forms; each returns the vector itself (sharing memory) when it is already in that
/// form. Complexity: O(length) memory traffic for bitmap <-> sparse; O(1) launches. Throws
/// runtime::OutOfMemory.
DeviceVector to_sparse(const DeviceVector& vector);
DeviceVector to_bitmap(const DeviceVector& vector);
/// Every position must have an entry (nvals == length).
DeviceVector to_full(const DeviceVector& vector);
/// Iso values written out to one element per stored entry; itself when not iso. Throws Declined as
/// require_room does.
DeviceVector expand_iso(const DeviceVector& vector);
/// Throws Declined where one is user-defined and the other is another.
void check_cast(const Type& from, const Type& to);
/// The same pattern with values typecast (C API rules). Built-in types only; throws Declined for user types.
DeviceVector cast(const DeviceVector& vector, const Type& to);

}  // namespace cugrb::formats
