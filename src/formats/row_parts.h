// RowParts: a matrix whose rows are dealt to several devices.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "cuda/views/row_parts.h"
#include "src/formats/matrix.h"
#include "src/formats/vector_parts.h"

namespace cugrb::formats {

/// Some rows on one device: those with entries in ascending order, then those without, where it has these; or
/// in the order of a split that was there.
struct RowPart {
  runtime::Device* device = nullptr;
  DeviceMatrix matrix;        ///< those rows, with all columns, or those of the list in its order
  runtime::Buffer rows;       ///< their numbers in the whole, on the device that has the whole
  uint64_t with_entries = 0;  ///< behind so many of them none has entries
  runtime::Buffer columns;    ///< numbers of the columns with entries, there too; null: it has all columns
};

/// How rows are dealt.
struct RowDealing {
  std::vector<double> shares;  ///< of the entries, for each device; they add up to one
  /// Rows are dealt in blocks of so many consecutive ones. 0: each part gets one block where parts come out
  /// even then and most entries of a square matrix are near its diagonal, so that a part needs little of the
  /// others' vectors; else blocks of `usual_block_rows` where these come out even; else rows one by one.
  uint64_t block_rows = 0;
  bool lists_columns = true;  ///< parts away from the whole have the columns they need, where those are few
  /// Rows go to the parts of this split, which vectors have already, where that comes out even.
  std::shared_ptr<const Split> as = nullptr;
  bool deals_empty_rows = false;  ///< rows without entries are in parts, too: every position of a vector is
  /// The part beside the whole lists its columns, too: for vectors that are gathered on each device.
  bool lists_home_columns = false;

  static RowDealing even(size_t devices) { return {std::vector<double>(devices, 1 / double(devices))}; }
};

/// The rounds in which shares are dealt: equal ones have a turn each.
RowPartTurns turns_of(std::span<const double> shares);

/// X. Yang, S. Parthasarathy, P. Sadayappan, PVLDB 4(4), 2011, section 3.2: rows are sorted by length and
/// dealt in rounds, one to each device; the device that got the longest row of a round gets the shortest of
/// the next. So parts have equally many rows, give or take one, and nearly equally many entries. The rows of
/// a part keep their order, and with it what locality neighbours have.
///
/// Three things are added. Blocks of rows, or one for each part, are dealt in place of single ones where that
/// comes out even, so that a part's results fill whole lines of T. Devices of unequal shares have unequally
/// many turns. Rows without entries are in no part, or behind the others of theirs.
///
/// With P devices each has about its share of the CSR's bytes, beside the whole matrix on its own device,
/// which also has all row numbers and those of listed columns: bytes() = CSR + 4 or 8 bytes for each of
/// these, and what the parts derive.
class RowParts {
 public:
  /// Parts with listed columns are for products with vectors, parts with all columns for those with matrices.
  struct Key {
    using Made = RowParts;
    bool lists_columns;
    bool operator==(const Key&) const = default;
  };
  /// Rows are dealt where many products pay for that: a part gets the format that pays for so many.
  static constexpr uint64_t expected_uses = 1000;
  static constexpr uint64_t usual_block_rows = 32;  ///< a line of 4-byte values

  std::vector<RowPart> parts;
  std::vector<double> shares;  ///< as they were asked for
  uint64_t block_rows = 1;
  std::shared_ptr<const Split> split;  ///< of vectors of as many positions as rows; null: not all are dealt
  bool in_order_of_split = false;      ///< which was there: rows with entries may stand among others
  Width row_width = Width::bits32, column_width = Width::bits32;

  uint64_t rows() const;  ///< of all parts: those that have entries
  uint64_t entries() const;
  double imbalance() const;  ///< the greatest number of entries, over what that part's share is
  size_t bytes() const;
  std::string text() const;  ///< "blocks of 32 rows, imbalance 1.003"
};

/// Made on the device of the matrix: a sort of the rows, then a scan and a few launches for each part, which
/// is copied to its device. O(rows log(rows) + entries). Waits for the device. Throws runtime::OutOfMemory.
RowParts make_row_parts(const Csr& matrix, std::span<runtime::Device* const> devices,
                        const RowDealing& dealing);

/// The rows of by_rows(transposed), dealt one by one in these shares, with all columns and with those that
/// have no entries: made at the first call, kept with the matrix.
const RowParts& rows_with_all_columns(const DeviceMatrix& matrix, bool transposed,
                                      std::span<runtime::Device* const> devices,
                                      const std::vector<double>& shares);

/// The `count` rows of that list, on the device that the calling thread works on. A scan and two launches.
Csr rows_listed(const Csr& from, const runtime::Buffer& list, uint64_t count, Width row_width);
/// The same arrays on another device, or themselves.
Csr moved(Csr matrix, runtime::Device& device);

/// The set flags' positions, in no more memory than they need. Waits for the device.
std::pair<runtime::Buffer, uint64_t> positions_of(const uint8_t* flags, uint64_t count, Width width);

/// Whether every row that has entries is in one part, with them: an invariant check for tests (copies to the
/// host). Empty when it holds, else what is wrong and where.
std::string check(const RowParts& parts, const Csr& matrix);

}  // namespace cugrb::formats
