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

/// More tuples, which blocks sort in tiles. Each is then ranked among all tiles, so that the work grows with
/// the square of their number: from `most` tuples on a radix sort takes less.
struct BuildTiles {
  static constexpr unsigned threads = 1024, tuples = 4096;  ///< of a tile
  static constexpr uint64_t most = uint64_t(1) << 17;
  static constexpr unsigned heads = 256;  ///< sorted tuples that a block turns into entries, one a thread
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
  uint8_t* heads = nullptr;           ///< count: a run, or a piece of one, begins here
  uint32_t* places = nullptr;         ///< count: where a tuple of a tile was given
  uint32_t* sorted_places = nullptr;  ///< count: the same of all by key
  void* sorted_keys = nullptr;        ///< count
  uint32_t* tile_heads = nullptr;     ///< runs that begin among each BuildTiles::heads sorted tuples
  const void* starts = nullptr;       ///< runs: where each begins; null: run u is tuple u
  uint64_t runs = 0;                  ///< or pieces of runs
  const uint64_t* order = nullptr;    ///< count: where a tuple's value is; null: at its own place
  const void* in = nullptr;           ///< values
  uint64_t row_count = 0;             ///< of the matrix
  void* offsets = nullptr;            ///< row_count + 1
  void* out_rows = nullptr;           ///< runs
  void* out_columns = nullptr;        ///< runs
  void* out = nullptr;                ///< runs: values
};

}  // namespace cugrb
