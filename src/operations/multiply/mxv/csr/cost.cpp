// Predicted times of the matrix-vector kernels on CSR.
#include <algorithm>
#include <cmath>

#include "cuda/views/mxv.h"
#include "src/operations/multiply/mxv/csr/csr.h"

namespace cugrb::operations {

using namespace selector;

namespace {

/// Entries that a push sends. A frontier holds long rows more often than chance would have it: a vertex
/// reached over an edge has the mean of the length-biased distribution, E(X^2) / E(X); the geometric mean of
/// that and E(X) is taken.
double edges_sent(const MxvProblem& p) {
  if (p.columns == 0) return 0;
  const double mean = double(p.entries) / double(p.columns);
  const double variation = mean > 0 ? p.push_lengths.deviation / mean : 0;
  return std::min(double(p.entries), double(p.vector_entries) * mean * std::sqrt(1 + variation * variation));
}

/// The longest row of at most `limit` entries.
double longest_up_to(const MxvProblem& p, double limit) {
  if (double(p.pull_lengths.longest) <= limit || p.pull_distribution == nullptr)
    return std::min(limit, double(p.pull_lengths.longest));
  const formats::LengthDistribution& d = *p.pull_distribution;
  return double(d.fractile(d.rows_up_to(uint64_t(limit)), d.rows()));
}

/// Where a row has few lanes, those of shorter rows have nothing under way while a warp's longest one goes
/// on. By its length over the mean one; where terms end rows these are much alike.
double slowed_by_idle_lanes(const MxvProblem& p, int lanes, double limit) {
  constexpr double slower = 0.15;
  const double mean = mean_length(p);
  if (lanes > 2 || p.stops_at_once || p.pull_distribution == nullptr || mean == 0) return 1;
  const double longest = p.pull_distribution->expected_longest(32 / unsigned(lanes), uint64_t(limit),
                                                               formats::LengthDistribution::LongRows::empty);
  return 1 + slower * std::log(std::max(1.0, longest / mean));
}

/// Of the entries that a block loads before it asks for an end: most of their columns are popular.
constexpr double first_entries_share = 0.8;

/// Of the time that a step of the longest row takes with fewer registers.
constexpr double wide_tail = 0.75;

double rows_seconds(const MxvProblem& p, const Hardware& h, int lanes) {
  constexpr double unroll = 4;  // gathers that a thread has in flight (cuda/kernels/mxv_rows.h)
  const double mean = mean_length(p), longest = double(p.pull_lengths.longest);
  const double limit = lanes == 256 ? longest : double(formats::longest_short_row);
  // Where lengths differ, the longer rows' lanes are alone.
  const double typical =
      p.pull_distribution == nullptr ? mean : std::min(mean, double(p.pull_distribution->fractile(1, 2)));
  Demand demand;
  demand.gathers = demand.entries = entries_read_by_lanes(p, lanes);
  const double entry_bytes = double(p.column_bytes + p.matrix_value_bytes);
  double bytes = demand.entries * entry_bytes * sector_loads(p, h, typical, lanes);
  if (p.stops_at_once) {
    const double sectors = double(p.rows - p.pull_lengths.empty) * p.allowed_share * 32;
    bytes = std::max(bytes, std::min(sectors, double(p.entries) * entry_bytes));
    if (lanes < 256 && p.pull_distribution != nullptr) {
      const double long_rows = double(p.pull_distribution->rows_above(uint64_t(limit))) * p.allowed_share;
      const double by_blocks = first_entries_share * long_rows * 256 * unroll;
      demand.gathers += by_blocks;
      demand.entries += by_blocks;
      bytes += by_blocks * entry_bytes;
    }
  }
  demand.streamed_bytes = double(p.rows) * double(p.offset_bytes + p.result_bytes + 1) + bytes;
  // A block that finds its row empty makes room for the next one; an empty row's lanes wait for their warp.
  const double empty = lanes == 256 && lengths_known(p) ? double(p.pull_lengths.empty) : 0;
  const double others = std::max(1.0, double(p.rows) - empty);
  demand.wave_loads =
      wave_loads(p, h, {{others, double(p.entries) / others, double(lanes)}, {empty, 0, double(lanes)}});
  demand.slower = slowed_by_idle_lanes(p, lanes, limit);
  if (!p.stops_at_once) {  // a row that a few terms end keeps nobody waiting, however long it is
    // A lone thread's next entries are in part in the sectors that it has; asking after each step whether the
    // sum has come to its end takes time, too.
    const double step = (lanes == 1 ? 0.8 : 1) * (p.stops_early ? 1.3 : 1);
    demand.tail_loads =
        step * longest_up_to(p, limit) / (unroll * lanes) + (longest > limit ? longest / (256 * unroll) : 0);
    // Sums of eight bytes have registers for their gathers where few lanes have a row (mxv_rows.h).
    if (p.result_bytes >= 8 && lanes <= 16) demand.tail_loads *= wide_tail;
  }
  return product_seconds(p, h, numbers_of_rows(lanes), demand);
}

double merge_seconds(const MxvProblem& p, const Hardware& h) {
  Demand demand;
  demand.gathers = double(p.entries) * p.allowed_share;
  demand.entries = double(p.rows) + double(p.entries);  // steps of the path
  demand.streamed_bytes = double(p.rows) * double(p.offset_bytes + p.result_bytes + 1) +
                          demand.gathers * double(p.column_bytes + p.matrix_value_bytes);
  return product_seconds(p, h, "merge", demand);
}

/// A thread's updates by compare-and-swap follow each other; single instructions need not be waited for. Of
/// all that a thread has when there are so many edges or more.
constexpr double swapping_seconds = 12e-6, swapping_edges = 2048;
/// Neighbours' terms that go to places far from each other wait longer, as long as few are on their way.
constexpr double scattered_seconds = 20e-6, scattered_edges = 2.5e5;

/// Positions of T that so many terms reach, each with entries as likely as any other.
double places_reached(const MxvProblem& p, double terms) {
  const double places = p.allowed_share * double(p.rows - (lengths_known(p) ? p.pull_lengths.empty : 0));
  return places > 0 ? places * -std::expm1(-terms / places) : 0;
}

/// Terms on their way into T. One that changes nothing (a minimum that is there already) is not stored: there
/// the first ones of a place cost most. ANY's are plain stores.
double sums_seconds(const MxvProblem& p, const Hardware& h, double terms) {
  const double entry_seconds = h.of("push").entry_seconds;
  if (!p.has_identity) return 0.5 * terms * entry_seconds;
  const double term = p.stops_early ? 0.35 : p.swaps_to_add ? 1 : 0.5;
  const double first = p.stops_at_once ? 3.5 : p.stops_early ? 6 : 1.5;
  double seconds = (terms * term + places_reached(p, terms) * first) * entry_seconds;
  seconds += scattered_seconds * gathers_apart(p) * std::min(1.0, terms / scattered_edges);
  if (!p.swaps_to_add) return seconds;
  seconds += swapping_seconds * std::min(1.0, terms / swapping_edges);
  if (p.stops_early || p.columns == 0) return seconds;
  // Of a place that many ask for at a time, all but one ask again.
  const double sent = std::min(1.0, double(p.vector_entries) / double(p.columns));
  const double longest = sent * double(p.pull_lengths.longest);
  const double resident = 2048 * h.multiprocessors;
  const double together = std::min(longest, resident * longest / std::max(1.0, terms));
  return seconds + longest * h.contended_update_seconds * (1 + std::log10(std::max(1.0, together)));
}

double push_seconds(const MxvProblem& p, const Hardware& h) {
  const double edges = edges_sent(p);
  const KernelNumbers& k = h.of("push");
  double seconds = k.start_seconds;  // begin, scan (2), push, count
  if (p.vector_form == Form::bitmap)
    seconds += 3 * h.launch_seconds + double(p.columns) / h.copy_bytes_per_second;
  seconds += double(p.rows) * double(p.result_bytes + 1) / h.copy_bytes_per_second;
  seconds +=
      edges * double(p.column_bytes + p.matrix_value_bytes) / (k.stream_share * h.copy_bytes_per_second);
  seconds += edges / h.gathers_per_second(p.rows);  // the mask or the presence flag
  seconds += sums_seconds(p, h, edges * p.allowed_share);
  // Begin, scan (2), push, count; a list of a bitmap's entries (3) first.
  const double launches = p.vector_form == Form::bitmap ? 8 : 5;
  return std::max(seconds, p.deterministic ? 0 : launches * p.host_call_seconds);
}

double on_emulated_rows(const MxvProblem& p, int lanes) {
  return double(p.rows) * lanes * (lanes == 1 ? emulated_plain_thread : emulated_waiting_thread);
}
double on_emulated_merge(const MxvProblem& p) {
  return (double(p.rows + p.entries) / merge_items + 256) * emulated_waiting_thread;
}
double on_emulated_push(const MxvProblem& p) {
  return (edges_sent(p) / 4 + 256) * emulated_waiting_thread + double(p.rows) * emulated_plain_thread;
}

}  // namespace

Cost cost_of_rows(const MxvProblem& p, const Hardware& h, int lanes) {
  return {h.emulated ? on_emulated_rows(p, lanes) : rows_seconds(p, h, lanes), 0, {}};
}

Cost cost_of_merge(const MxvProblem& p, const Hardware& h) {
  if (!p.merge_refusal.empty()) return Cost::refused(p.merge_refusal);
  return {h.emulated ? on_emulated_merge(p) : merge_seconds(p, h), 0, {}};
}

Cost cost_of_push(const MxvProblem& p, const Hardware& h) {
  if (!p.push_refusal.empty()) return Cost::refused(p.push_refusal);
  return {h.emulated ? on_emulated_push(p) : push_seconds(p, h), 0, {}};
}

}  // namespace cugrb::operations
