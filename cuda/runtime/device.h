// The device: memory, copies, launches. Two implementations behind one interface: CUDA (cuda_device.cpp) and
// the emulated device (cuda/emulated/emulated_device.cpp). Nothing above this folder knows which one it talks
// to.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/views/post.h"

namespace cugrb::runtime {

/// No usable device: no driver, no GPU, a GPU too old, or CUGRB_DEVICE=none. The text says which.
class NoDevice : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// An allocation did not fit. The caller may evict mirrors and try again, or decline the call.
class OutOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// A launch or a copy failed. After a sticky CUDA error the device is marked unusable and every later use
/// throws.
class DeviceFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Kind : uint8_t { cuda, emulated };

/// Blocks of a cluster at most, on every GPU that has clusters.
constexpr unsigned most_cluster_blocks = 8;

struct Properties {
  Kind kind = Kind::emulated;
  std::string name;          ///< "NVIDIA H200", "emulated"
  std::string architecture;  ///< "sm_90"; "host" for the emulated device
  int multiprocessors = 1;
  size_t memory_bytes = 0;            ///< total device memory
  size_t l2_bytes = 0;                ///< L2 cache
  size_t shared_bytes_per_block = 0;  ///< largest dynamic shared memory a block may ask for
  /// By their size: clusters of blocks (LaunchShape::cluster) that run at once when each block has a
  /// multiprocessor to itself. 0 where a GPU has none (before Hopper), but for those of one block.
  std::array<int, most_cluster_blocks + 1> resident_clusters{};
  double clock_hertz = 0;         ///< multiprocessors' peak clock; 0: not known (the emulated device)
  double memory_clock_hertz = 0;  ///< device memory's peak clock; 0: not known
  size_t memory_bus_bytes = 0;    ///< width of its bus; 0: not known
  int driver_version = 0;         ///< as cudaDriverGetVersion gives it; 0 on the emulated device
  unsigned place = 0;             ///< among the process's devices, below most_devices
  int number = 0;                 ///< CUDA's, or that of CUGRB_DEVICES for an emulated device
};

/// Devices of one process at most.
constexpr unsigned most_devices = 16;

/// A loaded kernel, made by Device::load of any of the process's devices, which all have one architecture: it
/// runs on each. Never freed before the process ends.
class Kernel {
 public:
  virtual ~Kernel() = default;
  std::string name;  ///< the template-id
  int registers = 0;
};

struct LaunchShape {
  uint64_t blocks = 0;  ///< 0: launch() returns at once, nothing runs
  unsigned threads = 256;
  size_t shared_bytes = 0;  ///< dynamic shared memory a block
  /// The kernel calls wait_for_earlier_kernels() (cuda/kernels/base.h), so that a GPU may start it while the
  /// one before is still running: on Hopper a launch in a row costs about a microsecond less.
  bool overlaps = false;
  /// So many consecutive blocks run at the same time and read each other's shared memory (sync_cluster, in
  /// cuda/kernels/base.h); `blocks` is a multiple of it. More than one: Properties::resident_clusters says
  /// whether and how.
  unsigned cluster = 1;
};

/// Bytes on their way to the host (Device::start_reading).
class Reading {
 public:
  virtual ~Reading() = default;
  /// Whether they are there. Never waits. Throws DeviceFailure.
  virtual bool arrived() = 0;
  /// Waits for what was queued before the reading, not for what came after. Valid while the Reading lives.
  /// Throws DeviceFailure.
  virtual const void* bytes() = 0;
};
constexpr size_t most_reading_bytes = size_t(40) << 10;

/// Bytes that a kernel sends to the host by itself (cuda/kernels/post.h).
class Posting : public Reading {
 public:
  /// For the arguments of the kernel, which is launched before anybody waits.
  virtual PostView view() const = 0;
};
/// A device has so many at a time.
constexpr size_t most_postings = 128;

struct MemoryInfo {
  size_t free_bytes = 0;  ///< what allocate() could still give
  size_t total_bytes = 0;
};

/// A second stream of a device, for communication that runs beside its kernels. What memory it uses has to
/// live until the device follows it (lead()).
class SideStream {
 public:
  /// So many pieces of work can be asked for at once.
  static constexpr uint64_t remembered = 64;

