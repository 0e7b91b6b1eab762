// Every kernel that the selector knows, forced, and its free choice, on the same product.
#include <cstdio>

#include "bench/spmv/bench.h"
#include "src/selector/kernels.h"
#include "src/support/declined.h"
#include "src/support/settings.h"
#include "src/support/trace.h"

namespace cugrb::bench {

namespace {

void force(const std::string& kernel) {
  Settings changed = settings();
  changed.force = kernel;
  override_settings(changed);
}

/// One product with its trace record.
trace::Record traced(const std::function<void()>& run) {
  trace::keep_records(true);
  trace::Record record;
  {
    trace::Scope scope("GrB_mxv");
    run();
    record = trace::current();
  }
  trace::keep_records(false);
  return record;
}

struct Candidate {
  std::string kernel;  ///< empty: the free choice
  std::string name() const { return kernel.empty() ? "choice" : kernel; }
};

/// The choice settles as the matrix's uses are counted; a forced kernel is what it is at once.
void warm_up(const Candidate& candidate, const std::function<void()>& run) {
  const Stopwatch watch;
  for (int n = 0; candidate.kernel.empty() && n < 1000 && watch.seconds() < 0.5; ++n) run();
}

/// Candidates that take so much longer than the best so far are run once: the time is better spent on others.
constexpr double hopeless = 15;

/// What the selector and every kernel on the CSR look at is made by this one: row lengths, long rows, plans.
constexpr const char* profiling_kernel = "mxv_row_warp";

/// Seconds that a first call takes beyond a warm one, when the matrix has been profiled: making the format.
/// For the profiling kernel itself: making the profile.
double conversion_seconds(const std::string& kernel, const Product& product, const std::function<void()>& run,
                          double warm_seconds) {
  product.matrix.drop_caches();
  if (kernel != profiling_kernel) {
    force(profiling_kernel);
    run();
    force(kernel);
  }
  return std::max(0.0, device_elapsed(run, 1) - warm_seconds);
}

nlohmann::json measure_candidate(const Candidate& candidate, Product& product, const Options& options) {
  nlohmann::json row{{"semiring", product.semiring.name}, {"library", "cugrb"}, {"kernel", candidate.name()}};
  formats::DeviceVector w;
  const std::function<void()> run = [&] {
    w = formats::DeviceVector::empty(product.semiring.add.type(), product.matrix.rows);
    operations::mxv({w, {}, std::nullopt, false},
                    {product.semiring, product.matrix, product.u, false, false});
  };
  try {
    const trace::Record first = traced(run);
    if (!candidate.kernel.empty() && first.kernel != candidate.kernel) {
      row["skipped"] = first.reason;
      return row;
    }
    warm_up(candidate, run);
    trace::Record warm;
    const double once = device_elapsed([&] { warm = traced(run); }, 1);
    const bool slow = product.best_seconds > 0 && once > hopeless * product.best_seconds;
    const Timing timing =
        slow ? Timing{once, once, 1, 1} : measure(options.repeat, options.limit_seconds, run, device_elapsed);
    row["chosen"] = warm.kernel;
    row["format"] = warm.format;
    row["predicted_seconds"] = warm.predicted_seconds;
    row["median_seconds"] = timing.median;
    row["least_seconds"] = timing.least;
    row["samples"] = timing.samples;
    row["runs_a_sample"] = timing.runs_a_sample;
    row["bytes"] = product.matrix.bytes();
    if (product.best_seconds == 0 || timing.median < product.best_seconds)
      product.best_seconds = timing.median;
    if (!candidate.kernel.empty() && !slow) {
      const char* what = candidate.kernel == profiling_kernel ? "profile_seconds" : "conversion_seconds";
      row[what] = conversion_seconds(candidate.kernel, product, run, timing.median);
    }
    if (product.expected.length == 0) product.expected = w;
    row["same_result"] = product.semiring.add.is_any || same(w, product.expected);
  } catch (const Declined& declined) {
    row["skipped"] = declined.what();
  } catch (const runtime::OutOfMemory& failure) {
    row["skipped"] = failure.what();
  } catch (const std::exception& failure) {
    row["failed"] = failure.what();
  }
  product.matrix.drop_caches();
  return row;
}

}  // namespace

selector::MxvProblem describe_product(const Product& product) {
  force("mxv_tile_composite");  // columns are counted for it alone
  const selector::Hardware& hardware = *selector::Hardware::of_device();
  selector::MxvProblem problem =
      operations::describe_mxv({product.semiring, product.matrix, product.u, false, false}, hardware);
  if (problem.popularity != nullptr)
    problem.tiles_made = selector::plan_tile_composite(problem, hardware).tiles;
  force("");
  return problem;
}

nlohmann::json bench_kernels(Product& product, const Options& options) {
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
    force(candidate.kernel);
    rows.push_back(measure_candidate(candidate, product, options));
  }
  force("");
  return rows;
}

}  // namespace cugrb::bench
