// Predicted time of the matrix-vector kernel on binned CSR, and the terms of all kernels over rows in bins.
#include <algorithm>
#include <cmath>

#include "src/formats/binned_csr.h"
#include "src/operations/multiply/mxv/binned_csr/binned_csr.h"

namespace cugrb::operations {

using namespace selector;

namespace {

/// Of wide values all gathers of a step are in flight: there the kernel has the registers.
constexpr double wide_bin_tail = 0.55;

/// Rows with entries, and those of at most `limit` entries, of the problem's matrix.
uint64_t rows_with_entries(const MxvProblem& p) { return p.rows - p.pull_lengths.empty; }
double rows_up_to(const MxvProblem& p, uint64_t limit) {
  if (limit == 0) return 0;
  if (p.pull_distribution != nullptr)
    return double(p.pull_distribution->rows_up_to(limit) - p.pull_lengths.empty);
  return double(p.pull_lengths.longest) <= double(limit) ? double(rows_with_entries(p)) : 0;
}
double entries_up_to(const MxvProblem& p, uint64_t limit) {
  if (p.pull_distribution != nullptr) return double(p.pull_distribution->entries_up_to(limit));
  return double(p.pull_lengths.longest) <= double(limit) ? double(p.entries) : 0;
}

/// Entries among the first `most` of each row of more than `above` entries and at most `limit`.
double read_of_class(const MxvProblem& p, uint64_t above, uint64_t limit, uint64_t most) {
  const uint64_t whole = std::clamp(most, above, limit);
  return entries_up_to(p, whole) - entries_up_to(p, above) +
         double(most) * (rows_up_to(p, limit) - rows_up_to(p, whole));
}
/// Where a term ends most sums: the first entry of each lane, then four more if none of these ended the row.
double read_of_class(const MxvProblem& p, uint64_t above, const BinClass& bin) {
  const double first = read_of_class(p, above, bin.longest, uint64_t(bin.lanes)),
               next = read_of_class(p, above, bin.longest, uint64_t(5 * bin.lanes));
  return first + std::pow(open_share, bin.lanes) * (next - first);
}

}  // namespace

Demand demand_of_bins(const MxvProblem& p, const Hardware& h, const std::vector<BinClass>& classes,
                      double row_bytes) {
  Demand demand;
  const bool ends = p.stops_at_once && p.pull_distribution != nullptr;
  const double all = entries_read(p), share = p.entries == 0 ? 0 : all / double(p.entries);
  demand.streamed_bytes = double(rows_with_entries(p)) * (row_bytes + double(p.result_bytes)) +
                          (has_gaps(p) ? 2 * double(p.rows) : 0);
  std::vector<RowGroup> groups;
  uint64_t above = 0;
  for (const BinClass& bin : classes) {
    const double entries = entries_up_to(p, bin.longest) - entries_up_to(p, above);
    const double rows = rows_up_to(p, bin.longest) - rows_up_to(p, above);
    const double read = ends ? p.allowed_share * read_of_class(p, above, bin) : share * entries;
    above = bin.longest;
    if (rows <= 0) continue;
    demand.gathers += read;
    groups.push_back({rows, entries / rows, bin.lanes});
    demand.streamed_bytes +=
        read * sector_loads(p, h, entries / rows, bin.lanes) * double(p.column_bytes + p.matrix_value_bytes);
  }
  demand.entries = demand.gathers;
  demand.wave_loads = wave_loads(p, h, groups);
  demand.more_launches = int(has_gaps(p)) + int(p.pull_lengths.longest > formats::BinThresholds().block);
  demand.longest_first = true;
  // A warp's rows wait for the longest; blocks and chunks are even.
  if (!p.stops_at_once) {
    const double longest = double(p.pull_lengths.longest), warp = 2048;
    demand.tail_loads =
        std::min(longest, warp) / (32 * 4) + (longest > warp ? std::min(longest, 32768.0) / (256 * 4) : 0);
  }
  return demand;
}

double on_emulated_bins(const MxvProblem& p) { return (double(p.rows) * 16 + 256) * emulated_waiting_thread; }

Cost cost_of_binned_csr(const MxvProblem& p, const Hardware& h) {
  if (!lengths_known(p)) return Cost::refused("the lengths of its rows are not known yet");
  if (h.emulated) return {on_emulated_bins(p), 0, {}};
  const formats::BinThresholds thresholds;
  const double record_bytes =
      2 * double(p.offset_bytes) + double(formats::bytes_of(formats::index_width(p.rows)));
  const double sorted = double(p.rows) * (16 * 3 + record_bytes);
  const std::vector<BinClass> classes = {
      {thresholds.tiny, 1}, {thresholds.small, 16}, {thresholds.normal, 32}, {~uint64_t(0), 256}};
  Demand demand = demand_of_bins(p, h, classes, record_bytes);
  if (p.result_bytes >= 8) demand.tail_loads *= wide_bin_tail;
  return {product_seconds(p, h, "binned_csr", demand),
          8 * h.launch_seconds + double(p.rows) / h.sort_keys_per_second + sorted / h.copy_bytes_per_second,
          {}};
}

}  // namespace cugrb::operations
