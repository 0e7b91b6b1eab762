// Arguments of cuda/kernels/build.h.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb {

/// Copies that a thread of build_values combines at most.
constexpr uint64_t build_copies = 32;

/// Tuples that one block sorts and combines, and its threads.
struct BuildFew {
  static constexpr unsigned threads = 512, tuples = 2048;
};

/// What the keys are like; zeroed first.
struct BuildState {
  uint64_t runs = 0;       ///< different keys (or pieces), once they are sorted
  uint32_t descends = 0;   ///< a key is followed by a smaller one
  uint32_t repeats = 0;    ///< a key is followed by itself
  uint32_t long_runs = 0;  ///< a key comes more than build_copies times
  uint32_t unused = 0;
};

struct BuildArguments {
  uint64_t count = 0;             ///< tuples
  unsigned column_bits = 0;       ///< at most 60: of a column's number
  const void* rows = nullptr;     ///< count
  const void* columns = nullptr;  ///< count
  void* keys = nullptr;           ///< count
  BuildState* state = nullptr;
  uint8_t* heads = nullptr;         ///< count: a run, or a piece of one, begins here
  const void* starts = nullptr;     ///< runs: where each begins; null: run u is tuple u
  uint64_t runs = 0;                ///< or pieces of runs
  const uint64_t* order = nullptr;  ///< count: where a tuple's value is; null: at its own place
  const void* in = nullptr;         ///< values
  uint64_t row_count = 0;           ///< of the matrix
  void* offsets = nullptr;          ///< row_count + 1
  void* out_rows = nullptr;         ///< runs
  void* out_columns = nullptr;      ///< runs
  void* out = nullptr;              ///< runs: values
};

}  // namespace cugrb
