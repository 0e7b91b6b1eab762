// Copies between pageable host memory and the GPU, through pinned memory.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/runtime/cuda_context.h"

namespace cugrb::runtime {

/// Null when the host has none to give.
void* pinned_memory(size_t bytes) noexcept;
/// For waiting, not for measuring. Null when there is none.
cudaEvent_t new_event() noexcept;

/// Small copies go through one pinned ring (up) and one pinned mailbox (down; the smallest are posted there
/// by a kernel). Larger ones are cut in pieces that threads move through two pinned slots each. The host's
/// work on them (a memcpy, or what makes them) is slower than the bus by itself, and so overlaps with the bus
/// and with itself. Pinned memory is taken at the first use; a host that gives none is served by CUDA's own
/// (slower) staging.
class CudaStaging {
 public:
  explicit CudaStaging(CudaContext& context) : context_(context) {}

  /// The host memory may be reused on return; the copy itself is queued on the stream.
  void up(void* device, const void* host, size_t bytes);
  /// The same of what `fill` makes (runtime::Device::fill_on_device).
  void up(void* device, uint64_t count, size_t element_bytes, const Device::Fill& fill);
  /// Waits for everything queued before.
  void down(void* host, const void* device, size_t bytes);

 private:
  struct Slot {
    char* memory = nullptr;
    cudaEvent_t done = nullptr;  ///< recorded after the copy that uses the slot
  };
  struct Lane {
    Slot slots[2];
  };
  class Pieces;

  bool have_lanes();
  bool have_ring();
  void up_small(void* device, const void* host, size_t bytes);
  void down_small(void* host, const void* device, size_t bytes);
  void down_posted(void* host, const void* device, size_t bytes);
  size_t lanes_for(size_t bytes) const;
  static size_t piece_bytes(size_t bytes, size_t lanes);
  void unstaged(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
  void in_lanes(Pieces& pieces, size_t lanes, const char* doing,
                const std::function<cudaError_t(Lane&, Pieces&)>& move);
  cudaError_t lane_up(Lane& lane, Pieces& pieces, char* device, size_t element_bytes,
                      const Device::Fill& fill) const;
  cudaError_t lane_down(Lane& lane, Pieces& pieces, char* host, const char* device) const;

  CudaContext& context_;
  std::mutex lanes_mutex_, ring_mutex_, mailbox_mutex_;
  std::vector<Lane> lanes_;
  bool lanes_tried_ = false, ring_tried_ = false;
  char* ring_ = nullptr;
  size_t ring_part_ = 0, ring_offset_ = 0;  ///< where the next copy goes: a part of the ring, and where in it
  std::vector<cudaEvent_t> ring_done_;      ///< one a part: its last copy
  char* mailbox_ = nullptr;
  uint64_t posted_ = 0;  ///< to the mailbox so far; its last word says which has arrived
};

}  // namespace cugrb::runtime
