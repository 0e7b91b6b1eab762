// Predicted times of the matrix-vector kernels on a list of entries (COO), on slices with a list (HYB) and on
// a list for each tile of columns (TILE-COO).
#include <algorithm>

#include "src/formats/ell.h"
#include "src/formats/hyb.h"
#include "src/formats/tile_coo.h"
#include "src/selector/mxv_costs.h"

namespace cugrb::selector {

namespace {

/// Shared memory, carries: over what the streams and gathers take.
constexpr double list_overhead = 1.2;

double row_bytes(const MxvProblem& p) { return double(formats::bytes_of(formats::index_width(p.rows))); }
double position_bytes(const MxvProblem& p) { return double(p.column_bytes + p.matrix_value_bytes); }
double list_bytes(const MxvProblem& p) { return row_bytes(p) + position_bytes(p); }

/// Every entry is read; those that the mask allows are multiplied by operands of so many columns.
double list_seconds(const MxvProblem& p, const Hardware& h, double entries, uint64_t columns) {
  const double stream = entries * list_bytes(p) / h.copy_bytes_per_second;
  const size_t gathered_bytes = p.vector_value_bytes + (p.vector_form != Form::full ? 1 : 0);
  const double gather = gathered_bytes == 0 ? 0
                                            : entries * p.allowed_share /
                                                  h.gathers_per_second(columns * uint64_t(gathered_bytes));
  return list_overhead * (std::max(stream, gather) + 0.3 * std::min(stream, gather));
}

double on_emulated_list(const MxvProblem& p, double entries) {
  const int items = std::max(1, formats::merge_items(p.result_bytes));
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

Cost cost_of_coo(const MxvProblem& p, const Hardware& h, const KernelName&) {
  if (formats::merge_items(p.result_bytes) == 0)
    return Cost::refused("values of " + std::to_string(p.result_bytes) + " bytes are too large");
  const double entries = double(p.entries);
  if (h.emulated) return {on_emulated_list(p, entries), 0, {}};
  // T begins without entries: its presence is cleared.
  const double result = double(p.rows) * double(p.result_bytes + 2) / h.copy_bytes_per_second;
  return {3 * h.launch_seconds + list_seconds(p, h, entries, p.columns) + result + bitmap_seconds(p, h),
          h.launch_seconds + 1.5 * entries * row_bytes(p) / h.copy_bytes_per_second,
          {}};
}

Cost cost_of_hyb(const MxvProblem& p, const Hardware& h, const KernelName&) {
  if (formats::merge_items(p.result_bytes) == 0)
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
  return {3 * h.launch_seconds + ell_memory_seconds(p, h, parts.positions, parts.first) +
              list_seconds(p, h, parts.rest, p.columns) + bitmap_seconds(p, h),
          9 * h.launch_seconds + moved / h.copy_bytes_per_second,
          {}};
}

Cost cost_of_tile_coo(const MxvProblem& p, const Hardware& h, const KernelName&) {
  if (!p.tile_refusal.empty()) return Cost::refused(p.tile_refusal);
  if (formats::merge_items(p.result_bytes) == 0)
    return Cost::refused("values of " + std::to_string(p.result_bytes) + " bytes are too large");
  if (p.popularity == nullptr) return Cost::refused("the columns' entries are not counted yet");
  const double entries = double(p.entries);
  const int tiles = formats::coo_tiles(*p.popularity, p.tile_columns);
  if (h.emulated) return {on_emulated_list(p, entries) + tiles * 256 * emulated_waiting_thread, 0, {}};
  double seconds = h.launch_seconds;  // the popular columns' operands
  double before = 0;
  for (int t = 1; t <= tiles; ++t) {
    const double until = double(p.popularity->entries_of(uint64_t(t) * p.tile_columns));
    seconds += 2 * h.launch_seconds + list_seconds(p, h, until - before, p.tile_columns);
    before = until;
  }
  if (entries > before) seconds += 2 * h.launch_seconds + list_seconds(p, h, entries - before, p.columns);
  const double result = double(p.rows) * double(p.result_bytes + 2) / h.copy_bytes_per_second;
  // A sort of 64-bit positions by tile, and a gather by them.
  const double conversion = (tiles + 4) * h.launch_seconds + entries / h.sort_keys_per_second +
                            3 * entries * list_bytes(p) / h.copy_bytes_per_second;
  return {seconds + result, conversion, {}};
}

}  // namespace cugrb::selector
