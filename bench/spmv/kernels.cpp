// Every kernel that the selector knows, forced, and its free choice, on the same product.
#include "src/selector/kernels.h"
#include "bench/spmv/bench.h"
#include "cuda/cusparse/cusparse.h"
#include "src/support/settings.h"

namespace cugrb::bench {

namespace {

struct Candidate {
  std::string kernel;  ///< empty: the free choice
  std::string name() const { return kernel.empty() ? "choice" : kernel; }
};

/// The choice is what it is after so many calls, when conversions have been paid for by use. The uses are
/// counted without the calls.
constexpr int uses_counted = 1000;

/// What the selector and every kernel on the CSR look at is made by this one: row lengths, long rows, plans.
constexpr const char* profiling_kernel = "mxv_row_warp";

struct FirstCall {
  trace::Record record;
  double seconds = 0;
};

/// The first call on a matrix that has been profiled, but has nothing else; of the profiling kernel itself,
/// on one that has nothing. Called again when kernels had to be compiled for it.
FirstCall first_call(const Candidate& candidate, const Product& product, const std::function<void()>& run) {
  const auto kernels_made = [] { return jit::statistics().compiled + jit::statistics().disk_hits; };
  FirstCall first;
  for (uint64_t made = ~uint64_t(0); made != kernels_made();) {
    made = kernels_made();
    product.matrix.drop_caches();
    if (candidate.kernel != profiling_kernel) {
      force_kernel(profiling_kernel);
      run();
    }
    force_kernel(candidate.kernel);
    first.seconds = device_elapsed([&] { first.record = traced("GrB_mxv", run); }, 1);
  }
  product.account.charge("first calls: profiles, conversions");
  return first;
}

void measure_samples(const Candidate& candidate, Product& product, const Options& options,
                     const std::function<void()>& run, nlohmann::json& row) {
  const trace::Record warm = traced("GrB_mxv", run);
  const Timing timing =
      sample(options.repeat, options.limit_seconds, run, device_elapsed, product.best_seconds);
  row["chosen"] = warm.kernel;
  row["format"] = warm.format;
  row["predicted_seconds"] = warm.predicted_seconds;
  row["median_seconds"] = timing.median;
  row["least_seconds"] = timing.least;
  row["samples"] = timing.samples;
  row["runs_a_sample"] = timing.runs_a_sample;
  row["bytes"] = product.matrix.bytes();
  product.account.charge("timing");
}

nlohmann::json measure_candidate(const Candidate& candidate, Product& product, const Options& options) {
  nlohmann::json row{{"semiring", product.semiring.name}, {"library", "cugrb"}, {"kernel", candidate.name()}};
  formats::DeviceVector w;
  const std::function<void()> run = [&] {
    w = formats::DeviceVector::empty(product.semiring.add.type(), product.matrix.rows);
    operations::mxv({w, {}, std::nullopt, false},
                    {product.semiring, product.matrix, product.u, false, false});
  };
  attempt(row, [&] {
    force_kernel(candidate.kernel);
    FirstCall first;
    if (candidate.kernel.empty()) {
      for (int use = 0; use < uses_counted; ++use) product.matrix.by_rows(false);
      run();
      product.account.charge("first calls: profiles, conversions");
    } else {
      first = first_call(candidate, product, run);
      if (first.record.kernel != candidate.kernel) {
        row["skipped"] = first.record.reason;
        return;
      }
    }
    measure_samples(candidate, product, options, run, row);
    if (!candidate.kernel.empty()) {
      const char* what = candidate.kernel == profiling_kernel ? "profile_seconds" : "conversion_seconds";
      row[what] = std::max(0.0, first.seconds - row["median_seconds"].get<double>());
    }
    if (product.expected.length == 0) product.expected = w;
    row["same_result"] = product.semiring.add.is_any || same(w, product.expected);
    product.account.charge("comparing");
  });
  product.matrix.drop_caches();
  return row;
}

}  // namespace

selector::MxvProblem describe_product(const Product& product) {
  force_kernel("mxv_tile_composite");  // columns are counted for it alone
  const selector::Hardware& hardware = *selector::Hardware::of_device();
  selector::MxvProblem problem =
      operations::describe_mxv({product.semiring, product.matrix, product.u, false, false}, hardware);
  if (problem.popularity != nullptr)
    problem.tiles_made = selector::plan_tile_composite(problem, hardware).tiles;
  force_kernel("");
  return problem;
}

nlohmann::json bench_kernels(Product& product, const Options& options) {
  // A process pays for loading cuSPARSE once, and the choice counts that: here it has been paid.
  static_cast<void>(cusparse::unavailable_reason());
  std::vector<Candidate> candidates;
  if (options.choice) candidates.push_back({""});
  if (options.kernels_forced) {
    for (const selector::KernelName& kernel : selector::kernels()) {
      if (options.wants(kernel.name)) candidates.push_back({kernel.name});
    }
  }
  nlohmann::json rows = nlohmann::json::array();
  for (const Candidate& candidate : candidates) {
    if (options.deadline.over()) break;
    rows.push_back(measure_candidate(candidate, product, options));
  }
  force_kernel("");
  return rows;
}

}  // namespace cugrb::bench
