#include "cuda/nccl/communicator.h"

#include <chrono>

namespace cugrb::nccl {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds watch_interval(20);

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

const Library& usable_library() {
  const Library& api = library();
  if (!api.failure.empty()) throw CommunicationFailure(api.failure);
  return api;
}

}  // namespace

UniqueId make_unique_id() {
  const Library& api = usable_library();
  UniqueId id{};
  if (const int status = api.get_unique_id(&id); status != success)
    throw CommunicationFailure(std::string("NCCL: ") + api.error_string(status));
  return id;
}

Communicator::Communicator(runtime::Device& device, const UniqueId& id, int rank, int ranks, double deadline)
    : device_(device), rank_(rank), ranks_(ranks), deadline_(deadline) {
  const Library& api = usable_library();
  if (api.on_host != (device.properties().kind == runtime::Kind::emulated))
    throw CommunicationFailure("NCCL works on GPUs, and its stand-in on emulated devices");
  stream_ = device.make_side_stream();
  device.with_stream([&](void*) {  // on the device's GPU
    Config config;
    settle(api.init_rank(&handle_, ranks, id, rank, &config), "its start");
  });
  watcher_ = std::thread([this] { watch(); });
}

Communicator::~Communicator() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  // Without a wait for the other ranks, as destroying it may be.
  abort("it has ended");
}

void Communicator::all_gather(void* data, size_t bytes) {
  queue("all_gather", [&](const Library& api, void* stream) {
    const char* const own = static_cast<const char*>(data) + static_cast<size_t>(rank_) * bytes;
    return api.all_gather(own, data, bytes, type_uint8, handle_, stream);
  });
}

void Communicator::all_gather(const std::vector<Uneven>& arrays) {
  queue("all_gather", [&](const Library& api, void* stream) {
    int status = api.group_start();
    for (const Uneven& array : arrays) {
      char* place = array.data;
      for (int r = 0; r < ranks_; ++r) {
        const size_t bytes = array.bytes[static_cast<size_t>(r)];
        const bool good = status == success || status == in_progress;
        if (good && bytes > 0) status = api.broadcast(place, place, bytes, type_uint8, r, handle_, stream);
        place += bytes;
      }
    }
    const int ended = api.group_end();
    return status == success || status == in_progress ? ended : status;
  });
}

void Communicator::reduce_scatter(const void* all, void* own, size_t count, int type, int op) {
  queue("reduce_scatter", [&](const Library& api, void* stream) {
    return api.reduce_scatter(all, own, count, type, op, handle_, stream);
  });
}

void Communicator::finish() {
  require_usable();
  stream_->lead();
}

void Communicator::abort(const std::string& reason) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (aborted_.exchange(true)) return;
    try {
      failure_ = reason;
    } catch (...) {
      // The text is lost, not the abort.
    }
  }
  wake_.notify_all();
  const std::lock_guard lock(handle_mutex_);
  if (handle_ != nullptr) library().abort(handle_);
}

std::string Communicator::failure() const {
  if (!aborted_) return "";
  const std::lock_guard lock(mutex_);
  return failure_;
}

void Communicator::require_usable() const {
  if (aborted_) throw CommunicationFailure(failure());
}

template <class Call>
void Communicator::queue(const char* operation, const Call& call) {
  require_usable();
  while (queued_ - done_ >= runtime::SideStream::remembered / 2) {
    std::this_thread::yield();
    require_usable();
  }
  operation_ = operation;
  {
    const std::lock_guard lock(mutex_);
    ++queued_;
  }
  wake_.notify_all();
  stream_->run([&](void* stream) { settle(call(library(), stream), operation); });
}

int Communicator::error_now() {
  const std::lock_guard lock(handle_mutex_);
  if (aborted_) return success;
  int error = success;
  const int asked = library().async_error(handle_, &error);
  return asked == success ? error : asked;
}

/// Non-blocking calls are under way until NCCL says otherwise: to other ranks when a connection is made.
void Communicator::settle(int status, const char* operation) {
  const auto start = Clock::now();
  while (status == in_progress && !aborted_) {
    if (seconds_since(start) > deadline_) {
      abort(std::string("NCCL: a rank was not there within the deadline, for ") + operation);
      break;
    }
    std::this_thread::yield();
    status = error_now();
  }
  require_usable();
  if (status == success) return;
  abort(std::string("NCCL, ") + operation + ": " + library().error_string(status));
  require_usable();
}

/// Looks at the oldest operation that is not done. Its deadline counts from when the device has come to it.
void Communicator::watch() {
  uint64_t timed = 0;
  Clock::time_point start;
  std::unique_lock lock(mutex_);
  while (!ending_ && !aborted_) {
    if (done_ == queued_) {
      wake_.wait(lock);
      continue;
    }
    lock.unlock();
    while (done_ < queued_ && stream_->is_done(done_ + 1)) ++done_;
    const uint64_t oldest = done_ + 1;
    const bool runs = oldest <= queued_ && stream_->has_begun(oldest);
    if (runs && timed != oldest) {
      timed = oldest;
      start = Clock::now();
    }
    const std::string operation = operation_.load();
    if (const int error = error_now(); error != success && error != in_progress)
      abort("NCCL, " + operation + ": " + library().error_string(error));
    else if (runs && seconds_since(start) > deadline_)
      abort("NCCL: a rank was not there within the deadline, for " + operation);
    lock.lock();
    wake_.wait_for(lock, watch_interval, [this] { return ending_; });
  }
}

}  // namespace cugrb::nccl
