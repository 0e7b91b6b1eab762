// Semirings as types, and everything of the semirings' device side in one include.
#pragma once
#include "semirings/device/index_unary.h"
#include "semirings/device/monoids.h"
#include "semirings/device/unary.h"

namespace cugrb {

/// add: a monoid; multiply: a binary operator whose z_type is the monoid's type.
template <class Monoid, class Multiply>
struct semiring {
  using add = Monoid;
  using multiply = Multiply;
};

}  // namespace cugrb
