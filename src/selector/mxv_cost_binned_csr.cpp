// Predicted time of the matrix-vector kernel on binned CSR, and the terms of all kernels over rows in bins.
#include <algorithm>

#include "src/formats/binned_csr.h"
#include "src/selector/mxv_costs.h"

namespace cugrb::selector {

namespace {

/// Rows with entries, and those of at most `limit` entries, of the problem's matrix.
uint64_t rows_with_entries(const MxvProblem& p) { return p.rows - p.pull_lengths.empty; }
double entries_up_to(const MxvProblem& p, uint64_t limit) {
  if (p.pull_distribution != nullptr) return double(p.pull_distribution->entries_up_to(limit));
  return double(p.pull_lengths.longest) <= double(limit) ? double(p.entries) : 0;
}

}  // namespace

double bins_memory_seconds(const MxvProblem& p, const Hardware& h, double row_bytes) {
  const formats::BinThresholds thresholds;
  // A thread a row asks for one column of a 32-byte sector at a time (as in mxv_cost_csr.cpp).
  const double tiny = entries_up_to(p, thresholds.tiny), read = entries_read_by_groups(p, 64);
  const double share = p.entries == 0 ? 0 : read / double(p.entries);
  const bool gaps = p.pull_lengths.empty > 0 || p.allowed_share < 1 || p.vector_form != Form::full;
  const double rows = double(rows_with_entries(p));
  const double streamed = rows * (row_bytes + double(p.result_bytes)) + (gaps ? 2 * double(p.rows) : 0) +
                          (read + 0.7 * share * tiny) * double(p.column_bytes + p.matrix_value_bytes);
  const double stream = streamed / h.copy_bytes_per_second;
  const size_t gathered_bytes = p.vector_value_bytes + (p.vector_form != Form::full ? 1 : 0);
  const double gather =
      gathered_bytes == 0 ? 0 : read / h.gathers_per_second(p.columns * uint64_t(gathered_bytes));
  return std::max(stream, gather) + 0.3 * std::min(stream, gather);
}

double on_emulated_bins(const MxvProblem& p) { return (double(p.rows) * 16 + 256) * emulated_waiting_thread; }

Cost cost_of_binned_csr(const MxvProblem& p, const Hardware& h, const KernelName&) {
  if (!lengths_known(p)) return Cost::refused("the lengths of its rows are not known yet");
  if (h.emulated) return {on_emulated_bins(p), 0, {}};
  const formats::BinThresholds thresholds;
  const double record_bytes =
      2 * double(p.offset_bytes) + double(formats::bytes_of(formats::index_width(p.rows)));
  const double launches = p.pull_lengths.longest > thresholds.block ? 3 : 2;
  // A warp's rows of at most `normal` entries wait for the longest; chunks are even.
  const double longest = double(std::min<uint64_t>(p.pull_lengths.longest, thresholds.normal));
  const double tail = longest / (32 * 4) * h.latency_seconds * 0.25;
  const double sorted = double(p.rows) * (16 * 3 + record_bytes);
  return {launches * h.launch_seconds + bins_memory_seconds(p, h, record_bytes) + tail + bitmap_seconds(p, h),
          8 * h.launch_seconds + double(p.rows) / h.sort_keys_per_second + sorted / h.copy_bytes_per_second,
          {}};
}

}  // namespace cugrb::selector
