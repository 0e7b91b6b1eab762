// Predicted time of the matrix-vector product on tile-composite, and how many tiles it should have.
#include <algorithm>
#include <cmath>

#include "src/selector/mxv_costs.h"

namespace cugrb::selector {

namespace {

/// Places of workloads over entries (cuda/views/tile_composite.h's measured padding, by the tile's rank).
constexpr double padding = 1.15;
/// Passes over the entries that construction makes for each tile, and once: counts, sorts of rows, fills.
constexpr double build_passes = 3;

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
  const double operand = double(p.vector_value_bytes), result = double(p.result_bytes);
  const double gather = double(gathered) / h.gathers_per_second(p.columns * p.vector_value_bytes) +
                        2 * double(p.columns) * operand / h.copy_bytes_per_second;
  // A row's sum in a tile is stored apart: a sector each, as many a second as L2 serves loads.
  const double tile_stream = padding * hot * double(2 + p.matrix_value_bytes) + sums * (4 + 2 * result);
  const double tile_seconds =
      std::max(tile_stream / h.copy_bytes_per_second, hot / h.shared_gathers_per_second) +
      sums / h.gathers_per_second(1);
  MxvProblem cold = p;
  cold.columns = gathered;
  cold.entries = p.entries - uint64_t(hot);
  const double combine = double(p.rows) * (2 + 2 * result) / h.copy_bytes_per_second;
  return 5 * h.launch_seconds + gather + 1.1 * memory_seconds(cold, h, double(cold.entries), 1) +
         tile_seconds + combine + h.latency_seconds * 6;
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
  const double bytes = double(p.entries) * double(8 + 2 * (2 + p.matrix_value_bytes));
  cost.conversion_seconds = (tiles + 1) * (build_passes * bytes / h.copy_bytes_per_second +
                                           double(p.rows) / h.sort_keys_per_second + 20 * h.launch_seconds);
  return cost;
}

}  // namespace cugrb::selector
