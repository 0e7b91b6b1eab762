// Predicted time of the matrix-vector product on tile-composite, and how many tiles it should have.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "src/operations/multiply/mxv/csr/csr.h"
#include "src/operations/multiply/mxv/tile_composite/tile_composite.h"

namespace cugrb::operations {

using namespace selector;

namespace {

/// With values of 8 bytes two steps are in flight instead of four: times a gather's time.
constexpr double wide_gathers = 1.15;
/// A warp of the cold part waits so many times in each class of rows: cuts and offsets, steps, operands,
/// sums.
constexpr double cold_loads = 8;
/// Rows' sums meet: their slots, their sums and the result, of the copy bandwidth.
constexpr double meeting_share = 0.41;
constexpr double build_entries_per_second = 40e9;  ///< a pass of construction

uint64_t gathered_columns(const MxvProblem& p, int tiles) {
  const uint64_t hot = uint64_t(tiles) * p.tile_columns;
  return std::min(p.columns, std::max(hot, p.popularity->popular_columns));
}

int most_tiles_of(const MxvProblem& p) {
  return int(std::min<uint64_t>(most_tiles, (p.columns + p.tile_columns - 1) / p.tile_columns));
}

/// Of a warp's time for its last workloads while other warps have none any more: what the others do not hide.
constexpr double tail_share = 0.33;
constexpr double warps_of_multiprocessor = 32;

/// What a tile takes with workloads of one size.
struct TileTime {
  double seconds = 0;       ///< alone on all multiprocessors
  double step_seconds = 0;  ///< a warp's, while all multiprocessors have such work
  std::array<double, tile_classes> workloads = {}, mean_steps = {};

  /// How much longer than an even share some warps take: where a class has fewer workloads than warps some
  /// have one and others none; where it has more, they differ by one.
  double tail(double warps) const {
    double steps = 0;
    for (size_t c = 0; c < tile_classes; ++c) {
      if (workloads[c] >= 1) steps += mean_steps[c] * std::max(0.5, 1 - workloads[c] / warps);
    }
    return steps * step_seconds;
  }
};

/// Tiles by the look-up table of workloads: their times by size and tile.
class TileTimes {
 public:
  TileTimes(const MxvProblem& p, const Hardware& h, const TileForecast& forecast)
      : forecast_(forecast), warps_(h.multiprocessors * warps_of_multiprocessor) {
    for (int c = 0; c < tile_classes; ++c) {
      for (uint32_t steps = 1; steps <= longest; ++steps)
        step_seconds_[size_t(c)][steps] = h.workloads.step_seconds(p.matrix_value_bytes, c, steps);
    }
    for (const TileForecast::Tile& tile : forecast.tiles) {
      for (size_t n = 0; n < workload_sizes.size(); ++n) times_[n].push_back(time_of(tile.workloads[n]));
    }
  }

  /// Seconds of the first `tiles` tiles: all their work, and the longest tail. Tiles share the
  /// multiprocessors by their entries.
  double seconds(int tiles, size_t size, double share_of_rates) const {
    double work = 0, tail = 0, entries = 0;
    for (int t = 0; t < tiles; ++t) entries += forecast_.tiles[size_t(t)].entries;
    for (int t = 0; t < tiles; ++t) {
      const TileTime& time = times_[size][size_t(t)];
      const double share = forecast_.tiles[size_t(t)].entries / std::max(1.0, entries);
      work += time.seconds;
      tail = std::max(tail, time.tail(std::max(warps_of_multiprocessor, share * warps_)));
    }
    return work / share_of_rates + tail_share * tail;
  }

 private:
  static constexpr uint32_t longest = WorkloadRates::steps.back();

  TileTime time_of(const std::vector<ShapedWorkloads>& workloads) const {
    TileTime time;
    double steps = 0;
    for (const auto& [shape, count] : workloads) {
      const size_t c = size_t(shape.row_class);
      time.seconds += count * shape.steps * step_seconds_[c][shape.steps];
      time.workloads[c] += count;
      time.mean_steps[c] += count * shape.steps;
      steps += count * shape.steps;
    }
    for (size_t c = 0; c < tile_classes; ++c) time.mean_steps[c] /= std::max(1e-9, time.workloads[c]);
    if (steps > 0) time.step_seconds = time.seconds / steps * warps_;
    return time;
  }

