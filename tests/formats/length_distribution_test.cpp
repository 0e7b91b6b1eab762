// The distribution of row lengths: numbers worked out by hand, then against counting row by row; the kernels
// against the host.
#include "src/formats/length_distribution.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "cuda/views/length_distribution.h"
#include "semirings/table.h"
#include "src/formats/launch.h"
#include "src/formats/matrix.h"
#include "src/operations/matrix_elementwise.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/gpu_compile.h"
#include "tests/operations/mxv_matrix.h"

using namespace cugrb;
using formats::LengthDistribution;
using test::Spread;

namespace {

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

LengthDistribution of(const std::vector<uint64_t>& lengths) {
  std::vector<std::pair<uint64_t, uint64_t>> histogram;
  for (const uint64_t length : lengths) histogram.emplace_back(length, 1);
  return LengthDistribution(std::move(histogram));
}

bool same(const LengthDistribution& a, const LengthDistribution& b) {
  const auto equal = [](const LengthDistribution::Bin& x, const LengthDistribution::Bin& y) {
    return x.length == y.length && x.rows == y.rows && x.rows_up_to == y.rows_up_to &&
           x.entries_up_to == y.entries_up_to;
  };
  return std::equal(a.bins().begin(), a.bins().end(), b.bins().begin(), b.bins().end(), equal) &&
         a.mean() == b.mean() && a.deviation() == b.deviation() && a.skewness() == b.skewness();
}

std::vector<uint64_t> row_lengths_of(const test::RefMatrix& matrix) {
  std::vector<uint64_t> lengths(matrix.rows, 0);
  for (const auto& [place, value] : matrix.entries) ++lengths[place.first];
  return lengths;
}

/// Everything that a distribution says, against the plainest loop over the rows.
void check_against_rows(const LengthDistribution& d, const std::vector<uint64_t>& lengths) {
  const double n = double(lengths.size());
  double sum = 0, squares = 0, cubes = 0;
  for (const uint64_t x : lengths) sum += double(x);
  const double mean = sum / n;
  for (const uint64_t x : lengths) {
    squares += std::pow(double(x) - mean, 2);
    cubes += std::pow(double(x) - mean, 3);
  }
  const double deviation = std::sqrt(squares / n);
  CHECK(d.rows() == lengths.size());
  CHECK(d.entries() == uint64_t(sum));
  CHECK(close(d.mean(), mean));
  CHECK(close(d.deviation(), deviation));
  if (deviation > 0) CHECK(close(d.skewness(), cubes / n / std::pow(deviation, 3)));
  std::vector<uint64_t> sorted = lengths;
  std::sort(sorted.begin(), sorted.end());
  CHECK(d.longest() == sorted.back());
  for (const uint64_t k : {uint64_t(0), uint64_t(1), uint64_t(2), sorted[sorted.size() / 2],
                           sorted.back() / 2, sorted.back(), sorted.back() + 1}) {
    uint64_t rows = 0, exactly = 0, entries = 0, beyond = 0;
    for (const uint64_t x : lengths) {
      exactly += x == k;
      rows += x <= k;
      entries += x <= k ? x : 0;
      beyond += x > k ? x - k : 0;
    }
    CHECK(d.rows_with(k) == exactly);
    CHECK(d.rows_up_to(k) == rows);
    CHECK(d.rows_above(k) == lengths.size() - rows);
    CHECK(d.entries_up_to(k) == entries);
    CHECK(d.entries_above(k) == uint64_t(sum) - entries);
    CHECK(d.entries_beyond(k) == beyond);
    CHECK(close(d.probability_up_to(k), double(rows) / n));
    CHECK(close(d.mean_up_to(k), rows == 0 ? 0 : double(entries) / double(rows)));
    const uint64_t above = lengths.size() - rows;
    CHECK(close(d.mean_above(k), above == 0 ? 0 : (sum - double(entries)) / double(above)));
  }
  for (const uint64_t w : {1, 2, 7, 32}) {
    double fractiles = 0;
    for (uint64_t i = 1; i <= w; ++i) {
      uint64_t n_up_to = 1;  // the first of the sorted lengths that i/w of all do not exceed
      while (n_up_to * w < i * sorted.size()) ++n_up_to;
      CHECK(d.fractile(i, w) == sorted[n_up_to - 1]);
      fractiles += double(sorted[n_up_to - 1]);
    }
    CHECK(close(d.fractile_mean(w), fractiles / double(w)));
  }
}

}  // namespace

