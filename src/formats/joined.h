// Write-backs that are put off, and done in one launch with those that follow (cuda/kernels/joined.h).
//
// A call that writes back has done everything when its launch is put off: memory, forms, the kernel. Nothing
// is different but the moment of the launch, which is the next time that somebody reads what it writes, or
// has the device do something else (cuda/runtime/put_off.h). Then all that wait are one launch. Where its
// kernel is not compiled, or does not compile, they are launched one after the other.
#pragma once
#include <array>
#include <string>
#include <vector>

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

/// A kernel that works at all of so many positions, each of them in one thread, and can do there first what
/// waits there.
class Following {
 public:
  virtual ~Following() = default;
  uint64_t positions = 0;
  int most_stages = 0;
  std::string what;                         ///< for the trace
  std::array<Stage::Written, 2> elsewhere;  ///< what it reads at other positions than its own
  /// Its kernel, which does `stages` ("stages<...>"), so many, first.
  virtual const runtime::Kernel& kernel(const std::string& stages, int count) = 0;
  virtual void launch(const runtime::Kernel& kernel,
                      const std::vector<const WriteBackArguments*>& stages) = 0;
};
/// Launches it, and what waits with it. False, with nothing done, where nothing waits at its positions, or
/// what does writes what it reads elsewhere, or the kernel is not to be had.
bool launch_behind_what_waits(Following& following);

/// Whether something waits at these places.
bool waits_at(const Places& places);
/// Launches what waits at these places, and the reduction with it. False, with nothing done, where nothing
/// waits there, or the kernel is not to be had.
bool launch_with(const Last& last);

/// Words of this device that are 0 between launches, each for one purpose: a reduction's count of blocks
/// (ReduceArguments::blocks_done), and the sum of CountedArguments. They throw runtime::OutOfMemory.
uint32_t* blocks_done();
uint64_t* stored_sum();

}  // namespace cugrb::formats
