// What a call costs: its launches and allocations, counted by the failure injection.
#pragma once
#include <functional>
#include <ostream>

#include "cuda/runtime/injection.h"

namespace cugrb::test {

struct Cost {
  uint64_t launches, allocations;
  friend bool operator==(const Cost& a, const Cost& b) {
    return a.launches == b.launches && a.allocations == b.allocations;
  }
  friend std::ostream& operator<<(std::ostream& out, const Cost& cost) {
    return out << cost.launches << " launches, " << cost.allocations << " allocations";
  }
};

/// Of `call`, which is made twice.
inline Cost cost_of(const std::function<void()>& call) {
  using runtime::injection::Point;
  runtime::injection::reset("launch:1000000");
  call();
  Cost cost{runtime::injection::count(Point::launch), 0};
  runtime::injection::reset("allocation:1000000");
  call();
  cost.allocations = runtime::injection::count(Point::allocation);
  runtime::injection::reset("");
  return cost;
}

}  // namespace cugrb::test
