// Changes of single entries of a matrix that wait in host memory until its content is used next.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/formats/csr_update.h"
#include "src/graphblas/real.h"

namespace cugrb::mirror {

/// The changes since the content was settled, in the program's order: of several of one place the last holds.
/// Applying them all, any number of times, gives one content. Bytes: about 17 and the value for each; looking
/// one up makes an index of some 40 more.
class ElementQueue {
 public:
  bool empty() const { return rows_.empty(); }
  size_t size() const { return rows_.size(); }
  /// C(row, column) = the value of `bytes` bytes; null: the entry goes. O(1). Throws std::bad_alloc, and
  /// nothing has happened then.
  void add(uint64_t row, uint64_t column, const void* value, size_t bytes);
  /// What it says of a place: nothing, or the value; null when the entry is gone. O(1), but for the first
  /// time.
  std::optional<const char*> find(uint64_t row, uint64_t column, size_t bytes);
  /// One change a place, sorted as `matrix` is stored, in device memory. O(size log(size)). Throws
  /// std::bad_alloc, runtime::OutOfMemory.
  formats::EntryUpdates updates(const formats::DeviceMatrix& matrix) const;
  /// Repeats them on a SuiteSparse object of that type. What fails half-way can be repeated from the start.
  GrB_Info replay(GrB_Matrix object, const Type& type) const;
  void clear();

 private:
  using Place = std::pair<uint64_t, uint64_t>;
  struct HashPlace {
    size_t operator()(const Place& place) const {
      return (place.first * 0x9E3779B97F4A7C15ull) ^ (place.second + 0x7F4A7C15u);
    }
  };
  using Index = std::unordered_map<Place, size_t, HashPlace>;
  /// As the matrix is stored.
  struct Change {
    uint64_t row, column;
    size_t number;  ///< in the program's order
  };
  std::vector<Change> last_of_each_place(bool by_column) const;

  std::vector<uint64_t> rows_, columns_;
  std::vector<uint8_t> removes_;
  std::string values_;  ///< one for each change, also for removals
  Index last_;          ///< the last change of each place, once one was looked up
};

}  // namespace cugrb::mirror
