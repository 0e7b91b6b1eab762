// A product whose matrix is dealt to a grid of devices by row groups and column groups.
#pragma once
#include <span>
#include <vector>

#include "src/operations/operations.h"
#include "src/selector/scale.h"
#include "tools/graph_files/csr.h"

namespace cugrb::bench {

/// y = A u over a semiring of sums, on r x c devices. Device (i, j) has rows i m/r to (i + 1) m/r and columns
/// j n/c to (j + 1) n/c of A, one of the r c equal pieces of u, and gets the same piece of y:
///   1. it copies the other r - 1 pieces of u of its columns,
///   2. it multiplies,
///   3. it copies the c - 1 other devices' sums for its piece of y, and adds them.
/// The pattern's entries are all true. Rows and columns stay in their order.
class GridProduct {
 public:
  /// Whether rows and columns can be cut into as many equal pieces as the grid has places.
  static bool cuts(const graph_files::Csr& pattern, selector::ProcessGrid grid) {
    return pattern.nrows % grid.processes() == 0 && pattern.ncols % grid.processes() == 0;
  }
  /// Throws std::invalid_argument where `devices` are not as many as the grid's, or it does not cut them so.
  GridProduct(const graph_files::Csr& pattern, const Semiring& semiring, selector::ProcessGrid grid,
              std::span<runtime::Device* const> devices);

  /// Queues the product on all devices.
  void run();
  /// Waits for all of them.
  void wait() const;
  /// y, FP32, from all devices.
  std::vector<float> result() const;
  /// The most entries of a device over the mean.
  double imbalance() const;
  selector::ProcessGrid grid() const { return grid_; }

 private:
  struct Block {
    runtime::Device* device = nullptr;
    unsigned row = 0, column = 0;
    formats::DeviceMatrix matrix;
    formats::DeviceVector u;    ///< of its columns; its own piece is there from the start
    formats::DeviceVector y;    ///< sums of its rows over its columns
    formats::DeviceVector sum;  ///< its piece of y
    formats::DeviceVector arrived;
  };

  Block& at(unsigned row, unsigned column) { return blocks_[row * grid_.columns + column]; }
  Block made(const graph_files::Csr& pattern, unsigned row, unsigned column, runtime::Device& device) const;
  void gather(Block& block);
  void multiply(Block& block);
  void reduce(Block& block);

  const Semiring& semiring_;
  selector::ProcessGrid grid_;
  uint64_t rows_, columns_;  ///< of a block
  std::vector<Block> blocks_;
};

}  // namespace cugrb::bench
