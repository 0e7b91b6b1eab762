// Predicted time of a product in parts: PVLDB 4(4), 2011, section 3.2, with vectors that go through one device.
#include <algorithm>

#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/mxv/parts/parts.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using namespace selector;

namespace {

/// Of the whole product on one device, by whatever is fastest there.
double best_alone(const MxvProblem& p, const Hardware& h) {
  double best = 0;
  for (const MxvKernel* kernel : mxv_kernels()) {
    if (kernel == &mxv_parts || kernel->role != Role::candidate) continue;
    const double seconds = predicted_seconds(p, h, *kernel);
    if (seconds > 0 && (best == 0 || seconds < best)) best = seconds;
  }
  return best;
}

}  // namespace

Cost cost_of_parts(const MxvProblem& p, const Hardware& h) {
  if (!p.parts_refusal.empty()) return Cost::refused(p.parts_refusal);
  const double parts = p.devices, share = 1 / parts;
  const double product = best_alone(p, h) * share;
  if (h.emulated) return {product + parts * emulated_load * double(p.rows), 0, {}};
  const double presence = p.vector_form == Form::bitmap ? 1 : 0;
  // u goes to each of the others, whose links are their own; their results come back through one link.
  const double operand_bytes = double(p.columns) * (double(p.vector_value_bytes) + presence);
  const double result_bytes = double(p.rows) * double(p.result_bytes) * (1 - share);
  const double placing = double(p.rows) * double(2 * p.result_bytes + 5) / h.copy_bytes_per_second;
  const double moving = (operand_bytes + result_bytes) / h.peer_bytes_per_second + 2 * h.peer_seconds;
  const double matrix_bytes = double(p.entries) * double(p.column_bytes + p.matrix_value_bytes) +
                              double(p.rows) * double(p.offset_bytes);
  const double dealing = double(p.rows) / h.sort_keys_per_second + 2 * matrix_bytes / h.copy_bytes_per_second +
                         matrix_bytes * (1 - share) / h.peer_bytes_per_second +
                         8 * parts * h.launch_seconds;
  return {product + moving + placing + 2 * parts * h.further_launch_seconds, dealing, {}};
}

}  // namespace cugrb::operations