TEST_CASE("five rows of lengths 6 1 0 2 1, worked out by hand") {
  const LengthDistribution d = of({6, 1, 0, 2, 1});
  CHECK(d.bins().size() == 4);
  CHECK(d.rows() == 5);
  CHECK(d.entries() == 10);
  CHECK(d.longest() == 6);
  CHECK(d.empty_rows() == 1);
  CHECK(d.mean() == 2);
  CHECK(close(d.deviation(), std::sqrt(4.4)));            // (16 + 1 + 4 + 0 + 1) / 5
  CHECK(close(d.skewness(), 10.8 / std::pow(4.4, 1.5)));  // (64 - 1 - 8 + 0 - 1) / 5
  CHECK(d.rows_with(1) == 2);
  CHECK(d.rows_with(3) == 0);
  CHECK(d.probability_up_to(1) == 0.6);
  CHECK(d.entries_up_to(1) == 2);
  CHECK(d.entries_above(1) == 8);
  CHECK(d.entries_beyond(1) == 6);  // 5 of the longest row, 1 of the row of 2
  CHECK(d.entries_beyond(0) == 10);
  CHECK(d.entries_beyond(6) == 0);
  CHECK(close(d.mean_up_to(1), 2.0 / 3));
  CHECK(d.mean_above(1) == 4);
  CHECK(d.mean_above(6) == 0);
  // Quartiles: 1.25 of 5 rows are needed, so 2: length 1; 2.5, so 3: 1; 3.75, so 4: 2; 5: 6.
  CHECK(d.fractile(1, 4) == 1);
  CHECK(d.fractile(2, 4) == 1);
  CHECK(d.fractile(3, 4) == 2);
  CHECK(d.fractile(4, 4) == 6);
  CHECK(d.fractile_mean(4) == 2.5);
  // Of two rows none is longer than 0, 1, 2 with probability 1/25, 9/25, 16/25.
  using LongRows = LengthDistribution::LongRows;
  CHECK(close(d.expected_longest(2, 6, LongRows::cut_off), (8 * 1 + 7 * 2 + 9 * 6) / 25.0));
  CHECK(close(d.expected_longest(2, 4, LongRows::cut_off), (8 * 1 + 7 * 2 + 9 * 4) / 25.0));
  // Without the row of 6: two rows of 0, two of 1, one of 2.
  CHECK(close(d.expected_longest(2, 4, LongRows::empty), (12 * 1 + 9 * 2) / 25.0));
  CHECK(close(d.expected_longest(1, 6, LongRows::empty), d.mean()));
}

TEST_CASE("no rows, only empty rows, equal rows") {
  const LengthDistribution nothing;
  CHECK(nothing.rows() == 0);
  CHECK(nothing.entries() == 0);
  CHECK(nothing.longest() == 0);
  CHECK(nothing.mean() == 0);
  CHECK(nothing.probability_up_to(3) == 0);
  CHECK(nothing.fractile_mean(32) == 0);
  const LengthDistribution empty = of(std::vector<uint64_t>(7, 0));
  CHECK(empty.rows() == 7);
  CHECK(empty.empty_rows() == 7);
  CHECK(empty.mean_up_to(0) == 0);
  CHECK(empty.probability_up_to(0) == 1);
  CHECK(empty.skewness() == 0);
  const LengthDistribution equal = of(std::vector<uint64_t>(49, 27));
  CHECK(equal.deviation() == 0);
  CHECK(equal.skewness() == 0);
  CHECK(equal.fractile_mean(32) == 27);
}

TEST_CASE("a fractile of very many rows does not overflow") {
  const uint64_t many = uint64_t(1) << 60;
  const LengthDistribution d({{1, many}, {2, many}});
  CHECK(d.fractile(16, 32) == 1);
  CHECK(d.fractile(17, 32) == 2);
}

TEST_CASE("counters by length and a list of longer rows say what pairs do") {
  const uint64_t rows_of[] = {2, 0, 3, 1, 0};
  const LengthDistribution d(rows_of, 5, {9, 5, 1000, 9});
  CHECK(same(d, of({0, 0, 2, 2, 2, 3, 9, 5, 1000, 9})));
  CHECK(d.bins().size() == 6);
  CHECK(same(LengthDistribution(rows_of, 1, {}), of({0, 0})));
  CHECK(same(LengthDistribution(rows_of + 1, 1, {7}), of({7})));
  CHECK(LengthDistribution(rows_of + 1, 1, {}).rows() == 0);
}

TEST_CASE("random lengths agree with counting row by row") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    const uint64_t rows = 1 + random() % 200, bound = round % 3 == 0 ? 4 : round % 3 == 1 ? 60 : 20000;
    std::vector<uint64_t> lengths(rows);
    for (uint64_t& length : lengths) length = random() % bound >> (random() % 3 * 4);
    check_against_rows(of(lengths), lengths);
  }
}

