// Arguments of cuda/kernels/dcsr_update.h: changes of single entries of a dynamic CSR, where it lies.
#pragma once
#include "cuda/views/dcsr.h"

namespace cugrb {

/// How the rows of a batch are shared out: a block takes a heavy row, warps of the other blocks take the
/// rest.
struct DcsrUpdateTeams {
  static constexpr unsigned threads = 512;  ///< of a block
  static constexpr unsigned warps = threads / 32;
  static constexpr uint64_t most_light = 512;  ///< updates, and entries that have come since, of a warp's row
};

/// What the updates ask for; zeroed first.
struct DcsrUpdateState {
  uint64_t demand = 0;   ///< positions of the segments that are to be allocated
  uint64_t removed = 0;  ///< entries that go
  uint64_t light = 0;    ///< rows with updates for warps
  uint64_t heavy = 0;    ///< for blocks
  uint64_t full = 0;     ///< a row has all its segments, and needs one more
};

/// Updates as in cuda/views/csr_update.h. Of an update: bit 0, its entry is there, at places[b]; bit 1, it
/// removes.
struct DcsrUpdateArguments {
  DcsrView dcsr;
  uint64_t count = 0;
  const void* rows = nullptr;
  const void* columns = nullptr;
  const void* values = nullptr;
  const uint8_t* removes = nullptr;
  uint8_t* kinds = nullptr;
  uint64_t* places = nullptr;
  uint64_t* before = nullptr;  ///< count + 1: new entries, then their exclusive sum
  /// count: of each row with updates, the first of them; light rows from the front, heavy ones from the back.
  uint64_t* heads = nullptr;
  uint64_t light = 0, heavy = 0;
  uint64_t slack = 0;        ///< positions to spare, at least, in a segment that is allocated
  uint64_t* used = nullptr;  ///< the allocation pointer
  DcsrUpdateState* state = nullptr;
};

}  // namespace cugrb
