// Which kernel is timed next, when that is paid for, and what its time does to the choice.
#include "src/selector/trials.h"

#include "src/selector/mxv_problem.h"
#include "tests/catch.h"
#include "tests/selector/candidates.h"

using namespace cugrb;
using selector::Candidate;
using selector::Decision;
using selector::Trials;

namespace {

const selector::Kernel first_kernel{"first"}, second_kernel{"second"}, third_kernel{"third"},
    fourth_kernel{"fourth"};

/// Three kernels on what is there, and one whose format takes 1 ms to make, after 100 uses; microseconds.
Decision decision_of(double first, double second, double third, double fourth) {
  Decision decision;
  decision.expected_uses = 100;
  decision.candidates = {{&first_kernel, "csr", first * 1e-6, 0, 0, true, ""},
                         {&second_kernel, "csr", second * 1e-6, 0, 0, true, ""},
                         {&third_kernel, "csr", third * 1e-6, 0, 0, true, ""},
                         {&fourth_kernel, "ell", fourth * 1e-6, 1e-3 / 100, 0, true, ""}};
  choose(decision, nullptr);
  return decision;
}

/// What the selector knows of a matrix of rows that are alike.
selector::MxvProblem problem() {
  selector::MxvProblem p;
  p.operation = "mxv PLUS_TIMES_FP32";
  p.rows = p.columns = p.vector_entries = 1 << 20;
  p.entries = 16 << 20;
  p.matrix_value_bytes = p.vector_value_bytes = 4;
  p.pull_uses = 1000;
  p.pull_lengths = {16, 0, 0};
  return p;
}

}  // namespace

TEST_CASE("the choice is timed first, then its rivals from the least charged time on, and none twice") {
  const Decision decision = decision_of(100, 120, 110, 95);
  REQUIRE(decision.chosen.kernel->name == "first");
  Trials trials;
  for (const selector::Kernel* expected : {&first_kernel, &fourth_kernel, &third_kernel, &second_kernel}) {
    const auto next = next_trial(decision, trials, 0);
    REQUIRE(next.has_value());
    CHECK(next->kernel == expected);
    trials.made.push_back({expected, 100e-6, ""});
  }
  CHECK_FALSE(next_trial(decision, trials, 0).has_value());
}

TEST_CASE(
    "a kernel that is predicted to be 1.3 times slower than the choice, and than what it takes, is not "
    "tried") {
  Decision decision = decision_of(100, 129, 131, 1000);
  Trials trials;
  trials.made = {{&first_kernel, 100e-6, ""}, {&second_kernel, 100e-6, ""}};
  CHECK_FALSE(next_trial(decision, trials, 0).has_value());
  decision.chosen.measured_seconds = 101e-6;  // it takes longer than predicted
  REQUIRE(next_trial(decision, trials, 0).has_value());
  CHECK(next_trial(decision, trials, 0)->kernel->name == "third");
  trials.made.pop_back();
  decision.chosen.measured_seconds = 80e-6;  // its rivals may be faster than predicted, too
  REQUIRE(next_trial(decision, trials, 0).has_value());
  CHECK(next_trial(decision, trials, 0)->kernel->name == "second");
}

TEST_CASE("trials are a tenth of what products have taken, conversion and compilation included") {
  const Decision decision = decision_of(100, 1000, 1000, 105);
  Trials trials;
  // A warm product and three times two that are timed, of 100 us each.
  CHECK(next_trial(decision, trials, 0)->due_uses == Approx(10 * 7));
  CHECK(next_trial(decision, trials, 65e-3)->due_uses == Approx(10 * 7));  // the choice is compiled
  trials.made = {{&first_kernel, 100e-6, ""}};
  trials.spent_seconds = 0.5e-3;
  CHECK(next_trial(decision, trials, 0)->due_uses == Approx(10 * (5 + 10 + 7 * 1.05)));
}

TEST_CASE("a kernel that was not compiled comes up again, charged with that, after all that are") {
  const Decision decision = decision_of(100, 110, 120, 1000);
  Trials trials;
  trials.keep({&first_kernel, 100e-6, ""});
  trials.keep({&second_kernel, 0, "", /*uncompiled=*/true});
  const auto compiled = next_trial(decision, trials, 65e-3);
  REQUIRE(compiled.has_value());
  CHECK(compiled->kernel->name == "third");
  CHECK_FALSE(compiled->compiles);
  trials.keep({&third_kernel, 120e-6, ""});
  const auto uncompiled = next_trial(decision, trials, 65e-3);
  REQUIRE(uncompiled.has_value());
  CHECK(uncompiled->kernel->name == "second");
  CHECK(uncompiled->compiles);
  CHECK(uncompiled->due_uses == Approx(10 * (650 + 7 * 1.1)));
  trials.keep({&second_kernel, 110e-6, ""});
  CHECK(trials.made.size() == 3);
  CHECK_FALSE(next_trial(decision, trials, 65e-3).has_value());
}

TEST_CASE("products of a trial: about a tenth of a millisecond, two or three a run, short ones in one run") {
  CHECK(selector::products_of_trial(10e-6) == 3);
  CHECK(selector::products_of_trial(1e-3) == 2);
  CHECK(selector::seconds_of_trial(1e-3) == Approx(7e-3));
  CHECK(selector::seconds_of_trial(10e-6) == Approx(100e-6));
  CHECK(selector::seconds_of_trial(4e-6) == Approx(70e-6));  // 30 us of it the device is held
}

TEST_CASE(
    "nothing is tried of what was forced, while the choice's format is to be made, and beyond nine trials") {
  Decision forced = decision_of(100, 100, 100, 100);
  choose(forced, &third_kernel);
  CHECK_FALSE(next_trial(forced, {}, 0).has_value());
  const Decision converts = decision_of(100, 100, 100, 50);
  REQUIRE(converts.chosen.kernel->name == "fourth");
  CHECK_FALSE(next_trial(converts, {}, 0).has_value());
  Trials many;
  std::vector<selector::Kernel> kernels(9);
  for (const selector::Kernel& kernel : kernels) many.made.push_back({&kernel, 1, ""});
  many.made[0].kernel = &first_kernel;
  CHECK_FALSE(next_trial(decision_of(100, 100, 100, 100), many, 0).has_value());
}

TEST_CASE("a kernel that was tried counts with its measured time, one that failed not at all") {
  selector::MxvProblem p = problem();
  const Decision before = test::choose_mxv(p, selector::Hardware(), "");
  const Candidate& rival = test::named(before, "mxv_row_16");
  REQUIRE(before.chosen.kernel != rival.kernel);
  p.trials = {{before.chosen.kernel, 2 * rival.predicted_seconds, ""}, {rival.kernel, 0.1e-6, ""}};
  const Decision after = test::choose_mxv(p, selector::Hardware(), "");
  CHECK(after.chosen.kernel == rival.kernel);
  CHECK(after.chosen.measured_seconds == 0.1e-6);
  CHECK(after.chosen.predicted_seconds == rival.predicted_seconds);
  CHECK(after.chosen.reason == "measured");
  CHECK(test::named(after, "mxv_row_8").doubt > 1);
  CHECK(to_text(after).find("mxv_row_16 (csr): 0.1 us (predicted ") != std::string::npos);
  p.trials.back() = {rival.kernel, 0, "no memory"};
  const Decision failed = test::choose_mxv(p, selector::Hardware(), "");
  CHECK_FALSE(test::named(failed, rival.kernel->name).applicable);
  CHECK(to_text(failed).find("failed when it was tried: no memory") != std::string::npos);
}
