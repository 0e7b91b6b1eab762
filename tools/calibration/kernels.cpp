#include "tools/calibration/kernels.h"

#include "src/jit/jit.h"
#include "src/operations/multiply/registry.h"
#include "src/support/declined.h"
#include "src/support/settings.h"
#include "tools/calibration/timing.h"

namespace cugrb::calibration {

AnotherKernel::AnotherKernel(const std::string& forced, const trace::Record& record)
    : std::runtime_error(forced + " was asked for, " + (record.kernel.empty() ? "no kernel" : record.kernel) +
                         " ran" + (record.reason.empty() ? "" : ": " + record.reason)) {}

void count_uses(const formats::DeviceMatrix& matrix, uint64_t uses) {
  for (uint64_t use = 0; use < uses; ++use) matrix.by_rows(false);
}

Product vector_product(const formats::DeviceMatrix& matrix, std::function<void()> run) {
  return {"GrB_mxv", std::move(run), [&matrix] { matrix.drop_caches(); }, profiling_kernel,
          [&matrix] { count_uses(matrix, settled_uses); }};
}

trace::Record traced(const char* function, const std::function<void()>& run) {
  trace::keep_records(true);
  trace::Record record;
  {
    trace::Scope scope(function);
    run();
    record = trace::current();
  }
  trace::keep_records(false);
  return record;
}

trace::Record run_by(const std::string& kernel, const Product& product) {
  force_kernel(kernel);
  const trace::Record record = traced(product.function, product.run);
  if (!kernel.empty() && record.kernel != kernel) throw AnotherKernel(kernel, record);
  return record;
}

void with_compiled_kernels(const std::function<void()>& call) {
  const auto kernels_made = [] { return jit::statistics().compiled + jit::statistics().disk_hits; };
  for (uint64_t made = ~uint64_t(0); made != kernels_made();) {
    made = kernels_made();
    call();
  }
}

double first_seconds(const std::string& kernel, const Product& product) {
  double seconds = 0;
  with_compiled_kernels([&] {
    product.forget();
    if (!product.profiling_kernel.empty()) {
      force_kernel(product.profiling_kernel);
      product.run();
    }
    seconds = device_elapsed([&] { run_by(kernel, product); }, 1);
  });
  if (product.use_often) product.use_often();
  product.run();
  return seconds;
}

ComparedKernels compare(const std::vector<std::string>& kernels, const Product& product, int rounds,
                        double limit_seconds) {
  if (product.use_often) product.use_often();
  std::vector<double> paces;
  const auto turn = [&](const std::string& kernel) -> std::optional<double> {
    try {
      run_by(kernel, product);
    } catch (const AnotherKernel&) {
      return std::nullopt;
    } catch (const Declined&) {
      return std::nullopt;
    } catch (const runtime::OutOfMemory&) {
      return std::nullopt;
    }
    const double seconds = measure(1, 0, product.run, device_elapsed).median;
    paces.push_back(runtime::device().host_call_seconds());
    return seconds;
  };
  ComparedKernels compared{in_turns(kernels, rounds, limit_seconds, turn)};
  if (!paces.empty()) compared.host_call_seconds = median_of(std::move(paces));
  return compared;
}

void time_in_turns(nlohmann::json& rows, double best_seconds, const Product& product, int rounds,
                   double limit_seconds) {
  std::vector<std::string> near;
  for (const nlohmann::json& row : rows) {
    const std::string kernel = row["kernel"];
    if (operations::find_mxv_kernel(kernel) != nullptr && row.contains("median_seconds") &&
        row["median_seconds"] <= behind * best_seconds)
      near.push_back(kernel);
  }
  const ComparedKernels compared = compare(near, product, rounds, limit_seconds);
  for (nlohmann::json& row : rows) {
    const auto found = compared.seconds.find(row["kernel"]);
    if (found == compared.seconds.end()) continue;
    row["median_seconds"] = found->second;
    row["rounds"] = compared.rounds;
    row["host_call_seconds"] = compared.host_call_seconds;
  }
}

}  // namespace cugrb::calibration
