// Write-backs that are put off, and done in one launch with those that follow (cuda/kernels/joined.h).
//
// A call that writes back has done everything when its launch is put off: memory, forms, the kernel. Nothing
// is different but the moment of the launch, which is the next time that somebody reads what it writes, or
// has the device do something else (cuda/runtime/put_off.h). Then all that wait are one launch. Where its
// kernel is not compiled, or does not compile, they are launched one after the other.
#pragma once
#include <array>
#include <string>

#include "cuda/runtime/buffer.h"
#include "cuda/views/joined.h"
#include "src/formats/joining.h"
#include "src/jit/jit.h"

namespace cugrb::formats {

/// One write-back.
struct Stage {
  Joinable joinable;
  std::string text;           ///< "stage<...>"
  std::string what;           ///< for the trace
  jit::Request alone;         ///< the kernel that does it by itself,
  uint64_t blocks_alone = 0;  ///< in so many blocks of 256
  WriteBackArguments arguments;
  struct Written {
    const void* memory = nullptr;
    size_t bytes = 0;
  };
  std::array<Written, 2> written;  ///< values and presence, where they are
};

/// Launches it, or puts it off where others may join it. Throws what a launch does.
void launch_or_put_off(Stage stage);

/// A reduction over the same places.
struct Last {
  Places places;
  std::string text;  ///< "reduce_last<...>"
  std::string what;
  ReduceArguments arguments;
};

/// Whether something waits at these places.
bool waits_at(const Places& places);
/// Launches what waits at these places, and the reduction with it. False, with nothing done, where nothing
/// waits there, or the kernel is not to be had.
bool launch_with(const Last& last);

/// A count of blocks, 0, for reductions on this device (ReduceArguments::blocks_done). Throws
/// runtime::OutOfMemory.
uint32_t* blocks_done();

}  // namespace cugrb::formats
