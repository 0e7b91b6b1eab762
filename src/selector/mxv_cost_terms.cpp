#include <algorithm>

#include "src/selector/mxv_costs.h"

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

double entries_read_by_groups(const MxvProblem& p, uint64_t at_once) {
  if (!p.stops_at_once || p.pull_distribution == nullptr) return entries_read(p);
  const formats::LengthDistribution& d = *p.pull_distribution;
  return p.allowed_share * double(d.entries_up_to(at_once) + at_once * d.rows_above(at_once));
}

std::string memory_refusal(const MxvProblem& p, double bytes) {
  constexpr double largest_share = 0.4;  // the CSR is there, too, and vectors
  if (p.memory_bytes == 0 || bytes <= largest_share * double(p.memory_bytes)) return {};
  return "it would take " + std::to_string(uint64_t(bytes)) + " bytes of memory";
}

double gathered_sectors(const MxvProblem& p) {
  return std::min(1.0, p.sectors_an_entry * std::max(1.0, double(p.vector_value_bytes) / 4));
}

double memory_seconds(const MxvProblem& p, const Hardware& h, double entries, double coalescing) {
  const bool asks_presence = p.vector_form != Form::full;
  const size_t gathered_bytes = p.vector_value_bytes + (asks_presence ? 1 : 0);
  const double streamed = double(p.rows) * double(p.offset_bytes + p.result_bytes + 1) +
                          entries * double(p.column_bytes + p.matrix_value_bytes) * coalescing;
  const double stream = streamed / h.copy_bytes_per_second;
  const double gather = gathered_bytes == 0 ? 0
                                            : entries * gathered_sectors(p) /
                                                  h.gathers_per_second(p.columns * uint64_t(gathered_bytes));
  return std::max(stream, gather) + 0.3 * std::min(stream, gather);
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
