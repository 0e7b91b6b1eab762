// Hysteresis: keeps a vector that host code uses element by element from bouncing between host and device
// (rule: objects that are used element by element stay on the host). Pure bookkeeping; knows no handles.
#pragma once
#include <cstdint>

namespace cugrb::mirror {

class Hysteresis {
 public:
  /// A setElement, extractElement or removeElement by the program. When the device serves it, the next use of
  /// the device copy belongs to it and is no offloaded call.
  void element_access(bool device_serves_it);
  /// The device is to read one element of a matrix, which counts as no bounce: nothing moves for it.
  void element_read() { run_ = run_ < run_limit ? run_ + 1 : run_limit; }
  /// A use of the device copy.
  void offloaded();
  /// The content went to the host: an access that was to be served by the device was not.
  void restored() { element_use_expected_ = false; }
  /// An offloaded call with this vector as its output is being considered: true when the vector had better
  /// stay on the host. Each refusal uses up one of a growing number of them, so that a program that changes
  /// its ways is noticed.
  bool refuse_offload();
  /// So many element accesses without an offloaded call between that one transfer of the whole vector is
  /// cheaper than going on with single elements on the device.
  bool many_elements() const { return run_ >= run_limit; }

  static constexpr uint32_t bounce_limit = 4;  ///< alternations before offloading is refused
  static constexpr uint32_t run_limit = 8;     ///< accesses in a row before the vector comes to the host
  static constexpr uint32_t calm_limit = 4;    ///< offloaded calls in a row that forgive all bounces
  static constexpr uint32_t first_refusals = 16;
  static constexpr uint32_t most_refusals = 1024;

 private:
  uint32_t run_ = 0;       // element accesses since the last offloaded call
  uint32_t calm_ = 0;      // offloaded calls since the last element access
  uint32_t bounces_ = 0;   // changes from offloaded calls to element accesses, each soon after the other
  uint32_t refusals_ = 0;  // refusals left
  uint32_t next_refusals_ = first_refusals;
  bool element_use_expected_ = false;
};

}  // namespace cugrb::mirror
