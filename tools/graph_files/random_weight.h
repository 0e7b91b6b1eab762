// Weights for graphs that have none.
#pragma once
#include <algorithm>
#include <cstdint>

namespace cugrb::graph_files {

/// A whole number from 1 to `most`, the same for both directions of an edge (the mixer of splitmix64).
inline double random_weight(uint64_t i, uint64_t j, unsigned most) {
  uint64_t x = std::min(i, j) * 0x9e3779b97f4a7c15 + std::max(i, j);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return static_cast<double>((x ^ (x >> 31)) % most + 1);
}

}  // namespace cugrb::graph_files
