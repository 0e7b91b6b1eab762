// Rows put into bins by their lengths; arguments of cuda/kernels/row_bins.h and of the kernels that take bins
// (cuda/kernels/mxv_bins.h).
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/mxv.h"

namespace cugrb {

/// Row i is in the bin of the first limit that is not below its length; rows longer than all limits are in
/// the last one.
struct BinLimits {
  static constexpr int most = 12;
  uint64_t limits[most] = {};
  int count = 0;
  uint32_t first = 0;  ///< the bin of rows that are below all limits
};

/// bin_keys, bin_records, record_lengths, chunk_counts.
struct RowBinsArguments {
  const void* lengths = nullptr;  ///< rows + 1 offsets, or rows lengths: the specialisation knows which
  uint64_t rows = 0;
  BinLimits bins;
  uint32_t* keys = nullptr;     ///< rows
  uint64_t* payload = nullptr;  ///< rows: in bin_keys i, later the rows by bins
  uint64_t first = 0;           ///< the first of `payload` that gets a record
  uint64_t records = 0;
  void* record_rows = nullptr;    ///< records
  void* record_begins = nullptr;  ///< records; null: not wanted
  void* record_sizes = nullptr;   ///< records; null: not wanted
  void* out_lengths = nullptr;    ///< rows
  uint64_t chunk_entries = 0;
  uint64_t* chunks = nullptr;  ///< records
};

/// Consecutive records whose rows get as many lanes each, and the blocks that take them.
struct BinSpan {
  uint64_t first_record = 0, records = 0;
  uint64_t first_block = 0;
};
/// By lanes: 1, 2, 4, 8, 16, 32, a block of 256, several blocks (then a block for every chunk of entries).
constexpr int bin_classes = 8;

/// mxv_binned_csr and mxv_adcsr: rows as records, sorted by bins. `operands.matrix` has columns and values.
struct MxvBinsArguments {
  MxvOperands operands;
  BinSpan spans[bin_classes];              ///< first_block descends: the longest rows come first
  const void* rows = nullptr;              ///< records: positions of the rows
  const void* begins = nullptr;            ///< binned CSR, records: the first entry
  const void* sizes = nullptr;             ///< binned CSR, records: entries; ADCSR, rows
  const void* segments = nullptr;          ///< ADCSR: cuda/views/dcsr.h
  uint64_t pitch = 0, slots = 0;           ///< ADCSR
  const uint64_t* chunk_starts = nullptr;  ///< records of the last span + 1: the first chunk of each
  uint64_t chunk_entries = 0;
  void* carry_values = nullptr;  ///< chunks
  uint8_t* carry_has = nullptr;  ///< chunks
  /// Records of rows with more entries than that for each of their lanes, their number in front; none: null.
  /// The first `long_blocks` blocks take them.
  const uint64_t* long_rows = nullptr;
  uint64_t longest_by_lane = 0;
  uint64_t long_blocks = 0;
};

/// mxv_dcsr_rest. `rows` reads the segments; T has what mxv_merge has summed.
struct MxvRestArguments {
  static constexpr int lanes = 2;  ///< of a row with at most so many entries to add:
  static constexpr uint64_t longest_by_lanes = 16;
  static constexpr uint64_t longest_by_warp = 1024;  ///< and of one for a warp; a block has longer ones
  MxvBinsArguments rows;
  const void* starts = nullptr;      ///< rows + 1: the positions that rows were laid out with
  const uint64_t* listed = nullptr;  ///< cuda/views/dcsr.h: DcsrRestArguments
};

}  // namespace cugrb
