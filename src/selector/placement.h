// CPU or GPU? One call's work, described by a few counts, against two predicted times.
#pragma once
#include <cstdint>
#include <string>

#include "src/selector/experience.h"

namespace cugrb::selector {

struct Hardware;

/// What a call would do, as the interposer knows it before anything moves. Counts may be estimates.
struct Work {
  const char* operation = "";   ///< "mxv", "ewise_mult", ...: for the reason's text
  uint64_t entries = 0;         ///< entries of the matrix that the call reads; 0 when there is no matrix
  uint64_t entries_on_cpu = 0;  ///< entries that SuiteSparse reads, where it knows that they suffice; 0: all
  uint64_t entries_on_gpu = 0;  ///< the same of the device
  uint64_t products = 0;        ///< multiplications of a matrix-matrix product
  bool few_rows = false;        ///< whose first factor is a few vectors (SmallWork::few_rows)
  uint64_t vector_length = 0;   ///< longest vector of the call
  uint64_t vector_bytes = 0;    ///< of all vectors that the call reads and writes, as if they were full; of
                                ///< one that is iso, or too long for that, what it holds
  uint64_t vector_bytes_on_cpu = 0;  ///< of vectors, that SuiteSparse goes through where it knows that they
                                     ///< suffice; 0: vector_bytes
  uint64_t dense_bytes = 0;       ///< of all positions of matrices that SuiteSparse holds as bitmap or full
  uint64_t new_bytes_on_cpu = 0;  ///< that SuiteSparse writes once, before its first call: bitmaps of objects
                                  ///< that are lists yet, all values of a vector that has one for all
  uint64_t listed = 0;            ///< positions that the call reads or writes through a list of indices
  uint64_t upload_bytes = 0;  ///< this call's part of vectors that are not on the device yet, and index lists
  uint64_t matrix_upload_bytes = 0;  ///< bytes of the matrix, when it is not on the device yet
  uint64_t streamed_bytes = 0;       ///< bytes that cross the bus in this very call since its matrices do not
                                     ///< fit the device; 0: they do
  double matrix_uses = 1;  ///< how often the matrix's present content is expected to be asked for in all
  uint64_t device_resident_bytes =
      0;                      ///< bytes whose only truth is on the device: the CPU would need them down first
  uint64_t result_bytes = 0;  ///< of what the call makes, about
  bool waits = false;         ///< the call returns a value to the host (reduce, extractElement), or makes a
                              ///< result whose entries are counted next (a product of a list, or masked)
  bool makes_matrix = false;
};

enum class Processor : uint8_t { gpu, cpu };

struct Placement {
  Processor processor = Processor::cpu;
  double host_seconds = 0;  ///< predicted for the CPU before host_factor, without what must come down
  double corrected_host_seconds = 0;  ///< the same with host_factor
  double form_seconds = 0;            ///< for Work::new_bytes_on_cpu
  double device_call_seconds = 0;     ///< assumed before anything is measured
  double transfer_seconds = 0;        ///< predicted of vectors and lists that go up in the call
  Kind kind;                          ///< under which it is measured
  double gpu_seconds = 0;             ///< predicted, with the transfers that this call is charged for
  double cpu_seconds = 0;             ///< predicted, with the download of what only the device has, and forms
  std::string reason;                 ///< one readable clause, for the trace
};

/// Calls that follow each other in one thread, of which each stays where its operands are. Where that is on
/// the device, what they lose there is added up, and what later ones gain there taken off. When the loss
/// exceeds the cost of bringing a call's operands down, they come. So a loop of short calls, such as a search
/// of a road network, takes at most about twice the time that it takes on the better processor, and what it
/// takes to see that.
struct Sequence {
  double lost_seconds = 0;
  /// The calling thread's.
  static Sequence& current();
};

/// While one lives, other processes wait for what this one does (a communicator). They come to the same calls
/// with other times, and so would decide differently: a call of which something is on the device alone then
/// stays there, and no loop is timed. Thread-safe.
class InStep {
 public:
  InStep();
  ~InStep();
  InStep(const InStep&) = delete;
  InStep& operator=(const InStep&) = delete;
  /// Whether one lives.
  static bool holds();
};

/// Where the call should run, by settings().offload:
///   always  the device, whenever there is one
///   never   the CPU
///   auto    the smaller predicted time, or the CPU once the sequence of calls has lost more than moving
///           costs; on the emulated device, which is there for tests, the CPU; in step, where the
///           operands are
/// The upload of a matrix is shared out over the uses that can be expected of it: each is charged one part of
/// Work::matrix_uses (mirror::expected_uses). Thus a loop pays the upload after a few iterations, a single
/// product of a large matrix stays where its data is, and so does a matrix that the program fills anew for
/// every product. What does not fit the device goes up in every call, as often as its
/// passes say, and each use is charged all of it. Never throws; without a device the answer is the CPU, and
/// the reason says why. What calls took before corrects both times (experience.h). O(1), no device work.
Placement place(const Work& work, Sequence& sequence);

/// What `auto` makes of the two predicted times, of which the CPU's has `down_seconds` for bringing the
/// call's operands, and its result, to the host: sets the processor and the reason.
void choose(Placement& placement, double down_seconds, Sequence& sequence);

/// Work that place() leaves to the CPU whatever else it is told, unless something of it is on the device
/// alone: a loop of such calls takes the CPU less time than the device, what goes up and comes back included.
struct SmallWork {
  uint64_t elements;  ///< entries of matrices and positions of vectors together, of at most 8 bytes each
  uint64_t products;  ///< of a matrix-matrix product
  uint64_t products_of_few_rows;  ///< the same, where the first factor has at most so many rows:
  uint64_t few_rows;
  uint64_t listed;  ///< positions of vectors, where the call reads or writes through a list of indices
};
SmallWork small_work();
/// Whether the work is that.
bool is_small(const Work& work);

/// The time a copy of so many bytes between host and device takes, seconds: the start of the threads that
/// stage it, the first 8 MB at no more than 20 GB/s, the rest at the profile's bus_bytes_per_second.
double transfer_seconds(uint64_t bytes, const Hardware& hardware);

}  // namespace cugrb::selector
