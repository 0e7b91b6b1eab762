// bench_matrices [--entries N] [--repeat N] [--json FILE]: bench/matrices/README.md.
#include <numeric>
#include <random>

#include "bench/common/operations.h"
#include "src/operations/build.h"
#include "src/operations/kronecker.h"
#include "src/operations/matrix_assign.h"
#include "src/operations/matrix_extract.h"
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

DeviceMatrix none(uint64_t rows, uint64_t columns) {
  return formats::matrix_by(formats::empty_csr(Type::of(TypeCode::Fp32), rows, columns),
                            /*by_column=*/false);
}

void elementwise(OperationBench& bench, const DeviceMatrix& a, const DeviceMatrix& b) {
  const BinaryOp plus = catalogue::binary_op("PLUS_FP32").value(),
                 times = catalogue::binary_op("TIMES_FP32").value();
  const double of_a = double(a.nvals()) * entry, offsets = 4.0 * double(a.rows);
  const auto result = [&](const std::function<void(const operations::MatrixOutput&)>& compute) {
    DeviceMatrix c = none(a.rows, a.columns);
    compute({c, {}, std::nullopt, false});
    return c.nvals();
  };
  const auto add = [&](const operations::MatrixOutput& c) { operations::ewise_add(c, plus, {a}, {b}); };
  const auto multiply = [&](const operations::MatrixOutput& c) {
    operations::ewise_mult(c, times, {a}, {b});
  };
  const double sum = double(result(add)) * entry, product = double(result(multiply)) * entry;
  bench.run("eWiseAdd, patterns apart", 2 * of_a + sum + 3 * offsets, [&] { result(add); });
  bench.run("eWiseMult, patterns apart", of_a + product + 3 * offsets, [&] { result(multiply); });
  const auto same = [&](const operations::MatrixOutput& c) { operations::ewise_add(c, plus, {a}, {a}); };
  bench.run("eWiseAdd, one pattern", 3 * of_a + 3 * offsets, [&] { result(same); });
  const UnaryOp minus = catalogue::unary_op("AINV_FP32").value();
  bench.run("apply", 8 * double(a.nvals()),
            [&] { result([&](const operations::MatrixOutput& c) { operations::apply(c, minus, {a}); }); });
  const Value half{Type::of(TypeCode::Fp32), std::string("\0\0\xfa\x43", 4)};  // 500
  const IndexUnaryOp greater = catalogue::index_unary_op("VALUEGT_FP32").value();
  const auto select = [&](const operations::MatrixOutput& c) { operations::select(c, greater, {a}, half); };
  bench.run("select of a half", of_a + double(result(select)) * entry + 2 * offsets, [&] { result(select); });
  const Value zero{Type::of(TypeCode::Int64), std::string(8, '\0')};
  const IndexUnaryOp lower = catalogue::index_unary_op("TRIL").value();
  const auto tril = [&](const operations::MatrixOutput& c) { operations::select(c, lower, {a}, zero); };
  bench.run("select of the lower triangle", of_a + double(result(tril)) * entry + 2 * offsets,
            [&] { result(tril); });
  bench.run("C += A", 3 * of_a + 3 * offsets, [&] {
    DeviceMatrix c = b;
    operations::assign({c, {}, plus, false}, {a});
  });
  bench.run("C<M> = A", 3 * of_a + 3 * offsets, [&] {
    DeviceMatrix c = b;
    operations::assign({c, {&b, true, false}, std::nullopt, false}, {a});
  });
}

void wholes(OperationBench& bench, const DeviceMatrix& a) {
  const double all = double(a.nvals()) * entry, offsets = 4.0 * double(a.rows);
  bench.run("transpose", 2 * all + 2 * offsets, [&] {
    a.drop_caches();
    a.by_rows(/*transposed=*/true);
  });
  a.drop_caches();
  std::vector<uint64_t> block(a.rows / 2);
  std::iota(block.begin(), block.end(), a.rows / 4);
  const Indices half{false, block.size(), block.data()};
  DeviceMatrix part = none(block.size(), block.size());
  const auto extract = [&] {
    DeviceMatrix c = none(block.size(), block.size());
    operations::extract({c, {}, std::nullopt, false}, {a}, half, half);
    part = c;
  };
  extract();
  bench.run("extract of a block", all / 2 / 2 + 2 * double(part.nvals()) * entry, extract);
  std::vector<uint64_t> mixed(a.rows);
  std::iota(mixed.begin(), mixed.end(), 0);
  std::shuffle(mixed.begin(), mixed.end(), std::mt19937_64(4));
  const Indices everything{true, a.rows, nullptr}, permuted{false, mixed.size(), mixed.data()};
  bench.run("extract of permuted rows", 2 * all + 2 * offsets, [&] {
    DeviceMatrix c = none(a.rows, a.columns);
    operations::extract({c, {}, std::nullopt, false}, {a}, permuted, everything);
  });
  bench.run("concat of two", 4 * all, [&] {
    DeviceMatrix c = none(2 * a.rows, a.columns);
    operations::concat({c, {}, std::nullopt, false}, {&a, &a}, 1);
  });
}

operations::Tuples tuples_of(const DeviceMatrix& a, bool mixed) {
  const formats::Coo coo = formats::make_coo(a.stored);
  operations::Tuples tuples;
  tuples.count = a.nvals();
  std::vector<uint32_t> rows = coo.row_indices.to_host<uint32_t>(tuples.count),
                        columns = coo.column_indices.to_host<uint32_t>(tuples.count);
  if (mixed) {
    std::mt19937_64 random(5);
    for (uint64_t k = tuples.count - 1; k > 0; --k) {
      const uint64_t other = random() % (k + 1);
      std::swap(rows[k], rows[other]);
      std::swap(columns[k], columns[other]);
    }
  }
  tuples.rows = runtime::Buffer::from_host(rows.data(), rows.size() * 4);
  tuples.columns = runtime::Buffer::from_host(columns.data(), columns.size() * 4);
  tuples.values = formats::DeviceVector::full_of(Type::of(TypeCode::Fp32), tuples.count, a.stored.values);
  tuples.values.iso = false;
  return tuples;
}

/// A radix sort of keys of 64 bits and of their numbers: each pass reads and writes both.
void builds(OperationBench& bench, const DeviceMatrix& a) {
  const BinaryOp plus = catalogue::binary_op("PLUS_FP32").value();
  const double count = double(a.nvals()), tuple = 12;
  for (const bool mixed : {false, true}) {
    const operations::Tuples tuples = tuples_of(a, mixed);
    unsigned bits = 0;
    while ((uint64_t(1) << bits) < a.rows) ++bits;
    const double passes = mixed ? (2 * bits + 7) / 8 : 0;
    bench.run(mixed ? "build, unsorted" : "build, sorted", count * (tuple + entry) + passes * count * 2 * 12,
              [&] {
                DeviceMatrix c = none(a.rows, a.columns);
                operations::build(c, tuples, plus);
              });
  }
}

void products(OperationBench& bench, const DeviceMatrix& a) {
  const DeviceMatrix small = drawn(16, 6), part = operations::part(a, {0, a.rows / 256}, {0, a.columns});
  const BinaryOp times = catalogue::binary_op("TIMES_FP32").value();
  bench.run("kronecker", double(small.nvals()) * double(part.nvals()) * entry, [&] {
    DeviceMatrix c = none(small.rows * part.rows, small.columns * part.columns);
    operations::kronecker({c, {}, std::nullopt, false}, times, {small}, {part});
  });
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
    elementwise(bench, a, c);
    wholes(bench, a);
    builds(bench, a);
    products(bench, a);
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
