// Compressed sparse blocks as kernels see them, and the arguments of cuda/kernels/csb_build.h and mxv_csb.h.
// src/formats/csb.h says what the format is.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/l2_policy.h"
#include "cuda/views/mask.h"
#include "cuda/views/vector.h"

namespace cugrb {

/// Places whose columns count from one base: what a warp takes of a step, four a lane.
constexpr uint32_t csb_chunk = 128;
/// Of a band, from which on mxv_csb_split_rows adds up their sums where rows are few.
constexpr uint32_t csb_many_pieces = 16;
/// The slot of a place that no entry takes.
constexpr uint32_t no_csb_slot = 0xffffu;

/// Where entry `order` of the order of steps and columns is stored: a lane loads four places side by side,
/// and the lanes of a warp gather by neighbouring columns.
CUGRB_HOST_DEVICE inline uint64_t csb_place(uint64_t order) {
  const uint64_t item = order % csb_chunk;
  return order / csb_chunk * csb_chunk + item % 32 * 4 + item / 32;
}

struct CsbView {
  const uint32_t* entries = nullptr;  ///< places: slot << 16 | column - base
  const uint32_t* bases = nullptr;    ///< chunks: the first column
  const void* values = nullptr;       ///< places, unless iso
  const uint16_t* row_slots =
      nullptr;  ///< bands * (band_rows + 1): first slot of each row, and the band's end
  const uint32_t* shared_rows = nullptr;  ///< rows of several slots, ascending: end << 16 | first slot
  const uint32_t* band_shared = nullptr;  ///< bands + 1: how many are in the bands before
  uint32_t band_rows = 0;
  uint64_t rows = 0;
};

/// Steps of one band that a block sums.
struct CsbPiece {
  uint32_t band = 0;
  uint32_t first_step = 0, last_step = 0;
};

/// mxv_csb, mxv_csb_rows.
struct MxvCsbArguments {
  CsbView matrix;
  VectorView vector;
  MaskView mask;
  VectorView result;
  const CsbPiece* pieces = nullptr;
  const uint32_t* first_pieces = nullptr;  ///< blocks + 1: the pieces of each block
  const uint32_t* band_pieces = nullptr;   ///< bands + 1: the pieces of each band
  uint32_t slots = 0;                      ///< that the largest band has, and up to three: a multiple of four
  void* sums = nullptr;                    ///< pieces * slots, of the monoid's type
  uint64_t policy = l2_evict_first;        ///< for the entries
};

// ---- construction
// -------------------------------------------------------------------------------------------

/// Slots of the rows, and entries by band and column.
struct CsbRowsArguments {
  CsrView matrix;
  uint32_t band_rows = 0;
  uint64_t bands = 0;
  uint32_t expected_entries = 0;        ///< a row gets one slot, and more for its share of so many entries
  uint32_t* slot_counts = nullptr;      ///< rows + 1: slots of each; their exclusive sums afterwards
  uint64_t* band_slots = nullptr;       ///< bands + 1: slots before each
  uint64_t* band_entries = nullptr;     ///< bands + 1: entries before each
  uint16_t* row_slots = nullptr;        ///< CsbView
  uint8_t* flags = nullptr;             ///< rows: has several slots
  const uint64_t* positions = nullptr;  ///< rows of several slots, ascending
  uint64_t shared_count = 0;            ///< how many
  uint32_t* shared_rows = nullptr;      ///< CsbView
  uint32_t* band_shared = nullptr;
  unsigned column_bits = 0;
  void* keys = nullptr;         ///< entries: band << column_bits | column
  uint64_t* payload = nullptr;  ///< entries: first slot of the row << csb_position_bits | position in the CSR
};
constexpr unsigned csb_position_bits = 48;

/// Consecutive entries of a band in the order of columns that are cut into steps by themselves.
struct CsbRun {
  uint64_t first = 0;  ///< entry
  uint32_t entries = 0;
  uint32_t band = 0;
};

/// Which entries a step takes.
struct CsbStepsArguments {
  const void* keys = nullptr;         ///< sorted
  const uint64_t* payload = nullptr;  ///< sorted
  const CsbRun* runs = nullptr;
  const uint16_t* row_slots = nullptr;  ///< CsbView
  uint32_t band_rows = 0;
  uint32_t most_slots = 0;  ///< of a band
  unsigned column_bits = 0;
  uint32_t step_places = 0;              ///< most entries of a step
  const uint32_t* most_steps = nullptr;  ///< runs + 1: steps that the runs before may take together
  uint32_t* steps = nullptr;             ///< runs: steps taken; no_csb_steps: more than allowed
  uint32_t* chosen = nullptr;            ///< most steps * step_places: entry of the run by order
  uint16_t* slots = nullptr;             ///< the same: its slot, or no_csb_slot
};
constexpr uint32_t no_csb_steps = 0xffffffffu;

/// Entries to their places.
struct CsbFillArguments {
  CsrView matrix;
  const void* keys = nullptr;         ///< sorted
  const uint64_t* payload = nullptr;  ///< sorted
  const CsbRun* runs = nullptr;
  uint64_t run_count = 0;
  unsigned column_bits = 0;
  uint32_t step_places = 0;
  const uint32_t* most_steps = nullptr;   ///< CsbStepsArguments
  const uint32_t* first_steps = nullptr;  ///< runs + 1: steps before each
  const uint32_t* chosen = nullptr;
  const uint16_t* slots = nullptr;
  unsigned bank_shift = 3;  ///< sums are of 4 >> bank_shift bytes; 3: wider, or not to be spread over banks
  uint32_t* entries = nullptr;  ///< CsbView
  uint32_t* bases = nullptr;
  void* values = nullptr;
};

}  // namespace cugrb
