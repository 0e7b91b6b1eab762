#include "src/selector/trials.h"

#include <algorithm>

namespace cugrb::selector {

namespace {

constexpr double trial_share = 0.1;
constexpr double rival_margin = 1.3;
constexpr size_t most_trials = 9;  ///< of the choice and eight others

const Candidate* next_rival(const Decision& decision, const Trials& trials) {
  const Candidate& chosen = decision.chosen;
  if (trials.find(chosen.kernel) == nullptr) return &chosen;
  const Candidate* next = nullptr;
  for (const Candidate& c : decision.candidates) {
    const bool rivals = c.applicable && trials.find(c.kernel) == nullptr &&
                        c.predicted_seconds <= rival_margin * expected_seconds(chosen);
    if (rivals && (next == nullptr || charged_seconds(c) < charged_seconds(*next))) next = &c;
  }
  return next;
}

}  // namespace

const Trial* Trials::find(const std::string& kernel) const {
  for (const Trial& trial : made) {
    if (trial.kernel == kernel) return &trial;
  }
  return nullptr;
}

int products_of_trial(double predicted_seconds) {
  return int(std::clamp(0.5 * 100e-6 / std::max(predicted_seconds, 1e-9), 2.0, 10.0));
}

std::optional<NextTrial> next_trial(const Decision& decision, const Trials& trials, double compile_seconds) {
  if (decision.forced || decision.chosen.conversion_seconds > 0 || trials.made.size() >= most_trials)
    return {};
  const Candidate* next = next_rival(decision, trials);
  if (next == nullptr) return {};
  const double products = 1 + 2 * products_of_trial(next->predicted_seconds);
  const double conversion = next->conversion_seconds * std::max(1.0, decision.expected_uses);
  const double cost = conversion + products * next->predicted_seconds + compile_seconds;
  return NextTrial{next->kernel,
                   (trials.spent_seconds + cost) / (trial_share * expected_seconds(decision.chosen))};
}

}  // namespace cugrb::selector
