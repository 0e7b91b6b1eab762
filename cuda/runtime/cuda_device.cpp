#include "cuda/runtime/cuda_device.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cuda/runtime/cuda_clusters.h"
#include "cuda/runtime/cuda_device_class.h"
#include "cuda/runtime/cuda_hold.h"
#include "cuda/runtime/cuda_side_stream.h"
#include "cuda/runtime/injection.h"
#include "src/support/settings.h"
#include "src/support/trace.h"

namespace cugrb::runtime {
namespace {

constexpr size_t kept_marks = 4096;
constexpr size_t usual_shared_bytes = size_t(48) << 10;  ///< a launch may ask for that without preparation
constexpr uint64_t most_blocks = 0x7fffffff;

/// An attribute that CUDA may have withdrawn on newer devices: 0 then.
int attribute(cudaDeviceAttr which, int ordinal) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, ordinal) == cudaSuccess) return value;
  cudaGetLastError();
  return 0;
}

Properties describe(int ordinal, const cudaDeviceProp& found, unsigned place) {
  Properties properties;
  properties.place = place;
  properties.number = ordinal;
  properties.kind = Kind::cuda;
  properties.name = found.name;
  properties.architecture = "sm_" + std::to_string(found.major) + std::to_string(found.minor);
  properties.multiprocessors = found.multiProcessorCount;
  properties.memory_bytes = found.totalGlobalMem;
  properties.l2_bytes = static_cast<size_t>(found.l2CacheSize);
  properties.shared_bytes_per_block = found.sharedMemPerBlockOptin;
  properties.clock_hertz = 1e3 * attribute(cudaDevAttrClockRate, ordinal);
  properties.memory_clock_hertz = 1e3 * attribute(cudaDevAttrMemoryClockRate, ordinal);
  properties.memory_bus_bytes = size_t(attribute(cudaDevAttrGlobalMemoryBusWidth, ordinal)) / 8;
  cudaDriverGetVersion(&properties.driver_version);
  return properties;
}

/// Where the calling thread queues beside a device's stream.
struct Queue {
  const CudaDevice* device = nullptr;
  cudaStream_t stream = nullptr;
};
thread_local Queue queue_beside;

class Beside {
 public:
  Beside(const CudaDevice& device, cudaStream_t stream)
      : before_(std::exchange(queue_beside, {&device, stream})) {}
  ~Beside() { queue_beside = before_; }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

 private:
  const Queue before_;
};

/// Where nothing is left to post it to.
class CopiedReading : public Reading {
 public:
  explicit CopiedReading(size_t bytes) : bytes_(bytes) {}
  bool arrived() override { return true; }
  const void* bytes() override { return bytes_.data(); }
  void* target() { return bytes_.data(); }

 private:
  std::vector<char> bytes_;
};

}  // namespace

CudaContext& cuda_context(Device& device) { return static_cast<CudaDevice&>(device).context(); }

CudaDevice::CudaDevice(int ordinal, const cudaDeviceProp& found, unsigned place)
    : properties_(describe(ordinal, found, place)),
      put_off_(PutOff::of(place)),
      can_overlap_(found.major >= 9),
      context_(ordinal),
      memory_(context_, settings().memory_limit_bytes),
      staging_(context_),
      readings_(context_),
      postings_(context_),
      side_streams_(context_) {
  const CurrentGpu current(context_);
  properties_.resident_clusters[1] = found.multiProcessorCount;
  for (unsigned blocks = 2; blocks <= most_cluster_blocks; ++blocks)
    properties_.resident_clusters[blocks] = found.major >= 9 ? resident_clusters(blocks) : 0;
}

void CudaDevice::reach(CudaDevice& other) {
  int can = 0;
  context_.check(cudaDeviceCanAccessPeer(&can, context_.ordinal(), other.context_.ordinal()),
                 "asking whether GPUs reach each other");
  if (can == 0) return;
  const CurrentGpu current(context_);
  const cudaError_t error = cudaDeviceEnablePeerAccess(other.context_.ordinal(), 0);
  if (error == cudaErrorPeerAccessAlreadyEnabled) {
    cudaGetLastError();
  } else {
    context_.check(error, "letting a GPU reach another");
  }
  other.memory_.open_to(context_.ordinal());
}

