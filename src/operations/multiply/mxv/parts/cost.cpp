// Predicted time of a product in parts: PVLDB 4(4), 2011, section 3.2, with vectors that go through one
// device.
#include <algorithm>

#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/mxv/parts/parts.h"
#include "src/operations/multiply/registry.h"

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

}  // namespace

Cost cost_of_parts(const MxvProblem& p, const Hardware& h) {
  if (!p.parts_refusal.empty()) return Cost::refused(p.parts_refusal);
  const double parts = p.devices, share = 1 / parts;
  const Cost alone = best_alone(p, h);
  if (!alone.refusal.empty()) return alone;
  const double product = alone.seconds * share;
  if (h.emulated) return {product + parts * emulated_load * double(p.rows), 0, {}};
  // u goes to each of the others, whose links are their own; their results come back through one link, with a
  // byte a row where rows may be empty. Each part writes every other row, so that lines are written twice.
  const double presence = p.vector_form == Form::bitmap ? 1 : 0, n = double(p.columns), m = double(p.rows);
  const double there = n * (double(p.vector_value_bytes) + presence),
               back = m * double(p.result_bytes + 1) * (1 - share);
  const double moving = (there + back) / h.peer_bytes_per_second + 2 * h.peer_seconds;
  const double placing = 2 * m * double(2 * p.result_bytes + 5) / h.copy_bytes_per_second;
  const double matrix_bytes = double(p.entries) * double(p.column_bytes + p.matrix_value_bytes) +
                              double(p.rows) * double(p.offset_bytes);
  const double dealing = double(p.rows) / h.sort_keys_per_second +
                         2 * matrix_bytes / h.copy_bytes_per_second +
                         matrix_bytes * (1 - share) / h.peer_bytes_per_second + 8 * parts * h.launch_seconds +
                         alone.conversion_seconds * share;
  return {product + moving + placing + 2 * parts * h.further_launch_seconds, dealing, {}};
}

}  // namespace cugrb::operations
