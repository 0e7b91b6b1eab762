// What a kernel object needs from the emulator, as one table of plain data and function pointers. The host
// passes its address to every kernel object it loads, so the host program exports no symbols and kernel
// objects import none.
#pragma once
#include "cuda/views/integers.h"

namespace cugrb::simt {

/// The calls at which CUDA threads wait for one another.
enum class Collective : uint8_t {
  sync_cluster,
  sync_block,
  sync_block_or,
  sync_block_count,
  sync_warp,
  ballot,
  any_lane,
  all_lanes,
  shuffle,
  shuffle_down,
  shuffle_up,
  shuffle_xor
};

struct Interface {
  // Where the running CUDA thread is; written by the emulator at every switch.
  unsigned thread = 0;
  unsigned block = 0;
  unsigned block_threads = 0;
  unsigned grid_blocks = 0;
  unsigned cluster_blocks = 1;
  /// Relaxed accesses and atomics left before the thread has to let others run (so that spinning makes
  /// progress).
  int steps = 0;
  /// Whether the launch has waited for earlier kernels.
  bool waited = false;

  /// Waits for the whole block. Returns the number of threads with predicate != 0.
  int (*block_barrier)(Collective kind, int predicate, const char* file, int line) = nullptr;
  /// Waits for all blocks of the cluster.
  void (*cluster_barrier)(const char* file, int line) = nullptr;
  /// The place in the shared memory of the cluster's block `rank` that `address` has in the running block's.
  const void* (*shared_of_block)(const void* address, unsigned rank, const char* file, int line) = nullptr;
  /// Waits for the lanes of `mask`. Returns the ballot of their predicates (0 for sync_warp).
  unsigned (*warp_vote)(Collective kind, unsigned mask, int predicate, const char* file, int line) = nullptr;
  /// Waits for the lanes of `mask`, then copies `bytes` from lane `source`'s value; 0xCB bytes when `source`
  /// is no lane of the mask (undefined on a GPU).
  void (*warp_shuffle)(Collective kind, unsigned mask, const void* value, void* result, unsigned bytes,
                       unsigned source, const char* file, int line) = nullptr;
  /// The block's array for this declaration; the same for all its threads.
  void* (*shared_array)(const void* site, size_t bytes, size_t alignment, const char* file,
                        int line) = nullptr;
  void* (*dynamic_shared)() = nullptr;
  void (*fence)() = nullptr;
  /// Lets other threads run.
  void (*yield)(const char* file, int line) = nullptr;
  /// Ends the launch with a violation.
  void (*fail)(const char* text, const char* file, int line) = nullptr;
};

/// The emulator's table: set by simt::run() in a program that holds the emulator, by cugrb_emulated_bind() in
/// a kernel object.
inline Interface* interface_table = nullptr;

}  // namespace cugrb::simt
