// Predicted time of the matrix-vector product on tile-composite, and how many tiles it should have.
#include <algorithm>
#include <cmath>

#include "src/selector/mxv_costs.h"

namespace cugrb::selector {

namespace {

/// Places of workloads over entries (cuda/views/tile_composite.h's measured padding, by the tile's rank).
constexpr double padding = 1.15;
/// Fitted on RMAT graphs of scale 18 to 24 on an H200 (bench/results/spmv.json).
constexpr double tile_start_seconds = 6e-6;        ///< a block's tile, the first loads of its warps
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

/// Rows that have an entry in a tile with such a share of the entries, if they chose columns at random.
double rows_of_tile(const MxvProblem& p, double share) {
  const double nonempty = double(p.rows - std::min(p.rows, p.pull_lengths.empty));
  return nonempty == 0 ? 0 : nonempty * (1 - std::exp(-share * double(p.entries) / nonempty));
}

double seconds_with(const MxvProblem& p, const Hardware& h, int tiles) {
  const double entries = double(p.entries);
  const double hot = double(p.popularity->entries_of(uint64_t(tiles) * p.tile_columns));
  const uint64_t gathered = gathered_columns(p, tiles);
  double sums = 0, before = 0;
  for (int t = 1; t <= tiles; ++t) {
    const double until = double(p.popularity->entries_of(uint64_t(t) * p.tile_columns));
    sums += rows_of_tile(p, (until - before) / entries);
    before = until;
  }
  const double scale = h.copy_bytes_per_second / 4.27e12;
  const double gather = double(gathered) / (gathered_per_second * scale);
  const double tile_stream = padding * hot * double(2 + p.matrix_value_bytes) + sums * double(p.result_bytes);
  const double tile =
      tile_start_seconds + std::max(tile_stream / (tile_bandwidth_share * h.copy_bytes_per_second),
                                    hot / h.shared_gathers_per_second);
  const double cold_entries = entries - hot;
  double cold = 0;
  if (cold_entries > 0) {
    sums += rows_of_tile(p, cold_entries / entries);
    const double footprint = double(gathered * p.vector_value_bytes);
    cold = h.launch_seconds + cold_start_seconds +
           cold_entries / (cold_gather_share * h.gathers_per_second(uint64_t(footprint)));
  }
  const double combine = (sums + double(p.rows)) / (combined_per_second * scale);
  return 3 * h.launch_seconds + gather + tile + cold + combine;
}

}  // namespace

formats::TileCompositeParameters plan_tile_composite(const MxvProblem& p, const Hardware& h) {
  formats::TileCompositeParameters plan;
  plan.tile_columns = p.tile_columns;
  plan.tiles = 1;
  const int most = int(std::min<uint64_t>(most_tiles, (p.columns + p.tile_columns - 1) / p.tile_columns));
  for (int tiles = 2; tiles <= most; ++tiles) {
    if (h.emulated || seconds_with(p, h, tiles) < seconds_with(p, h, plan.tiles)) plan.tiles = tiles;
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
  const int tiles = plan_tile_composite(p, h).tiles;
  if (h.emulated) return {2 * cost_of_merge(p, h, {}).seconds, 0, {}};
  Cost cost;
  cost.seconds = seconds_with(p, h, tiles);
  // Two passes over the entries with a gather each, a sort of each part's rows, some launches that the host
  // waits for.
  cost.conversion_seconds = 2 * double(p.entries) / build_entries_per_second +
                            double(tiles + 1) * (double(p.rows) / h.sort_keys_per_second + 100e-6);
  return cost;
}

}  // namespace cugrb::selector
