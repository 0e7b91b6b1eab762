// TileRectangles: the paper's tile-composite, made as its Algorithms 1 to 3 say
// (src/formats/tile_partition.h): the reference that src/formats/tile_composite.h is measured against.
//
// X. Yang, S. Parthasarathy, P. Sadayappan, "Fast Sparse Matrix-Vector Multiplication on GPUs: Implications
// for Graph Mining", PVLDB 4(4), 2011, section 3.1. Columns are ordered by length and the first ones cut into
// tiles of 64K. The rows of each tile are ordered by length and packed into workloads of the size that the
// tile's model predicts to be the best. The sparser sub-matrix is packed likewise. Behind a workload of a
// multiple of 512 places 64 are left empty ("Elimination of Partition Camping"; in single precision its 256
// bytes).
#pragma once
#include <vector>

#include "cuda/views/tile_rectangles.h"
#include "src/formats/csr.h"
#include "src/formats/tile_partition.h"

namespace cugrb::formats {

struct TileRectanglesParameters {
  uint64_t tile_columns = 1 << 16;  ///< TILE_WIDTH
  PartitionDevice device;
};

/// bytes() = places * (4 + value) + 32 * workloads + 4 * (packed rows + columns); value 0 when iso. A row is
/// packed once for each tile that it has entries in.
class TileRectangles final : public SparseShape {
 public:
  /// What DeviceMatrix::derived keeps it by: values of so many bytes are read.
  struct Key {
    using Made = TileRectangles;
    size_t value_bytes;
    bool operator==(const Key&) const = default;
  };
  explicit TileRectangles(const SparseShape& shape) : SparseShape(shape) {}
  uint64_t tile_columns = 0;
  uint64_t places = 0;
  std::vector<uint64_t> first_workload;  ///< of each tile and of the sparser sub-matrix, then all
  std::vector<uint64_t> workload_sizes;  ///< of each, as Algorithm 2 chose it
  runtime::Buffer order;                 ///< uint32_t: the column of each rank
  runtime::Buffer workloads;             ///< TileRectangle
  runtime::Buffer packed_rows;           ///< uint32_t
  runtime::Buffer column_ranks;          ///< uint32_t, by place
  runtime::Buffer values;                ///< by place, or 1 when iso

  size_t tiles() const { return workload_sizes.size() - 1; }
  size_t bytes() const;
};

/// On the host, which reads the matrix back: it is there to be measured against, not to be made often.
/// O(entries + workloads of all candidate sizes). Throws Declined for 2^32 rows or columns and more.
TileRectangles make_tile_rectangles(const Csr& matrix, const TileRectanglesParameters& parameters);

/// The same matrix by rows again (through the host; for tests and checks).
Csr to_csr(const TileRectangles& matrix);
/// What is wrong with it; empty when nothing is (copies to the host).
std::string check(const TileRectangles& matrix);

}  // namespace cugrb::formats
