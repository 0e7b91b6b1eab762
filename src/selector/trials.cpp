#include "src/selector/trials.h"

#include <algorithm>

namespace cugrb::selector {

namespace {

constexpr double trial_share = 0.1;
constexpr double rival_margin = 1.3;
constexpr int most_trials = 9;  ///< of the choice and eight others

struct Rival {
  const Candidate* candidate = nullptr;
  double once_seconds = 0;  ///< making its format, compiling
  bool compiles = false;
};

Rival next_rival(const Decision& decision, const Trials& trials, double compile_seconds) {
  const Candidate& chosen = decision.chosen;
  if (trials.find(chosen.kernel) == nullptr) return {&chosen};
  const double uses = std::max(1.0, decision.expected_uses);
  // Where the choice is found to be faster than predicted, its rivals may be, too.
  const double of_choice = std::max(expected_seconds(chosen), chosen.predicted_seconds);
  Rival next;
  double least = 0;
  for (const Candidate& c : decision.candidates) {
    const Trial* trial = trials.find(c.kernel);
    const bool compiles = trial != nullptr && trial->uncompiled;
    if (!c.applicable || (trial != nullptr && !compiles)) continue;
    if (c.predicted_seconds > rival_margin * of_choice) continue;
    const double once = c.conversion_seconds * uses + (compiles ? compile_seconds : 0);
    const double charged = c.predicted_seconds + once / uses;
    if (next.candidate != nullptr && charged >= least) continue;
    least = charged;
    next = {&c, once, compiles};
  }
  return next;
}

}  // namespace

const Trial* Trials::find(const Kernel* kernel) const {
  for (const Trial& trial : made) {
    if (trial.kernel == kernel) return &trial;
  }
  return nullptr;
}

void Trials::keep(const Trial& trial) {
  for (Trial& earlier : made) {
    if (earlier.kernel != trial.kernel) continue;
    earlier = trial;
    return;
  }
  made.push_back(trial);
}

int products_of_trial(double predicted_seconds) {
  return int(std::clamp(100e-6 / runs_of_trial / predicted_seconds, 2.0, 3.0));
}

double seconds_of_trial(double predicted_seconds) {
  constexpr double held_seconds = 30e-6;
  if (predicted_seconds < held_trial_below) return held_seconds + (2 + held_products) * predicted_seconds;
  return (1 + runs_of_trial * products_of_trial(predicted_seconds)) * predicted_seconds;
}

std::optional<NextTrial> next_trial(const Decision& decision, const Trials& trials, double compile_seconds) {
  const auto timed = std::count_if(trials.made.begin(), trials.made.end(),
                                   [](const Trial& trial) { return !trial.uncompiled; });
  if (decision.forced || decision.chosen.conversion_seconds > 0 || timed >= most_trials) return {};
  const Rival next = next_rival(decision, trials, compile_seconds);
  if (next.candidate == nullptr) return {};
  const double cost = next.once_seconds + seconds_of_trial(next.candidate->predicted_seconds);
  const double taken = trial_share * expected_seconds(decision.chosen);  // by each product
  return NextTrial{next.candidate->kernel, (trials.spent_seconds + cost) / taken, next.compiles};
}

}  // namespace cugrb::selector
