// A * A and C<A> = A * A' by every kernel.
#include <cstdio>
#include <cstring>

#include "bench/spgemm/bench.h"

namespace cugrb::bench {

namespace {

/// Entries and the sum of all values: what all kernels must agree on.
struct Checksum {
  uint64_t entries = 0;
  std::string sum;
  friend bool operator==(const Checksum&, const Checksum&) = default;
};

Checksum checksum(const formats::DeviceMatrix& c) {
  const Monoid plus = catalogue::monoid("PLUS_FP64").value();
  const std::optional<Value> sum = operations::reduce(plus, c);
  return {c.nvals(), sum ? sum->bytes : ""};
}

formats::DeviceMatrix empty_like(const formats::DeviceMatrix& a, const Type& type) {
  formats::DeviceMatrix c;
  c.type = c.stored.type = type;
  c.rows = c.stored.rows = a.rows;
  c.columns = c.stored.columns = a.rows;
  c.stored.column_width = formats::index_width(a.rows);
  c.stored.offsets = runtime::Buffer::zeroed((a.rows + 1) * 4);
  return c;
}

/// `product(c)` by each of `kernels`; an entry that fails (no memory ...) is reported with its reason.
template <class Product>
nlohmann::json by_each_kernel(const char* what, const std::string& semiring,
                              const std::vector<std::string>& kernels, const formats::DeviceMatrix& a,
                              const Type& type, int repeat, const Product& product) {
  nlohmann::json results = nlohmann::json::array();
  Checksum expected;
  for (const std::string& kernel : kernels) {
    force(kernel);
    const std::string name = kernel.empty() ? "choice" : kernel;
    nlohmann::json row{{"what", what}, {"semiring", semiring}, {"kernel", name}};
    try {
      formats::DeviceMatrix c;
      const std::vector<double> seconds = measure(repeat, [&] {
        c = empty_like(a, type);
        product(c);
      });
      const Checksum found = checksum(c);
      if (expected.entries == 0) expected = found;
      row["median_seconds"] = median(seconds);
      row["least_seconds"] = seconds.front();
      row["entries"] = found.entries;
      row["same_result"] = found == expected;
      std::printf("%-10s %-18s %-10s %10.4f ms  %12lu entries  %s\n", what, semiring.c_str(), name.c_str(),
                  median(seconds) * 1e3, (unsigned long)found.entries,
                  found == expected ? "same result" : "RESULT DIFFERS");
    } catch (const std::exception& failure) {
      row["failure"] = failure.what();
      std::printf("%-10s %-18s %-10s %s\n", what, semiring.c_str(), name.c_str(), failure.what());
    }
    std::fflush(stdout);
    results.push_back(row);
  }
  force("");
  return results;
}

}  // namespace

nlohmann::json bench_square(const formats::DeviceMatrix& a, const std::string& name, int repeat) {
  const Semiring semiring = catalogue::semiring(name).value();
  return by_each_kernel("A*A", name, {"", "mxm_rows", "mxm_sort", "mxm_outer"}, a, semiring.add.type(),
                        repeat, [&](formats::DeviceMatrix& c) {
                          operations::mxm({c, {}, std::nullopt, false}, {semiring, a, a, false, false});
                        });
}

namespace {

formats::DeviceMatrix diagonal(uint64_t n) {
  formats::DeviceMatrix d;
  d.type = d.stored.type = Type::of(TypeCode::Fp32);
  d.rows = d.columns = d.stored.rows = d.stored.columns = d.stored.entries = n;
  d.stored.column_width = formats::index_width(n);
  std::vector<uint32_t> numbers(n + 1);
  std::vector<float> values(n);
  for (uint64_t i = 0; i <= n; ++i) numbers[i] = uint32_t(i);
  for (uint64_t i = 0; i < n; ++i) values[i] = float(1 + i % 3);
  d.stored.offsets = runtime::Buffer::from_host(numbers.data(), (n + 1) * 4);
  d.stored.column_indices = runtime::Buffer::from_host(numbers.data(), n * 4);
  d.stored.values = runtime::Buffer::from_host(values.data(), n * 4);
  return d;
}

}  // namespace

nlohmann::json bench_scaling(const formats::DeviceMatrix& a, const std::string& name, int repeat) {
  const Semiring semiring = catalogue::semiring(name).value();
  const formats::DeviceMatrix d = diagonal(a.rows);
  nlohmann::json results = nlohmann::json::array();
  for (const bool rows : {true, false}) {
    const nlohmann::json scaled = by_each_kernel(
        rows ? "D*A" : "A*D", name, {"", "mxm_scale", "mxm_rows"}, a, semiring.add.type(), repeat,
        [&](formats::DeviceMatrix& c) {
          operations::mxm({c, {}, std::nullopt, false}, {semiring, rows ? d : a, rows ? a : d, false, false});
        });
    results.insert(results.end(), scaled.begin(), scaled.end());
  }
  return results;
}

nlohmann::json bench_masked(const formats::DeviceMatrix& a, const std::string& name, int repeat) {
  const Semiring semiring = catalogue::semiring(name).value();
  nlohmann::json results = by_each_kernel(
      "A*A'<A>", name, {"", "mxm_dot", "mxm_rows"}, a, semiring.add.type(), repeat,
      [&](formats::DeviceMatrix& c) {
        operations::mxm({c, {&a, true, false}, std::nullopt, false}, {semiring, a, a, false, true});
      });
  const nlohmann::json complemented = by_each_kernel(
      "A*A<!A>", name, {"", "mxm_rows", "mxm_sort"}, a, semiring.add.type(), repeat,
      [&](formats::DeviceMatrix& c) {
        operations::mxm({c, {&a, true, true}, std::nullopt, false}, {semiring, a, a, false, false});
      });
  results.insert(results.end(), complemented.begin(), complemented.end());
  return results;
}

}  // namespace cugrb::bench
