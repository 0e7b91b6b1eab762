// What a matrix's tiles of popular columns would hold: rows by their number of entries in each, and from that
// the workloads of tile-composite by shape.
#pragma once
#include <array>
#include <vector>

#include "cuda/views/tile_composite.h"
#include "src/formats/matrix.h"
#include "src/selector/workload_rates.h"

namespace cugrb::selector {

struct MxvProblem;

/// One part, a tile or what is cold: expected numbers of rows.
struct PartForecast {
  /// Lengths up to 64 by fours, up to 256 by sixteens, up to 1024 by sixty-fours: where classes of rows and
  /// steps of workloads end.
  static constexpr size_t bins = 40;
  static uint32_t longest_of(size_t bin);
  static size_t bin_of(uint64_t length);  ///< `bins` for lengths above 1024

  double entries = 0;
  double rows = 0;                                ///< with an entry here
  std::array<double, bins + 1> rows_by_length{};  ///< the last: longer ones
  double long_entries = 0;                        ///< of those

  void add(double rows_of_length, double length);
  void add_to(size_t bin, double rows_there) {
    rows += rows_there;
    rows_by_length[bin] += rows_there;
  }
};

/// A part's workloads of one class of rows that take the same number of steps.
struct ShapedWorkloads {
  WorkloadShape shape;
  double count = 0;
};
/// All workloads of a part that are at most so many steps long (4, 8 or 16). Rows of the last class are
/// ranked within `windows` windows: each of those has its own remainders.
std::vector<ShapedWorkloads> forecast_workloads(const PartForecast& part, uint32_t most_steps,
                                                double windows);

/// Longest workloads to choose from, in steps: 512, 1024, 2048 entries. Longer ones waste fewer places,
/// shorter ones leave fewer warps without work.
constexpr std::array<uint32_t, 3> workload_sizes = {4, 8, 16};

/// What all products with a matrix have in common.
struct TileForecast {
  struct Key {
    using Made = TileForecast;
    static constexpr bool of_pattern = true;
    uint32_t tile_columns;
    bool operator==(const Key&) const = default;
  };
  struct Tile {
    double entries, rows;
    std::array<std::vector<ShapedWorkloads>, workload_sizes.size()> workloads;  ///< by size
  };
  struct Cold {
    double entries, rows;
    double places;  ///< padding counted
    int classes;    ///< of rows that it has
  };
  std::vector<Tile> tiles;
  std::vector<Cold> cold;  ///< behind the first tile, the first two, ...
};

/// Where rows choose columns at random any of a row's entries may be in a tile: their number is binomial.
/// Where neighbouring rows name neighbouring columns, and these are about equally popular, a row's are there
/// together: p.gathers says which. O(tiles * log(longest row)); needs the popularity.
TileForecast forecast_tiles(const MxvProblem& p);
/// One part with so many of the matrix's entries.
PartForecast forecast_part(const MxvProblem& p, double entries);

}  // namespace cugrb::selector
