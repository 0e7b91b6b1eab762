// Predicted time of a product in parts: PVLDB 4(4), 2011, section 3.2, with vectors that go through one
// device.
#include <algorithm>

#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/mxv/parts/parts.h"
#include "src/operations/multiply/registry.h"
#include "src/support/number_text.h"

namespace cugrb::operations {

using namespace selector;

namespace {

/// Of the whole product on one device, by whatever is fastest there once its format is made.
Cost best_alone(const MxvProblem& p, const Hardware& h) {
  Cost best = {0, 0, "no kernel can run a part"};
  for (const MxvKernel* kernel : mxv_kernels()) {
    if (kernel == &mxv_parts || kernel->role != Role::candidate || kernel->reads_transpose) continue;
    Cost cost = kernel->cost(p, h);
    if (!cost.refusal.empty() || (best.refusal.empty() && cost.seconds >= best.seconds)) continue;
    best = std::move(cost);
  }
  return best;
}

/// What a part takes beyond its share: its columns are not as many times fewer as its entries are, and its
/// rows lie in two streams. R-MAT 22, 24 and 25 on two H200: 1.15, 1.07 and 1.09 times (spmv_devices.json).
constexpr double beyond_share = 1.09;

/// What vectors cost beside the product: all times but the last are of a product that one other device makes.
struct VectorSeconds {
  double gathering = 0;  ///< what that device needs of u, at home
  double sending = 0;    ///< to it
  double back = 0;       ///< T to home
  double placing = 0;    ///< T, at home
};

double rows_with_entries(const MxvProblem& p) {
  return lengths_known(p) ? double(p.rows - p.pull_lengths.empty) : double(p.rows);
}

/// Blocks are dealt where results stay.
bool in_blocks(const MxvProblem& p) { return p.entries_outside_of_blocks && p.result_stays; }

/// Where nobody has counted: as large a share of the columns as of the rows has entries.
double columns_of_part(const MxvProblem& p) {
  if (p.part_columns > 0) return double(p.part_columns) / double(p.devices - 1);
  if (in_blocks(p)) return double(p.columns) / p.devices;
  return double(p.columns) * rows_with_entries(p) / std::max(1.0, double(p.rows));
}

VectorSeconds vector_seconds(const MxvProblem& p, const Hardware& h) {
  const bool has_presence = p.vector_form != Form::full, is_masked = p.allowed_share < 1;
  const double columns = columns_of_part(p), rows = rows_with_entries(p);
  const double operand = double(p.vector_value_bytes) + (has_presence ? 1 : 0);
  const double result = double(p.result_bytes) + (has_presence || is_masked ? 1 : 0);
  const double list = double(p.column_bytes);
  VectorSeconds s;
  s.sending = (columns * operand + (is_masked ? rows : 0)) / h.peer_bytes_per_second + h.peer_seconds;
  // Of u's lines hardly one is left out.
  if (columns < 0.85 * double(p.columns))
    s.gathering = (double(p.columns) * operand + columns * (list + operand)) / h.copy_bytes_per_second +
                  h.further_launch_seconds;
  s.back = rows * result / h.peer_bytes_per_second;
  s.placing = rows * (list + 2 * result) / h.copy_bytes_per_second + h.further_launch_seconds;
  return s;
}

/// u is in parts, or will be when the loop comes round.
bool exchanges(const MxvProblem& p) { return p.vector_in_parts || p.result_stays; }

/// What comes to a device from the others. Where nobody has counted, a part's columns are in all parts alike.
double entries_coming(const MxvProblem& p) {
  if (p.sent_between_parts) return double(*p.sent_between_parts) / p.devices;
  const double everywhere = columns_of_part(p) * (p.devices - 1) / p.devices;
  return in_blocks(p) ? std::min(everywhere, *p.entries_outside_of_blocks / p.devices) : everywhere;
}

/// Each device gets what it needs of the others' parts of u, and puts all of it in place. Of a full vector in
/// blocks its own entries are there.
double exchange_seconds(const MxvProblem& p, const Hardware& h) {
  const double others = p.devices - 1;
  const bool in_place = (p.own_in_place || in_blocks(p)) && p.vector_form == Form::full;
  const double columns = in_place ? entries_coming(p) : columns_of_part(p);
  const double operand = double(p.vector_value_bytes) + (p.vector_form != Form::full ? 1 : 0);
  return entries_coming(p) * operand / h.peer_bytes_per_second + others * h.peer_seconds +
         columns * (double(p.column_bytes) + 2 * operand) / h.copy_bytes_per_second +
         p.devices * h.further_launch_seconds;
}

/// A call of a loop in parts is launched on each device, which passes over its share of the positions. There
/// are some five such calls beside a product, of two operands and a result. What they take less is not
/// counted.
double loop_seconds(const MxvProblem& p, const Hardware& h) {
  if (!p.result_stays) return 0;
  const double launches = (p.devices - 1) * h.launch_seconds;
  const double pass = 3 * double(p.rows) * double(p.result_bytes) / h.copy_bytes_per_second;
  return 5 * std::max(0.0, launches - pass * (1 - 1.0 / p.devices));
}

/// Device by device. The first one makes what the others need, and puts their results in place.
std::vector<DeviceSeconds> seconds_by_device(const MxvProblem& p, const Hardware& h, double alone) {
  const VectorSeconds v = vector_seconds(p, h);
  std::vector<DeviceSeconds> devices;
  for (unsigned d = 0; d < p.devices; ++d) {
    const double product = beyond_share * alone / (p.device_paces.empty() ? 1 : p.device_paces[d]);
    if (exchanges(p)) {
      const double after = p.result_stays ? 0 : d == 0 ? v.placing : v.back;
      devices.push_back({exchange_seconds(p, h), product + after});
      continue;
    }
    devices.push_back(d == 0 ? DeviceSeconds{(p.devices - 1) * v.gathering, product + v.placing}
                             : DeviceSeconds{d * v.gathering + v.sending + h.peer_seconds, product + v.back});
  }
  return devices;
}

/// As shares are: when the last device has done its own.
double seconds_of(const std::vector<DeviceSeconds>& devices, const std::vector<double>& shares) {
  double last = 0;
  for (size_t d = 0; d < devices.size(); ++d) {
    if (shares[d] > 0)
      last = std::max(last, devices[d].before_seconds + shares[d] * devices[d].whole_seconds);
  }
  return last;
}

/// A sort of the rows, and the matrix written once, which goes to the other devices; their formats.
double dealing_seconds(const MxvProblem& p, const Hardware& h, const Cost& alone) {
  const double parts = p.devices;
  const double matrix_bytes = double(p.entries) * double(p.column_bytes + p.matrix_value_bytes) +
                              double(p.rows) * double(p.offset_bytes);
  return double(p.rows) / h.sort_keys_per_second + 3 * matrix_bytes / h.copy_bytes_per_second +
         matrix_bytes * (1 - 1 / parts) / h.peer_bytes_per_second + 12 * parts * h.launch_seconds +
         alone.conversion_seconds / parts;
}

std::string note_of(const MxvProblem& p, const Hardware& h, const std::vector<double>& shares) {
  const VectorSeconds v = vector_seconds(p, h);
  const double on_their_way = exchanges(p) ? exchange_seconds(p, h) + (p.result_stays ? 0 : v.back)
                                           : v.gathering + v.sending + v.back;
  return std::to_string(p.devices) + " devices, shares " + selector::text_of(shares) +
         (p.parts_text.empty() ? "" : ", " + p.parts_text) + (p.result_stays ? ", vectors in parts" : "") +
         ", vectors on their way " + general_text(on_their_way * 1e6, 3) + " us";
}

/// Of the parts that there are, else those to be made.
std::vector<double> shares_or(const MxvProblem& p, const std::vector<double>& shares) {
  return p.part_shares.empty() ? shares : p.part_shares;
}

}  // namespace

Shares shares_of_parts(const MxvProblem& p, const Hardware& h) {
  const Cost alone = best_alone(p, h);
  if (h.emulated || !alone.refusal.empty()) {
    std::vector<DeviceSeconds> devices;
    for (unsigned d = 0; d < p.devices; ++d)
      devices.push_back({0, 1 / (p.device_paces.empty() ? 1 : p.device_paces[d])});
    return share_out(devices);
  }
  return share_out(seconds_by_device(p, h, alone.seconds));
}

double collecting_seconds(const MxvProblem& p, const Hardware& h) {
  if (!p.vector_in_parts || h.emulated) return 0;
  const double bytes =
      double(p.columns) * (double(p.vector_value_bytes) + (p.vector_form != Form::full ? 1 : 0));
  return bytes * (1 - 1.0 / p.devices) / h.peer_bytes_per_second + h.peer_seconds +
         (2 * bytes + double(p.columns) * double(p.column_bytes)) / h.copy_bytes_per_second;
}

Cost cost_of_parts(const MxvProblem& p, const Hardware& h) {
  if (!p.parts_refusal.empty()) return Cost::refused(p.parts_refusal);
  const Cost alone = best_alone(p, h);
  if (!alone.refusal.empty()) return alone;
  const std::vector<double> shares = shares_or(p, shares_of_parts(p, h).of_device);
  Cost cost;
  cost.note = note_of(p, h, shares);
  if (h.emulated) {
    cost.seconds = alone.seconds / p.devices + p.devices * emulated_load * double(p.rows);
    return cost;
  }
  // Results of the others are put in place when all else is done.
  cost.seconds = seconds_of(seconds_by_device(p, h, alone.seconds), shares) +
                 (p.result_stays ? 0 : (1 - shares[0]) * vector_seconds(p, h).placing) +
                 2 * p.devices * h.further_launch_seconds + loop_seconds(p, h);
  cost.conversion_seconds = dealing_seconds(p, h, alone);
  return cost;
}

}  // namespace cugrb::operations
