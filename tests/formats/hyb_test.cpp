// HYB storage: thresholds, made from CSR, turned back, its invariant check.
#include "src/formats/hyb.h"

#include <cmath>

#include "tests/catch.h"
#include "tests/formats/format_cases.h"

using namespace cugrb;
using formats::Csr;
using formats::Hyb;
using formats::LengthDistribution;
using test::RefMatrix;

namespace {

/// The loop that the heuristic is defined by.
uint64_t bell_garland_slowly(const std::vector<uint64_t>& lengths, double relative_speed,
                             uint64_t least_rows) {
  const uint64_t longest = *std::max_element(lengths.begin(), lengths.end());
  uint64_t best = 1;
  for (uint64_t k = 1; k <= longest; ++k) {
    uint64_t rows = 0;
    for (const uint64_t length : lengths) rows += length >= k ? 1 : 0;
    if (relative_speed * double(rows) >= double(lengths.size()) && rows >= least_rows) best = k;
  }
  return best;
}

/// Cost of a threshold when rows are in random order: positions of the slices, and entries of the list.
double cost_of_threshold(const LengthDistribution& lengths, uint64_t k, double relative_cost) {
  return 32 * formats::expected_slice_columns(lengths, k) + relative_cost * double(lengths.entries_beyond(k));
}

}  // namespace

TEST_CASE("the threshold of Bell and Garland is the largest that enough rows reach") {
  // 6 rows: 2 entries thrice, 5 twice, 9 once. A third of the rows is 2: three of them reach 5, one 9.
  const LengthDistribution small({{2, 3}, {5, 2}, {9, 1}});
  CHECK(formats::bell_garland_threshold(small, 3, 1) == 5);
  CHECK(formats::bell_garland_threshold(small, 2, 1) == 5);
  CHECK(formats::bell_garland_threshold(small, 1.9, 1) == 2);
  CHECK(formats::bell_garland_threshold(small, 3, 4) == 2);
  CHECK(formats::bell_garland_threshold(small) == 1);  // fewer than 4096 rows
  CHECK(formats::bell_garland_threshold({}) == 1);
  test::Random random(21);
  for (int n = 0; n < 50; ++n) {
    std::vector<uint64_t> lengths(1 + test::below(random, 60));
    for (uint64_t& length : lengths) length = test::below(random, 1 + test::below(random, 40));
    std::vector<std::pair<uint64_t, uint64_t>> histogram;
    for (const uint64_t length : lengths) histogram.emplace_back(length, 1);
    for (const double speed : {1.5, 3.0, 10.0}) {
      for (const uint64_t least : {1, 8}) {
        CHECK(formats::bell_garland_threshold(LengthDistribution(histogram), speed, least) ==
              bell_garland_slowly(lengths, speed, least));
      }
    }
  }
}

TEST_CASE("no other threshold costs less than the sliced one") {
  test::Random random(22);
  for (int n = 0; n < 30; ++n) {
    std::vector<std::pair<uint64_t, uint64_t>> histogram;
    for (int bin = 0; bin < 8; ++bin)
      histogram.emplace_back(test::below(random, 50), 32 * test::below(random, 20));
    histogram.emplace_back(60, 32);
    const LengthDistribution lengths(histogram);
    for (const double relative_cost : {1.0, 1.8, 3.0, 20.0}) {
      const uint64_t chosen = formats::sliced_threshold(lengths, relative_cost);
      const double cost = cost_of_threshold(lengths, chosen, relative_cost);
      for (uint64_t k = 1; k <= lengths.longest(); ++k) {
        INFO("threshold " << k << " instead of " << chosen << ", relative cost " << relative_cost);
        CHECK(cost_of_threshold(lengths, k, relative_cost) >= cost * (1 - 1e-12));
      }
    }
  }
  CHECK(formats::sliced_threshold(LengthDistribution({{7, 100}}), 2) == 7);
  CHECK(formats::sliced_threshold({}, 2) == 1);
}

TEST_CASE("CSR to HYB and back keeps every entry, for every shape, width, iso-ness and size of value") {
  test::for_every_matrix(23, [](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    for (const uint64_t threshold : {1, 4}) {
      if (matrix.entries.empty()) continue;
      INFO(text << ", threshold " << threshold);
      const Hyb hyb = make_hyb(csr, threshold);
      REQUIRE(formats::check(hyb) == "");
      CHECK(hyb.coo.entries == test::distribution_of(matrix).entries_beyond(threshold));
      CHECK(hyb.bytes() == hyb.ell.bytes() + hyb.coo.bytes());
      const Csr back = to_csr(hyb);
      REQUIRE(formats::check(back) == "");
      CHECK(test::same(test::from_device(back), matrix));
    }
  });
}

TEST_CASE("the check of HYB storage names what is wrong") {
  test::Random random(24);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp32), 40, 30, test::Spread::no_empty_row, 6, false);
  const Csr csr = test::csr_to_device(matrix, false, false);
  const Hyb good = make_hyb(csr, 3);
  CHECK(formats::check(good) == "");
  Hyb other = good;
  other.coo = make_coo(csr);
  CHECK(formats::check(other).find("list") != std::string::npos);
  other = good;
  other.threshold = 2;
  CHECK(formats::check(other).find("passes the threshold") != std::string::npos);
  other = good;
  other.coo = make_coo_beyond(csr, 2);
  CHECK(formats::check(other).find("belongs to the slices") != std::string::npos);
  other.ell = make_sell(csr, formats::plan_slices(csr, 1));
  CHECK(formats::check(other) != "");
}
