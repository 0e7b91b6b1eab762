// A second stream of a GPU, ordered with the device's by events.
#pragma once
#include <array>
#include <atomic>

#include "cuda/runtime/cuda_context.h"
#include "cuda/runtime/put_off.h"

namespace cugrb::runtime {

class CudaSideStream : public SideStream {
 public:
  /// Throws DeviceFailure.
  CudaSideStream(CudaContext& context, PutOff& put_off);
  ~CudaSideStream() override;
  CudaSideStream(const CudaSideStream&) = delete;
  CudaSideStream& operator=(const CudaSideStream&) = delete;

  void run(const std::function<void(void* stream)>& work) override;
  void lead() override;
  bool has_begun(uint64_t number) override;
  bool is_done(uint64_t number) override;

 private:
  bool is_past(cudaEvent_t event);

  CudaContext& context_;
  PutOff& put_off_;
  cudaStream_t stream_ = nullptr;
  /// Of the last pieces of work, each at its number's place.
  std::array<cudaEvent_t, remembered> before_{}, after_{};
  std::atomic<uint64_t> begun_{0}, queued_{0};
};

}  // namespace cugrb::runtime
