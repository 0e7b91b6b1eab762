// bench_vectors [--length N] [--repeat N] [--json FILE]: bench/vectors/README.md.
#include "bench/common/operations.h"
#include "src/operations/operations.h"

using namespace cugrb;
using bench::OperationBench;
using bench::OperationOptions;
using formats::DeviceVector;
using operations::VectorOutput;

namespace {

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

/// Bytes that must move for each position.
class Bench {
 public:
  explicit Bench(const OperationOptions& options)
      : positions_(double(options.size)), bench_(options, "length", /*calls=*/20) {}
  void run(const std::string& name, double bytes, const std::function<void()>& call) {
    bench_.run(name, bytes * positions_, call);
  }
  void finish() const { bench_.finish(); }

 private:
  double positions_;
  OperationBench bench_;
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
    bench.run(std::string("pi<s(q)> = q, q ") + frontier.name, flags + 9 * share,
              [&] { operations::assign(parents, q, {}); });
    bench.run(std::string("w<s(q),replace> = degree, q ") + frontier.name, flags + 16 * share,
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
    const OperationOptions options =
        bench::parse(count, arguments, "--length", 16, {uint64_t(1) << 22, 20, {}});
    Bench bench(options);
    page_rank(bench, options.size);
    breadth_first(bench, options.size);
    selections(bench, options.size);
    bench.finish();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_vectors: %s\n", failure.what());
    return 1;
  }
  return 0;
}
