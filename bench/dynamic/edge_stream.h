// Streams of edges: a graph, and the batches that come after it.
#pragma once
#include <string>

#include "src/operations/build.h"

namespace cugrb::bench {

/// Edge n of a stream is the same in every run. `kind`:
///   rmat     probabilities 0.57, 0.19, 0.19, 0.05 (docs/command.md)
///   uniform  both ends drawn alike
///   power    the row of rank r with a chance of about 1/r, the column drawn alike
///   sorted   16 edges a row with ascending columns, row after row
struct EdgeStream {
  static constexpr uint64_t edge_factor = 16;
  std::string kind = "rmat";
  unsigned scale = 20;  ///< 2^scale rows and columns

  /// Throws std::invalid_argument for a kind that is none.
  void check() const;
  uint64_t vertices() const { return uint64_t(1) << scale; }
  std::pair<uint32_t, uint32_t> edge(uint64_t n) const;
  /// Edges first to first + count, FP32, in device memory.
  operations::Tuples edges(uint64_t first, uint64_t count) const;
};

}  // namespace cugrb::bench
