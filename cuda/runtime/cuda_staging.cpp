#include "cuda/runtime/cuda_staging.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <system_error>
#include <thread>

namespace cugrb::runtime {
namespace {

constexpr size_t small_bytes = size_t(64) << 10;  ///< one ring or mailbox copy at most
constexpr size_t ring_parts = 4;
constexpr size_t ring_part_bytes = 4 * small_bytes;
constexpr size_t slot_bytes = size_t(2) << 20;
constexpr size_t smallest_piece = size_t(256) << 10;
constexpr unsigned most_lanes = 8;

/// Null when the host has none to give.
void* pinned_memory(size_t bytes) {
  void* memory = nullptr;
  if (cudaHostAlloc(&memory, bytes, cudaHostAllocPortable) == cudaSuccess) return memory;
  cudaGetLastError();
  return nullptr;
}

cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess) return event;
  cudaGetLastError();
  return nullptr;
}

}  // namespace

/// One large copy, shared by its lanes' threads.
struct CudaStaging::Transfer {
  const CudaContext& context;
  char* device;
  char* host;
  size_t bytes;
  size_t piece_bytes;
  std::atomic<size_t> next{0};  ///< the piece that no lane has taken yet

  bool take(size_t& offset, size_t& length) {
    offset = next.fetch_add(1, std::memory_order_relaxed) * piece_bytes;
    if (offset >= bytes) return false;
    length = std::min(piece_bytes, bytes - offset);
    return true;
  }
};

bool CudaStaging::have_lanes() {
  if (lanes_tried_) return !lanes_.empty();
  lanes_tried_ = true;
  const unsigned count = std::clamp(std::thread::hardware_concurrency() / 2, 1u, most_lanes);
  std::vector<Lane> lanes(count);
  char* next = static_cast<char*>(pinned_memory(count * 2 * slot_bytes));
  for (Lane& lane : lanes) {
    for (Slot& slot : lane.slots) {
      slot.memory = next;
      slot.done = new_event();
      if (next == nullptr || slot.done == nullptr) return false;
      next += slot_bytes;
    }
  }
  lanes_ = std::move(lanes);
  return true;
}

bool CudaStaging::have_ring() {
  if (ring_tried_) return ring_ != nullptr;
  ring_tried_ = true;
  for (size_t part = 0; part < ring_parts; ++part) {
    ring_done_.push_back(new_event());
    if (ring_done_.back() == nullptr) return false;
  }
  ring_ = static_cast<char*>(pinned_memory(ring_parts * ring_part_bytes));
  return ring_ != nullptr;
}

void CudaStaging::up_small(void* device, const void* host, size_t bytes) {
  std::lock_guard<std::mutex> lock(ring_mutex_);
  const cudaStream_t stream = context_.stream();
  if (!have_ring()) {
    context_.check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream),
                   "copying to the GPU");
    context_.check(cudaStreamSynchronize(stream), "copying to the GPU");
    return;
  }
  if (ring_offset_ + bytes > ring_part_bytes) {
    // This part's last copy is marked; on to the next part, once the copies that used it a turn ago are done.
    context_.check(cudaEventRecord(ring_done_[ring_part_], stream), "copying to the GPU");
    ring_part_ = (ring_part_ + 1) % ring_parts;
    context_.check(cudaEventSynchronize(ring_done_[ring_part_]), "copying to the GPU");
    ring_offset_ = 0;
  }
  char* place = ring_ + ring_part_ * ring_part_bytes + ring_offset_;
  ring_offset_ += (bytes + 15) / 16 * 16;
  std::memcpy(place, host, bytes);
  context_.check(cudaMemcpyAsync(device, place, bytes, cudaMemcpyHostToDevice, stream), "copying to the GPU");
}

void CudaStaging::down_small(void* host, const void* device, size_t bytes) {
  std::lock_guard<std::mutex> lock(mailbox_mutex_);
  if (mailbox_ == nullptr) mailbox_ = static_cast<char*>(pinned_memory(small_bytes));
  void* target = mailbox_ != nullptr ? mailbox_ : host;
  context_.check(cudaMemcpyAsync(target, device, bytes, cudaMemcpyDeviceToHost, context_.stream()),
                 "copying from the GPU");
  context_.check(cudaStreamSynchronize(context_.stream()), "copying from the GPU");
  if (target != host) std::memcpy(host, target, bytes);
}

