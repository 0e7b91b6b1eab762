#include "cuda/emulated/late_stream.h"

#include <chrono>

namespace cugrb::emulated {

namespace {

constexpr std::chrono::milliseconds latest(20);

}  // namespace

LateStream::LateStream(runtime::PutOff& put_off) : cugrb_emulated_stream{}, put_off_(put_off) {
  queue = [](cugrb_emulated_stream* stream, void (*operation)(void*), void* data) {
    static_cast<LateStream*>(stream)->push({operation, data, 0});
  };
  worker_ = std::thread([this] { work_off(); });
}

LateStream::~LateStream() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

void LateStream::push(const Operation& operation) {
  {
    const std::lock_guard lock(mutex_);
    queued_.push(operation);
  }
  changed_.notify_all();
}

void LateStream::run(const std::function<void(void* stream)>& work) {
  put_off_.settle();
  const uint64_t number = ++begun_;
  // Where the work throws its number is done, too: what it has queued stays before it.
  struct End {
    LateStream& stream;
    uint64_t number;
    ~End() { stream.push({nullptr, nullptr, number}); }
  } end{*this, number};
  work(static_cast<cugrb_emulated_stream*>(this));
}

void LateStream::lead() {
  std::unique_lock lock(mutex_);
  wanted_ = begun_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return done_ >= wanted_; });
}

void LateStream::work_off() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !queued_.empty(); });
    if (queued_.empty()) return;
    changed_.wait_for(lock, latest, [this] { return ending_ || wanted_ > done_; });
    const Operation next = queued_.front();
    queued_.pop();
    if (next.call == nullptr) {
      done_ = next.number;
      changed_.notify_all();
      continue;
    }
    lock.unlock();
    next.call(next.data);
    lock.lock();
  }
}

}  // namespace cugrb::emulated