TEST_CASE("the device counts rows and columns as the host does, for every shape and width") {
  test::Random random(12);
  const struct {
    uint64_t rows, columns;
    Spread spread;
  } shapes[] = {{60, 45, Spread::uniform},
                {1, 300, Spread::uniform},
                {300, 1, Spread::no_empty_row},
                {1, 1, Spread::no_empty_row},
                {50, 50, Spread::empty_rows},
                {9, 5000, Spread::one_huge_row},
                {4096, 4100, Spread::one_huge_row},
                {900, 900, Spread::power_law},
                {20, 30, Spread::nothing},
                {0, 5, Spread::nothing},
                {5, 0, Spread::nothing}};
  for (const auto& shape : shapes) {
    const test::RefMatrix matrix = test::random_matrix(random, Type::of(TypeCode::Bool), shape.rows,
                                                       shape.columns, shape.spread, 4, false);
    const LengthDistribution rows = of(row_lengths_of(matrix));
    const LengthDistribution columns = of(row_lengths_of(test::transposed(matrix)));
    for (const bool wide : {false, true}) {
      for (const bool by_column : {false, true}) {
        INFO(shape.rows << " x " << shape.columns << (wide ? " wide" : "")
                        << (by_column ? " by column" : ""));
        const formats::DeviceMatrix device = test::to_device(matrix, by_column, false, wide);
        CHECK(same(device.row_distribution(false), rows));
        CHECK(same(device.row_distribution(true), columns));
        CHECK_FALSE(device.has_rows(!by_column));  // nothing was transposed for it
      }
    }
  }
}

namespace {

/// The bytes that come down while `work` runs.
uint64_t bytes_down(const std::function<void()>& work) {
  const uint64_t before = trace::current().bytes_down;
  work();
  return trace::current().bytes_down - before;
}

}  // namespace

TEST_CASE("rows around the last length that is counted in shared memory") {
  test::Random random(13);
  const uint64_t bins = LengthHistogramShape::bins;
  std::vector<uint64_t> lengths = {bins - 1, bins, bins + 1, bins, 0, bins - 1, 3};
  for (const uint64_t more : {0, 12000}) {  // few are read as they are, many are counted on the device
    INFO(more);
    lengths.resize(lengths.size() + more, 1);
    const test::RefMatrix matrix =
        test::matrix_of_lengths(random, Type::of(TypeCode::Bool), lengths, bins + 1);
    CHECK(same(formats::row_distribution(test::csr_to_device(matrix, false, false)), of(lengths)));
    const test::RefMatrix tall = test::transposed(matrix);
    CHECK(same(formats::column_distribution(test::csr_to_device(tall, false, false)), of(lengths)));
  }
}

TEST_CASE("no more comes down than the fewer of the offsets and the counters that lengths can fill") {
  test::Random random(23);
  const uint64_t counter = sizeof(uint64_t), bins = LengthHistogramShape::bins;
  const auto read = [&](uint64_t rows, uint64_t columns, uint64_t length, bool wide) {
    const test::RefMatrix matrix = test::matrix_of_lengths(random, Type::of(TypeCode::Bool),
                                                           std::vector<uint64_t>(rows, length), columns);
    const formats::Csr csr = test::csr_to_device(matrix, false, wide);
    return bytes_down([&] { CHECK(formats::row_distribution(csr).rows_with(length) == rows); });
  };
  CHECK(read(1024, 1024, 5, false) == 1025 * sizeof(uint32_t));
  CHECK(read(1024, 1024, 5, true) == 1025 * sizeof(uint64_t));
  CHECK(read(3000, 20, 5, false) == 21 * counter);  // no row has more than 20 entries
  CHECK(read(12000, 5000, 1, false) == (bins + 1 + 12000 / bins) * counter);  // nor do more have 4096 or more
  CHECK(read(12000, 12000, 0, false) == counter);                             // without entries all are empty
}

TEST_CASE("more long rows than come with the counters are read behind them") {
  test::Random random(17);
  std::vector<uint64_t> lengths(1003, LengthHistogramShape::bins);
  for (size_t i = 0; i < lengths.size(); ++i) lengths[i] += i % 7;
  lengths.resize(7000, 5);
  const auto list = runtime::Buffer::from_host(lengths.data(), lengths.size() * sizeof(uint64_t));
  CHECK(same(formats::listed_distribution(list, formats::Width::bits64, lengths.size(), 5'000'000, 5000),
             of(lengths)));
}

