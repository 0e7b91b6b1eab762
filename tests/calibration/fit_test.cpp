// Measured products predict as they did when they were written, and a fit finds the numbers that they were
// made with.
#include "tools/calibration/fit.h"

#include <cmath>
#include <limits>
#include <vector>

#include "src/formats/ell.h"
#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/mxv/coo/coo.h"
#include "src/operations/multiply/registry.h"
#include "tests/catch.h"
#include "tools/calibration/accuracy.h"

using namespace cugrb;
using calibration::Measurements;
using nlohmann::json;
using selector::Hardware;
using selector::MxvProblem;

namespace {

/// A product with a matrix of rows of two lengths, with `columns` counted.
struct Example {
  formats::LengthDistribution lengths;
  formats::ColumnPopularity columns;
  MxvProblem problem;

  Example(uint64_t rows, uint64_t shorter, uint64_t longer) {
    lengths = formats::LengthDistribution({{shorter, rows - rows / 8}, {longer, rows / 8}});
    columns.entries_of_first = {0, lengths.entries() / 2, lengths.entries()};
    columns.popular_columns = 10;
    MxvProblem& p = problem;
    p.rows = p.columns = p.vector_entries = rows;
    p.entries = lengths.entries();
    p.matrix_value_bytes = p.vector_value_bytes = 4;
    p.pull_distribution = &lengths;
    p.pull_lengths = lengths.summary();
    p.slice_columns = formats::expected_slice_columns(lengths);
    p.hyb_threshold = operations::hyb_threshold(p);
    p.memory_bytes = uint64_t(139) << 30;
    p.popularity = &columns;
    p.tile_columns = 1024;
    p.tiles_made = 2;
  }
};

/// The kernels' times on products with matrices of so many rows on hardware that is exactly as predicted, as
/// bench_spmv writes them.
json measured_on(const Hardware& hardware,
                 const std::vector<uint64_t>& sizes = {1 << 12, 1 << 16, 1 << 20, 1 << 23}) {
  json matrices = json::array();
  for (const uint64_t rows : sizes) {
    for (const uint64_t shorter : {2, 30}) {
      const Example example(rows, shorter, 4 * shorter);
      json results = json::array();
      for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
        const double seconds = operations::predicted_seconds(example.problem, hardware, *kernel);
        if (seconds == 0) continue;
        results.push_back({{"library", "cugrb"},
                           {"kernel", kernel->name},
                           {"semiring", "PLUS_TIMES_FP32"},
                           {"median_seconds", seconds}});
      }
      matrices.push_back({{"name", std::to_string(rows)},
                          {"family", shorter == 2 ? "file" : "uniform"},
                          {"profile", calibration::describe_matrix(example.problem)},
                          {"problems", {{"PLUS_TIMES_FP32", calibration::describe_problem(example.problem)}}},
                          {"results", results}});
    }
  }
  return {{"matrices", matrices}};
}

