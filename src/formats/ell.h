// Ell: a sparse matrix in ELLPACK storage, whole (ELL) or in slices of 32 rows (SELL).
#pragma once
#include "cuda/views/ell.h"
#include "src/formats/begun.h"
#include "src/formats/matrix.h"

namespace cugrb::formats {

/// How wide the slices of a matrix are when its rows are cut after `threshold` entries.
struct SlicePlan {
  uint64_t threshold = 0;
  uint64_t columns = 0;     ///< sum of the slices' widths: 32 * columns positions
  runtime::Buffer offsets;  ///< slices + 1 of the matrix's offset width
  size_t bytes() const { return offsets.bytes(); }
};
/// What stays known of the plan without a threshold.
struct SliceColumns {
  uint64_t columns;
};
constexpr uint64_t no_threshold = ~uint64_t(0);

/// N. Bell, M. Garland, SC09, section 3.2; slices: A. Monakov et al., HiPEAC 2010. Layout in
/// cuda/views/ell.h. With w bytes a column index and v a value (0 when iso; one value more then), and the
/// slices' widths w_s:
///   bytes(), whole:   pitch * width * (w + v)          pitch: rows rounded up to 32, width: the longest row
///   bytes(), sliced:  32 * sum(w_s) * (w + v) + (slices + 1) * offset
class Ell final : public SparseShape {
 public:
  /// What DeviceMatrix::derived keeps the two layouts by.
  struct Whole : Only<Ell> {};
  struct Sliced : Only<Ell> {};
  explicit Ell(const SparseShape& shape) : SparseShape(shape) {}
  bool sliced = false;
  uint64_t width = 0, pitch = 0;  ///< whole only
  uint64_t positions = 0;         ///< of column_indices, padding included
  Width offset_width = Width::bits32;
  runtime::Buffer slice_offsets;   ///< sliced only; shared with the plan
  runtime::Buffer column_indices;  ///< positions
  runtime::Buffer values;          ///< positions, or 1 when iso

  size_t bytes() const { return slice_offsets.bytes() + column_indices.bytes() + values.bytes(); }
  EllView view() const;
  uint64_t slices() const { return (rows + ell_slice_rows - 1) / ell_slice_rows; }
  const char* layout() const;  ///< the kernels' template argument
};

/// Positions of the whole layout: what make_ell of rows of at most `width` entries takes.
inline uint64_t ell_positions(uint64_t rows, uint64_t width) {
  return (rows + ell_slice_rows - 1) / ell_slice_rows * ell_slice_rows * width;
}

/// `width` is the longest row's length, or more. One launch, O(positions). Throws runtime::OutOfMemory.
Ell make_ell(const Csr& matrix, uint64_t width);
/// What plan_slices would find if rows of these lengths followed each other at random: slices times the mean
/// of the longest of 32 rows, the sum over lengths l of min(l, threshold) (P(X <= l)^32 - P(X < l)^32).
/// O(distinct lengths).
double expected_slice_columns(const LengthDistribution& lengths, uint64_t threshold = no_threshold);
/// One launch and a scan. O(rows).
Begun<SlicePlan> begin_slices(const Csr& matrix, uint64_t threshold = no_threshold);
/// The same; waits for the device.
SlicePlan plan_slices(const Csr& matrix, uint64_t threshold = no_threshold);
/// `plan` is the matrix's own. Entries beyond its threshold are left out. One launch, O(positions).
Ell make_sell(const Csr& matrix, const SlicePlan& plan);

/// Of a sliced matrix of fewer than 2^31 positions: where each slice begins, in positions (slice_offsets
/// count columns of 32), 32-bit, slices + 1. Waits for the device.
runtime::Buffer position_offsets(const Ell& sell);

/// The two steps of to_csr: lengths of the rows into `csr.offsets`; entries to where its offsets say.
void write_row_lengths(const Ell& matrix, const Csr& csr);
void write_entries(const Ell& matrix, const Csr& csr);
/// The same matrix: 2 launches and a scan, O(positions).
Csr to_csr(const Ell& matrix);

/// Whether columns ascend, lie in range and come before the padding, padding is as it should be, and
/// everything adds up: an invariant check for tests (copies to the host). Empty when it holds.
std::string check(const Ell& matrix);

}  // namespace cugrb::formats
