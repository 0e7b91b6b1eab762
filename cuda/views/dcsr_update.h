// Arguments of cuda/kernels/dcsr_update.h: changes of single entries of a dynamic CSR, where it lies.
#pragma once
#include "cuda/views/dcsr.h"

namespace cugrb {

/// How the rows of a batch are shared out: a block takes a heavy row, a warp of the other blocks a light one,
/// and a few lanes each of the rest, which are most: what a row waits for takes as long for any number.
struct DcsrUpdateTeams {
  static constexpr unsigned threads = 512;  ///< of a block
  static constexpr unsigned warps = threads / 32, lanes = 8, parts = threads / lanes;
  // Updates, and entries that have come since, of a row of some lanes, and of one of a warp. Where entries
  // are removed all of the row counts.
  static constexpr uint64_t most_small = 32, most_light = 512;
  static constexpr uint64_t few = 4096;  ///< updates that one block surveys
};

/// What the updates ask for; zeroed first, but where one block surveys them.
struct DcsrUpdateState {
  uint64_t demand = 0;     ///< positions of the segments that are to be allocated
  uint64_t allocated = 0;  ///< of these, those that have been
  uint64_t added = 0;      ///< entries that come
  uint64_t removed = 0;    ///< entries that go
  uint64_t small = 0;      ///< rows with updates for some lanes
  uint64_t light = 0;      ///< for warps
  uint64_t heavy = 0;      ///< for blocks
  uint64_t full = 0;       ///< a row has all its segments, and needs one more
};

/// Of an update: its entry is there, at places[b]; it removes.
constexpr uint8_t dcsr_update_there = 1, dcsr_update_removes = 2;

/// Updates as in cuda/views/csr_update.h.
struct DcsrUpdateArguments {
  DcsrView dcsr;
  uint64_t count = 0;
  const void* rows = nullptr;
  const void* columns = nullptr;
  const void* values = nullptr;
  const uint8_t* removes = nullptr;
  uint8_t* kinds = nullptr;
  uint64_t* places = nullptr;
  uint64_t* before = nullptr;  ///< count + 1: new entries of the updates before each
  /// 2 count: of each row with updates, the first of them; light rows from the front, heavy ones from the
  /// middle back to it, small ones behind that.
  uint64_t* heads = nullptr;
  /// Zeroed first: tiles of updates that have begun, and a word for each of them (cuda/kernels/look_back.h).
  uint64_t* tiles = nullptr;
  uint64_t slack = 0;  ///< positions to spare, at least, in a segment that is allocated
  uint64_t used = 0;   ///< where the first segment that is allocated begins
  uint64_t room = 0;   ///< positions from there on that may be allocated
  DcsrUpdateState* state = nullptr;
};

}  // namespace cugrb
