// The sum of a vector in parts on its way to the host.
#pragma once
#include <optional>
#include <vector>

#include "src/formats/reduction.h"
#include "src/formats/vector_parts.h"

namespace cugrb::formats {

/// Of each part by itself, on its device; nothing of one that has no entry.
struct StartedSum {
  Monoid monoid;
  std::vector<std::optional<Reduction>> of;
};

}  // namespace cugrb::formats
