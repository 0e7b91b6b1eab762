// The best threshold of HYB: the same as by trying all of them, in a number of evaluations that the length of
// the longest row does not change.
#include <algorithm>
#include <cmath>
#include <random>

#include "src/selector/analytic.h"
#include "tests/catch.h"

using namespace cugrb::selector::analytic;
using cugrb::formats::LengthDistribution;

namespace {

/// Algorithm 2 as it is printed.
std::pair<uint64_t, double> by_trying_all(const LengthDistribution& d, const Parameters& p, Counted counted) {
  uint64_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (uint64_t k = uint64_t(std::ceil(d.mean())); k <= d.longest(); ++k) {
    const double time = seconds(hyb(d, k, p), counted);
    if (time < least) {
      best = k;
      least = time;
    }
  }
  return {best, least};
}

void check_same(const LengthDistribution& d, const Parameters& p, Counted counted) {
  const HybChoice choice = optimal_hyb(d, p, counted);
  const auto [threshold, least] = by_trying_all(d, p, counted);
  CAPTURE(threshold, choice.threshold, d.mean(), d.longest(), p.bus_bytes, p.value_bytes, p.warp_threads,
          p.block_threads);
  const double found = seconds(choice.estimate, counted);
  CHECK(std::abs(found - least) <= 1e-12 * least);
  CHECK(found == seconds(hyb(d, choice.threshold, p), counted));
  // Another threshold only where rounding alone tells the two apart.
  if (choice.threshold != threshold) {
    CHECK(std::abs(seconds(hyb(d, threshold, p), counted) - found) <= 1e-12 * least);
  }
}

LengthDistribution power_law(uint64_t distinct, uint64_t longest) {
  std::vector<std::pair<uint64_t, uint64_t>> histogram;
  for (uint64_t n = 0; n < distinct; ++n) {
    const double share = double(n) / double(distinct - 1);
    histogram.emplace_back(uint64_t(std::pow(double(longest), share)),
                           1 + uint64_t(1e6 * std::pow(1e-6, share)));
  }
  return LengthDistribution(std::move(histogram));
}

}  // namespace

TEST_CASE("the best threshold of random matrices is the one that trying all finds") {
  std::mt19937_64 random(21);
  const auto pick = [&](std::initializer_list<uint64_t> values) {
    return *(values.begin() + random() % values.size());
  };
  for (int round = 0; round < 400; ++round) {
    std::vector<std::pair<uint64_t, uint64_t>> histogram;
    const uint64_t distinct = 1 + random() % 8, bound = pick({6, 40, 300, 2000});
    for (uint64_t n = 0; n < distinct; ++n)
      histogram.emplace_back(random() % bound, 1 + (random() % 1000 >> random() % 10));
    Parameters p;
    p.value_bytes = pick({1, 2, 4, 8, 12});
    p.index_bytes = pick({4, 8});
    p.bus_bytes = pick({8, 16, 48, 768});
    p.warp_threads = pick({2, 24, 32});
    p.block_threads = pick({4, 128, 256, 1000});
    p.transfer_rate = double(pick({1, 100, 10000, 100000})) * 1e9;
    p.processors = double(pick({32, 384, 16896}));
    const LengthDistribution d(std::move(histogram));
    check_same(d, p, Counted::transfer_and_compute);
    check_same(d, p, Counted::compute);
  }
}

TEST_CASE("the best threshold of a power law is the one that trying all finds") {
  for (const uint64_t longest : {50, 5000, 60000}) {
    for (const Counted counted : {Counted::transfer_and_compute, Counted::compute}) {
      check_same(power_law(40, longest), Parameters(), counted);
      check_same(power_law(40, longest), Parameters::of({}, cugrb::Type::of(cugrb::TypeCode::Fp64), 55e9),
                 counted);
    }
  }
}

TEST_CASE("the work does not grow with the longest row") {
  for (const Counted counted : {Counted::transfer_and_compute, Counted::compute}) {
    const Parameters p;
    uint64_t most = 0;
    for (const uint64_t longest : {uint64_t(100000), uint64_t(10000000), uint64_t(10000000000)}) {
      const HybChoice choice = optimal_hyb(power_law(30, longest), p, counted);
      CHECK(choice.threshold <= longest);
      most = std::max(most, choice.evaluations);
    }
    // 31 segments (30 lengths, one of them cut at BS). Table 2's period is lcm(32, 16 / 4) = 32 thresholds:
    // each of the two stretches that are looked at holds one drop of the COO part's staircase, or 8 rises of
    // each of the ELL part's two (the third counts beyond BS only): at most 1 + 2 * 16 evaluations a segment.
    CHECK(most <= 31 * 33);
    // One row of 10^10 among short ones: two distinct lengths, two segments and the cut.
    const HybChoice one_long_row =
        optimal_hyb(LengthDistribution({{3, 1000000}, {10000000000, 1}}), p, counted);
    CHECK(one_long_row.evaluations <= 3 * 33);
    CHECK(one_long_row.evaluations >= 2);
  }
}

TEST_CASE("equal rows have one threshold, their length") {
  const HybChoice choice = optimal_hyb(LengthDistribution({{27, 1000}}), Parameters(), Counted::compute);
  CHECK(choice.threshold == 27);
  CHECK(choice.evaluations == 1);
}
