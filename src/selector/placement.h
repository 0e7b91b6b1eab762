// CPU or GPU? One call's work, described by a few counts, against two predicted times.
#pragma once
#include <cstdint>
#include <string>

namespace cugrb::selector {

/// What a call would do, as the interposer knows it before anything moves. Counts may be estimates.
struct Work {
  const char* operation = "";  ///< "mxv", "ewise_mult", ...: for the reason's text
  uint64_t entries = 0;        ///< entries of the matrix that the call reads; 0 when there is no matrix
  uint64_t products = 0;       ///< multiplications of a matrix-matrix product
  uint64_t vector_length = 0;  ///< longest vector of the call
  uint64_t bytes_touched =
      0;                      ///< bytes that either side must read and write; 0: estimated from the two above
  uint64_t upload_bytes = 0;  ///< bytes of vectors that are not on the device yet
  uint64_t matrix_upload_bytes = 0;  ///< bytes of the matrix, when it is not on the device yet
  uint64_t streamed_bytes = 0;       ///< bytes that cross the bus in this very call since its matrices do not
                                     ///< fit the device; 0: they do
  uint64_t matrix_uses = 0;          ///< how often this matrix has been asked for so far (by any call)
  uint64_t device_resident_bytes =
      0;               ///< bytes whose only truth is on the device: the CPU would need them down first
  bool waits = false;  ///< the call returns a value to the host (reduce, extractElement)
};

enum class Processor : uint8_t { gpu, cpu };

struct Placement {
  Processor processor = Processor::cpu;
  double gpu_seconds = 0;  ///< predicted, with the transfers that this call is charged for
  double cpu_seconds = 0;  ///< predicted, with the download of what only the device has
  std::string reason;      ///< one readable clause, for the trace
};

/// Where the call should run, by settings().offload:
///   always  the device, whenever there is one
///   never   the CPU
///   auto    the smaller predicted time; on the emulated device, which is there for tests, the CPU
/// The upload of a matrix is charged in full to its first use and shared out over the uses that can be
/// expected after it: a matrix asked for u times is expected to be asked for u times more, so each use is
/// charged 1/(1 + u) of it. Thus a loop pays the upload after a few iterations and a single product of a
/// large matrix stays where its data is. What does not fit the device goes up in every call, as often as its
/// passes say, and each use is charged all of it. Never throws; without a device the answer is the CPU, and
/// the reason says why. O(1), no device work.
Placement place(const Work& work);

/// The time a copy of so many bytes between host and device takes, seconds.
double transfer_seconds(uint64_t bytes);

}  // namespace cugrb::selector
