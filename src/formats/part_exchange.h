// PartExchange: what each part of a matrix needs of a vector that lies in the same parts.
#pragma once
#include <vector>

#include "src/formats/row_parts.h"

namespace cugrb::formats {

/// For a square matrix whose rows are all dealt. The vector u of a product lies on the devices as the rows
/// do; part q multiplies with u at its columns. So it gets of each part p a beginning of p's entries, as far
/// as q has a column among them, and puts each at its place among its own columns. Rows with entries come
/// first in a part: of a symmetric pattern nothing is sent that nobody reads.
///
/// bytes(): 4 or 8 bytes for each entry that a device gets.
class PartExchange {
 public:
  /// The same orientation of the matrix as its RowParts::Key{true}.
  struct Key {
    using Made = PartExchange;
    bool operator==(const Key&) const = default;
  };
  struct Arrival {
    uint64_t reach = 0;      ///< so many of the sender's entries are sent, from its first
    runtime::Buffer places;  ///< of each, its column in the receiver's matrix, or all ones; on the receiver
  };
  std::vector<std::vector<Arrival>> to;  ///< by receiver, then by sender

  size_t bytes() const;
  uint64_t entries_between() const;  ///< that go from one device to another in a product
};

/// A few launches for each pair of parts. Waits for the device. Throws runtime::OutOfMemory.
PartExchange make_exchange(const RowParts& matrix);

/// u at each part's columns, on its device: the vector's own parts and what others send. All devices have
/// sent and got when what is queued on them next begins. Throws runtime::OutOfMemory.
std::vector<DeviceVector> exchanged(const DeviceVector& u, const RowParts& matrix,
                                    const PartExchange& exchange);

}  // namespace cugrb::formats
