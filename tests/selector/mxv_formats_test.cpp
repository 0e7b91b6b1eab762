// The costs of formats other than CSR, in cases whose answer is known: regular matrices, random ones, power
// laws.
#include <cmath>

#include "src/formats/ell.h"
#include "src/formats/hyb.h"
#include "src/operations/multiply/mxv/coo/coo.h"
#include "src/selector/mxv_problem.h"
#include "tests/catch.h"
#include "tests/selector/candidates.h"

using namespace cugrb;
using formats::LengthDistribution;
using selector::Candidate;
using selector::Decision;
using selector::Hardware;
using selector::MxvProblem;

namespace {

/// PLUS_TIMES_FP32 of a full vector; rows in random order.
MxvProblem product(const LengthDistribution& lengths) {
  MxvProblem p;
  p.operation = "mxv PLUS_TIMES_FP32";
  p.rows = p.columns = p.vector_entries = lengths.rows();
  p.entries = lengths.entries();
  p.matrix_value_bytes = p.vector_value_bytes = 4;
  p.pull_distribution = &lengths;
  p.pull_lengths = lengths.summary();
  p.slice_columns = formats::expected_slice_columns(lengths);
  p.hyb_threshold = operations::hyb_threshold(p);
  p.memory_bytes = uint64_t(139) << 30;
  return p;
}

Decision decide(const MxvProblem& problem) { return test::choose_mxv(problem, Hardware(), ""); }

/// About rows / length^2 rows of every length, as in graphs.
LengthDistribution power_law(uint64_t rows, uint64_t longest) {
  std::vector<std::pair<uint64_t, uint64_t>> histogram;
  for (uint64_t length = 1; length <= longest; length = length * 5 / 4 + 1) {
    histogram.emplace_back(length,
                           std::max<uint64_t>(1, uint64_t(0.3 * double(rows) / std::pow(length, 1.3))));
  }
  histogram.emplace_back(0, rows / 4);
  return LengthDistribution(histogram);
}

}  // namespace

TEST_CASE(
    "regular matrices are predicted as an H200 runs them from slices, and taken there after some uses") {
  // Rows, length, lines and sectors an entry, milliseconds of the library's sliced kernel on an H200: Poisson
  // 2-D 5-point, Poisson 3-D 27-point, a band of 32.
  const struct {
    uint64_t rows, length;
    double lines, sectors, milliseconds;
  } cases[] = {
      {1 << 22, 5, 0.11, 0.08, 0.061}, {1 << 21, 27, 0.29, 0.06, 0.113}, {1 << 20, 32, 0.06, 0.014, 0.064}};
  for (const auto& c : cases) {
    INFO(c.length << " entries a row");
    const LengthDistribution lengths({{c.length, c.rows}});
    MxvProblem p = product(lengths);
    p.gathers.lines = c.lines;
    p.gathers.sectors_4 = c.sectors;
    const Candidate sell = test::named(decide(p), "mxv_sell");
    CHECK(sell.predicted_seconds * 1e3 > 0.75 * c.milliseconds);
    CHECK(sell.predicted_seconds * 1e3 < 1.3 * c.milliseconds);
    CHECK(sell.conversion_seconds > sell.predicted_seconds);
    p.pull_uses = 100;
    const Decision later = decide(p);
    CHECK((later.chosen.kernel->name == "mxv_sell" || later.chosen.kernel->name == "mxv_ell"));
    CHECK(test::named(later, "mxv_sell").conversion_seconds < sell.conversion_seconds / 50);
    p.ready_formats = {&operations::mxv_sell};
    CHECK(test::named(decide(p), "mxv_sell").conversion_seconds == 0);
  }
}

TEST_CASE("no format is made for a matrix's first products; one that is there is a candidate") {
  const LengthDistribution lengths({{5, 1 << 20}});
  MxvProblem p = product(lengths);
  p.pull_uses = 100'000;
  REQUIRE(decide(p).chosen.makes_format);
  p.may_make_formats = false;
  const Decision first = decide(p);
  CHECK(first.chosen.format == "csr");
  for (const selector::Candidate& c : first.candidates) {
    INFO(c.kernel->name);
    CHECK(c.applicable == (c.format == "csr" && c.reason.empty()));
    if (c.format == "ell") CHECK(c.reason == "no format is made for the first products");
  }
  p.ready_formats.insert(&operations::mxv_ell);
  CHECK(decide(p).chosen.kernel->name == "mxv_ell");
}

TEST_CASE("padding refuses ELL where one row is long, and memory where the matrix is huge") {
  const LengthDistribution one_long({{4, 1 << 20}, {100000, 1}});
  const Decision decision = decide(product(one_long));
  CHECK_FALSE(test::named(decision, "mxv_ell").applicable);
  CHECK(test::named(decision, "mxv_ell").reason.find("padding") != std::string::npos);
  CHECK(test::named(decision, "mxv_sell").applicable);  // one slice is wide
  CHECK(test::named(decision, "mxv_hyb").applicable);
  const LengthDistribution huge({{8, uint64_t(1) << 30}});
  CHECK(test::named(decide(product(huge)), "mxv_ell").reason.find("memory") != std::string::npos);
  // Tiny matrices may be padded as they like.
  CHECK(test::named(decide(product(LengthDistribution({{1, 200}, {900, 1}}))), "mxv_ell").applicable);
}

