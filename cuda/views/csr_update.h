// Arguments of cuda/kernels/csr_update.h: changes of single entries, merged into a CSR.
#pragma once
#include "cuda/views/csr.h"

namespace cugrb {

/// What the updates come to; zeroed first. It follows the sums of the shifts in memory, so that one copy
/// reads both.
struct CsrUpdateState {
  uint32_t adds = 0;     ///< an entry comes where there is none
  uint32_t removes = 0;  ///< an entry goes
};

/// Update b is of the place (rows[b], columns[b]); places ascend, each is there once. places[0] is 0, and
/// places[b + 1] is the first entry of the matrix that is not before it, in the order of rows, then columns.
/// shifts[b] is, modulo 2^64, how far the updates before b move what follows them.
struct CsrUpdateArguments {
  CsrView csr;
  uint64_t count = 0;                ///< updates
  const void* rows = nullptr;        ///< count
  const void* columns = nullptr;     ///< count
  const void* values = nullptr;      ///< count, or one when iso
  const uint8_t* removes = nullptr;  ///< count: the entry goes, if it is there; null: all are set
  void* places = nullptr;            ///< count + 1
  uint8_t* found = nullptr;          ///< count: places[b + 1] is the entry itself
  uint64_t* shifts = nullptr;  ///< count + 1: changes of the number of entries, then their exclusive sum
  CsrUpdateState* state = nullptr;
  void* out_offsets = nullptr;  ///< rows + 1
  void* out_columns = nullptr;
  void* out_values = nullptr;
};

}  // namespace cugrb
