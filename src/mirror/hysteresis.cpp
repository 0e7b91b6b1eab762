#include "src/mirror/hysteresis.h"

#include <algorithm>

namespace cugrb::mirror {

void Hysteresis::element_access(bool device_serves_it) {
  element_use_expected_ = device_serves_it;
  if (calm_ > 0) {
    bounces_ = calm_ < calm_limit ? bounces_ + 1 : 0;
    calm_ = 0;
  }
  run_ = std::min(run_ + 1, run_limit);
  if (bounces_ >= bounce_limit) {
    refusals_ = next_refusals_;
    next_refusals_ = std::min(2 * next_refusals_, most_refusals);
    bounces_ = 0;
  }
}

void Hysteresis::offloaded() {
  if (element_use_expected_) {
    element_use_expected_ = false;
    return;
  }
  run_ = 0;
  calm_ = std::min(calm_ + 1, calm_limit);
  if (calm_ == calm_limit) {
    bounces_ = 0;
    next_refusals_ = first_refusals;
  }
}

bool Hysteresis::refuse_offload() {
  if (refusals_ == 0) return false;
  --refusals_;
  return true;
}

}  // namespace cugrb::mirror
