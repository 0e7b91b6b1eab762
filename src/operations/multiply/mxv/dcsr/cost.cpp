// Predicted times of the matrix-vector kernels on dynamic CSR, without and with adaptive binning.
#include <algorithm>
#include <cmath>

#include "src/formats/binned_csr.h"
#include "src/formats/dcsr.h"
#include "src/operations/multiply/mxv/bins.h"
#include "src/operations/multiply/mxv/dcsr/dcsr.h"

namespace cugrb::operations {

using namespace selector;

namespace {

/// Of a row: its first segment and its size.
double row_bytes(const MxvProblem& p) { return 3 * double(p.offset_bytes); }

/// The table and the sizes; columns and values are the CSR's.
double table_seconds(const MxvProblem& p, const Hardware& h) {
  const double offsets = 2 * double(formats::DcsrShape().slots) + 4;
  return 5 * h.launch_seconds + double(p.rows) * offsets * double(p.offset_bytes) / h.copy_bytes_per_second;
}

/// A power of two of lanes, not above the mean length (launch.cpp).
double lanes_for(const MxvProblem& p) {
  return std::exp2(std::floor(std::log2(std::clamp(mean_length(p), 1.0, 32.0))));
}

/// Of the longest row, four entries a lane, whose loads are all in flight: how wide they are counts little.
/// It is left alone when the streams are through, so that L2 has its entries only where it has everything.
double step_seconds(const MxvProblem& p, const Hardware& h, double lanes, double streamed_bytes) {
  constexpr double held_saves = 0.35, missed_gathers = 11;
  constexpr double wide = 1.2, ends_asked = 1.22, few_lanes = 0.75;
  const double missed = gathers_apart(p) * (1 - share_of_popular(p, h.cached_bytes));
  return h.of("dcsr").tail_load_seconds * (kept_share(p, h, streamed_bytes) < 1 ? 1 : 1 - held_saves) *
         (1 + missed_gathers * missed) * (p.result_bytes > 4 ? wide : 1) * (p.stops_early ? ends_asked : 1) *
         (lanes < 8 ? few_lanes : 1);
}

}  // namespace

Cost cost_of_dcsr(const MxvProblem& p, const Hardware& h) {
  if (!lengths_known(p)) return Cost::refused("the lengths of its rows are not known yet");
  const double lanes = lanes_for(p);
  if (h.emulated) {
    return {
        double(p.rows) * lanes * (lanes == 1 ? 2 * emulated_plain_thread : emulated_waiting_thread), 0, {}};
  }
  Demand demand;
  demand.gathers = demand.entries = entries_read_by_lanes(p, lanes);
  demand.streamed_bytes = double(p.rows) * (row_bytes(p) + double(p.result_bytes + 1)) +
                          demand.entries * sector_loads(p, h, mean_length(p), lanes) *
                              double(p.column_bytes + p.matrix_value_bytes);
  demand.wave_loads = wave_loads(p, h, {{double(p.rows), mean_length(p), lanes}});
  if (!p.stops_at_once) {
    // A block takes a row that is longer than that (launch.cpp).
    const double longest = double(p.pull_lengths.longest), shortest_long = double(formats::longest_short_row);
    const double steps =
        std::min(longest, shortest_long) / (4 * lanes) + std::max(longest - shortest_long, 0.0) / (4 * 256);
    demand.tail_seconds = step_seconds(p, h, lanes, demand.streamed_bytes) * steps;
  }
  return {product_seconds(p, h, "dcsr", demand), table_seconds(p, h), {}};
}

Cost cost_of_adcsr(const MxvProblem& p, const Hardware& h) {
  if (!lengths_known(p)) return Cost::refused("the lengths of its rows are not known yet");
  if (h.emulated) return {on_emulated_bins(p), 0, {}};
  const double index_bytes = double(formats::bytes_of(formats::index_width(p.rows)));
  // The rows of a bin are spread over the table: a sector of it for each.
  const double scattered = 64 + index_bytes;
  const double sorted = double(p.rows) * (16 * 3 + index_bytes);
  const std::vector<BinClass> classes = {
      {4, 1}, {8, 2}, {16, 4}, {32, 8}, {64, 16}, {2048, 32}, {~uint64_t(0), 256}};
  const Demand demand = demand_of_bins(p, h, classes, std::min(scattered, 3 * row_bytes(p)));
  return {product_seconds(p, h, "adcsr", demand),
          table_seconds(p, h) + 7 * h.launch_seconds + double(p.rows) / h.sort_keys_per_second +
              sorted / h.copy_bytes_per_second,
          {}};
}

}  // namespace cugrb::operations
