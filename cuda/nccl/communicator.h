// Communicator: collective operations of several processes on device memory, by NCCL, with a deadline.
//
// Operations are queued on a stream beside the device's. A thread watches the one that runs: when it has run
// for the deadline, or NCCL reports an error, the communicator is aborted. Then NCCL's kernels end, whatever
// waits for them goes on, and every later call throws CommunicationFailure. So no rank hangs in a wait for
// the device because another rank is missing.
#pragma once
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cuda/nccl/library.h"
#include "cuda/runtime/device.h"

namespace cugrb::nccl {

/// A rank is missing, or NCCL has failed.
class CommunicationFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws CommunicationFailure where there is no NCCL.
UniqueId make_unique_id();

/// Not for use by several threads at once, but for abort().
class Communicator {
 public:
  /// Collective, with the id of rank 0. Throws CommunicationFailure after `deadline` seconds.
  Communicator(runtime::Device& device, const UniqueId& id, int rank, int ranks, double deadline);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  runtime::Device& device() const { return device_; }

  /// Every rank's `bytes` bytes at data + rank · bytes go to all ranks.
  void all_gather(void* data, size_t bytes);
  /// The same of ranks with different numbers of bytes, one behind the other, of several arrays at once.
  struct Uneven {
    char* data;
    std::vector<size_t> bytes;
  };
  void all_gather(const std::vector<Uneven>& arrays);
  /// own[k] = ⊕ over the ranks of all[rank · count + k]; `type` and `op` are NCCL's.
  void reduce_scatter(const void* all, void* own, size_t count, int type, int op);
  /// The device's stream goes on when all of it is done. Until then the memory has to live.
  void finish();

  /// Ends everything that is under way here; the others' waits end by their deadlines. Any thread may call.
  void abort(const std::string& reason) noexcept;
  /// Why it has been aborted; empty when it has not.
  std::string failure() const;
  /// Throws CommunicationFailure when it has been aborted.
  void require_usable() const;

 private:
  template <class Call>
  void queue(const char* operation, const Call& call);
  void settle(int status, const char* operation);
  int error_now();
  void watch();

  runtime::Device& device_;
  const int rank_, ranks_;
  const double deadline_;
  Handle handle_ = nullptr;
  std::unique_ptr<runtime::SideStream> stream_;

  std::mutex handle_mutex_;   ///< held where NCCL is asked or told to end
  mutable std::mutex mutex_;  ///< of what follows
  std::condition_variable wake_;
  std::string failure_;  ///< why it was aborted
  std::atomic<bool> aborted_{false};
  std::atomic<const char*> operation_{""};  ///< queued last
  std::atomic<uint64_t> queued_{0}, done_{0};
  bool ending_ = false;
  std::thread watcher_;
};

}  // namespace cugrb::nccl
