// Matrices with a regular structure: grids and bands, written row by row.
#include <numeric>
#include <stdexcept>

#include "tools/graph_files/generate.h"
#include "tools/graph_files/parallel.h"

namespace cugrb::graph_files {
namespace {

constexpr uint64_t row_chunk = 1 << 12;

/// row(i, emit) calls emit(column, value) for the entries of row i in ascending order.
template <class Row>
Csr build(uint64_t n, const Row& row) {
  Csr csr;
  csr.nrows = csr.ncols = n;
  csr.values = ValueKind::real;
  csr.symmetric = true;
  csr.offsets = Buffer<uint64_t>(n + 1);
  csr.offsets[0] = 0;
  parallel_for(n, row_chunk, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      uint64_t count = 0;
      row(i, [&](uint64_t, double) { ++count; });
      csr.offsets[i + 1] = count;
    }
  });
  std::partial_sum(csr.offsets.data(), csr.offsets.data() + n + 1, csr.offsets.data());
  csr.columns = Buffer<uint64_t>(csr.offsets[n]);
  csr.reals = Buffer<double>(csr.offsets[n]);
  parallel_for(n, row_chunk, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      uint64_t place = csr.offsets[i];
      row(i, [&](uint64_t column, double value) {
        csr.columns[place] = column;
        csr.reals[place++] = value;
      });
    }
  });
  return csr;
}

/// Neighbours of a point in a box of 3 × 3 × 3 around it; only those that share a face unless `corners`.
Csr laplacian(uint64_t nx, uint64_t ny, uint64_t nz, bool corners, double diagonal) {
  const uint64_t limit = UINT32_MAX;
  if (nx > limit || ny > limit || nz > limit || (nx > 0 && ny > 0 && nz > limit / nx / ny)) {
    throw std::invalid_argument("poisson: at most 2^32 - 1 points");
  }
  return build(nx * ny * nz, [=](uint64_t i, const auto& emit) {
    const int64_t x = static_cast<int64_t>(i % nx), y = static_cast<int64_t>(i / nx % ny),
                  z = static_cast<int64_t>(i / nx / ny);
    for (int64_t dz = -1; dz <= 1; ++dz) {
      for (int64_t dy = -1; dy <= 1; ++dy) {
        for (int64_t dx = -1; dx <= 1; ++dx) {
          const int steps = (dx != 0) + (dy != 0) + (dz != 0);
          if (steps > 1 && !corners) continue;
          const int64_t u = x + dx, v = y + dy, w = z + dz;
          if (u < 0 || v < 0 || w < 0 || u >= static_cast<int64_t>(nx) || v >= static_cast<int64_t>(ny) ||
              w >= static_cast<int64_t>(nz)) {
            continue;
          }
          emit((static_cast<uint64_t>(w) * ny + static_cast<uint64_t>(v)) * nx + static_cast<uint64_t>(u),
               steps == 0 ? diagonal : -1.0);
        }
      }
    }
  });
}

}  // namespace

Csr generate_poisson2d(uint64_t nx, uint64_t ny, int points) {
  if (points != 5 && points != 9) throw std::invalid_argument("poisson2d: 5 or 9 points");
  return laplacian(nx, ny, 1, points == 9, points - 1);
}

Csr generate_poisson3d(uint64_t nx, uint64_t ny, uint64_t nz, int points) {
  if (points != 7 && points != 27) throw std::invalid_argument("poisson3d: 7 or 27 points");
  return laplacian(nx, ny, nz, points == 27, points - 1);
}

Csr generate_banded(uint64_t n, uint64_t half_width) {
  if (n > UINT32_MAX) throw std::invalid_argument("banded: at most 2^32 - 1 rows");
  return build(n, [=](uint64_t i, const auto& emit) {
    const uint64_t first = i > half_width ? i - half_width : 0;
    const uint64_t last = n - 1 - i > half_width ? i + half_width : n - 1;
    for (uint64_t j = first; j <= last; ++j) emit(j, i == j ? 2.0 * static_cast<double>(half_width) : -1.0);
  });
}

}  // namespace cugrb::graph_files
