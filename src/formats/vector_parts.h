// Vectors in parts: the entries of the rows that a matrix in parts has on a device lie on that device.
#pragma once
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "src/formats/loop_rhythm.h"
#include "src/formats/vector.h"

namespace cugrb::formats {

class EarlyExchange;  // src/formats/part_exchange.h
struct StartedSum;    // src/formats/part_sum.h

/// Entries before a part's first one, and behind its last one.
struct EntriesAround {
  uint64_t before = 0, behind = 0;
};

/// How the positions of vectors are split over devices: each is in one part. Objects that have the same split
/// have the same address of it.
struct Split {
  struct Part {
    runtime::Device* device = nullptr;
    runtime::Buffer positions;  ///< which of the whole it has, in its order, at home
    uint64_t count = 0;
  };
  uint64_t length = 0;
  Width width = Width::bits32;  ///< of positions
  std::vector<Part> parts;
  runtime::Device* home = nullptr;  ///< where vectors lie that are not in parts

  size_t bytes() const;
  /// Experience: results of products that were left in parts, and vectors that were collected. Where most
  /// results are collected, they come home at once; after 32 of these some are left in parts again.
  bool pays() const { return 2 * collected_ <= left_ + 4; }
  uint64_t results_left() const { return left_; }
  /// Whether a loop is at work whose vectors belong here: of late more results were left than collected.
  bool is_busy() const { return busy_ >= busy_from && pays(); }
  void note_left() const {
    ++left_;
    if (busy_ < most_busy) ++busy_;
  }
  void note_collected() const {
    ++collected_;
    busy_ = std::max(0, busy_ - 4);
  }
  void note_whole() const {
    if (++whole_ % 32 == 0) collected_ = left_ / 2;
  }
  LoopRhythm& rhythm() const { return rhythm_; }
  /// A product would read a part's entries where they lie if so many others could be put around them. Vectors
  /// that are written from now on have that room.
  void note_around(size_t part, const EntriesAround& around) const;
  /// In bytes, of a vector whose values have so many each.
  runtime::Room room_of(size_t part, size_t value_bytes) const;

 private:
  mutable LoopRhythm rhythm_;
  mutable std::mutex around_mutex_;
  mutable std::vector<EntriesAround> around_;  ///< by part; empty: none is asked for
  static constexpr int busy_from = 16, most_busy = 32;
  mutable std::atomic<uint64_t> left_{0}, collected_{0}, whole_{0};
  mutable std::atomic<int> busy_{0};
};

/// A product has left its result in these parts: one more.
void note_left(const std::shared_ptr<const Split>& split);
/// The busy split of vectors of that length; null where there is none.
std::shared_ptr<const Split> busy_split(uint64_t length);

/// The content of a vector in parts.
struct VectorParts {
  std::shared_ptr<const Split> split;
  std::vector<DeviceVector> of;  ///< as the split's parts, each on its device; entry n of a part is that of
                                 ///< its position n
  WrittenTurn written = {};
  /// Its exchange, where that has begun: of this content, whoever has it.
  std::shared_ptr<EarlyExchange> early = nullptr;
  /// Its sum, where that has begun.
  std::shared_ptr<const StartedSum> sum = nullptr;

  size_t bytes() const;
  bool counted() const;    ///< nvals() would not wait
  uint64_t nvals() const;  ///< waits for the devices where it has to
};

/// The vector with the content of these parts, which become full or bitmaps, and not iso: O(length) where one
/// is not. Throws runtime::OutOfMemory.
DeviceVector from_parts(const Type& type, VectorParts parts);

/// The parts of a vector of the split's length. A whole one is dealt: each part is gathered at home, and goes
/// to its device. Parts of an iso vector are iso, and those of one without entries have no memory. Throws
/// runtime::OutOfMemory.
VectorParts parts_by(const DeviceVector& vector, const std::shared_ptr<const Split>& split);
/// The same as a vector in parts.
DeviceVector in_parts(const DeviceVector& vector, const std::shared_ptr<const Split>& split);

/// The vector on one device, the split's home; itself where it lies on one. Its bytes go there once. The
/// trace counts them, and the split remembers it. Throws runtime::OutOfMemory.
DeviceVector collected(const DeviceVector& vector);

/// The vector on the target. Its copies are queued there: the target follows the source before, and the
/// source the target before what they read changes.
DeviceVector vector_on(runtime::Device& target, runtime::Device& source, DeviceVector vector);

/// Whether every position of the whole is in one part: an invariant check for tests (copies to the host).
/// Empty when it holds, else what is wrong.
std::string check(const Split& split);

}  // namespace cugrb::formats
