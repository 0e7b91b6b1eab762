#include "src/selector/looks.h"

#include <algorithm>
#include <cmath>

namespace cugrb::selector {

namespace {

constexpr uint64_t least_tiled_entries = 1 << 20;
// Measured on the H200, from call to return: a launch, or a few, whose outcome the host waits for.
constexpr double neighbours_seconds = 50e-6;
constexpr double columns_seconds = 50e-6, tile_forecast_seconds = 15e-6;
constexpr double least_conversion_seconds = 0.2e-3;

double least_seconds(const MxvProblem& p, const Hardware& h) {
  const double bytes = double(p.entries) * double(p.column_bytes + p.matrix_value_bytes) +
                       double(p.rows) * double(p.offset_bytes + p.result_bytes);
  return h.launch_seconds + bytes / h.copy_bytes_per_second;
}

double looking_at_columns_seconds(const MxvProblem& p, const Hardware& h) {
  const double tiles = std::min(double(most_tiles), std::ceil(double(p.columns) / double(p.tile_columns)));
  return columns_seconds + double(p.entries) * double(p.column_bytes) / h.copy_bytes_per_second +
         tiles * tile_forecast_seconds;
}

}  // namespace

uint64_t Looks::next_after(uint64_t uses) const {
  return std::min(neighbours > uses ? neighbours : never, columns > uses ? columns : never);
}

Looks looks_of(const MxvProblem& p, const Hardware& h) {
  Looks looks;
  if (!p.pull_ready) looks.neighbours = Looks::never;  // there is nothing to look at
  const bool tiled =
      p.pull_ready && p.entries >= least_tiled_entries && p.tile_refusal.empty() && !p.stops_at_once;
  if (!tiled) looks.columns = Looks::never;
  if (h.emulated || !p.pull_ready) return looks;
  const double product = least_seconds(p, h);
  looks.neighbours = std::max(looks.neighbours, uint64_t(std::ceil(neighbours_seconds / product)));
  if (!tiled) return looks;
  const double followed = std::max(least_conversion_seconds, 2 * looking_at_columns_seconds(p, h));
  looks.columns = std::max(looks.columns, uint64_t(std::ceil(followed / product)));
  return looks;
}

}  // namespace cugrb::selector
