// Arguments of cuda/kernels/dcsr_update.h: changes of single entries of a dynamic CSR, where it lies.
#pragma once
#include "cuda/views/dcsr.h"

namespace cugrb {

/// What the updates ask for; zeroed first.
struct DcsrUpdateState {
  uint64_t demand = 0;   ///< positions of the segments that are to be allocated
  uint64_t removed = 0;  ///< entries that go
  uint64_t rows = 0;     ///< with updates
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
  uint64_t* heads = nullptr;   ///< of each row with updates, the first of them
  uint64_t listed = 0;         ///< such rows
  uint64_t slack = 0;          ///< positions to spare in a segment that is allocated
  uint64_t* used = nullptr;    ///< the allocation pointer
  DcsrUpdateState* state = nullptr;
};

}  // namespace cugrb
