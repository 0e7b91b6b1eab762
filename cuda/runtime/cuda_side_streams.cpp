#include "cuda/runtime/cuda_side_streams.h"

namespace cugrb::runtime {
namespace {

/// What the calling thread has queued since it began to run side by side.
struct Turns {
  bool running = false;
  unsigned launches = 0;
};
thread_local Turns turns;

}  // namespace

void CudaSideStreams::make() {
  const auto make_event = [&](cudaEvent_t& event) {
    context_.check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
  };
  make_event(forked_);
  streams_[0] = context_.stream();
  for (unsigned n = 1; n < streams; ++n) {
    context_.check(cudaStreamCreateWithFlags(&streams_[n], cudaStreamNonBlocking), "creating a stream");
    make_event(done_[n]);
  }
}

cudaStream_t CudaSideStreams::next() {
  if (!turns.running) return context_.stream();
  const unsigned n = turns.launches++ % streams;
  if (turns.launches <= streams && n > 0)
    context_.check(cudaStreamWaitEvent(streams_[n], forked_, 0), "ordering streams");
  return streams_[n];
}

void CudaSideStreams::join() {
  const unsigned used = turns.launches < streams ? turns.launches : streams;
  turns = {};
  for (unsigned n = 1; n < used; ++n) {
    context_.check(cudaEventRecord(done_[n], streams_[n]), "recording an event");
    context_.check(cudaStreamWaitEvent(context_.stream(), done_[n], 0), "ordering streams");
  }
}

void CudaSideStreams::run(const std::function<void()>& work) {
  if (turns.running) return work();
  std::call_once(made_, [&] { make(); });
  context_.check(cudaEventRecord(forked_, context_.stream()), "recording an event");
  turns.running = true;
  try {
    work();
  } catch (...) {
    join();
    throw;
  }
  join();
}

}  // namespace cugrb::runtime
