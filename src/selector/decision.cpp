#include "src/selector/decision.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "src/selector/profile.h"
#include "src/support/number_text.h"
#include "src/support/trace.h"
#include "src/support/trace_text.h"

namespace cugrb::selector {

namespace {

std::string microseconds(double seconds) { return fixed_text(seconds * 1e6, 1) + " us"; }

std::string line_of(const Candidate& candidate) {
  std::string text = candidate.kernel->name + " (" + candidate.format + "): ";
  if (!candidate.applicable) return text + "not applicable: " + candidate.reason;
  if (candidate.measured_seconds > 0) {
    text += microseconds(candidate.measured_seconds) + " (predicted " +
            microseconds(candidate.predicted_seconds) + ")";
  } else {
    text += microseconds(candidate.predicted_seconds);
  }
  if (candidate.conversion_seconds > 0) text += " + conversion " + microseconds(candidate.conversion_seconds);
  if (candidate.workspace_bytes > 0) {
    text += ", workspace " + trace::bytes_text(uint64_t(candidate.workspace_bytes));
  }
  if (!candidate.reason.empty()) text += ", " + candidate.reason;
  return text;
}

/// The applicable candidate of least charged time among those that `allowed` says yes to.
template <class Allowed>
Candidate* least_charged(Decision& decision, const Allowed& allowed) {
  Candidate* best = nullptr;
  for (Candidate& c : decision.candidates) {
    if (!c.applicable || !allowed(c)) continue;
    if (best == nullptr || charged_seconds(c) < charged_seconds(*best)) best = &c;
  }
  return best;
}

/// What `first` now and `next` later cost more than what is `ready` now and `next` later, expected over the
/// uses to come. A matrix that has been used r times is used n times with probability r/n (so twice as often
/// with one half); a format of build time b replaces one that is slower by d seconds at n = b / d. The sums
/// over uses are taken for integrals. Negative: `first` is worth it.
double cost_of_stopover(const Candidate& ready, const Candidate& first, const Candidate& next, double uses) {
  const double build_first = first.conversion_seconds * uses, build_next = next.conversion_seconds * uses;
  const double slow = expected_seconds(ready), between = expected_seconds(first),
               fast = expected_seconds(next);
  const double from_first = std::max(uses, build_next / (between - fast));
  const double from_ready = std::max(uses, build_next / (slow - fast));
  const double with_first = between * std::log(from_first / uses) + build_next / from_first;
  const double without =
      slow * std::log(from_ready / uses) + build_next / from_ready + fast * std::log(from_first / from_ready);
  return build_first + uses * (with_first - without);
}

/// The candidate that `choice` should be skipped for; null when it should not.
const Candidate* worth_waiting_for(const Decision& decision, const Candidate& ready,
                                   const Candidate& choice) {
  const Candidate* best = nullptr;
  double most = 0;
  for (const Candidate& next : decision.candidates) {
    if (!next.applicable || expected_seconds(next) >= expected_seconds(choice)) continue;
    const double cost = cost_of_stopover(ready, choice, next, decision.expected_uses);
    if (cost <= most) continue;
    most = cost;
    best = &next;
  }
  return best;
}

/// The free choice; marks what it skips.
Candidate& best_of(Decision& decision) {
  Candidate* ready = least_charged(decision, [](const Candidate& c) { return c.conversion_seconds == 0; });
  std::set<const Candidate*> skipped;
  while (true) {
    Candidate& best = *least_charged(decision, [&](const Candidate& c) { return skipped.count(&c) == 0; });
    const bool may_wait = decision.expected_uses > 0 && ready != nullptr && best.conversion_seconds > 0 &&
                          expected_seconds(best) < expected_seconds(*ready);
    const Candidate* next = may_wait ? worth_waiting_for(decision, *ready, best) : nullptr;
    if (next == nullptr) return best;
    skipped.insert(&best);
    best.reason = "skipped: " + next->kernel->name + " would replace it before it is paid for";
  }
}

}  // namespace

double uses_until_another(const Decision& decision) {
  double least = std::numeric_limits<double>::infinity();
  if (decision.forced) return least;
  for (const Candidate& c : decision.candidates) {
    const double gain = expected_seconds(decision.chosen) - expected_seconds(c);
    if (!c.applicable || gain <= 0) continue;
    // Charged by one over the uses and this one.
    least = std::min(least, c.conversion_seconds * decision.expected_uses / gain - 1);
  }
  return std::max(0.0, least);
}

void choose(Decision& decision, const Kernel* forced) {
  const Candidate* wanted = nullptr;
  for (const Candidate& c : decision.candidates) {
    if (c.kernel == forced) wanted = &c;
  }
  decision.forced = wanted != nullptr && wanted->applicable;
  decision.chosen = decision.forced ? *wanted : best_of(decision);
  if (wanted != nullptr && !wanted->applicable) {
    decision.chosen.reason = "CUGRB_FORCE=" + forced->name + " is not applicable: " + wanted->reason;
  }
}

std::string to_text(const Decision& decision) {
  std::string text =
      decision.operation + ": " + decision.chosen.kernel->name + (decision.forced ? " (forced)" : "");
  if (!decision.basis.empty()) text += "; " + decision.basis;
  for (const Candidate& candidate : decision.candidates) text += "\n  " + line_of(candidate);
  return text;
}

void record(const Decision& decision) {
  if (!trace::enabled()) return;
  trace::Record& record = trace::current();
  if (!decision.basis.empty()) record.basis = decision.basis;
  record.kernel = decision.chosen.kernel->name;
  record.format = decision.chosen.format;
  record.predicted_seconds = charged_seconds(decision.chosen);
  record.reason = record.placed;
  trace::add_reason(decision.forced ? "CUGRB_FORCE" : decision.chosen.reason);
  const Profile* profile = Profile::of_device();
  if (profile != nullptr) trace::add_reason(profile->problem);
}

}  // namespace cugrb::selector
