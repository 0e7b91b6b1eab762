#include "src/selector/decision.h"

#include <cstdio>

#include "src/selector/profile.h"
#include "src/support/trace.h"

namespace cugrb::selector {

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

double charged_seconds(const Candidate& c) { return c.predicted_seconds + c.conversion_seconds; }

}  // namespace

void choose(Decision& decision, const std::string& forced) {
  const Candidate* best = nullptr;
  const Candidate* wanted = nullptr;
  for (const Candidate& c : decision.candidates) {
    if (c.kernel == forced) wanted = &c;
    if (c.applicable && (best == nullptr || charged_seconds(c) < charged_seconds(*best))) best = &c;
  }
  decision.forced = wanted != nullptr && wanted->applicable;
  decision.chosen = decision.forced ? *wanted : *best;
  if (wanted != nullptr && !wanted->applicable) {
    decision.chosen.reason = "CUGRB_FORCE=" + forced + " is not applicable: " + wanted->reason;
  }
}

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
  const Profile* profile = Profile::of_device();
  if (profile != nullptr && !profile->problem.empty())
    record.reason += (record.reason.empty() ? "" : "; ") + profile->problem;
}

}  // namespace cugrb::selector
