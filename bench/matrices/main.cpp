// bench_matrices [--entries N] [--repeat N] [--json FILE] [--only TEXT]: bench/matrices/README.md.
#include <numeric>
#include <random>

#include "bench/matrices/peers.h"
#include "src/operations/build.h"
#include "src/operations/kronecker.h"
#include "src/operations/matrix_assign.h"
#include "src/operations/matrix_extract.h"
#include "src/operations/matrix_parts.h"
#include "src/operations/matrix_write_back.h"
#include "src/operations/sort.h"

using namespace cugrb;
using bench::OperationBench;
using bench::OperationOptions;
using formats::Csr;
using formats::DeviceMatrix;
using operations::Indices;

namespace {

constexpr uint64_t row_length = 16;
constexpr double entry = 8;  ///< bytes: a column and a value

/// Of a radix sort of keys below n, 8 bits each.
double passes_of(uint64_t n) { return double((formats::bits_of(n) + 7) / 8); }

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
  std::vector<uint64_t> listed(half), even(half), mixed(half);
  std::iota(listed.begin(), listed.end(), n / 4);
  const Indices block{false, half, nullptr, n / 4};
  for (uint64_t k = 0; k < half; ++k) even[k] = 2 * k;
  mixed = even;
  std::shuffle(mixed.begin(), mixed.end(), std::mt19937_64(3));
  const DeviceMatrix quarter = operations::part(a, {0, half}, {0, half});
  const double all = double(c.nvals()) * entry, some = double(quarter.nvals()) * entry;
  const BinaryOp plus = catalogue::binary_op("PLUS_FP32").value();
  const auto list_of = [](const std::vector<uint64_t>& list) {
    return Indices{false, list.size(), list.data()};
  };
  const auto assign = [&](const Indices& indices, const DeviceMatrix* mask, bool accumulate,
                          bool masked_alone) {
    DeviceMatrix out = c;
    operations::assign(
        {out, {mask, true, false}, accumulate ? std::optional<BinaryOp>(plus) : std::nullopt, false},
        {quarter}, {indices, indices, masked_alone});
  };
  const double list = double(half) * sizeof(uint64_t);
  bench.run("C(block) = A", 2 * all + some, [&] { assign(block, nullptr, false, false); });
  bench.run(
      "C(listed block) = A", 2 * all + some, [&] { assign(list_of(listed), nullptr, false, false); }, list);
  bench.run("C(block) += A", 2 * all + some, [&] { assign(block, nullptr, true, false); });
  bench.run(
      "C(even) = A", 2 * all + some, [&] { assign(list_of(even), nullptr, false, false); }, list);
  bench.run(
      "C(even, shuffled) = A", 2 * all + some, [&] { assign(list_of(mixed), nullptr, false, false); }, list);
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
  const auto same = [&](const DeviceMatrix& other) {
    return [&](const operations::MatrixOutput& c) { operations::ewise_add(c, plus, {a}, {other}); };
  };
  DeviceMatrix copy = a;
  copy.stored.offsets = a.stored.offsets.clone();
  copy.stored.column_indices = a.stored.column_indices.clone();
  bench.run("eWiseAdd, equal patterns", 3 * of_a + 3 * offsets, [&] { result(same(copy)); });
  bench.run("eWiseAdd, one pattern", 12 * double(a.nvals()), [&] { result(same(a)); });
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
  // Each pass of the sort reads and writes a column of 4 bytes, and a row with a value, of 8.
  bench.run("transpose", 2 * all + 2 * offsets + passes_of(a.columns) * double(a.nvals()) * 2 * 12, [&] {
    a.drop_caches();
    a.by_rows(/*transposed=*/true);
  });
  a.drop_caches();
  const DeviceMatrix wide =
      formats::matrix_by(operations::cast(Csr(a.stored), Type::of(TypeCode::Fp64)), false);
  bench.run("transpose, FP64", (24 + passes_of(a.columns) * 2 * 16) * double(a.nvals()) + 2 * offsets, [&] {
    wide.drop_caches();
    wide.by_rows(/*transposed=*/true);
  });
  std::vector<uint64_t> listed(a.rows / 2);
  std::iota(listed.begin(), listed.end(), a.rows / 4);
  const Indices half{false, listed.size(), nullptr, a.rows / 4};
  DeviceMatrix part = none(listed.size(), listed.size());
  const auto extract = [&](const Indices& indices) {
    DeviceMatrix c = none(listed.size(), listed.size());
    operations::extract({c, {}, std::nullopt, false}, {a}, indices, indices);
    part = c;
  };
  extract(half);
  const double of_part = all / 2 / 2 + 2 * double(part.nvals()) * entry;
  bench.run("extract of a block", of_part, [&] { extract(half); });
  bench.run(
      "extract of a listed block", of_part,
      [&] {
        extract({false, listed.size(), listed.data()});
      },
      double(listed.size()) * sizeof(uint64_t));
  std::vector<uint64_t> mixed(a.rows);
  std::iota(mixed.begin(), mixed.end(), 0);
  std::shuffle(mixed.begin(), mixed.end(), std::mt19937_64(4));
  const Indices everything{true, a.rows, nullptr}, permuted{false, mixed.size(), mixed.data()};
  const operations::IndexList all_columns = operations::on_device(everything),
                              on_device = operations::on_device(permuted);
  const double list = double(mixed.size()) * sizeof(uint64_t);
  bench.run("extract of permuted rows", 2 * all + 2 * offsets + list, [&] {
    DeviceMatrix c = none(a.rows, a.columns);
    operations::extract({c, {}, std::nullopt, false}, {a}, on_device, all_columns);
  });
  bench.run(
      "extract of permuted rows, listed on the host", 2 * all + 2 * offsets + 2 * list,
      [&] {
        DeviceMatrix c = none(a.rows, a.columns);
        operations::extract({c, {}, std::nullopt, false}, {a}, permuted, everything);
      },
      list);
  bench.run("concat of two", 4 * all, [&] {
    DeviceMatrix c = none(2 * a.rows, a.columns);
    operations::concat({c, {}, std::nullopt, false}, {&a, &a}, 1);
  });
  bench.run("concat of two, side by side", 4 * all + 3 * offsets, [&] {
    DeviceMatrix c = none(a.rows, 2 * a.columns);
    operations::concat({c, {}, std::nullopt, false}, {&a, &a}, 2);
  });
  // What extractTuples does before it copies to the host: rows of entries, all in 64 bits.
  bench.run("extractTuples, on the device", offsets + double(a.nvals()) * (8 + 4 + 8), [&] {
    const formats::Coo tuples = formats::make_coo(a.stored, formats::Width::bits64);
    formats::shifted(tuples.column_indices, tuples.column_width, formats::Width::bits64, a.nvals(), 0);
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
    const double passes = mixed ? double((2 * formats::bits_of(a.rows) + 7) / 8) : 0;
    const double bytes = count * (tuple + entry) + passes * count * 2 * 12;
    bench.run(mixed ? "build, unsorted" : "build, sorted", bytes, [&] {
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

/// cuSPARSE's transpose and sum, and what CUB's radix sort takes of a transpose and of a build.
void peers(OperationBench& bench, const DeviceMatrix& a, const DeviceMatrix& b) {
  const double n = double(a.nvals()), all = n * entry, offsets = 4.0 * double(a.rows);
  bench::run_cusparse(bench, a.stored, b.stored, 2 * all + 2 * offsets + passes_of(a.columns) * n * 2 * 12,
                      4 * all + 3 * offsets);
  using primitives::Width;
  const runtime::Buffer &columns = a.stored.column_indices, &values = a.stored.values;
  const runtime::Buffer keys = formats::shifted(columns, Width::bits32, Width::bits64, a.nvals(), 0),
                        sorted(keys.bytes()), payload(keys.bytes());
  bench.run("CUB: sort of a transpose's columns", passes_of(a.columns) * n * 2 * 12, [&] {
    primitives::sort_pairs(Width::bits32, columns.data(), sorted.data(), Width::bits64, keys.data(),
                           payload.data(), a.nvals(), formats::bits_of(a.columns));
  });
  const unsigned bits = 2 * formats::bits_of(a.rows);
  bench.run("CUB: sort of a build's places", double((bits + 7) / 8) * n * 2 * 12, [&] {
    primitives::sort_pairs(Width::bits64, keys.data(), sorted.data(), Width::bits32, values.data(),
                           payload.data(), a.nvals(), bits);
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
    peers(bench, a, c);
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
