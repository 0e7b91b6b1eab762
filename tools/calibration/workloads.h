// The look-up table of tile-composite's workloads, measured: the kernel on matrices that are one tile of rows
// of one length.
#pragma once
#include <string>

#include "src/formats/tile_composite.h"
#include "src/selector/hardware.h"

namespace cugrb::calibration {

/// Rows of one length that share a tile's columns evenly: `entries` of them, the longest rows that a workload
/// of most_width entries a row has.
class EvenTile {
 public:
  /// Columns ascend within each most_width entries from the first on. O(entries).
  EvenTile(const Type& type, bool iso, uint32_t tile_columns, uint64_t entries);

  /// The first so many entries as rows of the shape's width, which divides them.
  formats::DeviceMatrix rows_of(const selector::WorkloadShape& shape, uint64_t entries) const;
  /// Of rows_of: all workloads are of this shape, shared out among as many warps as the device runs at once.
  formats::TileComposite workloads_of(const formats::DeviceMatrix& rows, const selector::WorkloadShape& shape,
                                      const selector::Hardware& hardware) const;

  /// The longest row of any shape.
  static constexpr uint32_t most_width = 2048;

 private:
  formats::Csr all_;  ///< as rows of most_width
};

/// How much is measured.
struct WorkloadEffort {
  uint64_t entries = 0;  ///< of the larger of the two matrices of a shape; the other has a quarter
  int repeat = 0;
  /// For the process's device: what does not fit its caches, and leaves most of its memory alone.
  static WorkloadEffort of_device();
};

/// Entries a second of every shape and kind of values (PLUS_SECOND_FP32 on patterns, LOR_LAND_BOOL,
/// PLUS_TIMES_FP32 and _FP64): the difference between a large matrix and a small one, so that the launch and
/// the load of the tile do not count.
selector::WorkloadRates measure_workloads(const selector::Hardware& hardware, const WorkloadEffort& effort);

}  // namespace cugrb::calibration
