// Predicted time of the matrix-vector product on tile-composite, and how many tiles it should have.
#include <algorithm>
#include <cmath>
#include <vector>

#include "src/selector/mxv_costs.h"

namespace cugrb::selector {

namespace {

/// Places of workloads over entries (cuda/views/tile_composite.h's measured padding, by the tile's rank).
constexpr double padding = 1.15;
/// With values of 8 bytes two steps are in flight instead of four: of the bandwidth, and times a gather's
/// time.
constexpr double wide_share = 0.82, wide_gathers = 1.5;
/// A wave of the cold part's warps loads offsets, four steps of columns and values, and as many operands.
constexpr double cold_loads = 8, cold_entries_of_warp = 512, cold_warps_of_multiprocessor = 64,
                 most_cold_waves = 3;
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

/// Rows that have an entry in a tile with such a share of the entries. Where rows choose columns at random:
/// any of a row's entries may be there. Where neighbouring rows name neighbouring columns, and these are
/// about equally popular: a row's are there together.
double rows_of_part(const MxvProblem& p, const std::vector<RowBucket>& buckets, double share) {
  double at_random = 0, together = 0;
  for (const RowBucket& bucket : buckets) {
    at_random += bucket.rows * (1 - std::pow(1 - share, bucket.mean_length));
    together += bucket.rows * share;
  }
  const double randomness = std::min(1.0, p.sectors_an_entry);
  return randomness * at_random + (1 - randomness) * together;
}

int most_tiles_of(const MxvProblem& p) {
  return int(std::min<uint64_t>(most_tiles, (p.columns + p.tile_columns - 1) / p.tile_columns));
}

/// Seconds with 1, 2, ..., `most` tiles.
std::vector<double> seconds_by_tiles(const MxvProblem& p, const Hardware& h, int most) {
  const TileForecast now = p.tile_forecast == nullptr ? forecast_tiles(p) : TileForecast();
  const TileForecast& forecast = p.tile_forecast == nullptr ? now : *p.tile_forecast;
  const KernelNumbers& k = h.of(Family::tile_composite);
  const double copy = h.copy_bytes_per_second, random = std::min(1.0, p.sectors_an_entry);
  const double result = double(p.result_bytes), rows = double(p.rows);
  const bool wide = p.matrix_value_bytes >= 8;
  std::vector<double> seconds;
  for (int t = 1; t <= most; ++t) {
    const auto& [hot, sums, cold_sums] = forecast.by_tiles[size_t(t) - 1];
    const double stream = padding * hot * double(2 + p.matrix_value_bytes) + sums * result;
    const double share = k.stream_share * (wide ? wide_share : 1);
    const double tile = std::max(stream / (share * copy), hot * k.entry_seconds);
    const double cold_entries = double(p.entries) - hot;
    double cold = 0;
    if (cold_entries > 0) {
      const double rate = h.gathers_per_second(gathered_columns(p, t) * p.vector_value_bytes);
      const double gather = (wide ? wide_gathers : 1) * random * cold_entries / (k.gather_share * rate);
      const double cold_stream = cold_entries * double(4 + p.matrix_value_bytes) / copy;
      const double waves =
          cold_entries / (cold_entries_of_warp * cold_warps_of_multiprocessor * h.multiprocessors);
      cold = h.launch_seconds + std::clamp(waves, 1.0, most_cold_waves) * cold_loads * k.wave_load_seconds +
             std::max(gather, cold_stream) + k.overlap * std::min(gather, cold_stream);
    }
    // Rows' sums meet: gathered, neighbours from neighbours where rows name neighbouring columns.
    const double met = sums + cold_sums;
    const double combine =
        random * met / h.near_gathers_per_second + (met * (4 + result) + rows * (5 + result)) / copy;
    seconds.push_back(k.start_seconds + tile + cold + combine);
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
    sums += rows_of_part(p, buckets, (until - hot) / entries);
    hot = until;
    forecast.by_tiles.push_back({hot, sums, rows_of_part(p, buckets, (entries - hot) / entries)});
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
