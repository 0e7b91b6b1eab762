#include "cuda/runtime/cuda_staging.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "cuda/runtime/cuda_post.h"
#include "src/support/parallel.h"

namespace cugrb::runtime {
namespace {

constexpr size_t small_bytes = size_t(64) << 10;  ///< one ring or mailbox copy at most
constexpr size_t ring_parts = 4;
constexpr size_t ring_part_bytes = 4 * small_bytes;
constexpr size_t slot_bytes = size_t(2) << 20;
constexpr size_t smallest_piece = size_t(256) << 10;
/// Measured on 16 cores: 2^20 integers of 64 bits arrive as 32 bits after 0.61, 0.35 and 0.31 ms by 1, 4 and
/// 8 lanes; 2^24 after 2.7 and 2.0 ms by 8 and 12, no sooner by 16.
constexpr size_t lane_bytes = size_t(512) << 10;  ///< a copy for each lane at least
constexpr unsigned most_lanes = 12;

}  // namespace

void* pinned_memory(size_t bytes) noexcept {
  void* memory = nullptr;
  if (cudaHostAlloc(&memory, bytes, cudaHostAllocPortable) == cudaSuccess) return memory;
  cudaGetLastError();
  return nullptr;
}

cudaEvent_t new_event() noexcept {
  cudaEvent_t event = nullptr;
  if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess) return event;
  cudaGetLastError();
  return nullptr;
}

/// What a large copy is cut into, shared by its lanes' threads.
class CudaStaging::Pieces {
 public:
  Pieces(uint64_t elements, uint64_t piece) : elements_(elements), piece_(std::max<uint64_t>(piece, 1)) {}
  /// The next piece that no lane has taken yet; false: there is none.
  bool take(uint64_t& begin, uint64_t& end) {
    begin = next_.fetch_add(1, std::memory_order_relaxed) * piece_;
    end = std::min(elements_, begin + piece_);
    return begin < elements_;
  }

 private:
  const uint64_t elements_, piece_;
  std::atomic<uint64_t> next_{0};
};

size_t CudaStaging::lanes_for(size_t bytes) const {
  return std::clamp<size_t>(bytes / lane_bytes, 1, lanes_.size());
}

size_t CudaStaging::piece_bytes(size_t bytes, size_t lanes) {
  return std::clamp(bytes / (2 * lanes), smallest_piece, slot_bytes);
}

bool CudaStaging::have_lanes() {
  if (lanes_tried_) return !lanes_.empty();
  lanes_tried_ = true;
  const unsigned count = std::clamp(usable_cores() * 3 / 4, 1u, most_lanes);
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
  if (mailbox_ == nullptr) {
    mailbox_ = static_cast<char*>(pinned_memory(small_bytes + sizeof(uint64_t)));
    if (mailbox_ != nullptr) std::memset(mailbox_ + small_bytes, 0, sizeof(uint64_t));
  }
  if (mailbox_ != nullptr && bytes <= most_posted_bytes) return down_posted(host, device, bytes);
  void* target = mailbox_ != nullptr ? mailbox_ : host;
  context_.check(cudaMemcpyAsync(target, device, bytes, cudaMemcpyDeviceToHost, context_.stream()),
                 "copying from the GPU");
  context_.check(cudaStreamSynchronize(context_.stream()), "copying from the GPU");
  if (target != host) std::memcpy(host, target, bytes);
}

void CudaStaging::down_posted(void* host, const void* device, size_t bytes) {
  const char* const doing = "copying from the GPU";
  const cudaStream_t stream = context_.stream();
  auto* const arrived = reinterpret_cast<uint64_t*>(mailbox_ + small_bytes);
  const uint64_t number = ++posted_;
  context_.check(post_to_host(mailbox_, device, bytes, arrived, number, stream), doing);
  const cudaError_t error = await_post(arrived, number, [stream] { return cudaStreamQuery(stream); });
  context_.check(error, doing);
  std::memcpy(host, mailbox_, bytes);
}

void CudaStaging::unstaged(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const char* doing = kind == cudaMemcpyHostToDevice ? "copying to the GPU" : "copying from the GPU";
  context_.check(cudaMemcpyAsync(to, from, bytes, kind, context_.stream()), doing);
  context_.check(cudaStreamSynchronize(context_.stream()), doing);
}

void CudaStaging::in_lanes(Pieces& pieces, size_t lanes, const char* doing,
                           const std::function<cudaError_t(Lane&, Pieces&)>& move) {
  std::vector<cudaError_t> errors(lanes, cudaSuccess);
  on_threads(static_cast<unsigned>(lanes), [&](unsigned lane) {
    const CurrentGpu current(context_);
    errors[lane] = move(lanes_[lane], pieces);
  });
  for (const cudaError_t error : errors) context_.check(error, doing);
}

