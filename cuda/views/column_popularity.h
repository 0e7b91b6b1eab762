// Arguments of cuda/kernels/column_popularity.h.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

/// Numbers of entries by size: each number below 16 has a bin, then eight of equal width each power of two.
struct ColumnBins {
  static constexpr unsigned bins = 240;
  static constexpr unsigned first_octave = 4, of_octave_bits = 3;

  uint64_t columns[bins] = {};
  uint64_t entries[bins] = {};  ///< of those columns
};

/// What a sample says of the columns of a matrix.
struct ColumnSample {
  static constexpr uint64_t window_entries = 512;
  /// Of every column that was drawn and has few entries in the windows: all of its entries.
  ColumnBins light;
  /// Of every column that has many in the windows: those.
  ColumnBins heavy;
};

/// Of each 2^bits windows, which one is looked at: every 2^bits-th would meet the same columns of each row,
/// where rows are of one length.
CUGRB_HOST_DEVICE inline uint64_t window_of_group(uint64_t group, unsigned bits) {
  return (group * 0x9e3779b97f4a7c15ull >> 32) & ((uint64_t(1) << bits) - 1);
}

struct SampleColumnsArguments {
  const void* columns = nullptr;  ///< entries
  uint64_t entries = 0, column_count = 0;
  unsigned group_bits = 0;  ///< of every 2^group_bits neighbouring columns one is drawn
  /// Of each group's column: its entries, most_counted or a few more at most.
  uint32_t* group_counts = nullptr;
  uint32_t most_counted = 0xffffffffu;
  unsigned window_bits = 0;            ///< of 2^window_bits windows of entries one is looked at
  uint32_t* window_counts = nullptr;   ///< of each column: its entries in those windows
  uint32_t least_heavy = 0xffffffffu;  ///< entries there from which on a column is heavy
  ColumnSample* sample = nullptr;
};

}  // namespace cugrb