  virtual ~SideStream() = default;
  /// Calls `work` with the stream, as Device::with_stream. What it queues begins when all that the device has
  /// queued so far is done. Calls are numbered from 1.
  virtual void run(const std::function<void(void* stream)>& work) = 0;
  /// What the device queues from now on begins when all that is queued here so far is done. Never waits.
  virtual void lead() = 0;
  /// Whether the work of that number can begin, and whether it is done; of the last `remembered` ones. They
  /// never wait, and any thread may ask.
  virtual bool has_begun(uint64_t number) = 0;
  virtual bool is_done(uint64_t number) = 0;
};

/// All operations are ordered as if on one stream (but see side_by_side). Copies to the host and
/// synchronize() wait; the rest may not. Thread-safe: callers hold no lock of their own for single calls.
class Device {
 public:
  virtual ~Device() = default;
  virtual const Properties& properties() const = 0;

  /// At least 256-byte aligned; never null for bytes > 0; null for 0. Throws OutOfMemory. Freed memory is
  /// reused in stream order (a pool), so release() while kernels that use it are queued is fine.
  virtual void* allocate(size_t bytes) = 0;
  virtual void release(void* pointer) noexcept = 0;
  /// As allocate(), but addresses are reserved behind it, for grow() to use. Where the device has none to
  /// spare, and where a copy of so many bytes takes less time than to map memory, it is as of allocate().
  virtual void* allocate_growable(size_t bytes) = 0;
  /// An allocation of allocate_growable() has at least `bytes` at its place. What it held stays; nothing is
  /// copied. False, with nothing done, where no addresses are reserved behind it, or too few. Throws
  /// OutOfMemory, and it is as it was then.
  virtual bool grow(void* pointer, size_t bytes) = 0;
  /// Gives pooled but unused memory back to the system.
  virtual void trim() noexcept = 0;
  virtual MemoryInfo memory() = 0;
  /// The most bytes that were given out at once since the last call (what is given out now, at least), as the
  /// device rounds them: for measuring workspaces.
  virtual size_t take_peak_bytes() noexcept = 0;

  /// Host memory may be pageable (then staged through pinned memory in pieces); it is free for reuse on
  /// return.
  virtual void copy_to_device(void* device, const void* host, size_t bytes) = 0;
  /// Content that is made while it is copied: fill(out, begin, end) writes the target's elements [begin, end)
  /// to `out`. Called for disjoint ranges that cover [0, count), by several threads at once; must not throw.
  using Fill = std::function<void(char* out, uint64_t begin, uint64_t end)>;
  virtual void fill_on_device(void* device, uint64_t count, size_t element_bytes, const Fill& fill) = 0;
  virtual void copy_to_host(void* host, const void* device, size_t bytes) = 0;
  /// The same of at most most_reading_bytes, not waited for: what is queued before it, as it will be then.
  virtual std::unique_ptr<Reading> start_reading(const void* device, size_t bytes) = 0;
  /// A place for most_post_bytes that a kernel will send; null where none is free.
  virtual std::unique_ptr<Posting> expect_post() = 0;
  virtual void copy_on_device(void* to, const void* from, size_t bytes) = 0;
  virtual void fill_bytes(void* device, unsigned char byte, size_t bytes) = 0;

