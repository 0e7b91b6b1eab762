#include "src/operations/multiply/mxv/trials.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "src/jit/jit.h"
#include "src/selector/mxv_problem.h"
#include "src/support/declined.h"
#include "src/support/trace_text.h"

namespace cugrb::operations {

namespace {

/// A format that is made for a trial must leave room for what the program itself will need.
constexpr size_t least_room = 4;  ///< times what the matrix holds

std::string refusal_of(const MatrixVectorRun& run, const MxvPlan& plan, const Kernel* kernel) {
  const selector::Candidate& chosen = plan.decision.chosen;
  if (chosen.kernel != kernel) return chosen.reason;
  if (chosen.conversion_seconds > 0 &&
      runtime::device().memory().free_bytes / least_room < run.call.matrix.bytes())
    return "little memory is left for its format";
  return plan.launch.prepare ? plan.launch.prepare(run) : "";
}

using ProductCall = std::function<void()>;

/// As a loop has them: the host's part counts where it takes longer than the device's.
double seconds_in_loop(const ProductCall& product, int products, double hopeless_seconds) {
  runtime::Device& device = runtime::device();
  product();
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < selector::runs_of_trial; ++run) {
    const uint64_t begin = device.mark();
    for (int n = 0; n < products; ++n) product();
    least = std::min(least, device.seconds_between(begin, device.mark()) / products);
    if (least > hopeless_seconds) break;
  }
  return least;
}

/// What so many calls take the host; the device may still be at them.
double host_seconds(const ProductCall& product, int products) {
  const auto start = std::chrono::steady_clock::now();
  for (int n = 0; n < products; ++n) product();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The same of short products, the two parts measured one beside the other.
double seconds_in_held_loop(const ProductCall& product) {
  constexpr int products = selector::held_products, most_tries = 3;
  constexpr double slack = 1.5, most_held = 1e-3;
  runtime::Device& device = runtime::device();
  product();
  double expected = products * host_seconds(product, 1), host = 0, of_device = 0;
  for (int tries = 0; tries < most_tries; ++tries) {
    const double held = std::min(slack * expected, most_held);
    device.hold(held);
    const uint64_t begin = device.mark();
    host = host_seconds(product, products);
    of_device = device.seconds_between(begin, device.mark()) / products;
    if (host < held) break;  // else the device has waited for the host
    expected = host;
  }
  return selector::slower_of(host / products, of_device);
}

/// `plan` is by that kernel, if it can run the product at all.
selector::Trial tried(const MatrixVectorRun& run, const MxvMemo& choice,
                      const std::function<MxvPlan(const Kernel* kernel)>& plan) {
  const selector::NextTrial& next = *choice.next_trial();
  selector::Trial trial{next.kernel, 0, {}};
  std::optional<jit::WhenMissing> forbidden;
  if (!next.compiles) forbidden.emplace(jit::Missing::refuse);
  try {
    MxvMemo memo(plan(next.kernel), std::nullopt);
    MatrixVectorRun timed = run;
    timed.memo = &memo;
    trial.failure = refusal_of(run, memo.plan(), next.kernel);
    if (!trial.failure.empty()) return trial;
    const selector::Candidate& chosen = choice.plan().decision.chosen;
    const double hopeless = next.kernel == chosen.kernel
                                ? std::numeric_limits<double>::infinity()
                                : selector::hopeless_trial * selector::expected_seconds(chosen);
    const double predicted = memo.plan().decision.chosen.predicted_seconds;
    const ProductCall product = [&] { memo.plan().launch.run(timed); };
    trial.seconds = predicted < selector::held_trial_below
                        ? seconds_in_held_loop(product)
                        : seconds_in_loop(product, selector::products_of_trial(predicted), hopeless);
  } catch (const jit::NotCompiled&) {
    trial.uncompiled = true;
  } catch (const std::exception& failure) {
    trial.failure = failure.what();
  }
  return trial;
}

}  // namespace

std::string make_trial(const MatrixVectorRun& run, const MxvMemo& memo,
                       const std::function<MxvPlan(const Kernel* kernel)>& plan) {
  const auto start = std::chrono::steady_clock::now();
  selector::Trial trial = tried(run, memo, plan);
  double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool failed = !trial.failure.empty();
  const std::string outcome = "tried " + trial.kernel->name + ": " +
                              (failed             ? trial.failure
                               : trial.uncompiled ? "not compiled yet"
                                                  : trace::seconds_text(trial.seconds));
  if (trial.kernel == memo.plan().kernel) {
    if (trial.uncompiled) return outcome;  // the choice is timed when it is there
    if (failed) {
      trial = {trial.kernel, 0, {}};
      spent = std::numeric_limits<double>::infinity();
    }
  }
  keep_trial(run, trial, spent);
  return outcome;
}

}  // namespace cugrb::operations
