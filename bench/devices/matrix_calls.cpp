#include "bench/devices/matrix_calls.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>

#include "bench/common/results.h"
#include "src/operations/matrix_elementwise.h"
#include "src/operations/matrix_extract.h"
#include "src/operations/multiply/registry.h"
#include "src/operations/operations.h"
#include "src/support/settings.h"
#include "src/support/stopwatch.h"

namespace cugrb::bench {

namespace {

using formats::DeviceMatrix;
using nlohmann::json;
using operations::MatrixOutput;

using Devices = std::span<runtime::Device* const>;

void wait_for_all() {
  for (runtime::Device* device : runtime::devices()) device->synchronize();
}

/// A result's entries and their sum.
struct Total {
  uint64_t entries = 0;
  std::string sum;
  bool operator==(const Total&) const = default;
};

class MatrixCalls {
 public:
  MatrixCalls(const formats::Csr& a, int repeat) : a_(formats::matrix_by(a, false)), repeat_(repeat) {
    columns_.resize((a.columns + 1) / 2);
    for (uint64_t k = 0; k < columns_.size(); ++k) columns_[k] = 2 * k;
  }

  json measure() {
    json rows = json::array();
    for (unsigned devices = 1; devices <= runtime::devices().size(); ++devices) {
      a_.drop_caches();
      const DeviceMatrix t = product(Devices(runtime::devices()).first(devices));
      rows.push_back(
          row("product", devices, [&] { return product(Devices(runtime::devices()).first(devices)); }));
      for (const auto& [name, call] : calls()) {
        rows.push_back(row(name, devices, [&, &call = call] {
          DeviceMatrix c = nothing(name);
          call({c, {}, std::nullopt, false}, t);
          return c;
        }));
      }
      rows.push_back(row("sum", devices, [&] {
        operations::reduce(plus_, t);
        return t;
      }));
    }
    return rows;
  }

 private:
  using Call = std::function<void(const MatrixOutput& c, const DeviceMatrix& t)>;

  DeviceMatrix nothing(const std::string& name) const {
    const uint64_t columns = name == "half of the columns" ? columns_.size() : a_.columns;
    return formats::matrix_by(formats::empty_csr(a_.type, a_.rows, columns), false);
  }

  DeviceMatrix product(Devices devices) const {
    const SettingsGuard guard;  // of force_kernel
    force_kernel(devices.size() > 1 ? operations::mxm_parts.name : "");
    DeviceMatrix c = nothing("product");
    operations::mxm({c, {}, std::nullopt, false},
                    {semiring_, a_, a_, false, false, devices, /*in_parts=*/true});
    return c;
  }

  std::vector<std::pair<const char*, Call>> calls() const {
    return {
        {"union with A",
         [&](const MatrixOutput& c, const DeviceMatrix& t) { operations::ewise_add(c, add_, {t}, {a_}); }},
        {"intersection with A",
         [&](const MatrixOutput& c, const DeviceMatrix& t) { operations::ewise_mult(c, add_, {t}, {a_}); }},
        {"apply", [&](const MatrixOutput& c, const DeviceMatrix& t) { operations::apply(c, negate_, {t}); }},
        {"select",
         [&](const MatrixOutput& c, const DeviceMatrix& t) {
           const float four = 4;
           operations::select(c, above_, {t},
                              {a_.type, std::string(reinterpret_cast<const char*>(&four), 4)});
         }},
        {"transpose",
         [&](const MatrixOutput& c, const DeviceMatrix& t) {
           operations::assign(c, {t, /*transpose=*/true});
         }},
        {"half of the columns", [&](const MatrixOutput& c, const DeviceMatrix& t) {
           operations::extract(c, {t}, operations::Indices{true, a_.rows, nullptr},
                               operations::Indices{false, columns_.size(), columns_.data()});
         }}};
  }

  /// The first call of a name is on one device.
  json row(const std::string& name, unsigned devices, const std::function<DeviceMatrix()>& run) {
    std::vector<double> seconds;
    Total total;
    bool in_parts = false;
    for (int r = 0; r <= repeat_; ++r) {
      wait_for_all();
      const Stopwatch watch;
      const DeviceMatrix made = run();
      wait_for_all();
      if (r > 0) seconds.push_back(watch.seconds());  // what is made once is made by the first
      if (r < repeat_) continue;
      const auto sum = operations::reduce(plus_, made);
      total = {made.nvals(), sum ? sum->bytes : ""};
      in_parts = made.parts != nullptr;
    }
    std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
    const double median = seconds[seconds.size() / 2];
    auto [alone, is_first] = alone_.try_emplace(name, median, total);
    const json made = {{"call", name},
                       {"devices", devices},
                       {"median_seconds", median},
                       {"entries", total.entries},
                       {"in_parts", in_parts},
                       {"speedup", alone->second.first / median},
                       {"same_result", alone->second.second == total}};
    std::printf("  %-20s %2u  %10.4f ms, %5.2f times one device%s%s\n", name.c_str(), devices, median * 1e3,
                alone->second.first / median, in_parts ? ", in parts" : "",
                alone->second.second == total ? "" : "  DIFFERS");
    return made;
  }

  const DeviceMatrix a_;
  const int repeat_;
  std::vector<uint64_t> columns_;
  std::map<std::string, std::pair<double, Total>> alone_;
  const Semiring semiring_ = catalogue::semiring("PLUS_TIMES_FP32").value();
  const Monoid plus_ = catalogue::monoid("PLUS_INT64").value();
  const BinaryOp add_ = catalogue::binary_op("PLUS_FP32").value();
  const UnaryOp negate_ = catalogue::unary_op("AINV_FP32").value();
  const IndexUnaryOp above_ = catalogue::index_unary_op("VALUEGT_FP32").value();
};

}  // namespace

json measure_matrix_calls(const formats::Csr& a, int repeat) { return MatrixCalls(a, repeat).measure(); }

}  // namespace cugrb::bench
