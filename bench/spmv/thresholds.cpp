// HYB with other thresholds than the selector's, and the published model's estimates.
#include "bench/spmv/bench.h"
#include "src/formats/hyb.h"
#include "src/operations/multiply/mxv/coo/coo.h"
#include "src/operations/multiply/mxv/run.h"
#include "src/selector/analytic.h"

namespace cugrb::bench {

namespace {

namespace analytic = selector::analytic;

nlohmann::json measure_threshold(const char* name, uint64_t threshold, const Product& product,
                                 const Options& options) {
  nlohmann::json row{
      {"semiring", product.semiring.name}, {"library", "cugrb"}, {"kernel", name}, {"threshold", threshold}};
  const operations::MatrixVector call{product.semiring, product.matrix, product.u, false, false};
  const operations::PreparedMask mask = operations::prepare_mask({});
  const operations::MatrixVectorRun prepared{call, mask};
  formats::DeviceVector t;
  const auto run = [&] { t = operations::pull_by_hyb(prepared, threshold); };
  try {
    run();
    double best = product.best_seconds;
    const Timing timing = sample(options.repeat, options.limit_seconds, run, device_elapsed, best);
    row["median_seconds"] = timing.median;
    row["least_seconds"] = timing.least;
    row["samples"] = timing.samples;
    row["bytes"] = product.matrix.bytes();
    row["same_result"] = same(t, product.expected);
  } catch (const runtime::OutOfMemory& failure) {
    row["skipped"] = failure.what();
  }
  product.matrix.drop_caches();
  product.account.charge("HYB's other thresholds");
  return row;
}

}  // namespace

nlohmann::json bench_thresholds(const Product& product, const Options& options) {
  nlohmann::json rows = nlohmann::json::array();
  if (product.semiring.multiply.stem != "times" || product.matrix.nvals() == 0) return rows;
  const formats::LengthDistribution lengths = product.matrix.row_distribution(false);
  const auto parameters =
      analytic::Parameters::of(runtime::device().properties(), product.semiring.add.type().size);
  const uint64_t heuristic = formats::bell_garland_threshold(lengths);
  const uint64_t optimum =
      std::max<uint64_t>(1, analytic::optimal_hyb(lengths, parameters, analytic::Counted::compute).threshold);
  for (const auto& [name, threshold] :
       {std::pair("hyb_bell_garland", heuristic), {"hyb_analytic", optimum}}) {
    if (options.wants(name) && !options.deadline.over()) {
      rows.push_back(measure_threshold(name, threshold, product, options));
    }
  }
  return rows;
}

nlohmann::json analytic_estimates(const formats::LengthDistribution& lengths) {
  nlohmann::json all;
  for (const size_t bytes : {4, 8}) {
    const auto parameters = analytic::Parameters::of(runtime::device().properties(), bytes);
    nlohmann::json& estimates = all[bytes == 4 ? "FP32" : "FP64"];
    for (const analytic::FormatEstimate& format : analytic::estimates(lengths, parameters)) {
      estimates[analytic::name(format.format)] = format.estimate.compute_seconds();
    }
    const auto hyb = analytic::optimal_hyb(lengths, parameters, analytic::Counted::compute);
    estimates["HYB"] = hyb.estimate.compute_seconds();
    estimates["threshold"] = hyb.threshold;
  }
  return all;
}

}  // namespace cugrb::bench
