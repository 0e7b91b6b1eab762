// Predicted times of the matrix-vector kernels on ELLPACK storage, whole and in slices.
#include <algorithm>
#include <cmath>

#include "src/operations/multiply/mxv/ell/ell.h"

namespace cugrb::operations {

using namespace selector;

namespace {

/// Padding that is not worth its memory: more than 4 positions an entry, unless the whole is tiny.
constexpr double most_positions_an_entry = 4, tiny_positions = 1 << 18;

double position_bytes(const MxvProblem& p) { return double(p.column_bytes + p.matrix_value_bytes); }

std::string refusal(const MxvProblem& p, double positions) {
  if (!lengths_known(p)) return "the lengths of its rows are not known yet";
  if (positions > most_positions_an_entry * double(p.entries) && positions > tiny_positions)
    return "padding: " + std::to_string(uint64_t(positions)) + " positions for " + std::to_string(p.entries) +
           " entries";
  return memory_refusal(p, positions * position_bytes(p));
}

/// Of the CSR read with partly used sectors, and the positions written.
double conversion_seconds(const MxvProblem& p, const Hardware& h, double positions) {
  return 5 * h.launch_seconds +
         (1.5 * double(p.entries) + positions) * position_bytes(p) / h.copy_bytes_per_second;
}

Cost cost_of_positions(const MxvProblem& p, const Hardware& h, NumbersId numbers, double asking,
                       double positions) {
  const std::string why = refusal(p, positions);
  if (!why.empty()) return Cost::refused(why);
  if (h.emulated) return {double(p.rows) * emulated_plain_thread + positions * emulated_load, 0, {}};
  return {asking * product_seconds(p, h, numbers, demand_of_positions(p, h, positions, double(p.entries))),
          conversion_seconds(p, h, positions),
          {}};
}

}  // namespace

Demand demand_of_positions(const MxvProblem& p, const Hardware& h, double positions, double entries) {
  const double allowed = p.allowed_share;
  constexpr uint64_t at_once = 6;  // cuda/kernels/mxv_ell.h
  // Where a few terms end a row: its first one, then a group of them if that did not. A warp mostly has a row
  // that needs the group, and loads the columns of all eight rows of a sector for it.
  double gathered = 1, looked_at = 1;
  if (p.stops_at_once && p.pull_distribution != nullptr && entries > 0) {
    const double first = read_up_to(p, 1) / double(p.entries),
                 group = read_up_to(p, 1 + at_once) / double(p.entries);
    gathered = first + open_share * (group - first);
    looked_at = first + (1 - std::pow(1 - open_share, 8)) * (group - first);
  }
  // A sector of 8 rows' positions is loaded when the mask allows one of them.
  const double loaded = positions * looked_at * (1 - std::pow(1 - allowed, 8));
  const bool asks_presence = p.vector_form != Form::full;
  Demand demand;
  demand.streamed_bytes = double(p.rows) * double(p.result_bytes + (asks_presence || allowed < 1 ? 1 : 0)) +
                          loaded * position_bytes(p);
  demand.gathers = entries * allowed * gathered;
  demand.entries = loaded;
  // A thread a row has twice as many entries in flight as those of CSR.
  demand.wave_loads = wave_loads(p, h, {{double(p.rows), p.rows == 0 ? 0 : loaded / double(p.rows) / 2, 1}});
  if (!p.stops_at_once) demand.tail_loads = double(p.pull_lengths.longest) / at_once;
  return demand;
}

Cost cost_of_ell(const MxvProblem& p, const Hardware& h) {
  // A whole layout's loop that asks after each group whether the sum has come to its end is 1.02 to 1.17
  // times slower (grids and bands, MIN_PLUS, H200); slices' is not.
  const double asking = p.stops_early && !p.stops_at_once ? 1.1 : 1;
  const uint64_t positions = formats::ell_positions(p.rows, p.pull_lengths.longest);
  return cost_of_positions(p, h, "ell", asking, double(positions));
}

Cost cost_of_sell(const MxvProblem& p, const Hardware& h, NumbersId numbers) {
  // Not measured: the longest of 32 rows is about two deviations above the mean.
  const double guess =
      std::min(double(p.pull_lengths.longest), mean_length(p) + 2 * p.pull_lengths.deviation);
  const double columns =
      p.slice_columns > 0 ? p.slice_columns : double(p.rows) / double(ell_slice_rows) * guess;
  return cost_of_positions(p, h, numbers, /*asking=*/1, columns * double(ell_slice_rows));
}

}  // namespace cugrb::operations