TEST_CASE(
    "power laws: slices of whole rows cost more than slices with a list, bins no more than lanes a row") {
  const LengthDistribution lengths = power_law(1 << 20, 40000);
  const Decision decision = decide(product(lengths));
  const Candidate &hyb = test::named(decision, "mxv_hyb"), &sell = test::named(decision, "mxv_sell");
  CHECK_FALSE(test::named(decision, "mxv_ell").applicable);
  CHECK((!sell.applicable || hyb.predicted_seconds < sell.predicted_seconds));
  CHECK(test::named(decision, "mxv_binned_csr").predicted_seconds <
        test::named(decision, "mxv_dcsr").predicted_seconds);
  CHECK(test::named(decision, "mxv_adcsr").predicted_seconds <
        test::named(decision, "mxv_dcsr").predicted_seconds);
  CHECK(test::named(decision, "mxv_coo").predicted_seconds >
        test::named(decision, "mxv_merge").predicted_seconds);
  // No kernel gathers faster than the device does.
  const double gathers = double(lengths.entries()) / Hardware().gathers_per_second(4 * lengths.rows());
  for (const char* kernel : {"mxv_hyb", "mxv_coo", "mxv_binned_csr", "mxv_dcsr", "mxv_adcsr"})
    CHECK(test::named(decision, kernel).predicted_seconds > gathers);
}

TEST_CASE("the HYB threshold grows with what a list's entry costs more than a position") {
  const LengthDistribution lengths = power_law(1 << 20, 40000);
  MxvProblem values = product(lengths), pattern = values;
  pattern.matrix_value_bytes = 0;  // the list's row index weighs more then
  CHECK(operations::hyb_threshold(pattern) >= operations::hyb_threshold(values));
  CHECK(operations::hyb_threshold(values) >= 1);
  CHECK(operations::hyb_threshold(product(LengthDistribution({{9, 1000}}))) == 9);
}

TEST_CASE("kernels that need the lengths of rows are refused while these are not known") {
  const LengthDistribution lengths({{4, 1000}});
  MxvProblem p = product(lengths);
  p.pull_distribution = nullptr;
  p.pull_lengths = {};
  p.pull_ready = false;
  const Decision decision = decide(p);
  for (const char* kernel : {"mxv_ell", "mxv_sell", "mxv_hyb", "mxv_binned_csr", "mxv_dcsr", "mxv_adcsr"}) {
    CHECK_FALSE(test::named(decision, kernel).applicable);
    CHECK(test::named(decision, kernel).reason.find("not known") != std::string::npos);
  }
}

TEST_CASE("values too large for a tile of shared memory are refused by the list's kernels only") {
  const LengthDistribution lengths({{4, 1000}});
  MxvProblem p = product(lengths);
  p.result_bytes = 24;
  const Decision decision = decide(p);
  for (const char* kernel : {"mxv_coo", "mxv_hyb"}) CHECK_FALSE(test::named(decision, kernel).applicable);
  for (const char* kernel : {"mxv_ell", "mxv_sell", "mxv_binned_csr", "mxv_dcsr", "mxv_adcsr"})
    CHECK(test::named(decision, kernel).applicable);
}

TEST_CASE("cuSPARSE is predicted as an H200 ran it, charged for being loaded, and refused with a reason") {
  // FP64, sixteen entries a row in columns drawn at random, 2 million rows: 273, 284 and 296 us; the best of
  // ours takes 287.
  const LengthDistribution lengths({{16, 1 << 21}});
  MxvProblem p = product(lengths);
  p.matrix_value_bytes = p.vector_value_bytes = p.result_bytes = 8;
  p.pull_uses = 1000;
  const char* const kernels[] = {"mxv_cusparse_csr_alg1", "mxv_cusparse_csr_alg2", "mxv_cusparse_sell"};
  for (const char* kernel : kernels) CHECK(test::named(decide(p), kernel).reason == "not asked for");
  p.cusparse_refusal = "";
  CHECK(test::named(decide(p), "mxv_cusparse_csr_alg1").predicted_seconds == Approx(273e-6).epsilon(0.2));
  CHECK(test::named(decide(p), "mxv_cusparse_csr_alg2").predicted_seconds == Approx(284e-6).epsilon(0.2));
  CHECK(test::named(decide(p), "mxv_cusparse_sell").predicted_seconds == Approx(296e-6).epsilon(0.2));
  CHECK(test::named(decide(p), "mxv_cusparse_csr_alg1").conversion_seconds < 1e-6);
  p.cusparse_open = false;
  for (const char* kernel : kernels) CHECK(test::named(decide(p), kernel).conversion_seconds > 49e-6);
  p.deterministic = true;
  CHECK_FALSE(test::named(decide(p), "mxv_cusparse_csr_alg1").applicable);
  CHECK(test::named(decide(p), "mxv_cusparse_csr_alg2").applicable);
  CHECK_FALSE(test::named(decide(p), "mxv_cusparse_sell").applicable);
  p.cusparse_refusal = "the vector is not full";
  CHECK(test::named(decide(p), "mxv_cusparse_csr_alg2").reason == "the vector is not full");
}
