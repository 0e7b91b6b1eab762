// The blocked format as kernels see it, and the arguments of cuda/kernels/blocked_build.h and mxv_blocked.h.
// src/formats/blocked.h says what the format is.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/mask.h"
#include "cuda/views/vector.h"

namespace cugrb {

/// Places of a piece come in whole chunks: of four-byte products, a 32-byte sector.
constexpr uint32_t blocked_chunk = 8;
/// Consecutive entries whose products one thread sums: a word of row ends.
constexpr uint32_t blocked_run = 32;
/// A place that no entry takes.
constexpr uint16_t no_blocked_column = 0xffffu;

/// Where the position of entry e is stored: the threads of a warp, a run each, load eight of theirs side by
/// side.
CUGRB_HOST_DEVICE inline uint64_t blocked_position_place(uint64_t e) {
  const uint64_t lane = e / blocked_run % 32, item = e % blocked_run;
  return e / 1024 * 1024 + item / 8 * 256 + lane * 8 + item % 8;
}

struct BlockedView {
  const uint16_t* columns = nullptr;       ///< places: column in the tile, or no_blocked_column
  const void* values = nullptr;            ///< places, unless iso
  const uint32_t* destinations = nullptr;  ///< chunks of places: the chunk of products that each gives
  const uint32_t* bin_chunks = nullptr;    ///< bins + 1: first chunk of products of each bin
  const void* positions =
      nullptr;  ///< uint16_t by blocked_position_place(entry): the product's place in the bin
  const uint32_t* row_ends = nullptr;  ///< runs: bit j is set where entry j of the run is the last of its row
  const uint32_t* ordinals = nullptr;  ///< runs + 1: how many rows end before each
  const uint32_t* bin_rows = nullptr;  ///< bins + 1: the same of bins
  const uint32_t* rows = nullptr;      ///< rows with entries, by ordinal; null when that is every row
  uint64_t bins = 0;
};

/// What one block multiplies of one tile.
struct BlockedShare {
  uint64_t first_column = 0;
  uint32_t columns = 0;
  uint32_t first_chunk = 0, last_chunk = 0;  ///< of places
};

/// mxv_blocked, mxv_blocked_sums, mxv_blocked_carries.
struct MxvBlockedArguments {
  BlockedView matrix;
  VectorView vector;
  MaskView mask;
  VectorView result;
  const BlockedShare* shares = nullptr;
  const uint32_t* first_shares = nullptr;  ///< blocks + 1: the shares of each block
  void* products = nullptr;                ///< of the monoid's type, by chunk of products
  uint32_t most_products = 0;              ///< places of the largest bin
  void* carry_values = nullptr;            ///< bins: what each bin leaves of a row that goes on in the next
  uint8_t* carry_has = nullptr;            ///< bins
};

/// Construction.
struct BlockedBuildArguments {
  CsrView matrix;
  uint32_t tile_columns = 0, bin_entries = 0;
  uint64_t tiles = 0, bins = 0;
  /// Chunks of each piece; their exclusive sums afterwards. By (tile, bin): places; by (bin, tile): products.
  uint32_t* chunks_by_tile = nullptr;
  uint32_t* chunks_by_bin = nullptr;
  uint32_t* tile_chunks = nullptr;  ///< tiles + 1
  uint32_t* bin_chunks = nullptr;   ///< bins + 1
  uint16_t* columns = nullptr;
  void* values = nullptr;
  uint32_t* destinations = nullptr;
  uint16_t* positions = nullptr;
  uint32_t* row_ends = nullptr;
  uint32_t* ordinals = nullptr;
  uint64_t runs = 0;
  uint32_t* bin_rows = nullptr;  ///< bins + 1: how many rows end before each
  uint8_t* flags = nullptr;      ///< rows: has entries
};

}  // namespace cugrb
