// The SIMT emulator: runs a kernel's CUDA threads as fibers of the calling OS thread, in a chosen order, and
// checks what a GPU leaves undefined. Model: threads of a warp need not run in lockstep; only barriers and
// sync_warp order them; blocks are independent. Not modelled: weak memory, occupancy, bank conflicts,
// coalescing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "cuda/emulated/interface.h"

namespace cugrb::simt {

/// One CUDA thread's body (see entry.h).
using Entry = size_t (*)(const void* arguments);

enum class Schedule : uint8_t {
  forward,  ///< blocks and threads ascend; a warp runs as far as it can before the next starts
  reverse,  ///< the same, descending
  random    ///< any thread that can run may be next; threads also change at atomics and relaxed accesses
};

struct Options {
  Schedule schedule = Schedule::forward;
  uint64_t seed = 1;             ///< of Schedule::random
  unsigned resident_blocks = 1;  ///< how many blocks run interleaved
  uint64_t livelock_yields =
      1u << 20;  ///< threads let others run that often and nothing else happened: livelock
  size_t shared_limit_bytes = 227 * 1024;  ///< static and dynamic shared memory of a block
};

/// "forward", "reverse", "random" or "random:SEED", as in CUGRB_EMULATED_SCHEDULE; empty is forward.
/// Throws std::invalid_argument.
Options parse_schedule(const std::string& text);

/// The kernel did what a GPU leaves undefined. The text names the rule, the threads, and the kernel's file
/// and line.
class Violation : public std::runtime_error {
 public:
  Violation(const std::string& text, const char* file, int line);
  const std::string file;
  const int line;
};

struct Shape {
  uint64_t blocks = 0;
  unsigned threads = 1;     ///< of a block
  size_t shared_bytes = 0;  ///< dynamic, of a block
  unsigned cluster = 1;     ///< blocks of a cluster
};

/// Runs all CUDA threads of a grid to completion; nothing for one of no blocks. `arguments` is not copied: it
/// must stay as it is until the return. Launches of several OS threads run one after the other. Throws
/// Violation; then some threads have not run to their end. Throws std::invalid_argument when a block has not
/// 1 to 1024 threads, a cluster not 1 to 8 blocks or the grid no whole clusters, or a limit is exceeded.
/// Returns whether a thread called wait_for_earlier_kernels().
bool run(Entry entry, const void* arguments, const Shape& shape, const Options& options = {});

/// The table that kernel objects are bound to.
Interface* interface_address();

}  // namespace cugrb::simt
