// Loops as a whole, by a clock that the tests move.
#include "src/selector/laps.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/catch.h"

using cugrb::counters_of_thread;
using cugrb::selector::Lap;
using cugrb::selector::Laps;
using cugrb::selector::Loop;

namespace {

double seconds = 0;

/// A program whose runs begin with two objects and go on with calls of a few functions.
struct Program {
  uint64_t place = 1000;
  unsigned calls = 100;
  double on_device = 10e-6, on_host = 10e-6;  ///< a call takes
  double predicted = 10e-6;                   ///< a call on the CPU
  double share_on_device = 1;                 ///< of the calls that are placed one by one
  unsigned functions = 5;
  uint64_t inner_place = 0;  ///< an object is made there every tenth call
  double compilation = 0;    ///< of a kernel, at the first call that the device has in a run
  double decision = 0;       ///< of a call that is placed by itself

  void call(Laps& laps, unsigned n) const {
    if (inner_place != 0 && n % 10 == 0) laps.made(inner_place);
    const bool is_decided = !Laps::step(n % functions);
    if (is_decided) seconds += decision;
    if (!is_decided || n >= share_on_device * calls) {
      seconds += on_host;
      return;
    }
    seconds += on_device;
    laps.ran_on_device(predicted);
    if (n > 0 || compilation == 0) return;
    seconds += compilation;
    laps.asked_for_missing_kernel();
  }
  /// How many of its calls the loop gives to the CPU.
  unsigned run(Laps& laps) const {
    laps.made(place);
    laps.made(place + 1);
    unsigned to_host = 0;
    for (unsigned n = 0; n < calls; ++n) {
      call(laps, n);
      if (Laps::on_host()) ++to_host;
    }
    return to_host;
  }
  /// Of so many runs, those that the CPU has had alone: by their numbers, from 0.
  std::vector<unsigned> runs_on_host(Laps& laps, unsigned runs) const {
    std::vector<unsigned> found;
    for (unsigned n = 0; n < runs; ++n) {
      if (run(laps) == calls) found.push_back(n);
    }
    return found;
  }
};

Laps& fresh_laps() {
  counters_of_thread().lap = {};
  seconds = 0;
  Laps::current() = Laps(counters_of_thread().lap, [] { return seconds; });
  return Laps::current();
}

std::vector<unsigned> from_to(unsigned first, unsigned end) {
  std::vector<unsigned> numbers;
  for (unsigned n = first; n < end; ++n) numbers.push_back(n);
  return numbers;
}

}  // namespace

TEST_CASE("a loop that the CPU does in less time is the CPU's from its third run on, and stays there") {
  Laps& laps = fresh_laps();
  Program slow_on_device;
  slow_on_device.on_device = 20e-6;
  // Run 0 makes the places known, run 1 is timed call by call, runs 2 and 3 are the trial.
  std::vector<unsigned> host = slow_on_device.runs_on_host(laps, 12);
  CHECK(host == from_to(2, 12));
  // It is asked again, once in a while, whether that is still so; each time for two laps, which are hopeless.
  host = slow_on_device.runs_on_host(laps, 1000);
  CHECK(host.size() >= 988);
}

TEST_CASE("a loop that the device does in less time stays there, but for trials") {
  Laps& laps = fresh_laps();
  Program fast_on_device;
  fast_on_device.on_device = 9e-6;
  const std::vector<unsigned> host = fast_on_device.runs_on_host(laps, 200);
  // Trials of two laps, a ninth slower: after 1 lap of its own, then 3, 7, 14, 28 and 56.
  CHECK(host.size() == 12);
  CHECK(host.front() == 2);
}

TEST_CASE("a loop that the CPU is predicted to be far slower in gets no trial") {
  Laps& laps = fresh_laps();
  Program fast_on_device;
  fast_on_device.on_host = 1e-3;
  fast_on_device.predicted = 30 * fast_on_device.on_device;
  CHECK(fast_on_device.runs_on_host(laps, 200).empty());
}

TEST_CASE("a trial that takes twice the time of a lap is given up in its midst") {
  Laps& laps = fresh_laps();
  Program misjudged;
  misjudged.calls = 1000;
  misjudged.on_host = 100e-6;
  misjudged.run(laps);
  misjudged.run(laps);
  const unsigned to_host = misjudged.run(laps);
  CHECK(to_host >= 200);
  CHECK(to_host <= 200 + Laps::calls_between_looks);
  // The next trial comes after 32 laps for each that it lost, which is two at most.
  unsigned rest = 0;
  while (rest < 200 && misjudged.run(laps) == 0) ++rest;
  CHECK(rest >= 32);
  CHECK(rest <= 2 * 32);
}

