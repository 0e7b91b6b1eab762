#include "src/selector/mxv_model.h"

#include <algorithm>
#include <cmath>

#include "src/selector/kernels.h"

namespace cugrb::selector {

namespace {

/// Resident threads a multiprocessor, and gathers that a thread has in flight (cuda/kernels/mxv_rows.h).
constexpr double threads_per_multiprocessor = 2048;
constexpr double unroll = 4;
/// Dependent loads on the way of a row: offsets, column, vector; the store of the result.
constexpr double loads_in_a_row = 4;

double mean_length(const MxvProblem& p) { return p.rows == 0 ? 0 : double(p.entries) / double(p.rows); }

/// Entries that a pull reads: rows that the mask allows, each up to its first final term.
double entries_read(const MxvProblem& p) {
  const double mean = mean_length(p);
  double per_row = mean;
  if (p.stops_at_once && p.vector_entries > 0) {
    per_row = std::min(mean, double(p.columns) / double(p.vector_entries));
  }
  return double(p.rows) * p.allowed_share * per_row;
}

/// Streams and gathers of a pull overlap; the slower one counts, and a share of the other.
double memory_seconds(const MxvProblem& p, const Hardware& h, double entries, double coalescing) {
  const bool asks_presence = p.vector_form != Form::full;
  const size_t gathered_bytes = p.vector_value_bytes + (asks_presence ? 1 : 0);
  const double streamed = double(p.rows) * double(p.offset_bytes + p.result_bytes + 1) +
                          entries * double(p.column_bytes + p.matrix_value_bytes) * coalescing;
  const double stream = streamed / h.copy_bytes_per_second;
  const double gather =
      gathered_bytes == 0 ? 0 : entries / h.gathers_per_second(p.columns * uint64_t(gathered_bytes));
  return std::max(stream, gather) + 0.3 * std::min(stream, gather);
}

/// Entries that a push sends. A frontier holds long rows more often than chance would have it: a vertex
/// reached over an edge has the mean of the length-biased distribution, E(X^2) / E(X); the geometric mean of
/// that and E(X) is taken.
double edges_sent(const MxvProblem& p) {
  if (p.columns == 0) return 0;
  const double mean = double(p.entries) / double(p.columns);
  const double variation = mean > 0 ? p.push_lengths.deviation / mean : 0;
  return std::min(double(p.entries), double(p.vector_entries) * mean * std::sqrt(1 + variation * variation));
}

/// A bitmap of a sparse vector must be made before a pull.
double bitmap_seconds(const MxvProblem& p, const Hardware& h) {
  if (p.vector_form != Form::sparse) return 0;
  return 2 * h.launch_seconds + double(p.columns) / h.copy_bytes_per_second;
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
  const double tail = (short_longest / in_flight + long_rest) * h.latency_seconds;
  const double latency = waves * steps * h.latency_seconds;
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
  return seconds + loads_in_a_row * h.latency_seconds;
}

/// On the emulated device a CUDA thread is a fiber: threads cost, most of all those that wait for others, and
/// there is neither latency nor bandwidth to speak of. Measured on one core: 0.1 us a thread that never
/// waits, 1.7 us one that does.
double emulated_seconds(const KernelName& kernel, const MxvProblem& p) {
  constexpr double plain = 0.1e-6, waiting = 1.7e-6;
  switch (kernel.family) {
    case Family::rows:
      return double(p.rows) * kernel.lanes * (kernel.lanes == 1 ? plain : waiting);
    case Family::merge:
      return (double(p.rows + p.entries) / formats::merge_items(p.result_bytes) + 256) * waiting;
    case Family::push:
      break;
  }
  return (edges_sent(p) / 4 + 256) * waiting + double(p.rows) * plain;
}

/// A transposition: sort the columns with 64-bit payloads, move the rest.
double transpose_seconds(const MxvProblem& p, const Hardware& h) {
  const double moved = double(p.entries) * double(2 * (8 + p.column_bytes + p.matrix_value_bytes));
  return double(p.entries) / h.sort_keys_per_second + moved / h.copy_bytes_per_second + 10 * h.launch_seconds;
}

Candidate candidate_of(const KernelName& kernel, const MxvProblem& p, const Hardware& h) {
  Candidate c;
  c.kernel = kernel.name;
  const bool pushes = kernel.family == Family::push;
  const bool ready = pushes ? p.push_ready : p.pull_ready;
  c.format = ready ? "csr" : "csr of the transpose";
  c.reason = pushes ? p.push_refusal : kernel.family == Family::merge ? p.merge_refusal : "";
  c.applicable = c.reason.empty();
  if (!c.applicable) return c;
  if (h.emulated) {
    c.predicted_seconds = emulated_seconds(kernel, p);
    return c;
  }
  switch (kernel.family) {
    case Family::rows:
      c.predicted_seconds = rows_seconds(p, h, kernel.lanes);
      break;
    case Family::merge:
      c.predicted_seconds = merge_seconds(p, h);
      break;
    case Family::push:
      c.predicted_seconds = push_seconds(p, h);
      break;
  }
  if (!ready) {
    c.conversion_seconds = transpose_seconds(p, h) / double(1 + (pushes ? p.pull_uses : p.push_uses));
  }
  return c;
}

double charged_seconds(const Candidate& c) { return c.predicted_seconds + c.conversion_seconds; }

}  // namespace

Decision choose_mxv(const MxvProblem& problem, const Hardware& hardware, const std::string& forced) {
  Decision decision;
  decision.operation = problem.operation;
  for (const KernelName& kernel : kernels())
    decision.candidates.push_back(candidate_of(kernel, problem, hardware));
  const Candidate* best = nullptr;
  const Candidate* wanted = nullptr;
  for (const Candidate& c : decision.candidates) {
    if (c.kernel == forced) wanted = &c;
    if (c.applicable && (best == nullptr || charged_seconds(c) < charged_seconds(*best))) best = &c;
  }
  decision.forced = wanted != nullptr && wanted->applicable;
  decision.chosen = decision.forced ? *wanted : *best;  // the row kernels are always applicable
  if (wanted != nullptr && !wanted->applicable) {
    decision.chosen.reason = "CUGRB_FORCE=" + forced + " is not applicable: " + wanted->reason;
  }
  return decision;
}

}  // namespace cugrb::selector