TEST_CASE("what may be done meanwhile is done before the lengths of rows are there, and once") {
  test::Random random(19);
  const test::RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Bool), 50, 60, Spread::uniform, 3, false);
  for (const bool by_column : {false, true}) {
    INFO(by_column);
    const formats::DeviceMatrix device = test::to_device(matrix, by_column, false);
    int calls = 0;
    const auto meanwhile = [&] { ++calls; };
    for (int asked = 0; asked < 2; ++asked)
      CHECK(same(device.row_distribution(false, meanwhile), of(row_lengths_of(matrix))));
    CHECK(calls == (by_column ? 0 : 1));  // columns are counted by two launches
  }
}

TEST_CASE("copies of a matrix share the distribution, and it outlives dropped formats") {
  test::Random random(14);
  const test::RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp32), 70, 50, Spread::uniform, 6, false);
  const formats::DeviceMatrix device = test::to_device(matrix, false, false);
  const LengthDistribution& rows = device.row_distribution(false);
  const formats::DeviceMatrix copy = device;
  device.drop_caches();
  CHECK(&copy.row_distribution(false) == &rows);
  // Once the transpose is there, its offsets are asked: the same answer.
  const LengthDistribution before = formats::column_distribution(device.stored);
  device.by_rows(true);
  CHECK(same(device.row_distribution(true), before));
}

TEST_CASE("operations that keep the pattern keep the distributions, others do not") {
  test::Random random(15);
  const auto matrix_of = [&](uint64_t rows, uint64_t columns) {
    return test::random_matrix(random, Type::of(TypeCode::Fp32), rows, columns, Spread::uniform, 4, false);
  };
  const UnaryOp negate = catalogue::unary_op("AINV_FP32").value();
  const formats::DeviceMatrix a = test::to_device(matrix_of(60, 40), false, false);
  const LengthDistribution &rows = a.row_distribution(false), &columns = a.row_distribution(true);

  formats::DeviceMatrix c = test::to_device(matrix_of(60, 40), false, false);
  c.row_distribution(false);  // of what it held before
  operations::apply({c, {}, std::nullopt, false}, negate, {a, false});
  CHECK(&c.row_distribution(false) == &rows);
  CHECK(&c.row_distribution(true) == &columns);
  operations::apply({c, {}, std::nullopt, false}, negate, {c, false});
  CHECK(&c.row_distribution(false) == &rows);

  formats::DeviceMatrix turned = test::to_device(matrix_of(40, 60), false, false);
  operations::apply({turned, {}, std::nullopt, false}, negate, {a, true});
  CHECK(same(turned.row_distribution(true), rows));
  CHECK(same(turned.row_distribution(false), columns));

  const IndexUnaryOp lower = catalogue::index_unary_op("TRIL").value();
  const int64_t diagonal = 3;
  operations::select({c, {}, std::nullopt, false}, lower, {a, false}, table::value_of(lower.thunk, diagonal));
  REQUIRE(c.nvals() < a.nvals());
  const formats::DeviceMatrix fresh = [&] {
    formats::DeviceMatrix copy;
    copy.type = c.type;
    copy.rows = c.rows;
    copy.columns = c.columns;
    copy.by_column = c.by_column;
    copy.stored = c.stored;
    return copy;
  }();
  CHECK(same(c.row_distribution(false), fresh.row_distribution(false)));
  CHECK(same(c.row_distribution(true), fresh.row_distribution(true)));
}

TEST_CASE("columns are counted with 64-bit counters, too") {
  const std::vector<uint32_t> columns = {2, 0, 2, 2, 4};
  const runtime::Buffer indices = runtime::Buffer::from_host(columns.data(), columns.size() * 4);
  const runtime::Buffer counts = runtime::Buffer::zeroed(5 * sizeof(uint64_t));
  CountColumnsArguments arguments;
  arguments.columns = indices.data();
  arguments.entries = columns.size();
  arguments.counts = counts.data();
  formats::launch_blocks("length_distribution.h", "count_columns<uint32_t, uint64_t>", 1, arguments);
  CHECK(counts.to_host<uint64_t>(5) == std::vector<uint64_t>{1, 0, 3, 0, 1});
}

TEST_CASE("the kernels compile for GPUs without spilling registers") {
  for (const char* name :
       {"length_histogram<lengths_by_offsets<uint32_t>>", "length_histogram<lengths_by_offsets<uint64_t>>",
        "length_histogram<lengths_listed<uint32_t>>", "length_histogram<lengths_listed<uint64_t>>",
        "count_columns<uint32_t, uint32_t>", "count_columns<uint64_t, uint32_t>",
        "count_columns<uint64_t, uint64_t>"}) {
    for (const char* architecture : {"sm_75", "sm_90", "sm_100"}) {
      INFO(name << " for " << architecture);
      const auto result = test::compiled_for_gpu({"length_distribution.h", name, ""}, architecture);
      if (!result) return;
      CHECK(result->log.find(" 0 bytes spill stores") != std::string::npos);
    }
  }
}
