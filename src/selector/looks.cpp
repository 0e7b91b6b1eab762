#include "src/selector/looks.h"

#include <algorithm>
#include <cmath>

namespace cugrb::selector {

namespace {

// Measured on the H200, from call to return: a launch, or a few, whose outcome the host waits for.
constexpr double neighbours_seconds = 50e-6;
constexpr double columns_seconds = 50e-6, tile_forecast_seconds = 15e-6;
// On the host: a decision.
constexpr double deciding_seconds = 30e-6;
/// Nor more: what is known by then serves these products.
constexpr double most_patience = 64;
constexpr double least_conversion_seconds = 0.2e-3;
/// Of programs of fewer products some would have its kernel compiled for nothing.
constexpr uint64_t usual_products = 16;

double least_seconds(const MxvProblem& p, const Hardware& h) {
  const double bytes = double(p.entries) * double(p.column_bytes + p.matrix_value_bytes) +
                       double(p.rows) * double(p.offset_bytes + p.result_bytes);
  return h.launch_seconds + bytes / h.copy_bytes_per_second;
}

double forecast_seconds(const MxvProblem& p) {
  return tile_forecast_seconds *
         std::min(double(most_tiles), std::ceil(double(p.columns) / double(p.tile_columns)));
}

double looking_at_columns_seconds(const MxvProblem& p, const Hardware& h) {
  return columns_seconds + double(p.entries) * double(p.column_bytes) / h.copy_bytes_per_second +
         forecast_seconds(p);
}

/// Products that keep the device busy for so long.
uint64_t products_of(double seconds, double product) {
  return uint64_t(std::min(most_patience, std::ceil(seconds / product)));
}

/// Each once the products have taken as long, and waited for while the device is busy.
void pay_by_products(const MxvProblem& p, const Hardware& h, Looks& looks) {
  const double product = least_seconds(p, h);
  looks.neighbours = std::max(looks.neighbours, uint64_t(std::ceil(neighbours_seconds / product)));
  looks.neighbours_patience = products_of(deciding_seconds, product);
  if (looks.columns == Looks::never) return;
  looks.columns_patience = products_of(deciding_seconds + forecast_seconds(p), product);
  const double followed = std::max(least_conversion_seconds, 2 * looking_at_columns_seconds(p, h));
  looks.columns = std::max(looks.columns, uint64_t(std::ceil(followed / product)));
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
  if (!h.emulated && p.pull_ready) pay_by_products(p, h, looks);
  looks.sampled_with_lengths = looks.neighbours <= usual_products;
  return looks;
}

}  // namespace cugrb::selector
