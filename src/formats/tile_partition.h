// How the paper tiles a matrix and packs a tile's rows into workloads: its Algorithms 1 to 3, as printed.
//
// X. Yang, S. Parthasarathy, P. Sadayappan, "Fast Sparse Matrix-Vector Multiplication on GPUs: Implications
// for Graph Mining", PVLDB 4(4), 2011, section 3.3 and Appendix E; "Eq." are its equations. Where the text
// leaves room, it is read so:
//   - WL / w rows are packed in whole numbers: a row belongs to a workload "until it exceeds the workload
//   size".
//   - Padding (Algorithm 3, line 10) adds zeros, so that the next workload begins at the row after the packed
//     ones, and Size(i) of Eq. 4 counts it, since line 13 follows line 10.
//   - Where the longest row exceeds Algorithm 2's upper bound, its loop has no round. The lower bound is then
//     the size: the longest row cannot be cut.
//   - n / TILE_WIDTH (Algorithm 1, line 4) is no whole number: a narrower matrix has one tile.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace cugrb::formats {

/// A rectangle of `width` places a row by `height` rows, the first `rows` of which hold entries.
struct PackedRows {
  uint64_t first_row = 0, rows = 0;  ///< of the rows by length
  uint64_t width = 0, height = 0;    ///< with their padding

  /// w >= h: stored row by row (CSR-vector), else column by column (ELL). Padding does not change it.
  bool by_rows() const { return width >= height; }
  uint64_t size() const { return width * height; }
};

/// Entries a second of a device that is full of workloads of this width and height: the look-up table.
using WorkloadPerformance = std::function<double(uint64_t width, uint64_t height)>;

/// What the paper's device is to its algorithms.
struct PartitionDevice {
  uint64_t warp_lanes = 32;
  uint64_t active_warps = 960;  ///< MAX_ACT_WARP; of a Tesla C1060
  WorkloadPerformance performance;
};

/// Algorithm 1, lines 4 to 8: tiles of `width` columns while the first column has more than one entry.
/// `lengths`: of the columns, most entries first. O(tiles).
uint64_t count_tiles(const std::vector<uint32_t>& lengths, uint64_t width);
/// Algorithm 3, lines 7 to 16: rows of these lengths, longest first and none empty, as workloads of that
/// size. O(workloads).
std::vector<PackedRows> pack_rows(const std::vector<uint32_t>& lengths, uint64_t workload_size,
                                  uint64_t warp_lanes);
/// Eq. 1 to 5, Algorithm 3, lines 11 to 20. Seconds. O(workloads).
double packed_seconds(const std::vector<PackedRows>& workloads, const PartitionDevice& device);
/// Algorithm 2: the size of least time, the smallest of equal ones. At most entries / active warps / longest
/// candidates, each of which is packed.
uint64_t best_workload_size(const std::vector<uint32_t>& lengths, const PartitionDevice& device);

}  // namespace cugrb::formats
