// bench_matrices [--entries N] [--repeat N] [--json FILE]: bench/matrices/README.md.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <stdexcept>

#include "src/operations/matrix_assign.h"
#include "src/operations/matrix_parts.h"
#include "src/operations/sort.h"

using namespace cugrb;
using formats::DeviceMatrix;
using operations::Indices;

namespace {

constexpr uint64_t row_length = 16;
constexpr double entry = 8;  ///< bytes: a column and a value

struct Options {
  uint64_t entries = uint64_t(1) << 22;
  int repeat = 10;
  std::string json;
};

Options parse(int count, char** arguments) {
  Options options;
  for (int n = 1; n + 1 < count; n += 2) {
    const std::string word = arguments[n];
    if (word == "--entries") {
      options.entries = std::max<uint64_t>(1024, std::strtoull(arguments[n + 1], nullptr, 10));
    } else if (word == "--repeat") {
      options.repeat = std::max(1, std::atoi(arguments[n + 1]));
    } else if (word == "--json") {
      options.json = arguments[n + 1];
    } else {
      throw std::invalid_argument("unknown option " + word);
    }
  }
  return options;
}

double median_seconds(int repeat, const std::function<void()>& call) {
  call();
  std::vector<double> seconds;
  for (int r = 0; r < repeat; ++r) {
    const uint64_t begin = runtime::device().mark();
    call();
    seconds.push_back(runtime::device().seconds_between(begin, runtime::device().mark()));
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options) {
    const size_t bytes = size_t(1) << (runtime::device().properties().kind == runtime::Kind::cuda ? 30 : 20);
    const runtime::Buffer from(bytes), to(bytes);
    copy_ = 2 * double(bytes) / median_seconds(options.repeat, [&] {
              runtime::device().copy_on_device(to.data(), from.data(), bytes);
            });
    std::printf("%s, %lu entries, copy %.3f TB/s\n", runtime::device().properties().name.c_str(),
                (unsigned long)options.entries, copy_ / 1e12);
    result_ = {{"device", runtime::device().properties().name},
               {"entries", options.entries},
               {"copy_bytes_per_second", copy_}};
  }
  /// `bytes`: what must move.
  void run(const char* name, double bytes, const std::function<void()>& call) {
    const double seconds = median_seconds(options_.repeat, call), rate = bytes / seconds;
    std::printf("%-46s %10.2f us  %7.3f TB/s  %5.2f of copy\n", name, seconds * 1e6, rate / 1e12,
                rate / copy_);
    result_["operations"].push_back(
        {{"name", name}, {"seconds", seconds}, {"bytes_per_second", rate}, {"of_copy", rate / copy_}});
  }
  const nlohmann::json& result() const { return result_; }

 private:
  Options options_;
  double copy_ = 0;
  nlohmann::json result_;
};

/// A square matrix with `row_length` entries in each row.
DeviceMatrix drawn(uint64_t rows, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<uint32_t> columns, offsets(rows + 1);
  std::vector<float> values;
  for (uint64_t i = 0; i < rows; ++i) {
    for (uint64_t k = 0; k < row_length; ++k) {
      columns.push_back(uint32_t((k * rows + random() % rows) / row_length));
      values.push_back(float(random() % 1000));
    }
    offsets[i + 1] = uint32_t(columns.size());
  }
  formats::Csr csr(formats::sparse_shape(Type::of(TypeCode::Fp32), rows, rows, columns.size()));
  csr.offsets = runtime::Buffer::from_host(offsets.data(), offsets.size() * sizeof(uint32_t));
  csr.column_indices = runtime::Buffer::from_host(columns.data(), columns.size() * sizeof(uint32_t));
  csr.values = runtime::Buffer::from_host(values.data(), values.size() * sizeof(float));
  return formats::matrix_by(csr, /*by_column=*/false);
}

void assignments(Bench& bench, const DeviceMatrix& c, const DeviceMatrix& a) {
  const uint64_t n = c.rows, half = n / 2;
  std::vector<uint64_t> block(half), even(half), mixed(half);
  std::iota(block.begin(), block.end(), n / 4);
  for (uint64_t k = 0; k < half; ++k) even[k] = 2 * k;
  mixed = even;
  std::shuffle(mixed.begin(), mixed.end(), std::mt19937_64(3));
  const DeviceMatrix quarter = operations::part(a, {0, half}, {0, half});
  const double all = double(c.nvals()) * entry, some = double(quarter.nvals()) * entry;
  const BinaryOp plus = catalogue::binary_op("PLUS_FP32").value();
  const auto assign = [&](const std::vector<uint64_t>& list, const DeviceMatrix* mask, bool accumulate,
                          bool masked_alone) {
    DeviceMatrix out = c;
    const Indices indices{false, list.size(), list.data()};
    operations::assign(
        {out, {mask, true, false}, accumulate ? std::optional<BinaryOp>(plus) : std::nullopt, false},
        {quarter}, {indices, indices, masked_alone});
  };
  bench.run("C(block) = A", 2 * all + some, [&] { assign(block, nullptr, false, false); });
  bench.run("C(block) += A", 2 * all + some, [&] { assign(block, nullptr, true, false); });
  bench.run("C(even) = A", 2 * all + some, [&] { assign(even, nullptr, false, false); });
  bench.run("C(even, shuffled) = A", 2 * all + some, [&] { assign(mixed, nullptr, false, false); });
  bench.run("C<M>(block) = A", 3 * all + some, [&] { assign(block, &a, false, false); });
  bench.run("subassign C(block)<M> = A", 2 * all + 2 * some, [&] { assign(block, &quarter, false, true); });
}

void sorts(Bench& bench, const DeviceMatrix& a) {
  const double all = double(a.nvals()) * entry;
  for (const char* name : {"LT_FP32", "LT_FP64"}) {
    const BinaryOp op = catalogue::binary_op(name).value();
    const std::string text = std::string("sort rows by ") + name;
    bench.run(text.c_str(), 2 * all + 8 * double(a.nvals()) * 16, [&] {
      DeviceMatrix values;
      operations::sort({&values, nullptr}, op, {a});
    });
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const Options options = parse(count, arguments);
    Bench bench(options);
    const uint64_t rows = options.entries / (row_length * row_length) * row_length;  // columns do not meet
    const DeviceMatrix c = drawn(rows, 1), a = drawn(rows, 2);
    assignments(bench, c, a);
    sorts(bench, a);
    bench.run("reshape to half the rows", 2 * double(a.nvals()) * 4,
              [&] { operations::reshaped(a, false, rows / 2, rows * 2); });
    if (!options.json.empty()) std::ofstream(options.json) << bench.result().dump(2) << "\n";
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_matrices: %s\n", failure.what());
    return 1;
  }
  return 0;
}
