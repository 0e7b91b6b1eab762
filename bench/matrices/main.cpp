// bench_matrices [--entries N] [--repeat N] [--json FILE]: bench/matrices/README.md.
#include <numeric>
#include <random>

#include "bench/common/operations.h"
#include "src/operations/matrix_assign.h"
#include "src/operations/matrix_parts.h"
#include "src/operations/sort.h"

using namespace cugrb;
using bench::OperationBench;
using bench::OperationOptions;
using formats::DeviceMatrix;
using operations::Indices;

namespace {

constexpr uint64_t row_length = 16;
constexpr double entry = 8;  ///< bytes: a column and a value

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

void assignments(OperationBench& bench, const DeviceMatrix& c, const DeviceMatrix& a) {
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

void sorts(OperationBench& bench, const DeviceMatrix& a) {
  const double all = double(a.nvals()) * entry;
  for (const char* name : {"LT_FP32", "LT_FP64"}) {
    const BinaryOp op = catalogue::binary_op(name).value();
    bench.run(std::string("sort rows by ") + name, 2 * all + 8 * double(a.nvals()) * 16, [&] {
      DeviceMatrix values;
      operations::sort({&values, nullptr}, op, {a});
    });
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const OperationOptions options =
        bench::parse(count, arguments, "--entries", 1024, {uint64_t(1) << 22, 10, {}});
    OperationBench bench(options, "entries", /*calls=*/1);
    const uint64_t rows = options.size / (row_length * row_length) * row_length;  // columns do not meet
    const DeviceMatrix c = drawn(rows, 1), a = drawn(rows, 2);
    assignments(bench, c, a);
    sorts(bench, a);
    bench.run("reshape to half the rows", 2 * double(a.nvals()) * 4,
              [&] { operations::reshaped(a, false, rows / 2, rows * 2); });
    bench.finish();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_matrices: %s\n", failure.what());
    return 1;
  }
  return 0;
}
