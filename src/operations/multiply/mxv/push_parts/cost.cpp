// Predicted time of a push in parts: every device has all positions of T.
#include "src/operations/multiply/kernel.h"
#include "src/operations/multiply/mxv/csr/csr.h"
#include "src/operations/multiply/mxv/push_parts/push_parts.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using namespace selector;

namespace {

/// u is dealt at home, by values and presence.
double dealing_u_seconds(const MxvProblem& p, const Hardware& h) {
  if (p.push_vector_in_parts) return 0;
  const double bytes = double(p.columns) * (double(p.vector_value_bytes) + 1);
  const double away = bytes * (1 - 1.0 / p.devices);
  return 3 * bytes / h.copy_bytes_per_second + away / h.peer_bytes_per_second +
         (p.devices - 1) * h.peer_seconds + p.devices * h.further_launch_seconds;
}

/// Each other device's sums come home, and are added to what is there: two bitmaps are read, one is written.
double adding_seconds(const MxvProblem& p, const Hardware& h) {
  const double bytes = double(p.rows) * (double(p.result_bytes) + 1), others = p.devices - 1;
  const double mask = p.allowed_share < 1 ? double(p.rows) : 0;
  return others * ((bytes + mask) / h.peer_bytes_per_second + h.peer_seconds +
                   3 * bytes / h.copy_bytes_per_second + 2 * h.launch_seconds);
}

double dealing_seconds(const MxvProblem& p, const Hardware& h) {
  const double bytes = double(p.entries) * double(p.column_bytes + p.matrix_value_bytes);
  return double(p.columns) / h.sort_keys_per_second + 3 * bytes / h.copy_bytes_per_second +
         bytes * (1 - 1.0 / p.devices) / h.peer_bytes_per_second + 12 * p.devices * h.launch_seconds;
}

}  // namespace

Cost cost_of_push_parts(const MxvProblem& p, const Hardware& h) {
  if (!p.push_parts_refusal.empty()) return Cost::refused(p.push_parts_refusal);
  Cost cost = cost_of_push(p, h);
  if (!cost.refusal.empty()) return cost;
  cost.note = std::to_string(p.devices) + " devices, each sums over its columns";
  cost.seconds /= p.devices;
  if (h.emulated) {
    cost.seconds += p.devices * emulated_load * double(p.rows);
    return cost;
  }
  cost.seconds += dealing_u_seconds(p, h) + adding_seconds(p, h);
  cost.conversion_seconds = dealing_seconds(p, h);
  return cost;
}

}  // namespace cugrb::operations
