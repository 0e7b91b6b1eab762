// Every kernel that the selector knows, forced, and its free choice, on the same product.
#include <cstring>

#include "bench/common/device_values.h"
#include "bench/spgemm/bench.h"
#include "cuda/cusparse/cusparse.h"
#include "src/formats/matrix_in_parts.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"

namespace cugrb::bench {

Checksum checksum(const formats::DeviceMatrix& c) {
  Checksum found{c.nvals()};
  const std::optional<Value> sum = operations::reduce(catalogue::monoid("PLUS_FP64").value(), c);
  if (sum) std::memcpy(&found.sum, sum->bytes.data(), sizeof found.sum);
  return found;
}

namespace {

/// On the first device, whose peak is taken.
size_t bytes_at_home(const formats::DeviceMatrix& c) {
  if (c.parts == nullptr) return c.stored.bytes();
  size_t bytes = 0;
  for (size_t p = 0; p < c.parts->of.size(); ++p) {
    if (c.parts->split->parts[p].device == c.parts->split->home) bytes += c.parts->of[p].stored.bytes();
  }
  return bytes;
}

}  // namespace

size_t workspace_of(formats::DeviceMatrix& c, const std::function<void()>& run) {
  c = {};
  return calibration::workspace_of([&] {
    run();
    return bytes_at_home(c);
  });
}

Product::Product(const Problem& problem, const Semiring& semiring, Account& account)
    : problem(problem), semiring(semiring), account(account) {
  const BinaryOp& multiply = semiring.multiply;
  const bool left = reads_left(semiring), right = reads_right(semiring);
  const auto& stored_b = problem.b_is_transposed ? problem.a : problem.b;
  a = on_device(*problem.a, multiply.x, left);
  const bool one = stored_b == problem.a && left == right && (!left || multiply.x == multiply.y);
  b = one ? a : on_device(*stored_b, multiply.y, right);
}

bool Product::agrees(const Checksum& found) {
  if (!has_expected) expected = found;
  has_expected = true;
  return found == expected;
}

double Product::least_bytes() const {
  const bool twice = problem.a != problem.b && !problem.b_is_transposed;
  return double(a.stored.bytes() + (twice ? b.stored.bytes() : 0) + c_bytes);
}

namespace {

formats::DeviceMatrix empty_result(const Product& product) {
  return formats::matrix_by(formats::empty_csr(product.semiring.add.type(), product.problem.a->rows(),
                                               product.problem.b->columns()),
                            /*by_column=*/false);
}

operations::MatrixMask mask_of(const Product& product) {
  if (!product.problem.masked) return {};
  return {&product.a, true, product.problem.complement};
}

void measure_kernel(const std::string& kernel, Product& product, const Options& options,
                    nlohmann::json& row) {
  const Problem& problem = product.problem;
  const formats::DeviceMatrix empty = empty_result(product);  // made once: it is no part of the product
  formats::DeviceMatrix c;
  const std::function<void()> run = [&] {
    c = empty;
    operations::mxm(
        {c, mask_of(product), std::nullopt, false},
        {product.semiring, product.a, product.b, false, problem.b_is_transposed, runtime::devices(),
         /*in_parts=*/true});
  };
  const trace::Record first = calibration::run_by(kernel, {"GrB_mxm", run, {}, {}, {}});
  product.account.charge("first calls");
  const Timing timing =
      sample(options.repeat, options.limit_seconds, run, device_elapsed, product.best_seconds);
  product.account.charge("timing");
  row["chosen"] = first.kernel;
  row["predicted_seconds"] = first.predicted_seconds;
  row["median_seconds"] = timing.median;
  row["least_seconds"] = timing.least;
  row["samples"] = timing.samples;
  row["workspace_bytes"] = workspace_of(c, run);
  row["result_in_parts"] = c.parts != nullptr;
  const Checksum found = checksum(c);
  row["same_result"] = product.agrees(found);
  row["entries"] = found.entries;
  product.c_bytes = c.content_bytes();
  row["least_bytes"] = product.least_bytes();
  product.account.charge("comparing");
}

/// A process pays for loading cuSPARSE once, and the choice counts that: here it has been paid.
void load_cusparse(Product& product) {
  const bool can = product.semiring.name == "PLUS_TIMES_FP32" || product.semiring.name == "PLUS_TIMES_FP64";
  static bool loaded = false;
  if (loaded || product.problem.masked || !can || !cusparse::unavailable_reason().empty()) return;
  loaded = true;
  force_kernel("mxm_cusparse");
  formats::DeviceMatrix c = empty_result(product);
  operations::mxm({c, {}, std::nullopt, false},
                  {product.semiring, product.a, product.b, false, product.problem.b_is_transposed});
  product.account.charge("loading cuSPARSE");
}

}  // namespace

nlohmann::json row_weights(const Product& product) {
  const operations::MatrixMatrix call{product.semiring, product.a, product.b, false,
                                      product.problem.b_is_transposed};
  const selector::RowWeights weights =
      operations::decide_mxm(mask_of(product), call, *selector::Hardware::of_device(), nullptr)
          .problem.weights;
  return {{"of_short", weights.of_short}, {"merged", weights.merged},         {"medium", weights.medium},
          {"heavy", weights.heavy},       {"heavy_rows", weights.heavy_rows}, {"heaviest", weights.heaviest}};
}

nlohmann::json bench_kernels(Product& product, const Options& options) {
  load_cusparse(product);
  std::vector<std::string> candidates;
  if (options.choice) candidates.push_back("");
  if (options.kernels_forced) {
    for (const operations::MxmKernel* kernel : operations::mxm_kernels()) {
      if (options.wants(kernel->name)) candidates.push_back(kernel->name);
    }
  }
  nlohmann::json rows = nlohmann::json::array();
  for (const std::string& kernel : candidates) {
    if (options.deadline.over()) break;
    nlohmann::json row{{"semiring", product.semiring.name},
                       {"library", "cugrb"},
                       {"kernel", kernel.empty() ? "choice" : kernel}};
    attempt(row, [&] { measure_kernel(kernel, product, options, row); });
    rows.push_back(row);
  }
  force_kernel("");
  return rows;
}

}  // namespace cugrb::bench
