// Shares against rows that are dealt one by one; communication against bytes that are counted by hand.
#include "src/selector/scale.h"

#include <algorithm>
#include <random>

#include "tests/catch.h"

using namespace cugrb;
using namespace cugrb::selector;
using formats::LengthDistribution;

namespace {

/// The paper's words, row by row.
std::vector<PartSize> dealt_by_hand(std::vector<uint64_t> lengths, unsigned parts) {
  std::sort(lengths.rbegin(), lengths.rend());
  std::vector<PartSize> shares(parts);
  for (size_t n = 0; n < lengths.size(); ++n) {
    const size_t round = n / parts, place = n % parts;
    PartSize& share = shares[round % 2 == 0 ? place : parts - 1 - place];
    ++share.rows;
    share.entries += lengths[n];
  }
  return shares;
}

LengthDistribution distribution_of(const std::vector<uint64_t>& lengths) {
  std::vector<std::pair<uint64_t, uint64_t>> histogram;
  for (const uint64_t length : lengths) histogram.emplace_back(length, 1);
  return LengthDistribution(histogram);
}

/// 4 M vertices, 64 M entries, on devices whose links do 100 GB/s.
SharedProduct square() {
  SharedProduct p;
  p.rows = p.columns = 1 << 22;
  p.vector_bytes = p.result_bytes = 4;
  p.alone_seconds = 1e-3;
  p.launch_bound_seconds = 1e-6;
  return p;
}

Hardware linked() {
  Hardware h;
  h.peer_bytes_per_second = 100e9;
  h.peer_seconds = 0;
  h.copy_bytes_per_second = 3e12;
  return h;
}

}  // namespace

TEST_CASE("shares are those of rows that are dealt one by one") {
  std::mt19937_64 random(7);
  for (int n = 0; n < 300; ++n) {
    const unsigned parts = 1 + unsigned(random() % 9);
    std::vector<uint64_t> lengths(random() % 200);
    const uint64_t most = 1 + random() % 30;
    for (uint64_t& length : lengths) length = random() % most;
    const std::vector<PartSize> shares = bitonic_shares(distribution_of(lengths), parts),
                                expected = dealt_by_hand(lengths, parts);
    REQUIRE(shares.size() == parts);
    for (unsigned p = 0; p < parts; ++p) {
      CHECK(shares[p].rows == expected[p].rows);
      CHECK(shares[p].entries == expected[p].entries);
    }
  }
}

TEST_CASE("imbalance is the largest share over the mean") {
  CHECK(imbalance_of({{1, 30}, {1, 10}}) == 1.5);
  CHECK(imbalance_of({{5, 0}, {5, 0}}) == 1);
  CHECK(imbalance_of(bitonic_shares(distribution_of({100, 1, 1, 1}), 2)) == 101.0 * 2 / 103);
}

TEST_CASE("a partition by rows gathers what the others have of u") {
  const ScaleForecast f = forecast_scale(square(), {4, 1}, 1.02, linked());
  CHECK(f.product_seconds == Approx(0.25e-3 * 1.02 + 2 * 0.75 * double(1 << 22) * 4 / 3e12));
  CHECK(f.sent_bytes == 3 * double(1 << 20) * 4);
  CHECK(f.gather_seconds == Approx(3 * double(1 << 20) * 4 / 100e9));
  CHECK(f.reduce_seconds == 0);
  CHECK(f.efficiency(1e-3) == Approx(1e-3 / (4 * f.seconds())));
}

TEST_CASE("a partition by columns adds what the others have of the sums") {
  const ScaleForecast f = forecast_scale(square(), {1, 4}, 1, linked());
  CHECK(f.product_seconds == Approx(0.25e-3));
  CHECK(f.gather_seconds == 0);
  CHECK(f.sent_bytes == 3 * double(1 << 20) * 4);
  CHECK(f.reduce_seconds == Approx(3 * double(1 << 20) * 4 * (1 / 100e9 + 3 / 3e12)));
}

TEST_CASE("a square grid sends 2 / (sqrt(P) + 1) of what a partition by rows does") {
  for (const unsigned side : {2u, 4u, 8u}) {
    const double two = forecast_scale(square(), {side, side}, 1, linked()).sent_bytes,
                 one = forecast_scale(square(), {side * side, 1}, 1, linked()).sent_bytes;
    CHECK(two / one == Approx(2.0 / (side + 1)));
  }
}

TEST_CASE("the best grid is no slower than any other of as many processes") {
  for (const double latency : {0.0, 15e-6}) {
    Hardware h = linked();
    h.peer_seconds = latency;
    for (const unsigned processes : {1u, 2u, 6u, 7u, 16u, 64u}) {
      const ScaleForecast best = best_grid(square(), processes, 1, h);
      CHECK(best.grid.processes() == processes);
      for (unsigned columns = 1; columns <= processes; ++columns) {
        if (processes % columns != 0) continue;
        CHECK(best.seconds() <= forecast_scale(square(), {processes / columns, columns}, 1, h).seconds());
      }
    }
  }
}

TEST_CASE("many devices are bound by what any product takes") {
  SharedProduct small = square();
  small.alone_seconds = 2e-6;
  small.columns = 1000;
  CHECK(forecast_scale(small, {16, 1}, 1, linked()).product_seconds == 1e-6);
}
