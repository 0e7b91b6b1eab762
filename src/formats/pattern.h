// Pattern: where the entries of a matrix are, by name, and what is derived and learnt of that.
#pragma once
#include <atomic>
#include <mutex>

#include "src/formats/kept.h"

namespace cugrb::formats {

/// Storage and knowledge. Index 0: of the matrix by rows; 1: of its transpose by rows.
struct Keeping {
  Kept storage[2], knowledge[2];
  /// Grows when something that products depend on comes or goes.
  std::atomic<uint64_t> changes = 0;
};

/// Matrices with the same offsets and columns share one, whatever their values. A matrix whose entries move
/// gets the next version; copies of what it was keep theirs.
struct Pattern : Keeping {
  Pattern() : identity(next_identity()) {}
  Pattern(uint64_t identity, uint64_t version) : identity(identity), version(version) {}
  const uint64_t identity, version = 0;
  /// Of all that is kept for matrices with this pattern: what makes one thing may ask for another.
  std::recursive_mutex mutex;
  std::atomic<uint64_t> under_way = 0;  ///< slots that are not there yet

 private:
  static uint64_t next_identity() {
    static std::atomic<uint64_t> last = 0;
    return ++last;
  }
};

}  // namespace cugrb::formats
