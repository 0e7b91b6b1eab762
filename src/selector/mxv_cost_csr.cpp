// Predicted times of the matrix-vector kernels on CSR.
#include "src/selector/mxv_costs.h"

#include <algorithm>
#include <cmath>

namespace cugrb::selector {

namespace {

/// Resident threads a multiprocessor, and gathers that a thread has in flight (cuda/kernels/mxv_rows.h).
constexpr double threads_per_multiprocessor = 2048;
constexpr double unroll = 4;
/// Dependent loads on the way of a row: offsets, column, vector; the store of the result.
constexpr double loads_in_a_row = 4;
/// What other warps leave of the latency of a wave's loads (fitted: 8 to 256 lanes a row on even matrices).
constexpr double exposed_latency = 0.5;
/// Updates of one place by compare-and-swap, one after the other: measured 12.6, 28.6 and 71 ms for all edges
/// of RMAT 18, 20 and 22, whose longest rows have 25,311, 64,703 and 162,899 entries.
constexpr double contended_update_seconds = 0.45e-6;

/// Entries that a push sends. A frontier holds long rows more often than chance would have it: a vertex
/// reached over an edge has the mean of the length-biased distribution, E(X^2) / E(X); the geometric mean of
/// that and E(X) is taken.
double edges_sent(const MxvProblem& p) {
  if (p.columns == 0) return 0;
  const double mean = double(p.entries) / double(p.columns);
  const double variation = mean > 0 ? p.push_lengths.deviation / mean : 0;
  return std::min(double(p.entries), double(p.vector_entries) * mean * std::sqrt(1 + variation * variation));
}

double rows_seconds(const MxvProblem& p, const Hardware& h, int lanes) {
  const double mean = mean_length(p), longest = double(p.pull_lengths.longest);
  const double in_flight = unroll * lanes;
  // Fewer than 8 lanes ask for less than a 32-byte sector of columns at a time.
  const double coalescing = lanes >= 8 ? 1 : 1 + 0.1 * (8 - lanes);
  const double waves = std::ceil(double(p.rows) * lanes / (h.multiprocessors * threads_per_multiprocessor));
  const double steps = loads_in_a_row + std::ceil(mean * (p.stops_at_once ? 0.25 : 1) / in_flight);
  const double short_longest = lanes == 256 ? longest : std::min(longest, double(formats::longest_short_row));
  const double long_rest =
      longest > double(formats::longest_short_row) && lanes != 256 ? longest / (256 * unroll) : 0;
  // A row that a few terms end keeps nobody waiting, however long it is.
  const double tail = p.stops_at_once ? 0 : (short_longest / in_flight + long_rest) * h.latency_seconds;
  const double latency = waves * steps * exposed_latency * h.latency_seconds;
  return h.launch_seconds + std::max(memory_seconds(p, h, entries_read(p), coalescing), latency) + tail +
         bitmap_seconds(p, h);
}

double merge_seconds(const MxvProblem& p, const Hardware& h) {
  const double entries = double(p.entries) * p.allowed_share;
  const double steps = double(p.rows) + double(p.entries);
  const double tiles = steps / (256.0 * formats::merge_items(p.result_bytes));
  const double waves = std::ceil(tiles * 256 / (h.multiprocessors * threads_per_multiprocessor));
  const double overhead =
      p.allowed_share < 1 ? 1.3 : 1.1;  // path search, shared memory; the mask is asked per thread
  return 2 * h.launch_seconds +
         std::max(overhead * memory_seconds(p, h, entries, 1), waves * 6 * h.latency_seconds) +
         bitmap_seconds(p, h);
}

double push_seconds(const MxvProblem& p, const Hardware& h) {
  const double edges = edges_sent(p);
  double seconds = 5 * h.launch_seconds;  // begin, scan (2), push, count
  if (p.vector_form == Form::bitmap)
    seconds += 3 * h.launch_seconds + double(p.columns) / h.copy_bytes_per_second;
  seconds += double(p.rows) * double(p.result_bytes + 1) / h.copy_bytes_per_second;
  seconds += edges * double(p.column_bytes + p.matrix_value_bytes) / h.copy_bytes_per_second;
  seconds += edges / h.gathers_per_second(p.rows);  // the mask or the presence flag
  const double updates = edges * p.allowed_share;
  seconds += (p.stops_at_once ? 0.2 : 1.0) * updates / h.atomics_per_second;
  if (!p.stops_at_once && p.columns > 0) {
    const double sent = std::min(1.0, double(p.vector_entries) / double(p.columns));
    seconds += sent * double(p.pull_lengths.longest) * contended_update_seconds;
  }
  return seconds + loads_in_a_row * h.latency_seconds;
}

double on_emulated_rows(const MxvProblem& p, const KernelName& kernel) {
  return double(p.rows) * kernel.lanes *
         (kernel.lanes == 1 ? emulated_plain_thread : emulated_waiting_thread);
}
double on_emulated_merge(const MxvProblem& p) {
  return (double(p.rows + p.entries) / formats::merge_items(p.result_bytes) + 256) * emulated_waiting_thread;
}
double on_emulated_push(const MxvProblem& p) {
  return (edges_sent(p) / 4 + 256) * emulated_waiting_thread + double(p.rows) * emulated_plain_thread;
}

}  // namespace

Cost cost_of_rows(const MxvProblem& p, const Hardware& h, const KernelName& kernel) {
  return {h.emulated ? on_emulated_rows(p, kernel) : rows_seconds(p, h, kernel.lanes), 0, {}};
}

Cost cost_of_merge(const MxvProblem& p, const Hardware& h, const KernelName&) {
  if (!p.merge_refusal.empty()) return Cost::refused(p.merge_refusal);
  return {h.emulated ? on_emulated_merge(p) : merge_seconds(p, h), 0, {}};
}

Cost cost_of_push(const MxvProblem& p, const Hardware& h, const KernelName&) {
  if (!p.push_refusal.empty()) return Cost::refused(p.push_refusal);
  return {h.emulated ? on_emulated_push(p) : push_seconds(p, h), 0, {}};
}

}  // namespace cugrb::selector
