// BinnedCsr: a CSR matrix whose rows are records sorted by bins of size.
#pragma once
#include "src/formats/row_bins.h"

namespace cugrb::formats {

/// Rows of at most `tiny` entries get a thread, of at most `small` 16, of at most `normal` a warp, of at most
/// `block` a block, longer ones a block for every `chunk` entries. The first two are the paper's below, where
/// rows of more than `small` get 64 lanes, so that no loop has more than 6 rounds.
struct BinThresholds {
  uint64_t tiny = 6, small = 96, normal = 2048, block = 32768, chunk = 16384;
  bool operator==(const BinThresholds&) const = default;
};

/// T. Wu et al., "Efficient PageRank and SpMV computation on AMD GPUs", ICPP 2010, section V-B: columns and
/// values are the CSR's own; the row array becomes records (begin, size, index), sorted by the bin of their
/// size. With o bytes an offset and r a row index:
///   bytes() = records * (2 o + r) + 8 (rows of the last bin + 1), beside the CSR's columns and values.
class BinnedCsr final : public SparseShape {
 public:
  /// What DeviceMatrix::derived keeps it by.
  struct Key {
    using Made = BinnedCsr;
    BinThresholds thresholds;
    bool operator==(const Key&) const = default;
  };
  explicit BinnedCsr(const SparseShape& shape) : SparseShape(shape) {}
  Width offset_width = Width::bits32;
  BinThresholds thresholds;
  RowBins bins;                   ///< limits: 0, tiny, small, normal, block
  runtime::Buffer begins, sizes;  ///< records
  RowChunks chunks;
  runtime::Buffer column_indices, values;  ///< the CSR's

  size_t bytes() const { return bins.rows.bytes() + begins.bytes() + sizes.bytes() + chunks.starts.bytes(); }
};

/// Three launches, a sort and a scan; waits for the device. O(rows).
BinnedCsr make_binned_csr(const Csr& matrix, const BinThresholds& thresholds, Width row_width);
inline BinnedCsr make_binned_csr(const Csr& matrix, const BinThresholds& thresholds = {}) {
  return make_binned_csr(matrix, thresholds, index_width(matrix.rows));
}
/// The same matrix, sharing columns and values. A launch and a scan.
Csr to_csr(const BinnedCsr& matrix);
/// Whether every row has one record, in its bin, of its size and beginning, and chunks cover the last bin: an
/// invariant check for tests (copies to the host). Empty when it holds.
std::string check(const BinnedCsr& matrix);

}  // namespace cugrb::formats
