// Every kernel that the selector knows, forced, and its free choice, on the same product.
#include <algorithm>

#include "bench/spmv/bench.h"
#include "cuda/cusparse/cusparse.h"
#include "src/operations/multiply/mxv/tile_composite/tile_composite.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"
#include "tools/calibration/kernels.h"
#include "tools/calibration/products.h"

namespace cugrb::bench {

namespace {

struct Candidate {
  std::string kernel;  ///< empty: the free choice
  std::string name() const { return kernel.empty() ? "choice" : kernel; }
};

/// The choice is what it is after calibration::settled_uses, when conversions and trials have been paid for
/// by use. The uses are counted without the calls; then it takes one call for every trial, and some for
/// conversions.
constexpr int calls_to_settle = 20;
/// A short program.
constexpr int first_products = 16;

/// One product of this matrix, into a new w.
void multiply(const Product& product, const formats::DeviceMatrix& matrix, formats::DeviceVector& w) {
  w = formats::DeviceVector::empty(product.semiring.add.type(), matrix.rows);
  operations::mxv({w, {}, std::nullopt, false},
                  {product.semiring, matrix, product.u, false, false, runtime::devices()});
}

calibration::Product measurable(const Product& product, formats::DeviceVector& w) {
  return calibration::vector_product(product.matrix, [&] { multiply(product, w); });
}

/// So many products, by the profiling kernel, of a matrix that nothing is known of but that it has been used
/// so often; the middle one of five matrices. `waits`: for the first product.
double seconds_anew(const Product& product, int uses, int products, bool waits, formats::DeviceVector& w) {
  constexpr int matrices = 5;
  std::vector<double> seconds;
  calibration::with_compiled_kernels([&] {
    seconds.clear();
    for (int n = 0; n < matrices; ++n) {
      const formats::DeviceMatrix matrix =
          formats::matrix_by(product.matrix.stored, product.matrix.by_column);
      calibration::count_uses(matrix, uint64_t(uses));
      const auto all = [&] {
        for (int made = 0; made < products; ++made) {
          multiply(product, matrix, w);
          if (waits && made == 0) runtime::device().synchronize();
        }
      };
      seconds.push_back(device_elapsed(all, 1));
    }
  });
  product.account.charge("first calls: profiles, conversions");
  return calibration::median_of(seconds);
}

/// What choosing takes: all that the selector ever looks at, at once, as the choice after
/// `calibration::settled_uses` products has it (the first product asks for it, the second, which waits for
/// that, decides); and in the first products of a program, which look when their time has paid for it.
void measure_choosing(const Product& product, formats::DeviceVector& w, nlohmann::json& row) {
  const double warm = row["median_seconds"];
  const auto more = [&](int uses, int products, bool waits) {
    return std::max(0.0, seconds_anew(product, uses, products, waits, w) - products * warm);
  };
  row["profile_seconds"] = more(calibration::settled_uses, 2, /*waits=*/true);
  row["first_products_seconds"] = more(0, first_products, /*waits=*/false);
}

/// What the selector knows of it, as things are.
selector::MxvProblem problem_of(const Product& product) {
  return operations::describe_mxv({product.semiring, product.matrix, product.u, false, false},
                                  *selector::Hardware::of_device());
}

void measure_samples(const Candidate& candidate, Product& product, const Options& options,
                     const std::function<void()>& run, nlohmann::json& row) {
  const trace::Record warm = traced("GrB_mxv", run);
  double unknown = 0;  // the choice gets all samples: a single call may still make a trial
  const Timing timing = sample(options.repeat, options.limit_seconds, run, device_elapsed,
                               candidate.kernel.empty() ? unknown : product.best_seconds);
  row["chosen"] = warm.kernel;
  row["format"] = warm.format;
  row["predicted_seconds"] = warm.predicted_seconds;
  row["median_seconds"] = timing.median;
  row["least_seconds"] = timing.least;
  row["samples"] = timing.samples;
  row["runs_a_sample"] = timing.runs_a_sample;
  row["bytes"] = product.matrix.bytes();
  row.update(calibration::describe_state(problem_of(product)));
  product.account.charge("timing");
}

/// Has the selector make the trials and conversions that so many uses pay for.
void settle(const Product& product, const std::function<void()>& run, nlohmann::json& row) {
  run();
  calibration::count_uses(product.matrix, calibration::settled_uses);
  run();
  runtime::device().synchronize();  // what this one has looked at is there for the next
  int trials = 0;
  row["settling_seconds"] = device_elapsed(
      [&] {
        for (int call = 0; call < calls_to_settle; ++call)
          trials += traced("GrB_mxv", run).reason.find("tried ") != std::string::npos;
      },
      1);
  row["trials"] = trials;
  product.account.charge("trials, and conversions of the choice");
}

nlohmann::json measure_candidate(const Candidate& candidate, Product& product, const Options& options) {
  nlohmann::json row{{"semiring", product.semiring.name}, {"library", "cugrb"}, {"kernel", candidate.name()}};
  formats::DeviceVector w;
  const calibration::Product measured = measurable(product, w);
  attempt(row, [&] {
    force_kernel(candidate.kernel);
    double first = 0;
    if (candidate.kernel.empty()) {
      settle(product, measured.run, row);
    } else {
      first = calibration::first_seconds(candidate.kernel, measured);
      product.account.charge("first calls: profiles, conversions");
    }
    measure_samples(candidate, product, options, measured.run, row);
    if (candidate.kernel.empty()) product.chosen = row["chosen"];
    if (candidate.kernel == calibration::profiling_kernel) {
      measure_choosing(product, w, row);
    } else if (!candidate.kernel.empty()) {
      row["conversion_seconds"] = std::max(0.0, first - row["median_seconds"].get<double>());
    }
    if (product.expected.length == 0) product.expected = w;
    row["same_result"] = product.semiring.add.is_any || same(w, product.expected);
    product.account.charge("comparing");
  });
  product.matrix.drop_caches();
  return row;
}

void time_in_turns(const Product& product, nlohmann::json& rows) {
  formats::DeviceVector w;
  calibration::time_in_turns(rows, product.best_seconds, measurable(product, w), calibration::turns,
                             /*limit_seconds=*/0);
  product.matrix.drop_caches();
  product.account.charge("timing");
}

}  // namespace

void multiply(const Product& product, formats::DeviceVector& w) { multiply(product, product.matrix, w); }

selector::MxvProblem describe_product(const Product& product) {
  force_kernel("mxv_tile_composite");  // columns are counted for it alone
  const selector::Hardware& hardware = *selector::Hardware::of_device();
  selector::MxvProblem problem = problem_of(product);
  if (problem.popularity != nullptr)
    problem.tiles_made = operations::plan_tile_composite(problem, hardware).tiles;
  force_kernel("");
  return problem;
}

nlohmann::json bench_kernels(Product& product, const Options& options) {
  // A process pays for loading cuSPARSE once, and the choice counts that: here it has been paid.
  static_cast<void>(cusparse::unavailable_reason());
  std::vector<Candidate> candidates;
  if (options.kernels_forced) {
    for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
      if (options.wants(kernel->name)) candidates.push_back({kernel->name});
    }
  }
  if (options.choice) candidates.push_back({""});  // last: by then all kernels have been compiled
  nlohmann::json rows = nlohmann::json::array();
  for (const Candidate& candidate : candidates) {
    if (options.deadline.over()) break;
    rows.push_back(measure_candidate(candidate, product, options));
  }
  if (product.matrix.nvals() < calibration::small_entries && !options.deadline.over())
    time_in_turns(product, rows);
  force_kernel("");
  return rows;
}

}  // namespace cugrb::bench