void CudaDevice::begin_allocation() {
  context_.require_usable();
  if (injection::fails(injection::Point::allocation)) {
    throw OutOfMemory("injected allocation failure (CUGRB_INJECT)");
  }
}

void* CudaDevice::allocate(size_t bytes) {
  if (bytes == 0) return nullptr;
  begin_allocation();
  return put_off_.allocated([&] { return memory_.allocate(bytes); });
}

void* CudaDevice::allocate_growable(size_t bytes) {
  if (bytes == 0) return nullptr;
  begin_allocation();
  return put_off_.allocated([&] { return memory_.allocate_growable(bytes); });
}

bool CudaDevice::grow(void* pointer, size_t bytes) {
  begin_allocation();
  return put_off_.allocated([&] { return memory_.grow(pointer, bytes) ? pointer : nullptr; }) != nullptr;
}

void CudaDevice::trim() noexcept {
  if (!context_.usable()) return;
  const CurrentGpu current(context_);
  memory_.trim();
}

MemoryInfo CudaDevice::memory() {
  context_.require_usable();
  const CurrentGpu current(context_);
  return memory_.information();
}

void CudaDevice::copy_to_device(void* device, const void* host, size_t bytes) {
  context_.require_usable();
  put_off_.settle();
  if (bytes == 0) return;
  const CurrentGpu current(context_);
  staging_.up(device, host, bytes);
  trace::copied_up(bytes);
}

void CudaDevice::fill_on_device(void* device, uint64_t count, size_t element_bytes, const Fill& fill) {
  context_.require_usable();
  put_off_.settle();
  if (count == 0) return;
  const CurrentGpu current(context_);
  staging_.up(device, count, element_bytes, fill);
  trace::copied_up(count * element_bytes);
}

void CudaDevice::copy_to_host(void* host, const void* device, size_t bytes) {
  context_.require_usable();
  put_off_.settle_for(device, bytes);
  if (bytes == 0) return;
  const CurrentGpu current(context_);
  staging_.down(host, device, bytes);
  trace::copied_down(bytes);
}

std::unique_ptr<Reading> CudaDevice::start_reading(const void* device, size_t bytes) {
  context_.require_usable();
  put_off_.settle_for(device, bytes);
  if (bytes > most_reading_bytes)
    throw DeviceFailure("a reading of " + std::to_string(bytes) + " bytes is too large");
  const CurrentGpu current(context_);
  trace::copied_down(bytes);
  if (auto reading = readings_.start(device, bytes)) return reading;
  auto copied = std::make_unique<CopiedReading>(bytes);
  staging_.down(copied->target(), device, bytes);
  return copied;
}

std::unique_ptr<Posting> CudaDevice::expect_post() {
  context_.require_usable();
  const CurrentGpu current(context_);
  return postings_.expect();
}

void CudaDevice::copy_on_device(void* to, const void* from, size_t bytes) {
  context_.require_usable();
  put_off_.settle();
  if (bytes == 0) return;
  const CurrentGpu current(context_);
  context_.check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, context_.stream()),
                 "copying on the GPU");
}

void CudaDevice::fill_bytes(void* device, unsigned char byte, size_t bytes) {
  context_.require_usable();
  put_off_.settle();
  if (bytes == 0) return;
  const CurrentGpu current(context_);
  context_.check(cudaMemsetAsync(device, byte, bytes, context_.stream()), "filling GPU memory");
}

void CudaDevice::follow(Device& other) {
  auto& leader = static_cast<CudaDevice&>(other);
  if (&leader == this) return;
  context_.require_usable();
  leader.context_.require_usable();
  put_off_.settle();  // it does not wait for the other device
  leader.put_off_.settle();
  const std::lock_guard<std::mutex> lock(leader.order_mutex_);
  {
    const CurrentGpu current(leader.context_);
    if (leader.reached_ == nullptr)
      leader.context_.check(cudaEventCreateWithFlags(&leader.reached_, cudaEventDisableTiming),
                            "creating an event");
    leader.context_.check(cudaEventRecord(leader.reached_, leader.context_.stream()), "recording an event");
  }
  const CurrentGpu current(context_);
  context_.check(cudaStreamWaitEvent(context_.stream(), leader.reached_, 0), "ordering GPUs");
}