TEST_CASE("a trial whose calls each take longer than a lap is given up after the first of them") {
  Laps& laps = fresh_laps();
  Program misjudged;
  misjudged.on_device = 50e-6;
  misjudged.on_host = 30e-3;
  misjudged.predicted = 50e-6;
  misjudged.run(laps);
  misjudged.run(laps);
  CHECK(misjudged.run(laps) == 1);
  // Calls that come to what a trial may take: not one more.
  misjudged.place = 2000;
  misjudged.on_host = 1e-3;
  misjudged.run(laps);
  misjudged.run(laps);
  const unsigned to_host = misjudged.run(laps);
  CHECK(to_host >= 10);
  CHECK(to_host <= 11);
}

TEST_CASE("a trial is given up before a product that alone is predicted to take longer than a trial may") {
  constexpr unsigned calls = 100, product = 50;
  constexpr double of_product = 100e-3, of_call = 10e-6;
  Laps& laps = fresh_laps();
  unsigned trials = 0, products_on_host = 0;
  const auto run = [&](double predicted) {
    laps.made(1000);
    for (unsigned n = 0; n < calls; ++n) {
      bool on_host = Laps::step(n == product ? 5 : n % 5);
      if (n == 0 && on_host) ++trials;
      CHECK(Laps::foresees() == on_host);  // none of the CPU's laps is more than a trial
      if (n == product && Laps::foresees() && laps.is_too_long(predicted)) on_host = false;
      seconds += on_host && n == product ? of_product : of_call;
      if (on_host && n == product) ++products_on_host;
      if (!on_host) laps.ran_on_device(of_call);
    }
  };
  for (unsigned n = 0; n < 500; ++n) run(of_product);
  CHECK(products_on_host == 0);
  // It counts as what it would have taken: a hundred laps, after which it rests 32 times as long.
  CHECK(trials == 1);
  // A product that is predicted to take less than a trial may is run.
  fresh_laps();
  for (unsigned n = 0; n < 3; ++n) run(1e-3);
  CHECK(products_on_host == 1);
}

TEST_CASE("a loop in which the device takes no part is left alone") {
  Laps& laps = fresh_laps();
  Program other;
  other.place = 5000;
  other.run(laps);  // the thread has used the device
  Program small;
  small.share_on_device = 0;
  CHECK(small.runs_on_host(laps, 50).empty());
}

TEST_CASE("a loop of which the device has hardly anything is the CPU's for what its decisions take") {
  for (const double share : {0.01, 0.2}) {
    INFO(share << " of the calls are the device's");
    Laps& laps = fresh_laps();
    Program decided;
    decided.share_on_device = share;
    decided.decision = 0.2e-6;  // of 10
    const size_t of_host = decided.runs_on_host(laps, 100).size();
    if (share == 0.01) {
      CHECK(of_host >= 80);  // but for trials
    } else {
      CHECK(of_host <= 20);
    }
  }
}

TEST_CASE("before the thread has used the device no clock is looked at") {
  counters_of_thread().lap = {};
  static unsigned looks;
  looks = 0;
  Laps::current() = Laps(counters_of_thread().lap, [] { return double(++looks); });
  Program small;
  small.share_on_device = 0;
  small.runs_on_host(Laps::current(), 50);
  CHECK(looks == 0);
}

TEST_CASE("objects of another size are another loop, whose question is open") {
  Laps& laps = fresh_laps();
  Program on_small_graph;
  on_small_graph.on_device = 20e-6;
  on_small_graph.runs_on_host(laps, 20);
  Program on_large_graph = on_small_graph;
  on_large_graph.place = 2000;  // the size is part of the place
  on_large_graph.on_host = 200e-6;
  on_large_graph.predicted = 200e-6;
  const std::vector<unsigned> host = on_large_graph.runs_on_host(laps, 50);
  // The CPU keeps the lap of the loop before until that is stale.
  for (const unsigned run : host) CHECK(run < 4);
  // And the small graph's loop is still known.
  CHECK(on_small_graph.runs_on_host(laps, 20).size() >= 15);
}

TEST_CASE("a graph of about the same size that takes much longer opens the question again") {
  Laps& laps = fresh_laps();
  Program program;
  program.on_device = 20e-6;
  CHECK(program.runs_on_host(laps, 8).size() == 6);
  program.on_host = 100e-6;  // more entries; the device hardly notices
  program.on_device = 25e-6;
  CHECK(program.runs_on_host(laps, 40).size() <= 6);
}

