// Dcsr: dynamic CSR, rows in segments with slack. Here it is made, turned back, and put together again;
// src/formats/dcsr_update.h changes its entries.
#pragma once
#include <memory>
#include <vector>

#include "cuda/views/dcsr.h"
#include "src/formats/host_copy.h"
#include "src/formats/merge_plan.h"
#include "src/formats/row_bins.h"

namespace cugrb::formats {

struct DcsrShape {
  uint64_t slots = 4;     ///< segments that a row can have (the paper's k)
  uint64_t segments = 1;  ///< of them, those that the entries are spread over at first; 1: defragmented
  uint64_t slack = 0;     ///< positions to spare in the last of these, and in each that is allocated (alpha)
  uint64_t width = 0;     ///< positions that a row has at least (the paper's initial width, mu)
  bool binned = false;    ///< its rows are put into bins of size when entries are inserted (Dcsr::bins)
  bool ordered = false;   ///< a defragmentation lays rows out in the order of their bins
  uint64_t room = 0;      ///< positions to spare in each row that insert() or a defragmentation lays out
  bool merges = false;    ///< products go along the merge path of what insert() or a defragmentation lays out
};

/// Adaptive binning of a Dcsr's rows (ADCSR): lanes 1, 2, 4, 8, 16 for at most four entries a lane, then a
/// warp, a block, blocks for chunks. bytes() = records * row index + 8 (rows of the last bin + 1).
class DcsrBins {
 public:
  static constexpr uint64_t chunk = 16384;
  RowBins bins;
  RowChunks chunks;
  /// Entries that a lane of a row has at most, before a block takes the row. A warp goes through the longest
  /// row that it takes in some 10 to 20 us, which a product of millions of entries hides and a smaller one
  /// waits for.
  uint64_t longest_by_lane = 64;
  static constexpr uint64_t hidden = uint64_t(1) << 21;  ///< entries from which on 64 are hidden; else 16
  uint64_t entries = 0;                                  ///< of the matrix, when its rows were put into bins
  size_t bytes() const { return bins.rows.bytes() + chunks.starts.bytes(); }
};

/// "Efficient SpMM using Dynamic-CSR on GPUs", section 3.1: row i's entries fill its segments in order, which
/// lie anywhere in columns and values. Columns ascend in a row's first mains[i] entries, and again in those
/// that have come since it was put together: two runs. `used` is the memory allocation pointer: positions
/// from there on are free. With o bytes an offset, c a column index, v a value (0 when iso; one value more
/// then), bytes() = slots * pitch * o + rows * o + capacity * (c + v), and rows * o for `mains`, pitch being
/// 2 rows rounded up to 32; (rows + 1) * o for `starts`, which are the CSR's of a compact matrix; and those
/// of the bins and the plan. The third term is missing when columns and values are the CSR's (`shared`), as
/// they are without slack and with one segment a row.
class Dcsr final : public SparseShape {
 public:
  explicit Dcsr(const SparseShape& shape) : SparseShape(shape) {}
  Width offset_width = Width::bits32;
  bool shared = false;
  /// Rows lie behind each other by their numbers, without gaps, each in one run: columns and values are those
  /// of a CSR.
  bool compact = false;
  uint64_t slots = 0, pitch = 0;
  uint64_t used = 0, capacity = 0;
  uint64_t slack = 0, width = 0;  ///< of its shape
  bool ordered = false;           ///< the same
  uint64_t room = 0;              ///< the same
  /// Of a row in products without bins (kernels are compiled for them): a power of two not above the mean
  /// length, a warp at most. It stays while the matrix changes, until a defragmentation finds it far off.
  unsigned lanes = 1;
  /// Where rows were laid out one behind the other, by their numbers, one segment each: rows + 1 offsets, the
  /// positions at which those segments begin. A segment stays where it is until rows are laid out again; of
  /// its positions those without an entry have the highest column that there is, which is no entry's. Else
  /// none.
  runtime::Buffer starts;
  /// The merge path of rows and those positions, where products go along it (DcsrShape::merges).
  std::shared_ptr<const MergePlan> plan;
  uint64_t laid_out = 0;           ///< positions that were in use when rows were laid out last
  runtime::Buffer segments;        ///< slots * pitch offsets
  runtime::Buffer sizes;           ///< rows offsets
  runtime::Buffer mains;           ///< rows offsets; none: each row is one run
  runtime::Buffer column_indices;  ///< capacity
  runtime::Buffer values;          ///< capacity, or 1 when iso
  /// All rows by their sizes of some time ago, each with a record; none: null. Rows that grow stay in their
  /// bin until a defragmentation.
  std::shared_ptr<const DcsrBins> bins;

