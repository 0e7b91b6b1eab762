// Predicted times of the matrix-vector kernels on a list of entries (COO), on slices with a list (HYB) and on
// a list for each tile of columns (TILE-COO).
#include <algorithm>

#include "src/formats/hyb.h"
#include "src/formats/tile_coo.h"
#include "src/operations/multiply/mxv/coo/coo.h"
#include "src/operations/multiply/mxv/ell/ell.h"

namespace cugrb::operations {

using namespace selector;

namespace {

/// Shared memory, carries: over what the streams and gathers take.
constexpr double list_overhead = 1.2;

double row_bytes(const MxvProblem& p) { return double(formats::bytes_of(formats::index_width(p.rows))); }
double position_bytes(const MxvProblem& p) { return double(p.column_bytes + p.matrix_value_bytes); }
double list_bytes(const MxvProblem& p) { return row_bytes(p) + position_bytes(p); }

/// Every entry is read; those that the mask allows are multiplied. `added`: the sums are added to T's values,
/// else they are stored as rows end.
Demand demand_of_list(const MxvProblem& p, double entries, bool added) {
  Demand demand;
  demand.streamed_bytes = entries * list_bytes(p);
  demand.gathers = entries * p.allowed_share;
  demand.entries = entries;
  // Wide sums that are stored by the way leave room for fewer gathers in flight.
  if (p.result_bytes > 4 && !added) demand.gathers *= 1 + 0.9 * gathers_apart(p);
  return demand;
}

double on_emulated_list(const MxvProblem& p, double entries) {
  const int items = std::max(1, formats::coo_items(p.result_bytes));
  return (entries / items + 256) * emulated_waiting_thread;
}

/// What a HYB matrix of the problem's threshold holds.
struct HybParts {
  double positions, first, rest;
};
HybParts hyb_parts(const MxvProblem& p) {
  HybParts parts{};
  const uint64_t k = p.hyb_threshold > 0 ? p.hyb_threshold : hyb_threshold(p);
  if (p.pull_distribution != nullptr) {
    const double columns = p.hyb_slice_columns > 0 ? p.hyb_slice_columns
                                                   : formats::expected_slice_columns(*p.pull_distribution, k);
    parts.positions = columns * double(ell_slice_rows);
    parts.rest = double(p.pull_distribution->entries_beyond(k));
  } else {
    parts.positions = double(p.rows) * double(k);
    parts.rest = std::max(0.0, double(p.entries) - parts.positions);
  }
  parts.first = double(p.entries) - parts.rest;
  return parts;
}

}  // namespace

uint64_t hyb_threshold(const MxvProblem& p) {
  const double relative_cost = list_overhead * list_bytes(p) / position_bytes(p);
  if (p.pull_distribution == nullptr) return std::max<uint64_t>(1, uint64_t(mean_length(p)));
  return formats::sliced_threshold(*p.pull_distribution, relative_cost);
}

Cost cost_of_coo(const MxvProblem& p, const Hardware& h) {
  if (formats::coo_items(p.result_bytes) == 0)
    return Cost::refused("values of " + std::to_string(p.result_bytes) + " bytes are too large");
  const double entries = double(p.entries);
  if (h.emulated) return {on_emulated_list(p, entries), 0, {}};
  Demand demand = demand_of_list(p, entries, /*added=*/false);
  demand.streamed_bytes += double(p.rows) * double(p.result_bytes + 2);  // T begins without entries
  demand.more_launches = int(has_gaps(p));
  return {product_seconds(p, h, "coo", demand),
          h.launch_seconds + 1.5 * entries * row_bytes(p) / h.copy_bytes_per_second,
          {}};
}

Cost cost_of_hyb(const MxvProblem& p, const Hardware& h) {
  if (formats::coo_items(p.result_bytes) == 0)
    return Cost::refused("values of " + std::to_string(p.result_bytes) + " bytes are too large");
  if (!lengths_known(p)) return Cost::refused("the lengths of its rows are not known yet");
  const HybParts parts = hyb_parts(p);
  const std::string memory =
      memory_refusal(p, parts.positions * position_bytes(p) + parts.rest * list_bytes(p));
  if (!memory.empty()) return Cost::refused(memory);
  if (h.emulated) {
    return {double(p.rows) * emulated_plain_thread + parts.positions * emulated_load +
                on_emulated_list(p, parts.rest),
            0,
            {}};
  }
  const double moved = 2 * double(p.entries) * position_bytes(p) + parts.positions * position_bytes(p) +
                       parts.rest * list_bytes(p);
  const Demand first = demand_of_positions(p, h, parts.positions, parts.first),
               rest = demand_of_list(p, parts.rest, /*added=*/true);
  Demand both = first;
  both.streamed_bytes += rest.streamed_bytes;
  both.gathers += rest.gathers;
  both.entries = rest.entries;
  if (parts.rest > 0) both.tail_loads = 0;      // else it is SELL
  both.more_launches = parts.rest > 0 ? 2 : 0;  // the list and its carries
  return {product_seconds(p, h, parts.rest > 0 ? NumbersId("hyb") : NumbersId("sell"), both),
          9 * h.launch_seconds + moved / h.copy_bytes_per_second,
          {}};
}

namespace {

/// Of what the sample of columns tells apart: those of least_gathered entries and more. (There is a tile
/// while its first column has two.)
int sampled_tiles(const formats::ColumnPopularity& popularity, uint32_t tile_columns) {
  return int(
      std::clamp<uint64_t>(formats::blocks_for(popularity.popular_columns, tile_columns), 1, most_tiles));
}

}  // namespace

Cost cost_of_tile_coo(const MxvProblem& p, const Hardware& h) {
  std::string refusal = tiles_refusal(p);
  if (!refusal.empty()) return Cost::refused(std::move(refusal));
  if (formats::coo_items(p.result_bytes) == 0)
    return Cost::refused("values of " + std::to_string(p.result_bytes) + " bytes are too large");
  const double entries = double(p.entries);
  const int tiles = sampled_tiles(*p.popularity, p.tile_columns);
  if (h.emulated) return {on_emulated_list(p, entries) + tiles * 256 * emulated_waiting_thread, 0, {}};
  // A list for each tile, one after the other, each with its own T to add to; operands of popular columns
  // first.
  const KernelNumbers& k = h.of("tile_coo");
  const TileForecast now = p.tile_forecast == nullptr ? forecast_tiles(p) : TileForecast();
  const TileForecast& forecast = p.tile_forecast == nullptr ? now : *p.tile_forecast;
  double seconds = k.start_seconds, before = 0;
  const auto add_list = [&](double list_entries, double columns, double sums) {
    const Demand demand = demand_of_list(p, list_entries, /*added=*/true);
    const double stream = demand.streamed_bytes / (k.stream_share * h.copy_bytes_per_second);
    const double bytes = columns * double(gathered_bytes(p));
    const double rate =
        gathers_apart(p) < 0.5 ? h.near_gathers_per_second : h.gathers_per_second(uint64_t(bytes));
    const double kept = std::min(1.0, h.popular_bytes / std::max(1.0, bytes));
    const double operands = gathers_apart(p) * demand.gathers;
    const double gather =
        (operands * kept / h.popular_gathers_per_second + (operands * (1 - kept) + sums) / rate) /
        k.gather_share;
    seconds += 2 * h.launch_seconds + std::max({stream, gather, list_entries * k.entry_seconds}) +
               k.overlap * std::min(stream, gather);
  };
  for (int t = 1; t <= tiles; ++t) {
    const double until = double(p.popularity->entries_of(uint64_t(t) * p.tile_columns));
    add_list(until - before, p.tile_columns, forecast.tiles[size_t(t) - 1].rows);
    before = until;
  }
  if (entries > before) add_list(entries - before, double(p.columns), forecast.cold[size_t(tiles) - 1].rows);
  const double result = double(p.rows) * double(p.result_bytes + 2) / h.copy_bytes_per_second;
  // The columns' entries counted, a sort of 64-bit positions by tile, and a gather by them.
  const double conversion = (tiles + 4) * h.launch_seconds + entries / h.atomics_per_second +
                            entries / h.sort_keys_per_second +
                            3 * entries * list_bytes(p) / h.copy_bytes_per_second;
  return {.seconds = seconds + result,
          .conversion_seconds = conversion,
          .note = "as if columns of fewer than " + std::to_string(formats::least_gathered) +
                  " entries were one list"};
}

}  // namespace cugrb::operations
