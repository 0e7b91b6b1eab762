// Matrices with a regular structure: grids and bands, written row by row.
#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <vector>

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

void check_points(uint64_t nx, uint64_t ny, uint64_t nz) {
  const uint64_t limit = UINT32_MAX;
  if (nx > limit || ny > limit || nz > limit || (nx > 0 && ny > 0 && nz > limit / nx / ny)) {
    throw std::invalid_argument("poisson: at most 2^32 - 1 points");
  }
}

/// Neighbours of a point in a box of 3 × 3 × 3 around it; only those that share a face unless `corners`.
Csr laplacian(uint64_t nx, uint64_t ny, uint64_t nz, bool corners, double diagonal) {
  check_points(nx, ny, nz);
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

/// The edges of that box from a point to itself and to the neighbours that come behind it. One that would
/// leave the grid is the point's own.
class BoxEdges {
 public:
  BoxEdges(uint64_t nx, uint64_t ny, uint64_t nz, bool corners)
      : nx_(static_cast<int64_t>(nx)), ny_(static_cast<int64_t>(ny)), nz_(static_cast<int64_t>(nz)) {
    for (int dz = 0; dz <= 1; ++dz) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const bool behind = dz > 0 || dy > 0 || (dy == 0 && dx >= 0);
          const int steps = (dx != 0) + (dy != 0) + dz;
          if (behind && (steps <= 1 || corners)) steps_.push_back({dx, dy, dz});
        }
      }
    }
  }
  uint64_t a_point() const { return steps_.size(); }

  edges::Edge operator()(uint64_t k) const {
    const auto i = static_cast<int64_t>(k / steps_.size());
    const auto& [dx, dy, dz] = steps_[k % steps_.size()];
    const int64_t u = i % nx_ + dx, v = i / nx_ % ny_ + dy, w = i / nx_ / ny_ + dz;
    const bool leaves = u < 0 || v < 0 || u >= nx_ || v >= ny_ || w >= nz_;
    const int64_t to = leaves ? i : (w * ny_ + v) * nx_ + u;
    return {static_cast<uint32_t>(i), static_cast<uint32_t>(to)};
  }

 private:
  int64_t nx_, ny_, nz_;
  std::vector<std::array<int, 3>> steps_;
};

DrawnEdges box_edges(uint64_t nx, uint64_t ny, uint64_t nz, bool corners) {
  check_points(nx, ny, nz);
  const BoxEdges box(nx, ny, nz, corners);
  const uint64_t points = nx * ny * nz;
  return {points, points * box.a_point(), EdgeDirection::undirected, box, true};
}

bool in_plane_corners(int points) {
  if (points != 5 && points != 9) throw std::invalid_argument("poisson2d: 5 or 9 points");
  return points == 9;
}
bool in_space_corners(int points) {
  if (points != 7 && points != 27) throw std::invalid_argument("poisson3d: 7 or 27 points");
  return points == 27;
}
void check_band(uint64_t n) {
  if (n > UINT32_MAX) throw std::invalid_argument("banded: at most 2^32 - 1 rows");
}

}  // namespace

Csr generate_poisson2d(uint64_t nx, uint64_t ny, int points) {
  return laplacian(nx, ny, 1, in_plane_corners(points), points - 1);
}
DrawnEdges drawn_poisson2d(uint64_t nx, uint64_t ny, int points) {
  return box_edges(nx, ny, 1, in_plane_corners(points));
}

Csr generate_poisson3d(uint64_t nx, uint64_t ny, uint64_t nz, int points) {
  return laplacian(nx, ny, nz, in_space_corners(points), points - 1);
}
DrawnEdges drawn_poisson3d(uint64_t nx, uint64_t ny, uint64_t nz, int points) {
  return box_edges(nx, ny, nz, in_space_corners(points));
}

DrawnEdges drawn_banded(uint64_t n, uint64_t half_width) {
  check_band(n);
  const uint64_t of_row = std::min(half_width, n) + 1;
  const auto edge = [n, of_row](uint64_t k) {
    const uint64_t i = k / of_row, j = i + k % of_row;
    return edges::Edge{static_cast<uint32_t>(i), static_cast<uint32_t>(j < n ? j : i)};
  };
  return {n, n * of_row, EdgeDirection::undirected, edge, true};
}

Csr generate_banded(uint64_t n, uint64_t half_width) {
  check_band(n);
  return build(n, [=](uint64_t i, const auto& emit) {
    const uint64_t first = i > half_width ? i - half_width : 0;
    const uint64_t last = n - 1 - i > half_width ? i + half_width : n - 1;
    for (uint64_t j = first; j <= last; ++j) emit(j, i == j ? 2.0 * static_cast<double>(half_width) : -1.0);
  });
}

}  // namespace cugrb::graph_files
