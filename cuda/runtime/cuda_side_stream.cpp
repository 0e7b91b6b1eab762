#include "cuda/runtime/cuda_side_stream.h"

namespace cugrb::runtime {

CudaSideStream::CudaSideStream(CudaContext& context, PutOff& put_off) : context_(context), put_off_(put_off) {
  const CurrentGpu current(context_);
  context_.check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  for (auto* events : {&before_, &after_}) {
    for (cudaEvent_t& event : *events)
      context_.check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
  }
}

CudaSideStream::~CudaSideStream() {
  const CurrentGpu current(context_);
  for (auto* events : {&before_, &after_}) {
    for (const cudaEvent_t event : *events) cudaEventDestroy(event);
  }
  cudaStreamDestroy(stream_);
}

void CudaSideStream::run(const std::function<void(void* stream)>& work) {
  context_.require_usable();
  put_off_.settle();
  const CurrentGpu current(context_);
  const uint64_t number = queued_ + 1;
  context_.check(cudaEventRecord(before_[number % remembered], context_.stream()), "recording an event");
  context_.check(cudaStreamWaitEvent(stream_, before_[number % remembered], 0), "ordering streams");
  begun_ = number;
  work(stream_);
  context_.check(cudaEventRecord(after_[number % remembered], stream_), "recording an event");
  queued_ = number;
}

void CudaSideStream::lead() {
  context_.require_usable();
  if (queued_ == 0) return;
  const CurrentGpu current(context_);
  context_.check(cudaStreamWaitEvent(context_.stream(), after_[queued_ % remembered], 0), "ordering streams");
}

bool CudaSideStream::has_begun(uint64_t number) {
  return number <= begun_ && is_past(before_[number % remembered]);
}
bool CudaSideStream::is_done(uint64_t number) {
  return number <= queued_ && is_past(after_[number % remembered]);
}

bool CudaSideStream::is_past(cudaEvent_t event) {
  const CurrentGpu current(context_);
  return cudaEventQuery(event) != cudaErrorNotReady;
}

}  // namespace cugrb::runtime