cudaError_t CudaStaging::lane_up(Lane& lane, Transfer& transfer) {
  const cudaStream_t stream = transfer.context.stream();
  size_t offset = 0, length = 0;
  for (unsigned turn = 0; transfer.take(offset, length); turn ^= 1) {
    Slot& slot = lane.slots[turn];
    if (const cudaError_t error = cudaEventSynchronize(slot.done)) return error;
    std::memcpy(slot.memory, transfer.host + offset, length);
    if (const cudaError_t error =
            cudaMemcpyAsync(transfer.device + offset, slot.memory, length, cudaMemcpyHostToDevice, stream)) {
      return error;
    }
    if (const cudaError_t error = cudaEventRecord(slot.done, stream)) return error;
  }
  return cudaSuccess;
}

cudaError_t CudaStaging::lane_down(Lane& lane, Transfer& transfer) {
  const cudaStream_t stream = transfer.context.stream();
  struct Pending {
    size_t offset = 0, length = 0;
  } pending[2];
  const auto empty = [&](unsigned turn) -> cudaError_t {
    if (pending[turn].length == 0) return cudaSuccess;
    const cudaError_t error = cudaEventSynchronize(lane.slots[turn].done);
    if (error == cudaSuccess) {
      std::memcpy(transfer.host + pending[turn].offset, lane.slots[turn].memory, pending[turn].length);
    }
    pending[turn].length = 0;
    return error;
  };
  size_t offset = 0, length = 0;
  unsigned turn = 0;
  for (; transfer.take(offset, length); turn ^= 1) {
    Slot& slot = lane.slots[turn];
    if (const cudaError_t error = empty(turn)) return error;
    if (const cudaError_t error =
            cudaMemcpyAsync(slot.memory, transfer.device + offset, length, cudaMemcpyDeviceToHost, stream)) {
      return error;
    }
    if (const cudaError_t error = cudaEventRecord(slot.done, stream)) return error;
    pending[turn] = {offset, length};
  }
  const cudaError_t first = empty(turn);
  const cudaError_t second = empty(turn ^ 1);
  return first != cudaSuccess ? first : second;
}

void CudaStaging::in_pieces(void* device, void* host, size_t bytes, bool upwards) {
  const char* doing = upwards ? "copying to the GPU" : "copying from the GPU";
  std::lock_guard<std::mutex> lock(lanes_mutex_);
  if (!have_lanes()) {
    const cudaMemcpyKind kind = upwards ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    context_.check(upwards ? cudaMemcpyAsync(device, host, bytes, kind, context_.stream())
                           : cudaMemcpyAsync(host, device, bytes, kind, context_.stream()),
                   doing);
    context_.check(cudaStreamSynchronize(context_.stream()), doing);
    return;
  }
  const size_t lanes = std::clamp<size_t>(bytes / (2 * slot_bytes), 1, lanes_.size());
  const size_t piece = std::clamp(bytes / (4 * lanes), smallest_piece, slot_bytes);
  Transfer transfer{context_, static_cast<char*>(device), static_cast<char*>(host), bytes, piece};
  std::vector<cudaError_t> errors(lanes, cudaSuccess);
  const auto work = [&](size_t i) {
    const CurrentGpu current(context_);
    errors[i] = upwards ? lane_up(lanes_[i], transfer) : lane_down(lanes_[i], transfer);
  };
  std::vector<std::thread> threads;
  threads.reserve(lanes);
  try {
    for (size_t i = 1; i < lanes; ++i) threads.emplace_back(work, i);
  } catch (const std::system_error&) {
    // No more threads to be had: those there are take all pieces.
  }
  work(0);
  for (std::thread& thread : threads) thread.join();
  for (const cudaError_t error : errors) context_.check(error, doing);
}

void CudaStaging::up(void* device, const void* host, size_t bytes) {
  if (bytes <= small_bytes) {
    up_small(device, host, bytes);
  } else {
    in_pieces(device, const_cast<void*>(host), bytes, true);
  }
}

void CudaStaging::down(void* host, const void* device, size_t bytes) {
  if (bytes <= small_bytes) {
    down_small(host, device, bytes);
  } else {
    in_pieces(const_cast<void*>(device), host, bytes, false);
  }
}

}  // namespace cugrb::runtime