  const TileForecast& forecast_;
  double warps_;
  std::array<std::array<double, longest + 1>, tile_classes> step_seconds_ = {};
  std::array<std::vector<TileTime>, workload_sizes.size()> times_;
};

/// Seconds of the cold part behind so many tiles.
double seconds_of_cold(const MxvProblem& p, const Hardware& h, const TileForecast::Cold& cold, int tiles) {
  if (cold.entries <= 0) return 0;
  const KernelNumbers& k = h.of("tile_composite");
  const double rate = h.gathers_per_second(gathered_columns(p, tiles) * p.vector_value_bytes);
  const double gather = (p.matrix_value_bytes >= 8 ? wide_gathers : 1) * gathers_apart(p) * cold.entries /
                        (k.gather_share * rate);
  const double stream = cold.places * double(4 + p.matrix_value_bytes) / h.copy_bytes_per_second;
  return h.launch_seconds + cold.classes * cold_loads * k.wave_load_seconds + std::max(gather, stream) +
         k.overlap * std::min(gather, stream);
}

/// How tile-composite is laid out, and the predicted time of a product with it.
struct Layout {
  int tiles = 1;
  uint32_t most_steps = 16;
  double seconds = 0;
};

/// Algorithms 1 and 2 of the paper at once: every number of tiles with every size of workloads. Of the format
/// that is there already, when there is one.
Layout best_layout(const MxvProblem& p, const Hardware& h) {
  const TileForecast now = p.tile_forecast == nullptr ? forecast_tiles(p) : TileForecast();
  const TileForecast& forecast = p.tile_forecast == nullptr ? now : *p.tile_forecast;
  const KernelNumbers& k = h.of("tile_composite");
  const TileTimes times(p, h, forecast);
  const double result = double(std::max<size_t>(4, p.result_bytes));  // sums are gathered
  Layout best;
  double sums = 0;
  for (int tiles = 1; tiles <= int(forecast.tiles.size()); ++tiles) {
    const TileForecast::Cold& cold = forecast.cold[size_t(tiles) - 1];
    sums += forecast.tiles[size_t(tiles) - 1].rows;
    if (p.tiles_made > 0 && tiles != std::min(p.tiles_made, int(forecast.tiles.size()))) continue;
    const double met = (sums + cold.rows) * (4 + result) + double(p.rows) * (5 + result);
    const double combine = met / (meeting_share * h.copy_bytes_per_second);
    const double gather = double(gathered_columns(p, tiles)) / h.near_gathers_per_second;
    const double others = k.start_seconds + gather + seconds_of_cold(p, h, cold, tiles) + combine;
    for (size_t size = 0; size < workload_sizes.size(); ++size) {
      const double seconds = others + times.seconds(tiles, size, k.stream_share);
      if (best.seconds == 0 || seconds < best.seconds) best = {tiles, workload_sizes[size], seconds};
    }
  }
  return best;
}

}  // namespace

formats::TileCompositeParameters plan_tile_composite(const MxvProblem& p, const Hardware& h) {
  formats::TileCompositeParameters plan;
  plan.tile_columns = p.tile_columns;
  if (h.emulated) {
    plan.tiles = p.tiles_made > 0 ? p.tiles_made : most_tiles_of(p);
  } else {
    const Layout layout = best_layout(p, h);
    plan.tiles = layout.tiles;
    plan.tile_steps = layout.most_steps;
  }
  plan.gathered = gathered_columns(p, plan.tiles);
  plan.blocks = uint32_t(h.multiprocessors);
  plan.warps_of_block = h.emulated ? 2 : 32;
  plan.least_cold_warps = uint32_t(h.multiprocessors) * (h.emulated ? 1 : 64);
  plan.most_cold_warps = uint32_t(h.multiprocessors) * (h.emulated ? 2 : 256);
  return plan;
}

Cost cost_of_tile_composite(const MxvProblem& p, const Hardware& h) {
  std::string refusal = tiles_refusal(p);
  if (!refusal.empty()) return Cost::refused(std::move(refusal));
  if (h.emulated) return {2 * cost_of_merge(p, h).seconds, 0, {}};
  Cost cost;
  const Layout best = best_layout(p, h);
  cost.seconds = slower_of(seconds_of_call(p, h, "tile_composite"), best.seconds);
  // The columns' entries counted, two passes over the entries with a gather each, a sort of each part's rows,
  // some launches that the host waits for.
  cost.conversion_seconds = double(p.entries) / h.atomics_per_second +
                            2 * double(p.entries) / build_entries_per_second +
                            double(best.tiles + 1) * (double(p.rows) / h.sort_keys_per_second + 100e-6);
  return cost;
}

}  // namespace cugrb::operations
