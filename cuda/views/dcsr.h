// DcsrView: a matrix in dynamic CSR storage; arguments of cuda/kernels/dcsr_build.h and mxv_dcsr.h.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/row_bins.h"

namespace cugrb {

/// Segment s of row i is the positions from segments[2 i + s * pitch] up to segments[2 i + s * pitch + 1] of
/// the columns and values; one that is not allocated has none. The row's sizes[i] entries fill its segments
/// in order. Columns ascend in the first mains[i] of them, and again in the others; without mains in all.
struct DcsrView {
  void* segments = nullptr;  ///< slots * pitch
  void* sizes = nullptr;     ///< rows
  void* mains = nullptr;     ///< rows; null: as the sizes
  void* columns = nullptr;
  void* values = nullptr;  ///< null: iso values do not travel
  uint64_t rows = 0, pitch = 0, slots = 0;
};

/// Entries that a block moves between CSR and segments: to find their rows takes about as long as to move a
/// thousand.
struct DcsrTile {
  static constexpr unsigned threads = 512;  ///< of a block
  static constexpr uint64_t entries = 2048;
};

/// dcsr_capacities, dcsr_segments, dcsr_entries, dcsr_begins. A record is a row of `csr`: row order[r] of
/// `dcsr`, or row r where its segments lie in the rows' order.
struct DcsrBuildArguments {
  CsrView csr;
  DcsrView dcsr;
  void* starts = nullptr;       ///< rows + 1: where each record begins; not asked for: null
  const void* order = nullptr;  ///< rows
  uint64_t used = 1;            ///< segments that a row's entries are spread over
  uint64_t slack = 0;           ///< positions that the last of them has to spare
  uint64_t width = 0;           ///< positions that it has at least
  /// used * rows + 1: capacities, then their exclusive sum. Where entries come out of the segments: rows,
  /// where those of each go.
  void* begins = nullptr;
  uint64_t* tile_rows = nullptr;  ///< a row for each tile of entries, and one more
  uint64_t tile_entries = 0;      ///< of each
};

/// dcsr_long_rows. Record r is of row[r], or of row r, and has `lanes` lanes, twice as many from each of
/// `starts` on.
struct DcsrLongArguments {
  const void* sizes = nullptr;
  const void* rows = nullptr;
  uint64_t records = 0;
  uint64_t lanes = 1;
  uint64_t starts[5] = {~uint64_t(0), ~uint64_t(0), ~uint64_t(0), ~uint64_t(0), ~uint64_t(0)};
  uint64_t longest_by_lane = 0;
  uint64_t* long_rows = nullptr;  ///< the number of the listed records, from zero, then these
};

/// dcsr_list_rest: rows with entries beyond where they were laid out.
struct DcsrRestArguments {
  const void* sizes = nullptr;
  const void* starts = nullptr;  ///< rows + 1: the positions that rows were laid out with
  uint64_t rows = 0;
  uint64_t longest_by_lanes = 0, longest_by_warp = 0;  ///< such entries of a row; of more for a block
  /// How many rows for lanes, for warps and for blocks; then those for lanes from the front and those for
  /// warps from the back of `rows`; then those for blocks.
  uint64_t* listed = nullptr;
};

/// dcsr_name_rows, dcsr_named_lengths.
struct DcsrNamedArguments {
  DcsrView dcsr;
  const void* columns = nullptr;  ///< of the entries that name rows
  uint64_t entries = 0;
  uint8_t* named = nullptr;  ///< rows, zeros at first
  void* lengths = nullptr;   ///< rows
};

/// dcsr_listed_lengths, dcsr_listed_entries.
struct DcsrListArguments {
  DcsrView dcsr;
  const void* list = nullptr;  ///< rows, in any order and as often as they are listed
  uint64_t listed = 0;
  void* offsets = nullptr;  ///< listed + 1: of the result; first its rows' lengths
  uint64_t entries = 0;     ///< of the result
  void* columns = nullptr;
  void* values = nullptr;  ///< not written when iso
};

}  // namespace cugrb
