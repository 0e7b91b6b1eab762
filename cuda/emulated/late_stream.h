// A stream beside an emulated device's calls, whose work is done as late as the contract allows.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

#include "cuda/runtime/device.h"
#include "cuda/runtime/put_off.h"

/// What a stand-in for a library gets in place of a CUDA stream: queue() hands it `operation(data)`, which
/// another thread calls behind what was queued before.
struct cugrb_emulated_stream {
  void (*queue)(cugrb_emulated_stream* stream, void (*operation)(void* data), void* data);
};

namespace cugrb::emulated {

/// Operations wait until lead() asks for them, or for 20 ms. So who reads their results, or changes what they
/// read, before the device follows this stream finds that out.
class LateStream : public runtime::SideStream, private cugrb_emulated_stream {
 public:
  explicit LateStream(runtime::PutOff& put_off);
  /// Does what is still queued.
  ~LateStream() override;
  void run(const std::function<void(void* stream)>& work) override;
  void lead() override;
  bool has_begun(uint64_t number) override { return number <= begun_; }
  bool is_done(uint64_t number) override { return number <= done_; }

 private:
  struct Operation {
    void (*call)(void*) = nullptr;  ///< null: the end of the work of that number
    void* data = nullptr;
    uint64_t number = 0;
  };
  void push(const Operation& operation);
  void work_off();

  runtime::PutOff& put_off_;
  std::atomic<uint64_t> begun_{0}, done_{0};
  std::mutex mutex_;  ///< of what follows
  std::condition_variable changed_;
  std::queue<Operation> queued_;
  uint64_t wanted_ = 0;  ///< work up to that number is waited for
  bool ending_ = false;
  std::thread worker_;
};

}  // namespace cugrb::emulated
