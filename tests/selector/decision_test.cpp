// Which format is made, and when: the whole sequence of conversions against the uses to come.
#include "src/selector/decision.h"

#include <algorithm>
#include <cmath>

#include "tests/catch.h"

using namespace cugrb;
using selector::Candidate;
using selector::Decision;

namespace {

const selector::Kernel ready_kernel{"ready"}, between_kernel{"between"}, fast_kernel{"fast"};

/// A kernel on what is there, one whose format is made soon, one that is faster and whose format takes longer
/// to make; milliseconds. `uses` of the matrix so far.
Decision three_formats(double ready, double between, double build_between, double fast, double build_fast,
                       double uses) {
  Decision decision;
  decision.operation = "mxv PLUS_TIMES_FP32";
  decision.expected_uses = 1 + uses;
  decision.candidates = {{&ready_kernel, "csr", ready, 0, 0, true, ""},
                         {&between_kernel, "blocked", between, build_between / (1 + uses), 0, true, ""},
                         {&fast_kernel, "tile_composite", fast, build_fast / (1 + uses), 0, true, ""}};
  choose(decision, nullptr);
  return decision;
}

}  // namespace

TEST_CASE("a format that is quickly made and pays at once is made, although a better one will replace it") {
  for (const double uses : {6, 10, 20, 40}) {
    INFO(uses);
    CHECK(three_formats(0.93, 0.35, 3, 0.30, 22, uses).chosen.kernel->name == "between");
  }
  CHECK(three_formats(0.93, 0.35, 3, 0.30, 22, 1000).chosen.kernel->name == "fast");
}

TEST_CASE("a format whose gain the next conversion eats is skipped, and its reason names that one") {
  // It would pay after 10 / (0.93 - 0.6) = 30 uses; the better one is made after 20 / (0.93 - 0.3) = 32.
  const Decision skips = three_formats(0.93, 0.6, 10, 0.3, 20, 30);
  CHECK(skips.chosen.kernel->name == "ready");
  CHECK(skips.candidates[1].reason.find("fast would replace it") != std::string::npos);
  CHECK(to_text(skips).find("skipped") != std::string::npos);
  CHECK(skips.chosen.reason.empty());
  CHECK(three_formats(0.93, 0.6, 10, 0.3, 20, 32).chosen.kernel->name == "fast");
  // Without the better one it is made.
  Decision alone = three_formats(0.93, 0.6, 10, 0.3, 20, 30);
  alone.candidates.pop_back();
  alone.candidates[1].reason.clear();
  choose(alone, nullptr);
  CHECK(alone.chosen.kernel->name == "between");
}

TEST_CASE("a decision says from how many uses on another candidate may be chosen") {
  for (const double build : {0.8, 3.0, 7.77, 200.0}) {
    // The third never pays.
    const double until = uses_until_another(three_formats(0.93, 0.35, build, 2, 1, 0));
    int first = 0;
    while (three_formats(0.93, 0.35, build, 2, 1, first).chosen.kernel->name == "ready") ++first;
    INFO(build);
    CHECK(std::abs(until - first) <= 1);
    CHECK(until <= first);
    // The same from a later decision.
    if (first > 1)
      CHECK(uses_until_another(three_formats(0.93, 0.35, build, 2, 1, first - 1)) == Approx(until));
  }
  CHECK(std::isinf(uses_until_another(three_formats(0.93, 1, 3, 2, 1, 5))));
  Decision forced = three_formats(0.93, 0.35, 3, 0.3, 22, 0);
  choose(forced, &ready_kernel);
  CHECK(std::isinf(uses_until_another(forced)));
}

TEST_CASE(
    "what cannot run is waited for by nobody, what is forced is taken, a first product is on what is there") {
  Decision decision = three_formats(0.93, 0.6, 10, 0.3, 20, 30);
  decision.candidates[1].reason.clear();
  decision.candidates[2].applicable = false;
  choose(decision, nullptr);
  CHECK(decision.chosen.kernel->name == "between");
  choose(decision, &ready_kernel);
  CHECK(decision.forced);
  CHECK(decision.chosen.kernel->name == "ready");
  CHECK(three_formats(0.93, 0.6, 10, 0.3, 20, 0).chosen.kernel->name == "ready");
}

TEST_CASE("no program pays more than twice what the best single format would have cost it") {
  const double ready = 0.93, between = 0.35, build_between = 3, fast = 0.30, build_fast = 22;
  bool has_between = false, has_fast = false;
  double paid = 0;
  for (int uses = 0; uses < 3000; ++uses) {
    const std::string kernel =
        three_formats(ready, between, has_between ? 0 : build_between, fast, has_fast ? 0 : build_fast, uses)
            .chosen.kernel->name;
    if (kernel == "between") {
      paid += between + (has_between ? 0 : build_between);
      has_between = true;
    } else if (kernel == "fast") {
      paid += fast + (has_fast ? 0 : build_fast);
      has_fast = true;
    } else {
      paid += ready;
    }
    const double n = uses + 1;
    CHECK(paid <= 2 * std::min({n * ready, build_between + n * between, build_fast + n * fast}));
  }
  CHECK(has_fast);
}
