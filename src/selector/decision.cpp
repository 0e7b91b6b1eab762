#include "src/selector/decision.h"

#include <cstdio>

#include "src/selector/kernels.h"
#include "src/support/trace.h"

namespace cugrb::selector {

const std::vector<KernelName>& kernels() {
  static const std::vector<KernelName> names = {
      {"mxv_row_thread", Family::rows, 1},  {"mxv_row_2", Family::rows, 2},
      {"mxv_row_4", Family::rows, 4},       {"mxv_row_8", Family::rows, 8},
      {"mxv_row_16", Family::rows, 16},     {"mxv_row_warp", Family::rows, 32},
      {"mxv_row_block", Family::rows, 256}, {"mxv_merge", Family::merge, 0},
      {"vxm_push", Family::push, 0}};
  return names;
}

const KernelName* find_kernel(const std::string& name) {
  for (const KernelName& kernel : kernels()) {
    if (name == kernel.name) return &kernel;
  }
  return nullptr;
}

bool is_kernel_name(const std::string& name) { return find_kernel(name) != nullptr; }

std::string kernel_names() {
  std::string text;
  for (const KernelName& kernel : kernels()) text += (text.empty() ? "" : ", ") + std::string(kernel.name);
  return text;
}

namespace {

std::string microseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f us", seconds * 1e6);
  return text;
}

std::string line_of(const Candidate& candidate) {
  std::string text = candidate.kernel + " (" + candidate.format + "): ";
  if (!candidate.applicable) return text + "not applicable: " + candidate.reason;
  text += microseconds(candidate.predicted_seconds);
  if (candidate.conversion_seconds > 0) text += " + conversion " + microseconds(candidate.conversion_seconds);
  if (!candidate.reason.empty()) text += ", " + candidate.reason;
  return text;
}

}  // namespace

std::string to_text(const Decision& decision) {
  std::string text =
      decision.operation + ": " + decision.chosen.kernel + (decision.forced ? " (forced)" : "");
  for (const Candidate& candidate : decision.candidates) text += "\n  " + line_of(candidate);
  return text;
}

void record(const Decision& decision) {
  if (!trace::enabled()) return;
  trace::Record& record = trace::current();
  record.kernel = decision.chosen.kernel;
  record.format = decision.chosen.format;
  record.predicted_seconds = decision.chosen.predicted_seconds + decision.chosen.conversion_seconds;
  record.reason = decision.forced ? "CUGRB_FORCE" : decision.chosen.reason;
}

}  // namespace cugrb::selector