double worst_error(const Hardware& hardware, const Measurements& measurements) {
  double worst = 0;
  for (const calibration::MeasuredProduct& product : measurements.products) {
    for (const calibration::MeasuredKernel& kernel : product.kernels) {
      const double predicted = operations::predicted_seconds(product.problem, hardware,
                                                             *operations::find_mxv_kernel(kernel.kernel));
      worst = std::max(worst, std::abs(std::log(predicted / kernel.seconds)));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("a product that was written and read is predicted as before") {
  Measurements measurements;
  measurements.add(json::parse(measured_on(Hardware()).dump()));
  REQUIRE(measurements.products.size() == 8);
  for (const calibration::MeasuredProduct& product : measurements.products)
    CHECK(product.kernels.size() > 12);
  CHECK(worst_error(Hardware(), measurements) < 1e-12);
  const auto accuracy = accuracy_of(Hardware(), measurements.products);
  CHECK(accuracy.at("files").share_of_pairs() == 1);
  CHECK(accuracy.at("generated").share_of_choices() == 1);
  CHECK(accuracy.at("generated").choices == 4);
}

TEST_CASE(
    "what kernels' records say of host and format is known of their product: the host's pace is the middle "
    "one") {
  json results = measured_on(Hardware());
  int n = 0;
  for (json& result : results["matrices"][0]["results"]) {
    MxvProblem state;
    state.host_call_seconds = ++n == 1 ? 1 : 3e-6;
    if (result["kernel"] == "mxv_csb") {
      state.csb_steps = 7;
      state.csb_cluster = 2;
    }
    result.update(calibration::describe_state(state));
  }
  Measurements measurements;
  measurements.add(results);
  const MxvProblem& told = measurements.products[0].problem;
  CHECK(told.host_call_seconds == 3e-6);
  CHECK(told.csb_steps == 7);
  CHECK(told.csb_cluster == 2);
  const MxvProblem& untold = measurements.products[1].problem;
  CHECK(untold.host_call_seconds == 0);
  CHECK(untold.csb_steps == 0);
}

TEST_CASE("a fit brings predictions back to what was measured, and changes only what it may") {
  Hardware truth;
  truth.of("merge").start_seconds *= 4;
  truth.of("merge").entry_seconds *= 1.7;
  truth.of("coo").start_seconds *= 0.6;
  Measurements measurements;
  for (uint64_t size = 4000; size < 8000000; size += size / 16) measurements.add(measured_on(truth, {size}));
  Hardware fitted;
  const double before = worst_error(fitted, measurements);
  CHECK(accuracy_of(fitted, measurements.products).at("mxv_merge").share_of_pairs() < 0.5);
  calibration::fit(fitted, measurements.products,
                   {"merge.start_seconds", "merge.entry_seconds", "coo.start_seconds"});
  CHECK(worst_error(fitted, measurements) < 0.05);
  CHECK(before > 0.5);
  CHECK(fitted.copy_bytes_per_second == Hardware().copy_bytes_per_second);
  CHECK(fitted.of("merge").overlap == Hardware().of("merge").overlap);
}

TEST_CASE("one product moves a family's number hardly, many such products move it to what they say") {
  Hardware truth;
  selector::KernelNumbers& numbers = truth.of("merge");
  numbers.start_seconds *= 1.5;
  const double told = numbers.start_seconds;
  const auto fitted_to = [&](int copies) {
    Measurements measurements;
    for (int n = 0; n < copies; ++n) measurements.add(measured_on(truth, {1 << 16}));
    Hardware fitted;
    calibration::fit(fitted, measurements.products, {"merge.start_seconds"});
    return fitted.of("merge").start_seconds;
  };
  const double start = Hardware().of("merge").start_seconds;
  CHECK(fitted_to(1) == Approx(start).epsilon(0.05));
  CHECK(fitted_to(50) == Approx(told).epsilon(0.02));
}

TEST_CASE("rates go where few products say, too: on other devices they start from a guess") {
  Hardware truth;
  truth.copy_bytes_per_second /= 2;
  json results = measured_on(truth, {1 << 23});
  for (json& matrix : results["matrices"]) {
    json by_merge = json::array();
    for (const json& result : matrix["results"])
      if (result["kernel"] == "mxv_merge") by_merge.push_back(result);
    matrix["results"] = by_merge;
  }
  Measurements measurements;
  measurements.add(results);
  Hardware fitted;
  calibration::fit(fitted, measurements.products, {"copy_bytes_per_second"});
  CHECK(fitted.copy_bytes_per_second == Approx(truth.copy_bytes_per_second).epsilon(0.02));
}

TEST_CASE("times of kernels that a file lists as outdated are left out, the others are not") {
  json results = measured_on(Hardware());
  results["outdated"] = {"mxv_dcsr"};
  Measurements measurements;
  measurements.add(results);
  REQUIRE_FALSE(measurements.products.empty());
  for (const calibration::MeasuredProduct& product : measurements.products) {
    CHECK_FALSE(product.kernels.empty());
    for (const calibration::MeasuredKernel& kernel : product.kernels) CHECK(kernel.kernel != "mxv_dcsr");
  }
  CHECK(accuracy_of(Hardware(), measurements.products).count("mxv_adcsr") == 1);
}

TEST_CASE("what is no file of bench_spmv is refused") {
  Measurements measurements;
  CHECK_THROWS_AS(measurements.add(json::parse("[]")), std::invalid_argument);
  CHECK_THROWS_AS(measurements.add(json::parse("{\"matrices\": [{\"profile\": {}}]}")),
                  std::invalid_argument);
  measurements.add(json::parse("{\"matrices\": [{\"name\": \"without a profile\"}]}"));
  CHECK(measurements.products.empty());
}