void CudaDevice::copy_peer(void* to, const CudaContext& target, const void* from, const CudaContext& source,
                           size_t bytes) {
  context_.require_usable();
  put_off_.settle();
  if (bytes == 0) return;
  const CurrentGpu current(context_);
  const cudaStream_t beside = stream_beside();
  context_.check(cudaMemcpyPeerAsync(to, target.ordinal(), from, source.ordinal(), bytes,
                                     beside != nullptr ? beside : context_.stream()),
                 "copying between GPUs");
  trace::copied_between(bytes);
}

void CudaDevice::copy_from_peer(void* to, Device& source, const void* from, size_t bytes) {
  static_cast<CudaDevice&>(source).put_off_.settle();
  copy_peer(to, context_, from, cuda_context(source), bytes);
}

void CudaDevice::copy_to_peer(Device& target, void* to, const void* from, size_t bytes) {
  static_cast<CudaDevice&>(target).put_off_.settle();
  copy_peer(to, cuda_context(target), from, context_, bytes);
}

cudaStream_t CudaDevice::stream_beside() const {
  const bool is_beside = queue_beside.device == this && !put_off_.is_submitting();
  return is_beside ? queue_beside.stream : nullptr;
}

void CudaDevice::beside(const std::function<void()>& work) {
  const std::lock_guard<std::mutex> lock(landing_mutex_);
  if (landing_ == nullptr) landing_ = make_side_stream();
  landing_->run([&](void* stream) {
    const Beside now(*this, static_cast<cudaStream_t>(stream));
    work();
  });
}

void CudaDevice::land() {
  const std::lock_guard<std::mutex> lock(landing_mutex_);
  if (landing_ != nullptr) landing_->lead();
}

std::unique_ptr<Kernel> CudaDevice::load(const std::string& image, const std::string& symbol) {
  context_.require_usable();
  const CurrentGpu current(context_);
  cudaLibrary_t library = nullptr;
  context_.check(cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
                 "loading a kernel");
  auto kernel = std::make_unique<CudaKernel>();
  kernel->name = symbol;
  context_.check(cudaLibraryGetKernel(&kernel->kernel, library, symbol.c_str()),
                 "finding a kernel in its image");
  cudaFuncAttributes attributes = {};
  context_.check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel->kernel)),
                 "asking for a kernel's attributes");
  kernel->registers = attributes.numRegs;
  kernel->static_shared_bytes = attributes.sharedSizeBytes;
  kernel->most_threads = attributes.maxThreadsPerBlock;
  function_of(*kernel);  // what does not load is told of here
  return kernel;
}

CUfunction CudaDevice::function_of(const CudaKernel& kernel) {
  CudaKernel::InContext& here = kernel.contexts[properties_.place];
  CUfunction function = here.function.load(std::memory_order_acquire);
  if (function != nullptr) return function;
  // Two threads that come at once find the same.
  context_.check(error_of(launcher_.function_of(&function, kernel.kernel)), "loading a kernel's function");
  const size_t prepared = usual_shared_bytes - std::min(usual_shared_bytes, kernel.static_shared_bytes);
  size_t none = 0;
  here.shared_bytes.compare_exchange_strong(none, prepared, std::memory_order_release);
  here.function.store(function, std::memory_order_release);
  return function;
}

void CudaDevice::prepare_shared(const CudaKernel& kernel, size_t bytes) {
  std::atomic<size_t>& shared_bytes = kernel.contexts[properties_.place].shared_bytes;
  if (bytes <= shared_bytes.load(std::memory_order_acquire)) return;
  const size_t most = properties_.shared_bytes_per_block - kernel.static_shared_bytes;
  if (bytes > most) {
    throw DeviceFailure(kernel.name + ": " + std::to_string(bytes) +
                        " bytes of shared memory asked for, this GPU has " + std::to_string(most) +
                        " a block");
  }
  // The whole of it at once: the attribute costs nothing by itself, what counts is each launch's own size.
  context_.check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel.kernel),
                                      cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(most)),
                 "raising a kernel's shared memory");
  shared_bytes.store(most, std::memory_order_release);
}

