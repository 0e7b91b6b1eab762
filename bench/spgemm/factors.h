// Factors of products in host memory: a pattern, and a small whole number for each entry.
#pragma once
#include <cstdint>
#include <vector>

#include "semirings/operators.h"
#include "src/formats/matrix.h"
#include "tools/graph_files/csr.h"

namespace cugrb::bench {

/// Whole numbers, so that sums are exact in every type and order: candidates must agree bit by bit.
struct Factor {
  graph_files::Csr pattern;
  graph_files::Buffer<uint8_t> numbers;  ///< an entry each

  uint64_t rows() const { return pattern.nrows; }
  uint64_t columns() const { return pattern.ncols; }
  uint64_t entries() const { return pattern.entries(); }
};

/// entry_value(p) each.
Factor factor_of(graph_files::Csr&& pattern);
/// O(entries + rows + columns), by one thread.
Factor transposed(const Factor& factor);
/// n × n, entries at (i, i).
Factor diagonal(uint64_t n);
/// The pattern of linear interpolation from every second point of a grid of `points` (x fastest; up to three
/// directions) to all: a row a point, 1, 2, 4 or 8 entries; its number is 2 at a coarse point and 1 at its
/// neighbours, in every direction, multiplied (twice the usual weights, in each direction).
Factor interpolation(const std::vector<uint64_t>& points);
/// A pattern's product with another, numbered anew by factor_of. O(products log(products of a row) /
/// threads).
Factor pattern_of_product(const Factor& a, const Factor& b);

/// Terms of A B: for each entry (i,k) of A the length of B's row k.
double products_of(const Factor& a, const Factor& b);

/// `read`: with the numbers as `type`; else BOOL and iso.
formats::DeviceMatrix on_device(const Factor& factor, const Type& type, bool read);

}  // namespace cugrb::bench
