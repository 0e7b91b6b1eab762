// Streams of edges: a graph, and the batches that come after it.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/operations/build.h"
#include "tools/graph_files/csr.h"

namespace cugrb::bench {

/// Edge n of a stream is the same in every run. `kind`:
///   rmat     probabilities 0.57, 0.19, 0.19, 0.05 (docs/command.md)
///   uniform  both ends drawn alike
///   power    the row of rank r with a chance of about 1/r, the column drawn alike
///   sorted   16 edges a row with ascending columns, row after row
/// Any other one is a file or a name as `cugrb run` takes it: the matrix; the batches after it are drawn as
/// `uniform` draws.
class EdgeStream {
 public:
  /// Of 2^scale rows and columns where it has no size of its own. Throws what loading a graph throws.
  EdgeStream(const std::string& kind, unsigned scale);

  uint64_t rows() const { return rows_; }
  uint64_t columns() const { return columns_; }
  /// The matrix: `count()` edges, of which some may meet, FP32, in device memory.
  operations::Tuples matrix() const;
  /// The same in so many pieces: edge n is in piece n mod `count`.
  std::vector<operations::Tuples> pieces_of_matrix(uint64_t count) const;
  /// So many edges come after those of the matrix, from the first-th on.
  operations::Tuples batch(uint64_t first, uint64_t count) const { return edges(count_ + first, count); }
  /// The last ones of the matrix and the first ones after it, where it is a stream's.
  operations::Tuples around_its_end(uint64_t before, uint64_t count) const {
    return edges(count_ - before, count);
  }

 private:
  using Edge = std::pair<uint32_t, uint32_t>;
  Edge edge(uint64_t n) const;
  std::vector<uint32_t> rows_of_entries() const;
  operations::Tuples edges(uint64_t first, uint64_t count) const;

  std::string kind_;
  unsigned scale_;
  uint64_t rows_, columns_, count_;
  std::optional<graph_files::Csr> loaded_;
};

}  // namespace cugrb::bench
