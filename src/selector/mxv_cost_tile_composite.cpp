// Predicted time of the matrix-vector product on tile-composite, and how many tiles it should have.
#include <algorithm>
#include <cmath>
#include <vector>

#include "src/selector/mxv_costs.h"

namespace cugrb::selector {

namespace {

/// Places of workloads over entries (cuda/views/tile_composite.h's measured padding, by the tile's rank).
constexpr double padding = 1.15;
/// Fitted on RMAT graphs of scale 18 to 24 on an H200 (bench/results/spmv.json).
constexpr double tile_start_seconds = 9e-6;        ///< a block's tile, the first loads of its warps
constexpr double tile_bandwidth_share = 0.8;       ///< of copy bandwidth, by 32 warps a multiprocessor
constexpr double cold_start_seconds = 8e-6;        ///< a few workloads of four steps, one after the other
constexpr double cold_gather_share = 0.65;         ///< of the gather rate
constexpr double combined_per_second = 200e9;      ///< sums and rows
constexpr double gathered_per_second = 80e9;       ///< popular columns
constexpr double build_entries_per_second = 40e9;  ///< a pass of construction

uint64_t gathered_columns(const MxvProblem& p, int tiles) {
  const uint64_t hot = uint64_t(tiles) * p.tile_columns;
  return std::min(p.columns, std::max(hot, p.popularity->popular_columns));
}

/// Rows of about the same length.
struct RowBucket {
  double rows, mean_length;
};

/// By powers of two; one bucket when the distribution is not known.
std::vector<RowBucket> row_buckets(const MxvProblem& p) {
  if (p.pull_distribution == nullptr) {
    const double nonempty = double(p.rows - std::min(p.rows, p.pull_lengths.empty));
    return {{nonempty, nonempty == 0 ? 0 : double(p.entries) / nonempty}};
  }
  const formats::LengthDistribution& d = *p.pull_distribution;
  std::vector<RowBucket> buckets;
  for (uint64_t above = 0; above < d.longest(); above = 2 * above + 1) {
    const double rows = double(d.rows_up_to(2 * above + 1) - d.rows_up_to(above));
    const double entries = double(d.entries_up_to(2 * above + 1) - d.entries_up_to(above));
    if (rows > 0) buckets.push_back({rows, entries / rows});
  }
  return buckets;
}

/// Rows that have an entry in a tile with such a share of the entries, if they choose columns at random.
double rows_of_part(const std::vector<RowBucket>& buckets, double share) {
  double rows = 0;
  for (const RowBucket& bucket : buckets) rows += bucket.rows * (1 - std::pow(1 - share, bucket.mean_length));
  return rows;
}

int most_tiles_of(const MxvProblem& p) {
  return int(std::min<uint64_t>(most_tiles, (p.columns + p.tile_columns - 1) / p.tile_columns));
}

/// Seconds with 1, 2, ..., `most` tiles.
std::vector<double> seconds_by_tiles(const MxvProblem& p, const Hardware& h, int most) {
  const TileForecast now = p.tile_forecast == nullptr ? forecast_tiles(p) : TileForecast();
  const TileForecast& forecast = p.tile_forecast == nullptr ? now : *p.tile_forecast;
  const double scale = h.copy_bytes_per_second / 4.27e12;
  std::vector<double> seconds;
  for (int t = 1; t <= most; ++t) {
    const auto& [hot, sums, cold_sums] = forecast.by_tiles[size_t(t) - 1];
    const uint64_t gathered = gathered_columns(p, t);
    const double gather = double(gathered) / (gathered_per_second * scale);
    const double stream = padding * hot * double(2 + p.matrix_value_bytes) + sums * double(p.result_bytes);
    const double tile =
        tile_start_seconds + std::max(stream / (tile_bandwidth_share * h.copy_bytes_per_second),
                                      hot / h.shared_gathers_per_second);
    const double cold_entries = double(p.entries) - hot;
    double cold = 0;
    if (cold_entries > 0) {
      cold = h.launch_seconds + cold_start_seconds +
             cold_entries / (cold_gather_share * h.gathers_per_second(gathered * p.vector_value_bytes));
    }
    const double combine = (sums + cold_sums + double(p.rows)) / (combined_per_second * scale);
    seconds.push_back(3 * h.launch_seconds + gather + tile + cold + combine);
  }
  return seconds;
}

}  // namespace

TileForecast forecast_tiles(const MxvProblem& p) {
  const std::vector<RowBucket> buckets = row_buckets(p);
  const double entries = double(p.entries);
  TileForecast forecast;
  double sums = 0, hot = 0;
  for (int t = 1; t <= most_tiles_of(p); ++t) {
    const double until = double(p.popularity->entries_of(uint64_t(t) * p.tile_columns));
    sums += rows_of_part(buckets, (until - hot) / entries);
    hot = until;
    forecast.by_tiles.push_back({hot, sums, rows_of_part(buckets, (entries - hot) / entries)});
  }
  return forecast;
}

formats::TileCompositeParameters plan_tile_composite(const MxvProblem& p, const Hardware& h) {
  formats::TileCompositeParameters plan;
  plan.tile_columns = p.tile_columns;
  const int most = most_tiles_of(p);
  if (p.tiles_made > 0) {
    plan.tiles = p.tiles_made;
  } else if (h.emulated) {
    plan.tiles = most;
  } else {
    const std::vector<double> seconds = seconds_by_tiles(p, h, most);
    plan.tiles = 1 + int(std::min_element(seconds.begin(), seconds.end()) - seconds.begin());
  }
  plan.gathered = gathered_columns(p, plan.tiles);
  plan.blocks = uint32_t(h.multiprocessors);
  plan.warps_of_block = h.emulated ? 2 : 32;
  plan.most_cold_warps = uint32_t(h.multiprocessors) * (h.emulated ? 2 : 256);
  return plan;
}

Cost cost_of_tile_composite(const MxvProblem& p, const Hardware& h, const KernelName&) {
  if (!p.tile_refusal.empty()) return Cost::refused(p.tile_refusal);
  if (p.popularity == nullptr) return Cost::refused("the columns' entries are not counted yet");
  if (h.emulated) return {2 * cost_of_merge(p, h, {}).seconds, 0, {}};
  Cost cost;
  const int tiles = plan_tile_composite(p, h).tiles;
  cost.seconds = seconds_by_tiles(p, h, tiles).back();
  // Two passes over the entries with a gather each, a sort of each part's rows, some launches that the host
  // waits for.
  cost.conversion_seconds = 2 * double(p.entries) / build_entries_per_second +
                            double(tiles + 1) * (double(p.rows) / h.sort_keys_per_second + 100e-6);
  return cost;
}

}  // namespace cugrb::selector
