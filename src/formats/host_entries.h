// A matrix entry by entry on the host: how formats whose entries lie in an order of their own are turned back
// and checked.
#pragma once
#include <string>
#include <vector>

#include "src/formats/csr.h"

namespace cugrb::formats {

struct HostEntry {
  uint64_t row, column;
  std::string value;  ///< empty when the matrix is iso
};

/// The CSR of these entries, in any order, with 64-bit indices; `shape.entries` is not looked at.
/// `iso_values`: the one value of an iso matrix. O(entries log(entries)).
Csr csr_of_entries(const SparseShape& shape, std::vector<HostEntry> entries,
                   const runtime::Buffer& iso_values);

}  // namespace cugrb::formats
