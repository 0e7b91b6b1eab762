// Predicted time of a matrix product in parts: rows of the left factor as in PVLDB 4(4), 2011, section 3.2,
// the right factor on every device.
#include <algorithm>

#include "src/operations/multiply/mxm/parts/parts.h"
#include "src/operations/multiply/registry.h"
#include "src/support/number_text.h"

namespace cugrb::operations {

using namespace selector;

namespace {

/// Threads that begin and end, what they wait for, and a part's share of the products, which is not quite
/// that of its entries. Reckoned, not measured.
constexpr double thread_seconds = 100e-6, uneven = 1.03;

Cost best_alone(const MxmProblem& p, const Hardware& h) {
  Cost best = {0, 0, "no kernel can run a part"};
  for (const MxmKernel* kernel : mxm_kernels()) {
    if (kernel == &mxm_parts || kernel->role != Role::candidate || p.failures.count(kernel) > 0) continue;
    if (kernel->known != nullptr && !(p.*(kernel->known)).refusal.empty()) continue;
    Cost cost = kernel->cost(p, h);
    if (!cost.refusal.empty() || (best.refusal.empty() && cost.seconds >= best.seconds)) continue;
    best = std::move(cost);
  }
  return best;
}

double result_bytes(const MxmProblem& p) { return p.entries.kept * double(p.column_bytes + p.result_bytes); }

double factor_bytes(const MxmProblem& p, uint64_t entries) {
  return double(entries) * double(p.column_bytes + p.value_bytes);
}

/// The rows of T of all parts are put in place at home: read and written.
double placing_seconds(const MxmProblem& p, const Hardware& h) {
  return 2 * result_bytes(p) / h.copy_bytes_per_second;
}

/// T's rows are read, and those of a piece, and written, for each piece; rows of the left factor are gone
/// through once more.
double adding_seconds(const MxmProblem& p, const Hardware& h, double largest_share) {
  const double bytes = largest_share * (3 * result_bytes(p) + factor_bytes(p, p.left_entries));
  return double(p.right_pieces - 1) * (bytes / h.copy_bytes_per_second + thread_seconds);
}

double back_seconds(const MxmProblem& p, const Hardware& h) {
  return result_bytes(p) / h.peer_bytes_per_second;
}

std::vector<DeviceSeconds> seconds_by_device(const MxmProblem& p, const Hardware& h, double alone) {
  const double back =
      !p.result_stays && parts_come_at_once(result_bytes(p), p.usable_bytes) ? back_seconds(p, h) : 0;
  std::vector<DeviceSeconds> devices;
  for (unsigned d = 0; d < p.devices; ++d) {
    const double product = uneven * alone / (p.device_paces.empty() ? 1 : p.device_paces[d]);
    devices.push_back(d == 0 ? DeviceSeconds{0, product} : DeviceSeconds{2 * h.peer_seconds, product + back});
  }
  return devices;
}

}  // namespace

bool parts_come_at_once(double result_bytes, double usable_bytes) {
  constexpr double beside_it = 3;  // T twice, and what home's own part takes meanwhile
  return beside_it * result_bytes < usable_bytes;
}

Shares shares_of_parts(const MxmProblem& p, const Hardware& h) {
  const Cost alone = best_alone(p, h);
  const double seconds = alone.refusal.empty() && alone.seconds > 0 ? alone.seconds : 1;
  return share_out(seconds_by_device(p, h, seconds));
}

Cost cost_of_parts(const MxmProblem& p, const Hardware& h) {
  const Cost alone = best_alone(p, h);
  if (!alone.refusal.empty()) return alone;
  const Shares shares = shares_of_parts(p, h);
  const double largest = *std::max_element(shares.of_device.begin(), shares.of_device.end());
  if (((p.result_stays ? 0 : 1) + largest) * result_bytes(p) > p.usable_bytes)
    return Cost::refused("no memory for T beside a part of it");
  Cost cost;
  cost.note =
      std::to_string(p.devices) + " devices, shares " + selector::text_of(shares.of_device) +
      (p.result_stays ? ", T in parts" : "") +
      (p.right_pieces > 1 ? ", the right factor in " + std::to_string(p.right_pieces) + " pieces" : "");
  cost.workspace_bytes = alone.workspace_bytes / p.devices + (p.result_stays ? largest : 1) * result_bytes(p);
  if (h.emulated) {
    cost.seconds = alone.seconds / p.devices + thread_seconds + 1e-6 * double(p.rows);
    return cost;
  }
  cost.seconds = shares.seconds + thread_seconds + (p.result_stays ? 0 : placing_seconds(p, h)) +
                 adding_seconds(p, h, largest);
  if (!p.result_stays && !parts_come_at_once(result_bytes(p), p.usable_bytes))
    cost.seconds += (1 - shares.of_device[0]) * back_seconds(p, h);
  if (!p.right_is_there) cost.seconds += factor_bytes(p, p.right_entries) / h.peer_bytes_per_second;
  if (!p.left_is_dealt)
    cost.conversion_seconds = double(p.rows) / h.sort_keys_per_second +
                              3 * factor_bytes(p, p.left_entries) / h.copy_bytes_per_second +
                              factor_bytes(p, p.left_entries) / h.peer_bytes_per_second +
                              12 * p.devices * h.launch_seconds;
  return cost;
}

}  // namespace cugrb::operations
