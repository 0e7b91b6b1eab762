// Prefix sums over the tiles of a launch while it runs: each tile says what it adds before it knows where it
// begins, and looks back over the sums of the tiles before it until one knows. No second launch.
//
// D. Merrill, M. Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVIDIA NVR-2016-002.
#pragma once
#include "cuda/kernels/base.h"

namespace cugrb {

// A tile's word: what it holds, in the two highest bits, and that sum below 2^62. They are stored together,
// so that no order of stores matters. 0: nothing yet.
constexpr uint64_t tile_sum_alone = uint64_t(1) << 62;     ///< of the tile by itself
constexpr uint64_t tile_sum_up_to_it = uint64_t(2) << 62;  ///< of it and all tiles before it
constexpr uint64_t tile_sum_mask = tile_sum_alone - 1;

/// The next tile in the order in which blocks begin: all tiles before it have begun, so that who waits for
/// them waits for blocks that run. Called by all threads; passes a barrier. `taken`: one, zero before the
/// launch.
CUGRB_DEVICE uint64_t take_tile(uint64_t* taken) {
  CUGRB_SHARED(uint64_t, tile, 1);
  if (thread_index() == 0) tile[0] = atomic_add(taken, uint64_t(1));
  sync_block();
  return tile[0];
}

/// What the tile adds. Called by one thread of its block; the tile comes from take_tile. `sums`: a word for
/// each tile, zero before the launch.
CUGRB_DEVICE void say_sum_of_tile(uint64_t* sums, uint64_t tile, uint64_t own) {
  relaxed_store(sums + tile, (tile == 0 ? tile_sum_up_to_it : tile_sum_alone) | own);
}

/// The sum of all tiles before this one, which has said what it adds, `own`. Called by a whole warp of the
/// tile's block.
CUGRB_DEVICE uint64_t sum_of_earlier_tiles(uint64_t* sums, uint64_t tile, uint64_t own) {
  constexpr unsigned words = 4;  // of a lane under way at once: a tile begins every few nanoseconds
  const unsigned lane = lane_index();
  uint64_t before = 0, next = tile;
  bool found = tile == 0;
  while (!found) {
    uint64_t seen[words];
#pragma unroll
    for (unsigned k = 0; k < words; ++k) {
      const uint64_t back = 1 + lane + k * warp_lanes;
      seen[k] = back <= next ? relaxed_load(sums + (next - back)) : tile_sum_up_to_it;  // before the first
    }
#pragma unroll
    for (unsigned k = 0; k < words; ++k) {
      if (found) continue;
      const uint64_t back = 1 + lane + k * warp_lanes;
      while (seen[k] == 0) {  // all tiles under way ask for the same few lines
        let_others_run();
        seen[k] = relaxed_load(sums + (next - back));
      }
      const unsigned known = ballot(full_warp, (seen[k] & tile_sum_up_to_it) != 0);
      const unsigned last = known == 0 ? 31u : unsigned(lowest_bit(known));
      uint64_t sum = lane <= last ? seen[k] & tile_sum_mask : 0;
      for (int lanes = 16; lanes > 0; lanes /= 2) sum += shuffle_xor(full_warp, sum, lanes);
      before += sum;
      found = known != 0;
    }
    next -= words * warp_lanes;
  }
  if (lane == 0 && tile > 0) relaxed_store(sums + tile, tile_sum_up_to_it | (before + own));
  return before;
}

/// Says it, and gives that sum. Called by a whole warp of the tile's block.
CUGRB_DEVICE uint64_t sum_before_tile(uint64_t* sums, uint64_t tile, uint64_t own) {
  if (lane_index() == 0) say_sum_of_tile(sums, tile, own);
  return sum_of_earlier_tiles(sums, tile, own);
}

/// The sums of a block's warps. Aligned, so that the vectors by which they are read hold nothing that stands
/// beside them: others may be writing there.
struct alignas(16) sums_of_warps {
  uint32_t of_warp[8];
};

/// The sum of the values of all threads before the calling one, and of all; a block of 256. `sums`: one, in
/// shared memory. Passes a barrier; `sums` may be used again after another.
CUGRB_DEVICE uint32_t sum_before_thread(uint32_t value, sums_of_warps* sums, uint32_t& of_all) {
  const unsigned lane = lane_index();
  uint32_t sum = value;
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const uint32_t other = shuffle_up(full_warp, sum, delta);
    if (lane >= delta) sum += other;
  }
  if (lane == 31) sums->of_warp[thread_index() / 32] = sum;
  sync_block();
  uint32_t before = sum - value;
  of_all = 0;
  for (unsigned warp = 0; warp < 8; ++warp) {
    if (warp < thread_index() / 32) before += sums->of_warp[warp];
    of_all += sums->of_warp[warp];
  }
  return before;
}

}  // namespace cugrb