TEST_CASE("the CPU keeps a loop whose laps it is disturbed in, while they take less than the device's") {
  Laps& laps = fresh_laps();
  Program program;
  program.on_device = 200e-6;
  CHECK(program.runs_on_host(laps, 8).size() == 6);
  program.on_host = 30e-6;
  CHECK(program.runs_on_host(laps, 12).size() == 12);
}

TEST_CASE("a short program leads soon after a long one whose leader has not come back") {
  Laps& laps = fresh_laps();
  Program longer;
  longer.calls = 3000;
  longer.on_device = 5e-6;
  longer.run(laps);
  longer.run(laps);
  laps.made(longer.place + 500);  // two places that enclose each other's visits
  laps.made(longer.place + 500);
  Program program;
  program.calls = 7;
  program.on_device = 2e-3;
  program.on_host = 50e-6;
  program.predicted = 100e-6;
  CHECK(program.runs_on_host(laps, 12) == from_to(2, 12));
}

TEST_CASE("the place that encloses the others leads") {
  Laps& laps = fresh_laps();
  Program program;
  program.calls = 200;
  program.inner_place = 77;
  program.on_device = 20e-6;
  for (unsigned n = 0; n < 3; ++n) program.run(laps);
  CHECK(program.runs_on_host(laps, 8).size() >= 6);
}

TEST_CASE("laps that compile kernels do not give the loop to the CPU") {
  Laps& laps = fresh_laps();
  Program program;
  program.on_host = program.predicted = 50e-6;
  program.compilation = 4;
  CHECK(program.runs_on_host(laps, 4).empty());
  program.compilation = 0;
  CHECK(program.runs_on_host(laps, 20).empty());
}

TEST_CASE("of laps that have all missed kernels each eighth counts") {
  Laps& laps = fresh_laps();
  Program program;
  program.on_device = 20e-6;
  program.compilation = 1e-3;
  // Of run 0 nothing is known, runs 1 to 8 are timed.
  CHECK(program.runs_on_host(laps, 14) == from_to(9, 14));
}

TEST_CASE("a loop that the CPU got by one slow lap of the device's comes back after a few laps") {
  Laps& laps = fresh_laps();
  Program program;
  program.on_host = program.predicted = 500e-6;
  program.on_device = 6e-3;  // for once: formats are made
  program.run(laps);
  program.run(laps);
  program.on_device = 1e-6;
  const std::vector<unsigned> host = program.runs_on_host(laps, 50);
  // Two laps of the trial, eleven and one; what it cost is twelve laps of the CPU's.
  CHECK(host == from_to(0, 14));
}

TEST_CASE("a loop that encloses one of the CPU's begins on the CPU") {
  Laps& laps = fresh_laps();
  Program program;
  program.calls = 1000;
  program.inner_place = 77;
  program.on_device = 200e-6;
  // The inner loop is the CPU's within the first run; the second run is not spent on the device.
  CHECK(program.run(laps) > 900);
  CHECK(program.runs_on_host(laps, 6).size() == 6);
}

TEST_CASE("laps that call other functions are not compared") {
  Laps& laps = fresh_laps();
  Program a, b;
  a.on_device = b.on_device = 20e-6;
  b.functions = 3;
  // As places of programs in Python are: one for all objects, between which anything is called.
  unsigned on_host = 0;
  for (unsigned n = 0; n < 200; ++n) on_host += (n % 2 == 0 ? a : b).run(laps) > 0;
  CHECK(on_host <= 4);
}

TEST_CASE("a loop that does not come back no longer has the thread") {
  Laps& laps = fresh_laps();
  Program program;
  program.on_device = 20e-6;
  program.runs_on_host(laps, 8);
  CHECK(Laps::on_host());
  unsigned to_host = 0;
  for (unsigned n = 0; n < 10000; ++n) {
    if (!Laps::step(n % 5)) break;
    seconds += 10e-6;
    ++to_host;
  }
  CHECK(to_host < 900);
  CHECK(laps.loop() == nullptr);
}

TEST_CASE("a loop by itself: its text, and where it goes") {
  Loop loop;
  const auto lap = [](double took, uint64_t on_device) {
    return Lap{took, 100, 3, on_device, double(on_device) * 10e-6, false};
  };
  loop.ended(false, lap(4e-3, 100));
  CHECK(loop.next_on_host());
  CHECK(loop.is_trying());
  CHECK(loop.reason() == std::string("its loop is tried on the CPU"));
  CHECK(loop.text() ==
        "a lap takes an unknown time on the CPU, 4.000 ms where each call is placed by itself");
  loop.ended(true, lap(3e-3, 0));
  CHECK(loop.is_trying());
  loop.ended(true, lap(2e-3, 0));
  CHECK(loop.is_settled_on_host());
  CHECK(!loop.is_trying());
  CHECK(loop.reason() == std::string("its loop takes less time on the CPU"));
  CHECK(loop.text() == "a lap takes 2.000 ms on the CPU, 4.000 ms where each call is placed by itself");
}

