#include "src/operations/multiply/stand_in.h"

#include <algorithm>

#include "src/selector/decision.h"

namespace cugrb::operations {

using selector::Candidate;
using selector::Decision;

StandIn::StandIn(const Decision& wanted, const jit::NotCompiled& missing)
    : missing_(missing),
      reason_("in place of " + wanted.chosen.kernel->name + ": " + missing.what()),
      most_seconds_(slowest * selector::charged_seconds(wanted.chosen)) {
  exclude(wanted);
}

bool StandIn::fits(const Decision& choice) const {
  const Candidate& chosen = choice.chosen;
  return !chosen.makes_format && chosen.conversion_seconds == 0 &&
         selector::charged_seconds(chosen) <= most_seconds_;
}

void StandIn::exclude(const Decision& choice) {
  excluded_.push_back(choice.chosen.kernel);
  const bool another =
      std::any_of(choice.candidates.begin(), choice.candidates.end(),
                  [&](const Candidate& c) { return c.applicable && c.kernel != choice.chosen.kernel; });
  if (!another) throw jit::NotCompiled(missing_);
}

}  // namespace cugrb::operations
