// HYB and binned CSR with other thresholds than the kernels', and the published model's estimates.
#include <functional>

#include "bench/spmv/bench.h"
#include "src/formats/hyb.h"
#include "src/operations/multiply/mxv/binned_csr/binned_csr.h"
#include "src/operations/multiply/mxv/coo/coo.h"
#include "src/operations/multiply/mxv/run.h"
#include "src/selector/analytic.h"
#include "src/selector/hardware.h"

namespace cugrb::bench {

namespace {

namespace analytic = selector::analytic;

analytic::Parameters parameters_of(const Type& values) {
  return analytic::Parameters::of(runtime::device().properties(), values,
                                  selector::Hardware::of_device()->bus_bytes_per_second);
}

/// By a product with that threshold.
nlohmann::json measure_threshold(
    const std::string& name, uint64_t threshold, const Product& product, const Options& options,
    const std::function<formats::DeviceVector(const operations::MatrixVectorRun&)>& multiply) {
  nlohmann::json row{
      {"semiring", product.semiring.name}, {"library", "cugrb"}, {"kernel", name}, {"threshold", threshold}};
  const operations::MatrixVector call{product.semiring, product.matrix, product.u, false, false};
  const operations::PreparedMask mask = operations::prepare_mask(operations::VectorMask{});
  const operations::MatrixVectorRun prepared{call, mask};
  formats::DeviceVector t;
  const auto run = [&] { t = multiply(prepared); };
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
  product.account.charge("other thresholds");
  return row;
}

}  // namespace

nlohmann::json bench_thresholds(const Product& product, const Options& options) {
  nlohmann::json rows = nlohmann::json::array();
  if (product.semiring.multiply.stem != "times" || product.matrix.nvals() == 0) return rows;
  const formats::LengthDistribution lengths = product.matrix.row_distribution(false);
  const analytic::Parameters parameters = parameters_of(product.semiring.add.type());
  const uint64_t heuristic = formats::bell_garland_threshold(lengths);
  const uint64_t optimum =
      std::max<uint64_t>(1, analytic::optimal_hyb(lengths, parameters, analytic::Counted::compute).threshold);
  for (const auto& [name, threshold] :
       {std::pair("hyb_bell_garland", heuristic), {"hyb_analytic", optimum}}) {
    if (options.wants(name) && !options.deadline.over()) {
      rows.push_back(measure_threshold(name, threshold, product, options, [&](const auto& run) {
        return operations::pull_by_hyb(run, threshold);
      }));
    }
  }
  for (const uint64_t small : {48, 64, 96, 128, 160, 192}) {
    const std::string name = "binned_csr_" + std::to_string(small);
    if (options.kernels.empty() || !options.wants(name) || options.deadline.over()) continue;
    formats::BinThresholds thresholds;
    thresholds.small = small;
    rows.push_back(measure_threshold(name, small, product, options, [&](const auto& run) {
      return operations::pull_by_binned_csr(run, thresholds);
    }));
  }
  return rows;
}

nlohmann::json analytic_estimates(const formats::LengthDistribution& lengths) {
  nlohmann::json all;
  for (const TypeCode code : {TypeCode::Fp32, TypeCode::Fp64}) {
    const Type& type = Type::of(code);
    const analytic::Parameters parameters = parameters_of(type);
    nlohmann::json& estimates = all[type.suffix()];
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
