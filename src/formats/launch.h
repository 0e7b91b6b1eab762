// Launching a specialisation by the number of its blocks of 256 threads.
#pragma once
#include <algorithm>
#include <string>

#include "cuda/views/entry_tile.h"
#include "src/jit/jit.h"

namespace cugrb::formats {

constexpr unsigned block_threads = 256;

inline uint64_t blocks_for(uint64_t items, uint64_t items_per_block = block_threads) {
  return (items + items_per_block - 1) / items_per_block;
}

/// Blocks that take a tile of entries each.
inline uint64_t entry_tiles(uint64_t entries) {
  static_assert(EntryTile::threads == block_threads);
  return blocks_for(entries, EntryTile::entries);
}

/// The same of those that only move entries.
inline uint64_t move_tiles(uint64_t entries) { return blocks_for(entries, EntryTile::moved_entries); }

/// Blocks that a device holds at once, about: the grid of kernels whose blocks take one tile after the other.
inline uint64_t resident_blocks() { return 8 * uint64_t(runtime::device().properties().multiprocessors); }

/// Blocks that take such tiles one after another (cuda/kernels/segments.h, for_moved_tiles): one each, and
/// where that is more than the device runs at once a few.
inline uint64_t move_blocks(uint64_t entries) {
  constexpr uint64_t few = 8;
  const uint64_t tiles = move_tiles(entries);
  return tiles <= resident_blocks() ? tiles : std::max(resident_blocks(), blocks_for(tiles, few));
}

/// Launches the kernel of the request in that shape. Where it has to be compiled, the generated source
/// asserts that it takes arguments of that size.
template <class Arguments>
void launch_kernel(jit::Request request, const runtime::LaunchShape& shape, const Arguments& arguments) {
  request.argument_bytes = sizeof(Arguments);
  runtime::launch(runtime::device(), jit::kernel(request), shape, arguments);
}

/// Of a kernel that waits for earlier ones itself (runtime::LaunchShape::overlaps).
inline runtime::LaunchShape overlapping(uint64_t blocks, unsigned threads = block_threads) {
  runtime::LaunchShape shape;
  shape.blocks = blocks;
  shape.threads = threads;
  shape.overlaps = true;
  return shape;
}

/// `overlaps`: the kernel waits for earlier ones itself (runtime::LaunchShape).
template <class Arguments>
void launch_blocks(const runtime::Kernel& kernel, uint64_t blocks, const Arguments& arguments,
                   bool overlaps = false) {
  runtime::LaunchShape shape;
  shape.blocks = blocks;
  shape.threads = block_threads;
  shape.overlaps = overlaps;
  runtime::launch(runtime::device(), kernel, shape, arguments);
}

/// Launches `name` of cuda/kernels/`header`; nothing runs for 0 blocks, and nothing is compiled then.
template <class Arguments>
void launch_blocks(const std::string& header, const std::string& name, uint64_t blocks,
                   const Arguments& arguments, const std::string& preamble = {}) {
  if (blocks > 0) launch_kernel({header, name, preamble}, {blocks, block_threads}, arguments);
}

/// The same, with so many bytes of dynamic shared memory a block.
template <class Arguments>
void launch_sharing_blocks(const std::string& header, const std::string& name, uint64_t blocks,
                           size_t shared_bytes, const Arguments& arguments) {
  if (blocks > 0) launch_kernel({header, name, {}}, {blocks, block_threads, shared_bytes}, arguments);
}

}  // namespace cugrb::formats
