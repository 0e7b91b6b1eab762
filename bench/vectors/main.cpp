// bench_vectors [--length N] [--repeat N] [--json FILE]: bench/vectors/README.md.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "src/operations/operations.h"

using namespace cugrb;
using formats::DeviceVector;
using operations::VectorOutput;

namespace {

struct Options {
  uint64_t length = uint64_t(1) << 22;
  int repeat = 20;
  std::string json;
};

Options parse(int count, char** arguments) {
  Options options;
  for (int n = 1; n + 1 < count; n += 2) {
    const std::string word = arguments[n];
    if (word == "--length") {
      options.length = std::max<uint64_t>(16, std::strtoull(arguments[n + 1], nullptr, 10));
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

constexpr int calls_a_run = 20;

/// Median seconds of one call.
double measure(int repeat, const std::function<void()>& call) {
  call();
  std::vector<double> seconds;
  for (int r = 0; r < repeat; ++r) {
    const uint64_t begin = runtime::device().mark();
    for (int n = 0; n < calls_a_run; ++n) call();
    seconds.push_back(runtime::device().seconds_between(begin, runtime::device().mark()) / calls_a_run);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

template <class T>
DeviceVector full(const Type& type, uint64_t n) {
  std::vector<T> values(n);
  for (uint64_t i = 0; i < n; ++i) values[i] = T(1 + i * 2654435761u % 4);
  DeviceVector vector = DeviceVector::empty(type, n);
  vector.form = Form::full;
  vector.values = runtime::Buffer::from_host(values.data(), n * sizeof(T));
  vector.set_nvals(n);
  return vector;
}

/// Every `step`-th position of a full vector.
DeviceVector thinned(const DeviceVector& vector, uint64_t step) {
  DeviceVector bitmap = to_bitmap(vector);
  std::vector<uint8_t> present(vector.length, 0);
  for (uint64_t i = 0; i < vector.length; i += step) present[i] = 1;
  bitmap.present = runtime::Buffer::from_host(present.data(), present.size());
  bitmap.set_nvals((vector.length + step - 1) / step);
  return bitmap;
}

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options) {
    const size_t bytes = size_t(1) << (runtime::device().properties().kind == runtime::Kind::cuda ? 30 : 20);
    const runtime::Buffer from(bytes), to(bytes);
    copy_ = 2 * double(bytes) /
            measure(options.repeat, [&] { runtime::device().copy_on_device(to.data(), from.data(), bytes); });
    std::printf("%s, n = %lu, copy %.3f TB/s\n", runtime::device().properties().name.c_str(),
                (unsigned long)options.length, copy_ / 1e12);
    result_ = {{"device", runtime::device().properties().name},
               {"length", options.length},
               {"copy_bytes_per_second", copy_}};
  }
  /// `bytes`: what must move for each position.
  void run(const char* name, double bytes, const std::function<void()>& call) {
    const double seconds = measure(options_.repeat, call), rate = bytes * double(options_.length) / seconds;
    std::printf("%-46s %9.2f us  %7.3f TB/s  %5.2f of copy\n", name, seconds * 1e6, rate / 1e12,
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

BinaryOp binary(const char* name) { return catalogue::binary_op(name).value(); }

void page_rank(Bench& bench, uint64_t n) {
  const Type& fp32 = Type::of(TypeCode::Fp32);
  const DeviceVector u = full<float>(fp32, n), v = full<float>(fp32, n);
  DeviceVector w = full<float>(fp32, n);
  const VectorOutput whole{w, {}, std::nullopt, false}, minus{w, {}, binary("MINUS_FP32"), false};
  const BinaryOp divide = binary("DIV_FP32");
  const UnaryOp abs = catalogue::unary_op("ABS_FP32").value();
  const Monoid plus = catalogue::monoid("PLUS_FP32").value();
  bench.run("eWiseMult full, full FP32", 12, [&] { operations::ewise_mult(whole, divide, u, v); });
  bench.run("assign full, accumulator FP32", 12, [&] { operations::assign(minus, u, {}); });
  bench.run("apply full in place FP32", 8, [&] { operations::apply(whole, abs, w); });
  bench.run("reduce full FP32 (reads the scalar)", 4, [&] { operations::reduce(plus, w); });
}

void breadth_first(Bench& bench, uint64_t n) {
  const Type &int32 = Type::of(TypeCode::Int32), &int64 = Type::of(TypeCode::Int64);
  const DeviceVector all = full<int32_t>(int32, n), degree = full<int64_t>(int64, n);
  DeviceVector pi = thinned(all, 3), w = DeviceVector::empty(int64, n);
  const struct {
    const char* name;
    uint64_t step;
    bool sparse;
  } frontiers[] = {{"bitmap 1/2", 2, false}, {"bitmap 1/100", 100, false}, {"sparse 1/100", 100, true}};
  for (const auto& frontier : frontiers) {
    DeviceVector q = thinned(all, frontier.step);
    if (frontier.sparse) q = to_sparse(q);
    const double share = 1.0 / double(frontier.step), flags = frontier.sparse ? 4 * share : 1;
    const VectorOutput parents{pi, {&q, true, false}, std::nullopt, false};
    const VectorOutput degrees{w, {&q, true, false}, std::nullopt, true};
    bench.run((std::string("pi<s(q)> = q, q ") + frontier.name).c_str(), flags + 9 * share,
              [&] { operations::assign(parents, q, {}); });
    bench.run((std::string("w<s(q),replace> = degree, q ") + frontier.name).c_str(), flags + 16 * share,
              [&] { operations::assign(degrees, degree, {}); });
  }
}

void selections(Bench& bench, uint64_t n) {
  const Type& int32 = Type::of(TypeCode::Int32);
  const DeviceVector all = full<int32_t>(int32, n), half = thinned(all, 2),
                     few = to_sparse(thinned(all, 100));
  DeviceVector w = DeviceVector::empty(int32, n);
  const VectorOutput whole{w, {}, std::nullopt, false};
  const IndexUnaryOp less = catalogue::index_unary_op("VALUELT_INT32").value();
  const int32_t three = 3;
  const Value thunk{int32, std::string(reinterpret_cast<const char*>(&three), 4)};
  const BinaryOp min = binary("MIN_INT32");
  bench.run("select bitmap 1/2 INT32", 2 + 4, [&] { operations::select(whole, less, half, thunk); });
  bench.run("select sparse 1/100 INT32", 0.16, [&] { operations::select(whole, less, few, thunk); });
  bench.run("eWiseMult sparse 1/100, full INT32", 0.16,
            [&] { operations::ewise_mult(whole, min, few, all); });
  bench.run("eWiseAdd sparse 1/100, full INT32", 8.08, [&] { operations::ewise_add(whole, min, few, all); });
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const Options options = parse(count, arguments);
    Bench bench(options);
    page_rank(bench, options.length);
    breadth_first(bench, options.length);
    selections(bench, options.length);
    if (!options.json.empty()) std::ofstream(options.json) << bench.result().dump(2) << "\n";
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_vectors: %s\n", failure.what());
    return 1;
  }
  return 0;
}