  /// What is queued here from now on begins when all that has been queued on `other` so far is done. Never
  /// waits itself.
  virtual void follow(Device& other) = 0;
  /// Bytes of another device's memory, queued here. Follow `source` first, and have it follow this device
  /// when it is to change or release them. By NVLink or PCIe where the GPUs reach each other, else through
  /// the host.
  virtual void copy_from_peer(void* to, Device& source, const void* from, size_t bytes) = 0;
  /// The other way.
  virtual void copy_to_peer(Device& target, void* to, const void* from, size_t bytes) = 0;
  /// Calls `work`, whose launches and copies from peers (this thread's, on this device) go beside the stream:
  /// in their order, they begin when all that is queued here so far is done, and what is queued here next
  /// does not wait for them. Nothing else is asked of the device in it. Until land() all that they use has to
  /// live; what they read is left alone, and what they write is not read.
  virtual void beside(const std::function<void()>& work) = 0;
  /// What is queued here from now on begins when all that went beside the stream so far is done.
  virtual void land() = 0;

  /// Loads a compiled image (a CUBIN, or the path of a shared object on the emulated device, see src/jit).
  /// `symbol` is the lowered name for CUDA, the entry's name for the emulated device.
  virtual std::unique_ptr<Kernel> load(const std::string& image, const std::string& symbol) = 0;
  /// Launches on the stream; `arguments` is the kernel's one by-value struct, copied before return.
  virtual void launch(const Kernel& kernel, const LaunchShape& shape, const void* arguments,
                      size_t argument_bytes) = 0;
  /// What a launch takes the host these days, seconds: machines that are shared change by a half within
  /// seconds. 0: not known (too few launches so far, or an emulated device).
  virtual double host_call_seconds() const { return 0; }
  /// Calls `work`, whose launches (this thread's) may run at the same time: none of them reads or writes what
  /// another one writes, and nothing is allocated, released, filled or copied in it. What is queued before or
  /// after stays before or after all of them.
  virtual void side_by_side(const std::function<void()>& work) { work(); }
  virtual void synchronize() = 0;
  /// Calls `work` with the stream (CUDA: a cudaStream_t, its GPU current for this thread; else null): for
  /// libraries that queue work of their own. Throws DeviceFailure when the device is unusable.
  virtual void with_stream(const std::function<void(void* stream)>& work) = 0;

  virtual std::unique_ptr<SideStream> make_side_stream() = 0;

  /// Events for measuring: mark() on the stream, elapsed between two marks (waits for the second). Seconds.
  virtual uint64_t mark() = 0;
  virtual double seconds_between(uint64_t first, uint64_t second) = 0;
  /// Has the stream wait so long, so that what is queued meanwhile follows itself without the gaps that the
  /// host leaves: for measuring small kernels. Does nothing on an emulated device, which leaves none.
  virtual void hold(double /*seconds*/) {}
};

/// The process's devices, chosen once at the first call by CUGRB_DEVICE=auto|gpu|gpu:N|emulated|none and
/// CUGRB_DEVICES; at least one. The first is the one that GraphBLAS objects lie on. Throws NoDevice.
const std::vector<Device*>& devices();
/// The one that the calling thread works on: the first, or that of the innermost OnDevice. Throws NoDevice.
Device& device();
/// While it lives, what the calling thread allocates, builds and launches is on that device. May be nested.
class OnDevice {
 public:
  explicit OnDevice(Device& device) noexcept;
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  Device* const before_;
};
/// Whether device() would succeed. Never throws; makes the context at the first call.
bool available() noexcept;
/// Why device() would throw; empty when it would not.
std::string unavailable_reason();
/// After fork: the child has no device (rule 14). Called from the pthread_atfork handler.
void mark_forked() noexcept;
bool is_forked() noexcept;

/// Whether bytes between the members of a launch's arguments are zero, so that all of its words have a
/// meaning.
#if defined(__has_builtin) && __has_builtin(__builtin_clear_padding)
constexpr bool clears_padding = true;
#else
constexpr bool clears_padding = false;
#endif

/// Typed launch: the argument struct goes by value.
template <class Arguments>
void launch(Device& device, const Kernel& kernel, const LaunchShape& shape, const Arguments& arguments) {
  Arguments own = arguments;
#if defined(__has_builtin) && __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(&own);
#endif
  device.launch(kernel, shape, &own, sizeof(Arguments));
}

}  // namespace cugrb::runtime
