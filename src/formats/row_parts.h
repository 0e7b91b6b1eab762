// RowParts: a matrix whose rows are dealt to several devices.
#pragma once
#include <span>
#include <vector>

#include "src/formats/matrix.h"

namespace cugrb::formats {

/// Some rows, in ascending order, on one device.
struct RowPart {
  runtime::Device* device = nullptr;
  DeviceMatrix matrix;   ///< those rows, all columns
  runtime::Buffer rows;  ///< their numbers in the whole, on the device that has the whole
};

/// X. Yang, S. Parthasarathy, P. Sadayappan, PVLDB 4(4), 2011, section 3.2: rows are sorted by length and
/// dealt in rounds, one to each device; the device that got the longest row of a round gets the shortest of
/// the next. So parts have equally many rows, give or take one, and nearly equally many entries. The rows of
/// a part keep their order, and with it what locality neighbours have.
///
/// With P devices each has about 1/P of the CSR's bytes, beside the whole matrix on its own device, which
/// also has all row numbers: bytes() = CSR + P * 4 or 8 bytes * rows / P, and what the parts derive.
class RowParts {
 public:
  /// Rows are dealt where many products pay for that: a part gets the format that pays for so many.
  static constexpr uint64_t expected_uses = 1000;

  std::vector<RowPart> parts;
  Width row_width = Width::bits32;

  uint64_t entries() const;
  size_t bytes() const;
};

/// Made on the device of the matrix: a sort of the rows, then a scan and two launches for each part, which is
/// copied to its device. O(rows log(rows) + entries). Waits for the device. Throws runtime::OutOfMemory.
RowParts make_row_parts(const Csr& matrix, std::span<runtime::Device* const> devices);

/// Whether every row is in one part, with its entries: an invariant check for tests (copies to the host).
/// Empty when it holds, else what is wrong and where.
std::string check(const RowParts& parts, const Csr& matrix);

}  // namespace cugrb::formats