  size_t bytes() const {
    return segments.bytes() + sizes.bytes() + mains.bytes() + (compact ? 0 : starts.bytes()) +
           (bins != nullptr ? bins->bytes() : 0) + (plan != nullptr ? plan->bytes() : 0) +
           (shared ? 0 : column_indices.bytes() + (iso ? 0 : values.bytes()));
  }
  DcsrView view() const;
};

/// That of rows which are put together: one segment each, with the shape's room to spare; where rows have a
/// least width, with its slack.
inline DcsrShape laid_out_shape(const DcsrShape& shape) {
  DcsrShape first = shape;
  first.segments = 1;
  first.slack = shape.width > 0 ? shape.slack : shape.room;
  return first;
}
/// The same of a defragmented matrix.
inline DcsrShape laid_out_shape(const Dcsr& matrix) {
  return laid_out_shape(DcsrShape{matrix.slots, 1, matrix.slack, matrix.width, matrix.bins != nullptr,
                                  matrix.ordered, matrix.room, matrix.plan != nullptr});
}
/// Whether the highest column that there is is no entry's.
inline bool has_gap_column(const SparseShape& shape) {
  return shape.column_width == Width::bits64 || shape.columns <= UINT32_MAX;
}

/// Three launches and a scan; with a width it waits for the device. O(entries + rows * slots).
Dcsr make_dcsr(const Csr& matrix, const DcsrShape& shape = {});
/// Segments of a row put together, slack left out. Scan and launch. Where a row is two runs, an entry's place
/// is found by a binary search in the other one. A compact matrix gives its arrays: a scan, O(rows).
Csr to_csr(const Dcsr& matrix);
/// For kernels whose blocks take tiles of entries, row after row.
struct RowTiles {
  Csr lengths;  ///< offsets alone, of the dynamic CSR's width: the entries before each row
  runtime::Buffer
      rows;  ///< uint64_t: the row that has the first entry of each tile, and the last row with any
};
/// The positions in which the rows were laid out as a CSR's, gaps included: its offsets, its columns and its
/// values. Of a matrix with `starts`.
Csr laid_out_rows(const Dcsr& matrix);
/// A launch and a scan.
RowTiles row_tiles(const Dcsr& matrix);
/// All rows in host memory, for want of device memory: the arrays are copied down as they are. O(entries
/// log(entries of a row)).
HostRows rows_on_host(const Dcsr& matrix);
/// The `count` rows of the list (uint64_t), in its order. Two launches or three, and a scan; waits for the
/// device. O(count + entries of these rows).
Csr listed_rows(const Dcsr& matrix, const runtime::Buffer& list, uint64_t count);
/// A matrix of that shape, of whose rows those have entries that are the column of an entry of `by`. Three
/// launches and a scan; waits for the device. O(rows + entries of these rows).
Csr named_rows(const Dcsr& matrix, const Csr& by);
/// Cuts the merge path of the rows as they are laid out, where the shape has it so and nobody has. One
/// launch.
void plan_products(Dcsr& matrix, const DcsrShape& shape);
/// The paper's defragmentation: every row in one segment (laid_out_shape), by a prefix sum of sizes and a
/// shuffle, with no sort. Reads and writes each entry once. Bins are made anew when the matrix
/// has half as many entries more; segments of rows that are `ordered` lie in the order of their bins.
/// `matrix` is as it was when it throws.
void defragment(Dcsr& matrix);
/// Whether segments lie in range, apart from each other, and hold their rows' entries with ascending columns:
/// an invariant check for tests (copies to the host). Empty when it holds.
std::string check(const Dcsr& matrix);

/// `empty_rows`: whether rows without entries have a record, too. Two launches, a sort and a scan; waits for
/// the device twice. O(rows).
DcsrBins bin_dcsr(const Dcsr& matrix, Width row_width, EmptyRows empty_rows);

}  // namespace cugrb::formats
