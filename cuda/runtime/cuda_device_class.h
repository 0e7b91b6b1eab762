// CudaDevice: runtime::Device on one GPU. Everything is queued on one stream, but for launches that may run
// side by side; see device.h for the contract.
#pragma once
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/runtime/cuda_context.h"
#include "cuda/runtime/cuda_driver.h"
#include "cuda/runtime/cuda_memory.h"
#include "cuda/runtime/cuda_postings.h"
#include "cuda/runtime/cuda_readings.h"
#include "cuda/runtime/cuda_side_streams.h"
#include "cuda/runtime/cuda_staging.h"
#include "cuda/runtime/host_pace.h"
#include "cuda/runtime/put_off.h"

namespace cugrb::runtime {

/// Loaded into every context at once; what a context has of it is made at its first launch there.
class CudaKernel : public Kernel {
 public:
  struct InContext {
    std::atomic<CUfunction> function{nullptr};
    /// The largest dynamic shared memory that a launch was prepared for; raised at need.
    std::atomic<size_t> shared_bytes{0};
  };
  cudaKernel_t kernel = nullptr;
  size_t static_shared_bytes = 0;
  int most_threads = 0;
  mutable std::array<InContext, most_devices> contexts;  ///< by Properties::place
};

class CudaDevice : public Device {
 public:
  /// Throws NoDevice when no context can be made.
  CudaDevice(int ordinal, const cudaDeviceProp& found, unsigned place);

  CudaContext& context() { return context_; }
  /// Lets this GPU read and write the other one's memory directly, where they are connected so.
  void reach(CudaDevice& other);

  const Properties& properties() const override { return properties_; }
  void* allocate(size_t bytes) override;
  void release(void* pointer) noexcept override {
    if (!put_off_.release_later(*this, pointer)) memory_.release(pointer);
  }
  void* allocate_growable(size_t bytes) override;
  bool grow(void* pointer, size_t bytes) override;
  void trim() noexcept override;
  MemoryInfo memory() override;
  size_t take_peak_bytes() noexcept override { return memory_.take_peak_bytes(); }
  void copy_to_device(void* device, const void* host, size_t bytes) override;
  void fill_on_device(void* device, uint64_t count, size_t element_bytes, const Fill& fill) override;
  void copy_to_host(void* host, const void* device, size_t bytes) override;
  std::unique_ptr<Reading> start_reading(const void* device, size_t bytes) override;
  std::unique_ptr<Posting> expect_post() override;
  void copy_on_device(void* to, const void* from, size_t bytes) override;
  void fill_bytes(void* device, unsigned char byte, size_t bytes) override;
  void follow(Device& other) override;
  void copy_from_peer(void* to, Device& source, const void* from, size_t bytes) override;
  void copy_to_peer(Device& target, void* to, const void* from, size_t bytes) override;
  void beside(const std::function<void()>& work) override;
  void land() override;
  std::unique_ptr<Kernel> load(const std::string& image, const std::string& symbol) override;
  void launch(const Kernel& kernel, const LaunchShape& shape, const void* arguments,
              size_t argument_bytes) override;
  double host_call_seconds() const override { return pace_.seconds(); }
  void side_by_side(const std::function<void()>& work) override;
  void synchronize() override;
  void with_stream(const std::function<void(void* stream)>& work) override;
  std::unique_ptr<SideStream> make_side_stream() override;
  uint64_t mark() override;
  double seconds_between(uint64_t first, uint64_t second) override;
  void hold(double seconds) override;

 private:
  /// Throws DeviceFailure where the device is unusable, and OutOfMemory where a test asks for it.
  void begin_allocation();
  CUfunction function_of(const CudaKernel& kernel);
  void prepare_shared(const CudaKernel& kernel, size_t bytes);
  void copy_peer(void* to, const CudaContext& target, const void* from, const CudaContext& source,
                 size_t bytes);
  cudaEvent_t event_of(uint64_t mark);
  /// The stream beside the usual one, where the calling thread queues there; else null.
  cudaStream_t stream_beside() const;

  Properties properties_;
  PutOff& put_off_;
  bool can_overlap_;  ///< LaunchShape::overlaps
  CudaContext context_;
  CudaLauncher launcher_;
  HostPace pace_;
  CudaMemory memory_;
  CudaStaging staging_;
  CudaReadings readings_;
  CudaPostings postings_;
  CudaSideStreams side_streams_;
  std::mutex landing_mutex_;
  std::unique_ptr<SideStream> landing_;  ///< of what goes beside the stream; made at the first call
  std::mutex order_mutex_;
  cudaEvent_t reached_ = nullptr;  ///< what others follow: recorded anew each time
  std::mutex marks_mutex_;
  std::vector<cudaEvent_t> events_;  ///< a ring: the last marks can be asked for
  uint64_t marks_ = 0;
};

}  // namespace cugrb::runtime
