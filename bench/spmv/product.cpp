// Every kernel on the same product.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "bench/spmv/bench.h"
#include "src/selector/kernels.h"
#include "src/selector/mxv_model.h"
#include "src/support/declined.h"

namespace cugrb::bench {

namespace {

/// Small whole numbers, so that sums agree whatever their order.
formats::DeviceVector numbers(const Type& type, uint64_t n) {
  formats::DeviceVector vector = formats::DeviceVector::empty(type, n);
  vector.form = Form::full;
  std::string bytes(n * type.size, '\0');
  for (uint64_t i = 0; i < n; ++i) {
    const double x = double(i * 2654435761u % 4);
    Value value{Type::of(TypeCode::Fp64), std::string(8, '\0')};
    std::memcpy(value.bytes.data(), &x, 8);
    bytes.replace(i * type.size, type.size, reference::cast(value, type).bytes);
  }
  vector.values = runtime::Buffer::from_host(bytes.data(), bytes.size());
  vector.set_nvals(n);
  return vector;
}

/// Presence and values of a result, for comparison.
std::string contents(const formats::DeviceVector& w) {
  const formats::DeviceVector sparse = to_sparse(w);
  const uint64_t entries = sparse.nvals();
  const std::vector<char> values = sparse.values.to_host<char>((sparse.iso ? 1 : entries) * w.type.size);
  const std::vector<char> positions = sparse.indices.to_host<char>(sparse.indices.bytes());
  return std::string(values.begin(), values.end()) + std::string(positions.begin(), positions.end());
}

double predicted(const formats::DeviceMatrix& matrix, const std::string& kernel, const Semiring& semiring) {
  selector::MxvProblem p;
  p.rows = matrix.rows;
  p.columns = matrix.columns;
  p.entries = matrix.nvals();
  p.vector_entries = matrix.columns;
  p.vector_value_bytes = semiring.multiply.reads_y ? semiring.multiply.y.size : 0;
  p.result_bytes = semiring.add.type().size;
  p.stops_early = semiring.add.is_any || semiring.add.terminal.has_value();
  p.stops_at_once = semiring.add.is_any || (p.stops_early && semiring.add.type().code == TypeCode::Bool);
  p.push_ready = matrix.has_rows(true);
  p.pull_lengths = matrix.row_lengths(false);
  const auto hardware = selector::Hardware::from_properties(runtime::device().properties());
  return selector::choose_mxv(p, hardware, kernel).chosen.predicted_seconds;
}

}  // namespace

nlohmann::json bench_product(const formats::DeviceMatrix& matrix, const std::string& name, int repeat) {
  const Semiring semiring = catalogue::semiring(name).value();
  const formats::DeviceVector u = numbers(semiring.multiply.y, matrix.columns);
  std::vector<std::string> kernels = {""};
  for (const selector::KernelName& kernel : selector::kernels()) kernels.push_back(kernel.name);
  nlohmann::json results = nlohmann::json::array();
  std::string expected;
  for (const std::string& kernel : kernels) {
    force(kernel);
    formats::DeviceVector w;
    const auto run = [&] {
      w = formats::DeviceVector::empty(semiring.add.type(), matrix.rows);
      operations::mxv({w, {}, std::nullopt, false}, {semiring, matrix, u, false, false});
    };
    const std::vector<double> seconds = measure(repeat, run);
    const std::string found = contents(w);
    if (expected.empty()) expected = found;
    const bool same = found == expected || semiring.add.is_any;
    const double s = median(seconds), guess = predicted(matrix, kernel, semiring);
    std::printf("%-22s %-14s %9.4f ms  (predicted %9.4f)  %7.1f G entries/s  %s\n", name.c_str(),
                kernel.empty() ? "(choice)" : kernel.c_str(), s * 1e3, guess * 1e3,
                double(matrix.nvals()) / s / 1e9, same ? "same result" : "RESULT DIFFERS");
    std::fflush(stdout);
    results.push_back({{"semiring", name},
                       {"kernel", kernel.empty() ? "choice" : kernel},
                       {"median_seconds", s},
                       {"least_seconds", seconds.front()},
                       {"predicted_seconds", guess},
                       {"same_result", same}});
  }
  force("");
  return results;
}

}  // namespace cugrb::bench