cudaError_t CudaStaging::lane_up(Lane& lane, Pieces& pieces, char* device, size_t element_bytes,
                                 const Device::Fill& fill) const {
  const cudaStream_t stream = context_.stream();
  uint64_t begin = 0, end = 0;
  for (unsigned turn = 0; pieces.take(begin, end); turn ^= 1) {
    Slot& slot = lane.slots[turn];
    if (const cudaError_t error = cudaEventSynchronize(slot.done)) return error;
    fill(slot.memory, begin, end);
    if (const cudaError_t error =
            cudaMemcpyAsync(device + begin * element_bytes, slot.memory, (end - begin) * element_bytes,
                            cudaMemcpyHostToDevice, stream)) {
      return error;
    }
    if (const cudaError_t error = cudaEventRecord(slot.done, stream)) return error;
  }
  return cudaSuccess;
}

cudaError_t CudaStaging::lane_down(Lane& lane, Pieces& pieces, char* host, const char* device) const {
  const cudaStream_t stream = context_.stream();
  struct Pending {
    uint64_t begin = 0, end = 0;
  } pending[2];
  const auto empty = [&](unsigned turn) -> cudaError_t {
    Pending& piece = pending[turn];
    if (piece.begin == piece.end) return cudaSuccess;
    const cudaError_t error = cudaEventSynchronize(lane.slots[turn].done);
    if (error == cudaSuccess)
      std::memcpy(host + piece.begin, lane.slots[turn].memory, piece.end - piece.begin);
    piece = {};
    return error;
  };
  uint64_t begin = 0, end = 0;
  unsigned turn = 0;
  for (; pieces.take(begin, end); turn ^= 1) {
    Slot& slot = lane.slots[turn];
    if (const cudaError_t error = empty(turn)) return error;
    if (const cudaError_t error =
            cudaMemcpyAsync(slot.memory, device + begin, end - begin, cudaMemcpyDeviceToHost, stream)) {
      return error;
    }
    if (const cudaError_t error = cudaEventRecord(slot.done, stream)) return error;
    pending[turn] = {begin, end};
  }
  const cudaError_t first = empty(turn);
  const cudaError_t second = empty(turn ^ 1);
  return first != cudaSuccess ? first : second;
}

void CudaStaging::up(void* device, const void* host, size_t bytes) {
  if (bytes <= small_bytes) return up_small(device, host, bytes);
  const char* const source = static_cast<const char*>(host);
  up(device, bytes, 1,
     [source](char* out, uint64_t begin, uint64_t end) { std::memcpy(out, source + begin, end - begin); });
}

void CudaStaging::up(void* device, uint64_t count, size_t element_bytes, const Device::Fill& fill) {
  const size_t bytes = count * element_bytes;
  if (bytes <= small_bytes || element_bytes > small_bytes) {
    const std::unique_ptr<char[]> content(new char[bytes]);
    fill(content.get(), 0, count);
    if (bytes <= small_bytes) return up_small(device, content.get(), bytes);
    return unstaged(device, content.get(), bytes, cudaMemcpyHostToDevice);
  }
  const std::lock_guard<std::mutex> lock(lanes_mutex_);
  if (!have_lanes()) {
    const uint64_t piece = slot_bytes / element_bytes;
    const std::unique_ptr<char[]> content(new char[std::min(count, piece) * element_bytes]);
    for (uint64_t begin = 0; begin < count; begin += piece) {
      const uint64_t end = std::min(count, begin + piece);
      fill(content.get(), begin, end);
      unstaged(static_cast<char*>(device) + begin * element_bytes, content.get(),
               (end - begin) * element_bytes, cudaMemcpyHostToDevice);
    }
    return;
  }
  const size_t lanes = lanes_for(bytes);
  Pieces pieces(count, piece_bytes(bytes, lanes) / element_bytes);
  in_lanes(pieces, lanes, "copying to the GPU", [&](Lane& lane, Pieces& shared) {
    return lane_up(lane, shared, static_cast<char*>(device), element_bytes, fill);
  });
}

void CudaStaging::down(void* host, const void* device, size_t bytes) {
  if (bytes <= small_bytes) return down_small(host, device, bytes);
  const std::lock_guard<std::mutex> lock(lanes_mutex_);
  if (!have_lanes()) return unstaged(host, device, bytes, cudaMemcpyDeviceToHost);
  const size_t lanes = lanes_for(bytes);
  Pieces pieces(bytes, piece_bytes(bytes, lanes));
  in_lanes(pieces, lanes, "copying from the GPU", [&](Lane& lane, Pieces& shared) {
    return lane_down(lane, shared, static_cast<char*>(host), static_cast<const char*>(device));
  });
}

}  // namespace cugrb::runtime