void CudaDevice::launch(const Kernel& kernel, const LaunchShape& shape, const void* arguments,
                        size_t /*argument_bytes*/) {
  context_.require_usable();
  if (shape.blocks == 0) return;
  put_off_.settle();
  if (!put_off_.is_submitting() && injection::fails(injection::Point::launch))
    throw DeviceFailure("injected launch failure (CUGRB_INJECT)");
  const auto& cuda_kernel = static_cast<const CudaKernel&>(kernel);
  if (shape.blocks > most_blocks || shape.threads == 0 ||
      shape.threads > static_cast<unsigned>(cuda_kernel.most_threads)) {
    throw DeviceFailure(kernel.name + ": " + std::to_string(shape.blocks) + " blocks of " +
                        std::to_string(shape.threads) + " threads cannot be launched");
  }
  const CurrentGpu current(context_);
  const CUfunction function = function_of(cuda_kernel);
  prepare_shared(cuda_kernel, shape.shared_bytes);
  void* parameters[] = {const_cast<void*>(arguments)};
  CUlaunchAttribute attributes[2] = {};
  unsigned attribute_count = 0;
  if (shape.overlaps && can_overlap_) {
    CUlaunchAttribute& overlap = attributes[attribute_count++];
    overlap.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    overlap.value.programmaticStreamSerializationAllowed = 1;
  }
  if (shape.cluster > 1) {
    CUlaunchAttribute& cluster = attributes[attribute_count++];
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim = {shape.cluster, 1, 1};
  }
  CUlaunchConfig configuration = {};
  configuration.gridDimX = static_cast<unsigned>(shape.blocks);
  configuration.blockDimX = shape.threads;
  configuration.gridDimY = configuration.gridDimZ = configuration.blockDimY = configuration.blockDimZ = 1;
  configuration.sharedMemBytes = static_cast<unsigned>(shape.shared_bytes);
  const cudaStream_t beside = stream_beside();
  configuration.hStream = beside != nullptr ? beside : side_streams_.next();
  configuration.attrs = attributes;
  configuration.numAttrs = attribute_count;
  const CUresult result =
      pace_.timed([&] { return launcher_.launch(&configuration, function, parameters, nullptr); });
  context_.check(error_of(result), kernel.name.c_str());
  trace::launched();
}

void CudaDevice::side_by_side(const std::function<void()>& work) {
  context_.require_usable();
  put_off_.settle();
  const CurrentGpu current(context_);
  side_streams_.run(work);
}

void CudaDevice::synchronize() {
  context_.require_usable();
  put_off_.settle();
  const CurrentGpu current(context_);
  context_.check(cudaStreamSynchronize(context_.stream()), "waiting for the GPU");
}

void CudaDevice::with_stream(const std::function<void(void* stream)>& work) {
  context_.require_usable();
  put_off_.settle();
  const CurrentGpu current(context_);
  work(context_.stream());
}

std::unique_ptr<SideStream> CudaDevice::make_side_stream() {
  context_.require_usable();
  return std::make_unique<CudaSideStream>(context_, put_off_);
}

uint64_t CudaDevice::mark() {
  context_.require_usable();
  put_off_.settle();
  const CurrentGpu current(context_);
  std::lock_guard<std::mutex> lock(marks_mutex_);
  const uint64_t number = marks_;
  if (number < kept_marks && events_.size() <= number) {
    cudaEvent_t event = nullptr;
    context_.check(cudaEventCreate(&event), "creating an event");
    events_.push_back(event);
  }
  context_.check(cudaEventRecord(events_[number % kept_marks], context_.stream()), "recording an event");
  ++marks_;
  return number;
}

cudaEvent_t CudaDevice::event_of(uint64_t mark) {
  std::lock_guard<std::mutex> lock(marks_mutex_);
  if (mark >= marks_ || marks_ - mark > kept_marks) {
    throw DeviceFailure("mark " + std::to_string(mark) + " is none of the last " +
                        std::to_string(kept_marks));
  }
  return events_[mark % kept_marks];
}

double CudaDevice::seconds_between(uint64_t first, uint64_t second) {
  context_.require_usable();
  const CurrentGpu current(context_);
  const cudaEvent_t begin = event_of(first), end = event_of(second);
  float milliseconds = 0;
  context_.check(cudaEventSynchronize(end), "waiting for the GPU");
  context_.check(cudaEventElapsedTime(&milliseconds, begin, end), "measuring time on the GPU");
  return static_cast<double>(milliseconds) * 1e-3;
}

void CudaDevice::hold(double seconds) {
  context_.require_usable();
  put_off_.settle();
  const CurrentGpu current(context_);
  context_.check(hold_stream(seconds, context_.stream()), "holding the GPU");
}

}  // namespace cugrb::runtime
