// The largest dimension of an object.
#pragma once
#include <cstdint>

namespace cugrb::capi {

/// GrB_INDEX_MAX + 1: as many positions as an object may have along one side.
constexpr uint64_t most_positions = uint64_t(1) << 60;

}  // namespace cugrb::capi
