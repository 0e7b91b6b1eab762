#include "src/selector/mxv_cost_terms.h"

#include <algorithm>
#include <cmath>

#include "src/selector/looks.h"

namespace cugrb::selector {

double mean_length(const MxvProblem& p) { return p.rows == 0 ? 0 : double(p.entries) / double(p.rows); }

double entries_read(const MxvProblem& p) {
  const double mean = mean_length(p);
  double per_row = mean;
  if (p.stops_at_once && p.vector_entries > 0) {
    per_row = std::min(mean, double(p.columns) / double(p.vector_entries));
  }
  return double(p.rows) * p.allowed_share * per_row;
}

double read_up_to(const MxvProblem& p, uint64_t length) {
  const formats::LengthDistribution& d = *p.pull_distribution;
  return double(d.entries_up_to(length) + length * d.rows_above(length));
}

double entries_read_by_lanes(const MxvProblem& p, double lanes) {
  if (!p.stops_at_once || p.pull_distribution == nullptr) return entries_read(p);
  constexpr double unroll = 4;
  const double first = read_up_to(p, uint64_t(lanes)), next = read_up_to(p, uint64_t((1 + unroll) * lanes));
  return p.allowed_share * (first + std::pow(open_share, lanes) * (next - first));
}

std::string memory_refusal(const MxvProblem& p, double bytes) {
  constexpr double largest_share = 0.4;  // the CSR is there, too, and vectors
  if (p.memory_bytes == 0 || bytes <= largest_share * double(p.memory_bytes)) return {};
  return "it would take " + std::to_string(uint64_t(bytes)) + " bytes of memory";
}

std::string tiles_refusal(const MxvProblem& p) {
  if (!p.tile_refusal.empty()) return p.tile_refusal;
  if (p.popularity != nullptr) return {};
  if (p.entries < least_tiled_entries)
    return "columns are not sampled where there are fewer than " + std::to_string(least_tiled_entries) +
           " entries";
  if (p.stops_at_once) return "columns are not sampled where a few terms end a sum";
  return "the columns are not sampled yet";
}

bool has_gaps(const MxvProblem& p) { return p.allowed_share < 1 || p.vector_form != Form::full; }

size_t gathered_bytes(const MxvProblem& p) {
  return p.vector_value_bytes + (p.vector_form != Form::full ? 1 : 0);
}

double gathers_apart(const MxvProblem& p) { return p.gathers.sectors(gathered_bytes(p)); }

namespace {

/// Of the entries, those of so large a share of the rows, the longest ones.
double share_of_longest(const formats::LengthDistribution& lengths, double share) {
  const double rows = share * double(lengths.rows());
  const uint64_t shortest = lengths.fractile(uint64_t(double(lengths.rows()) - rows), lengths.rows());
  const double of_shortest = (rows - double(lengths.rows_above(shortest))) * double(shortest);
  return (double(lengths.entries_above(shortest)) + of_shortest) / double(lengths.entries());
}

/// Whether decisions know how the entries spread over the columns. Where a kernel that is asked for by name
/// had them counted, all kernels are predicted as if they were not: numbers are fitted to such predictions.
bool columns_sampled(const MxvProblem& p) {
  return p.popularity != nullptr && p.entries >= least_tiled_entries && !p.stops_at_once;
}

}  // namespace

double share_of_popular(const MxvProblem& p, double cache_bytes) {
  const double columns = cache_bytes / double(gathered_bytes(p)), all = double(p.columns);
  if (columns >= all) return 1;
  if (p.entries == 0) return columns / all;
  if (!columns_sampled(p))
    return p.pull_distribution == nullptr ? columns / all
                                          : share_of_longest(*p.pull_distribution, columns / all);
  const double known = double((p.popularity->entries_of_first.size() - 1) * p.popularity->sample_columns);
  const double popular =
      double(p.popularity->entries_of(uint64_t(std::min(columns, known)))) / double(p.entries);
  const double rest = columns > known && all > known ? (columns - known) / (all - known) : 0;
  return popular + (1 - popular) * rest;
}

double gathers_past_l1(const MxvProblem& p, const Hardware& h) {
  return gathered_bytes(p) == 0 ? 0 : gathers_apart(p) * (1 - share_of_popular(p, h.popular_bytes));
}

double gather_seconds(const MxvProblem& p, const Hardware& h, double gathers) {
  const size_t bytes = gathered_bytes(p);
  if (bytes == 0) return 0;
  const double apart = gathers_apart(p), popular = share_of_popular(p, h.popular_bytes);
  double kept = std::max(popular, share_of_popular(p, h.cached_bytes)), vector_seconds = 0;
  // Where neighbours share most of their sectors, these come from memory once, one after the other.
  if (apart < 0.5) {
    vector_seconds = (1 - kept) * double(p.columns * bytes) / h.copy_bytes_per_second;
    kept = 1;
  }
  const double near = apart * (kept - popular), far = apart * (1 - kept);
  return vector_seconds + gathers * ((1 - near - far) * p.gathers.lines / h.popular_gathers_per_second +
                                     near / h.near_gathers_per_second + far / h.far_gathers_per_second);
}

/// Offsets, column, operand, result.
constexpr double loads_in_a_row = 4;

double wave_loads(const MxvProblem& p, const Hardware& h, const std::vector<RowGroup>& groups) {
  constexpr double threads_per_multiprocessor = 2048, unroll = 4, group_loads = 0.1;
  double threads = 0, loads = 0;
  for (const RowGroup& g : groups) {
    const double steps = std::ceil(g.mean_length * (p.stops_at_once ? 0.25 : 1) / (unroll * g.lanes));
    // A warp's groups of lanes join their sums, and vote on their ends, one group after the other.
    const double groups = g.lanes > 1 && g.lanes < 32 ? 32 / g.lanes : 0;
    const double joined = group_loads * groups * (p.stops_early ? 2 : 1);
    // A warp mostly has a row that its first entries did not end: its next ones, and their operands.
    const double open = p.stops_at_once && g.mean_length > g.lanes && g.lanes < 32
                            ? 1 - std::pow(1 - std::pow(open_share, g.lanes), 32 / g.lanes)
                            : 0;
    threads += g.rows * g.lanes;
    loads += g.rows * g.lanes * (g.mean_length > 0 ? loads_in_a_row + steps + joined + open : 2);
  }
  const double resident = h.multiprocessors * threads_per_multiprocessor;
  // Sums of four bytes that no term ends early are joined by fewer instructions.
  const double joins = p.stops_at_once ? 0.87 : p.stops_early || p.result_bytes > 4 ? 1 : 0.8;
  return threads == 0 ? 0 : joins * std::max(1.0, threads / resident) * loads / threads;
}

double sector_loads(const MxvProblem& p, const Hardware& h, double typical_length, double lanes) {
  if (lanes >= 8) return 1;
  const double resident = std::min(1.0, double(p.rows) * lanes / (2048 * h.multiprocessors));
  const double apart = std::log2(8 / lanes) / 3, bytes = double(p.column_bytes + p.matrix_value_bytes);
  // Sums of eight bytes have a step's loads in flight together, so that its sectors come once (mxv_rows.h).
  const double again = p.result_bytes >= 8 ? 0.1 : 0.2;
  return 1 + again * bytes * resident * std::pow(apart, 3) * std::clamp((typical_length - 6) / 27, 0.0, 1.0);
}

double kept_share(const MxvProblem& p, const Hardware& h, double streamed_bytes) {
  const double result = double(p.rows * p.result_bytes);
  return h.kept_share(std::max(0.0, streamed_bytes - result),
                      double(p.columns * gathered_bytes(p)) + 2 * result);
}

double product_seconds(const MxvProblem& p, const Hardware& h, NumbersId kernels, const Demand& demand) {
  const KernelNumbers& k = h.of(kernels);
  const double kept = kept_share(p, h, demand.streamed_bytes);
  const double stream = demand.streamed_bytes / (k.stream_share * h.streamed_bytes_per_second(kept));
  const double gather = gather_seconds(p, h, demand.gathers) / k.gather_share;
  const double most =
      std::max({stream, gather, demand.entries * k.entry_seconds, demand.wave_loads * k.wave_load_seconds});
  // A load from L2 takes half of the time of one from memory. Columns come first, then operands, some of them
  // from L1.
  const double step = 0.65 + 0.35 * gathers_past_l1(p, h);
  // Wider entries fill the sectors that a row's threads wait for sooner.
  const double width = 0.5 + 0.5 * double(p.column_bytes + p.matrix_value_bytes + p.vector_value_bytes) / 12;
  const double more = demand.more_launches * h.further_launch_seconds;
  // Gathers that share their sectors with neighbours find them in L1, behind no stream.
  const double memory = demand.slower * (most + k.overlap * gathers_apart(p) * std::min(stream, gather));
  // Its own first loads come before the chain.
  const double first = std::min(demand.wave_loads, loads_in_a_row) * k.wave_load_seconds;
  const double tail = (demand.longest_first ? first : 0) +
                      demand.tail_loads * step * width * (1 - 0.5 * kept) * k.tail_load_seconds +
                      demand.tail_seconds;
  // One row's chain of loads begins somewhere among the others' and is hidden in part; the first one's is
  // hidden as far as there is anything else.
  const double busy = demand.longest_first ? slower_of(memory, tail) : std::hypot(memory, tail);
  return slower_of(seconds_of_call(p, h, kernels), k.start_seconds + busy + bitmap_seconds(p, h)) + more;
}

double seconds_of_call(const MxvProblem& p, const Hardware& h, NumbersId kernels) {
  // Beyond these it was not the host that launches waited for.
  constexpr double least_pace = 0.7, most_pace = 2;
  // Which kernel makes sums that have a fixed order must not depend on the host.
  const bool counts = p.host_call_seconds > 0 && !p.deterministic;
  const double pace = counts ? p.host_call_seconds / usual_host_call_seconds : 1;
  return std::clamp(pace, least_pace, most_pace) * h.of(kernels).call_seconds;
}

double slower_of(double call_seconds, double device_seconds) {
  return std::pow(std::pow(call_seconds, 8) + std::pow(device_seconds, 8), 1 / 8.0);
}

double bitmap_seconds(const MxvProblem& p, const Hardware& h) {
  if (p.vector_form != Form::sparse) return 0;
  return 2 * h.launch_seconds + double(p.columns) / h.copy_bytes_per_second;
}

double transpose_seconds(const MxvProblem& p, const Hardware& h) {
  const double moved = double(p.entries) * double(2 * (8 + p.column_bytes + p.matrix_value_bytes));
  return double(p.entries) / h.sort_keys_per_second + moved / h.copy_bytes_per_second + 10 * h.launch_seconds;
}

}  // namespace cugrb::selector
