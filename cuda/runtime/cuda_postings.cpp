#include "cuda/runtime/cuda_postings.h"

#include <cstring>

#include "cuda/runtime/cuda_post.h"
#include "cuda/runtime/cuda_staging.h"

namespace cugrb::runtime {

class CudaPostings::Posted : public Posting {
 public:
  Posted(CudaPostings& owner, Use& use) : owner_(owner), use_(use) {}
  Posted(const Posted&) = delete;
  Posted& operator=(const Posted&) = delete;
  ~Posted() override { owner_.give_back(use_); }

  PostView view() const override { return {use_.slot->bytes, &use_.slot->arrived, use_.number}; }
  bool arrived() override {
    if (has_arrived(&use_.slot->arrived, use_.number)) return true;
    owner_.context_.require_usable();
    return false;
  }
  const void* bytes() override {
    if (!has_arrived(&use_.slot->arrived, use_.number)) wait();
    return use_.slot->bytes;
  }

 private:
  void wait() {
    CudaContext& context = owner_.context_;
    context.require_usable();
    const CurrentGpu current(context);
    const cudaStream_t stream = context.stream();
    const cudaError_t error =
        await_post(&use_.slot->arrived, use_.number, [stream] { return cudaStreamQuery(stream); });
    context.check(error, "waiting for what a kernel sends");
    if (!has_arrived(&use_.slot->arrived, use_.number))
      throw DeviceFailure("a kernel has not sent what is waited for");
  }

  CudaPostings& owner_;
  Use& use_;
};

bool CudaPostings::have_slots() {
  if (tried_) return have_;
  tried_ = true;
  auto* const slots = static_cast<Slot*>(pinned_memory(most_postings * sizeof(Slot)));
  if (slots == nullptr) return false;
  std::memset(slots, 0, most_postings * sizeof(Slot));
  for (size_t n = 0; n < most_postings; ++n) uses_[n].slot = slots + n;
  return have_ = true;
}

/// What was given back before it had arrived is still to be written there: a later kernel's post to the same
/// slot comes after it, in the order of the stream, and has a number of its own.
std::unique_ptr<Posting> CudaPostings::expect() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!have_slots()) return nullptr;
  for (size_t n = 0; n < most_postings; ++n) {
    Use& use = uses_[next_];
    next_ = (next_ + 1) % most_postings;
    if (use.taken) continue;
    use.taken = true;
    ++use.number;
    return std::make_unique<Posted>(*this, use);
  }
  return nullptr;
}

void CudaPostings::give_back(Use& use) {
  const std::lock_guard<std::mutex> lock(mutex_);
  use.taken = false;
}

}  // namespace cugrb::runtime
