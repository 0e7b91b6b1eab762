// Samples and rounds by a clock that is made up.
#include "tools/calibration/turns.h"

#include <cmath>

#include "tests/catch.h"
#include "tools/calibration/timing.h"

using namespace cugrb;
using calibration::in_turns;

namespace {

/// Every run takes the same time; what was asked for is counted.
struct Clock {
  double seconds_a_run;
  std::vector<int> counts = {};

  double operator()(const std::function<void()>& run, int count) {
    for (int n = 0; n < count; ++n) run();
    counts.push_back(count);
    return count * seconds_a_run;
  }
};

}  // namespace

TEST_CASE("a sample of short runs is a loop of twenty, one of long runs a single one; the time is a run's") {
  int runs = 0;
  const std::function<void()> run = [&runs] { ++runs; };
  double best = 0;
  Clock quick{5e-6};
  const calibration::Timing timing = calibration::sample(
      7, 10, run, [&](const auto& r, int n) { return quick(r, n); }, best);
  CHECK(timing.median == Approx(5e-6));
  CHECK(timing.runs_a_sample == 20);
  CHECK(timing.samples == 7);
  CHECK(runs == 1 + 1 + 7 * 20);
  CHECK(best == Approx(5e-6));
  Clock slow{1e-3};
  best = 0;
  CHECK(calibration::sample(
            7, 10, run, [&](const auto& r, int n) { return slow(r, n); }, best)
            .runs_a_sample == 1);
}

TEST_CASE("what is far behind the best gets fewer samples, and does not become the best") {
  const std::function<void()> run = [] {};
  const auto samples_at = [&run](double seconds) {
    double best = 10e-6;
    Clock clock{seconds};
    const calibration::Timing timing = calibration::sample(
        20, 10, run, [&](const auto& r, int n) { return clock(r, n); }, best);
    CHECK(best == Approx(std::min(10e-6, seconds)));
    CHECK(timing.median == Approx(seconds));
    return timing.samples;
  };
  CHECK(samples_at(9e-6) == 20);
  CHECK(samples_at(19e-6) == 20);
  CHECK(samples_at(21e-6) == 5);
  CHECK(samples_at(160e-6) == 1);
}

TEST_CASE("rounds in which the host is slower do not tell candidates apart that take the same") {
  // In each of these rounds the host is as slow for one as for the other, and a third one is held up once.
  const std::vector<double> host = {1, 1, 3, 1, 2};
  calibration::Rounds rounds;
  for (const double slower : host) {
    rounds["a"].push_back(4e-6 * slower);
    rounds["b"].push_back(4e-6 * slower);
    rounds["c"].push_back(5e-6 * slower);
  }
  const std::map<std::string, double> even = calibration::seconds_by_shares(rounds);
  CHECK(even.at("a") == Approx(even.at("b")));
  CHECK(even.at("c") / even.at("a") == Approx(1.25));
  CHECK(even.at("a") == Approx(4e-6));
  rounds["b"][1] *= 50;
  const std::map<std::string, double> held_up = calibration::seconds_by_shares(rounds);
  CHECK(held_up.at("b") / held_up.at("a") == Approx(1));
  CHECK(calibration::seconds_by_shares({}).empty());
}

TEST_CASE("candidates take turns, and one that cannot run any more is left out of all rounds") {
  std::string order;
  const auto turn = [&order](const std::string& candidate) -> std::optional<double> {
    order += candidate;
    if (candidate == "b" && order.size() > 3) return std::nullopt;
    return candidate == "a" ? 1 : 2;
  };
  const calibration::Compared compared = in_turns({"c", "a", "b"}, 3, 0, turn);
  CHECK(order == "abcabcac");
  CHECK(compared.rounds == 3);
  CHECK(compared.seconds.size() == 2);
  CHECK(compared.seconds.at("c") / compared.seconds.at("a") == Approx(2));
  CHECK(in_turns({}, 3, 0, turn).rounds == 0);
}

TEST_CASE("rounds end when their time is over, after three") {
  const auto turn = [](const std::string&) {
    const calibration::Stopwatch watch;
    while (watch.seconds() < 1e-4) {
    }
    return std::optional<double>(1);
  };
  CHECK(in_turns({"a"}, 1000, 1e-6, turn).rounds == 3);
  CHECK(in_turns({"a"}, 5, 0, turn).rounds == 5);
}