TEST_CASE("another program leads when its places recur, however long the laps before it are") {
  Laps& laps = fresh_laps();
  Program other;
  other.place = 5000;
  other.calls = 5000;
  other.inner_place = 77;
  other.on_device = 5e-6;
  for (unsigned n = 0; n < 6; ++n) other.run(laps);
  Program program;
  program.on_device = 20e-6;
  CHECK(program.runs_on_host(laps, 10) == from_to(2, 10));
}

TEST_CASE("a lap that calls what its loop does not call is no longer the CPU's") {
  Laps& laps = fresh_laps();
  Program program;
  program.on_device = 20e-6;
  program.runs_on_host(laps, 8);
  CHECK(Laps::step(4));
  CHECK(!Laps::step(5));
  CHECK(!Laps::step(4));
  CHECK(laps.loop() == nullptr);
  // When it comes back it is known.
  CHECK(program.runs_on_host(laps, 4) == from_to(0, 4));
}

TEST_CASE("a loop whose CPU is predicted to be far too slow is tried when that costs a tenth of its time") {
  Laps& laps = fresh_laps();
  Program program;
  program.on_host = 8e-6;
  program.predicted = 7.95 * program.on_device;
  const std::vector<unsigned> host = program.runs_on_host(laps, 86);
  CHECK(host == from_to(81, 86));
}

TEST_CASE("a trial that took the time of a thousand laps is not repeated soon") {
  Loop loop;
  const Lap placed{1e-3, 100, 3, 50, 1e-3, false};
  loop.ended(false, placed);
  REQUIRE(loop.next_on_host());
  loop.ended(true, {1, 100, 3, 0, 0, false});
  for (unsigned n = 0; n < 31000; ++n) {
    REQUIRE(!loop.next_on_host());
    loop.ended(false, placed);
  }
}

namespace {

/// What became of programs of 60 laps that take 1 call by call and `on_host` on the CPU, times noise; one in
/// fifty takes four times as long.
struct Noisy {
  double mean_lap = 0;
  double share_settled_on_host = 0;  ///< after 24 laps
};

Noisy noisy_laps(double on_host, double sigma) {
  std::mt19937 random(1);
  std::lognormal_distribution<double> noise(-sigma * sigma / 2, sigma);
  std::bernoulli_distribution is_disturbed(0.02);
  constexpr unsigned programs = 300, laps = 60, early = 24;
  Noisy all;
  for (unsigned p = 0; p < programs; ++p) {
    Loop loop;
    for (unsigned n = 0; n < laps; ++n) {
      const bool host = loop.next_on_host();
      if (n == early && loop.is_settled_on_host()) all.share_settled_on_host += 1.0 / programs;
      double took = (host ? on_host : 1) * noise(random) * (is_disturbed(random) ? 4 : 1);
      const double patience = loop.patience();
      const bool is_given_up = host && loop.is_trying() && took > patience;
      if (is_given_up) took = patience + 1 - patience / took;  // the rest of it call by call
      loop.ended(host, {took, 100, 3, host ? 0u : 50u, host ? 0 : std::min(on_host, 2.9), is_given_up});
      all.mean_lap += took / programs / laps;
    }
  }
  return all;
}

}  // namespace

TEST_CASE("noisy laps take little more than those of the better side, trials included") {
  constexpr double mean_of_disturbed = 0.98 + 0.02 * 4;
  for (const double sigma : {0.05, 0.2, 0.4}) {
    for (const double on_host : {0.3, 0.6, 0.8, 0.95, 1.05, 1.3, 2.0, 4.0}) {
      INFO("sigma " << sigma << ", on the CPU " << on_host);
      CHECK(noisy_laps(on_host, sigma).mean_lap < 1.2 * std::min(1.0, on_host) * mean_of_disturbed);
    }
  }
}

TEST_CASE("a loop that the CPU does in a little less time is soon its own, however noisy laps are") {
  CHECK(noisy_laps(0.85, 0.05).share_settled_on_host > 0.95);
  CHECK(noisy_laps(0.85, 0.2).share_settled_on_host > 0.9);
  CHECK(noisy_laps(0.7, 0.4).share_settled_on_host > 0.85);
}
