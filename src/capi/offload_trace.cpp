#include "src/capi/offload_trace.h"

#include "src/support/trace.h"

namespace cugrb::capi::offload {

void note_operation(const std::string& op) {
  if (trace::enabled()) trace::current().operation = op;
}

void note_placement(const selector::Placement& placement, const std::string& sizes,
                    const std::string& basis) {
  if (!trace::enabled()) return;
  trace::Record& record = trace::current();
  record.reason = placement.reason;
  if (placement.processor == selector::Processor::gpu) record.placed = placement.reason;
  record.gpu_predicted_seconds = placement.gpu_seconds;
  record.cpu_predicted_seconds = placement.cpu_seconds;
  record.sizes = sizes;
  if (!basis.empty()) record.basis = basis;
}

void note_reason(const std::string& reason) {
  if (trace::enabled()) trace::current().reason = reason;
}

void note_failure(const std::string& reason) {
  if (!trace::enabled()) return;
  trace::Record& record = trace::current();
  record.kernel.clear();
  record.format.clear();
  record.predicted_seconds = 0;
  record.reason = reason;
}

void note_difference(const std::string& where) {
  trace::Record& record = trace::current();
  record.differs = true;
  record.reason = "CUGRB_VERIFY: " + where + "; SuiteSparse's answer is kept";
}

}  // namespace cugrb::capi::offload
