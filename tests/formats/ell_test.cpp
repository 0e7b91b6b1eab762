// ELLPACK storage, whole and in slices: made from CSR, turned back, its sizes and its invariant check.
#include "src/formats/ell.h"

#include <cmath>

#include "tests/catch.h"
#include "tests/formats/format_cases.h"

using namespace cugrb;
using formats::Csr;
using formats::Ell;
using formats::SlicePlan;
using test::RefMatrix;

namespace {

uint64_t longest_of(const RefMatrix& matrix) {
  uint64_t longest = 0;
  for (const uint64_t length : test::lengths_of(matrix)) longest = std::max(longest, length);
  return longest;
}

/// Sum over slices of 32 rows of the longest row, rows cut after `threshold` entries.
uint64_t slice_columns_of(const std::vector<uint64_t>& lengths, uint64_t threshold) {
  uint64_t sum = 0;
  for (size_t begin = 0; begin < lengths.size(); begin += 32) {
    uint64_t width = 0;
    for (size_t i = begin; i < std::min(begin + 32, lengths.size()); ++i)
      width = std::max(width, std::min(lengths[i], threshold));
    sum += width;
  }
  return sum;
}

}  // namespace

TEST_CASE("CSR to ELL and back keeps every entry, for every shape, width, iso-ness and size of value") {
  test::for_every_matrix(1, [](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    INFO(text);
    const Ell ell = make_ell(csr, longest_of(matrix));
    REQUIRE(formats::check(ell) == "");
    const Csr back = to_csr(ell);
    REQUIRE(formats::check(back) == "");
    CHECK(test::same(test::from_device(back), matrix));
    const uint64_t positions = (matrix.rows + 31) / 32 * 32 * longest_of(matrix);
    CHECK(ell.positions == positions);
    const size_t values = csr.iso ? csr.values.bytes() : positions * csr.type.size;
    CHECK(ell.bytes() == positions * formats::bytes_of(csr.column_width) + values);
    CHECK(test::same(test::from_device(to_csr(make_ell(csr, longest_of(matrix) + 3))), matrix));
  });
}

TEST_CASE("CSR to SELL and back keeps every entry, for every shape, width, iso-ness and size of value") {
  test::for_every_matrix(2, [](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    INFO(text);
    const SlicePlan plan = formats::plan_slices(csr);
    CHECK(plan.columns == slice_columns_of(test::lengths_of(matrix), formats::no_threshold));
    const Ell sell = make_sell(csr, plan);
    REQUIRE(formats::check(sell) == "");
    const Csr back = to_csr(sell);
    REQUIRE(formats::check(back) == "");
    CHECK(test::same(test::from_device(back), matrix));
    const size_t values = csr.iso ? csr.values.bytes() : 32 * plan.columns * csr.type.size;
    CHECK(sell.bytes() == 32 * plan.columns * formats::bytes_of(csr.column_width) + values +
                              (sell.slices() + 1) * formats::bytes_of(csr.offset_width));
  });
}

TEST_CASE("slices of rows that are cut hold the first entries of every row") {
  test::Random random(3);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp32), 100, 80, test::Spread::power_law, 0, false);
  const Csr csr = test::csr_to_device(matrix, false, false);
  for (const uint64_t threshold : {1, 2, 7}) {
    const SlicePlan plan = formats::plan_slices(csr, threshold);
    CHECK(plan.columns == slice_columns_of(test::lengths_of(matrix), threshold));
    Ell sell = make_sell(csr, plan);
    RefMatrix cut{matrix.type, matrix.rows, matrix.columns, {}};
    std::vector<uint64_t> taken(matrix.rows, 0);
    for (const auto& entry : matrix.entries) {
      if (taken[entry.first.first]++ < threshold) cut.entries.insert(entry);
    }
    sell.entries = cut.entries.size();
    CHECK(formats::check(sell) == "");
    CHECK(test::same(test::from_device(to_csr(sell)), cut));
  }
}

TEST_CASE("the expected widths of slices are those of random order, exact for even rows") {
  const formats::LengthDistribution even({{5, 320}});
  CHECK(std::abs(formats::expected_slice_columns(even) - 50) < 1e-9);
  // Half the rows hold 2 entries, half none: the longest of 32 is 2 but for one case in 2^32.
  const formats::LengthDistribution halves({{0, 64}, {2, 64}});
  CHECK(std::abs(formats::expected_slice_columns(halves) - 4 * 2 * (1 - std::pow(0.5, 32))) < 1e-9);
  CHECK(formats::expected_slice_columns({}) == 0);
  test::Random random(4);
  double sum = 0, expected = 0;
  for (int n = 0; n < 20; ++n) {
    const RefMatrix matrix =
        test::random_matrix(random, Type::of(TypeCode::Bool), 640, 60, test::Spread::uniform, 8, true);
    sum += double(slice_columns_of(test::lengths_of(matrix), formats::no_threshold));
    expected += formats::expected_slice_columns(test::distribution_of(matrix));
  }
  CHECK(std::abs(sum - expected) < 0.03 * expected);
}

TEST_CASE("the check of ELLPACK storage names what is wrong") {
  test::Random random(6);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp32), 40, 20, test::Spread::no_empty_row, 4, false);
  const Csr csr = test::csr_to_device(matrix, false, false);
  for (const bool sliced : {false, true}) {
    const Ell good = sliced ? make_sell(csr, formats::plan_slices(csr)) : make_ell(csr, longest_of(matrix));
    const auto with = [&](auto change) {
      Ell ell = good;
      change(ell);
      return formats::check(ell);
    };
    const size_t second = sliced ? 32 : size_t(good.pitch);  // position of a first row's second entry
    CHECK(with([](Ell&) {}) == "");
    CHECK(with([&](Ell& e) { e.column_indices = test::with_word(e.column_indices, 0, 20); }).find("range") !=
          std::string::npos);
    CHECK(with([&](Ell& e) {
            e.column_indices = test::with_word(e.column_indices, second, e.column_indices.read<uint32_t>(0));
          }).find("ascend") != std::string::npos);
    CHECK(with([&](Ell& e) { e.column_indices = test::with_word(e.column_indices, 0, ~0u); }) != "");
    CHECK(with([&](Ell& e) { ++e.entries; }).find("entries are stored") != std::string::npos);
    const size_t last = good.positions - 1;  // beyond the last row: padding
    CHECK(with([&](Ell& e) { e.values = test::with_word(e.values, last, 1); }).find("not zero") !=
          std::string::npos);
    CHECK(with([&](Ell& e) { e.column_indices = test::with_word(e.column_indices, last, 3); }) != "");
    CHECK(with([](Ell& e) { e.values = {}; }).find("too few") != std::string::npos);
  }
  Ell cut = make_sell(csr, formats::plan_slices(csr));
  cut.slice_offsets = test::with_word(cut.slice_offsets, 1, 1000);
  CHECK(formats::check(cut).find("ends before") != std::string::npos);
  Ell pitch = make_ell(csr, longest_of(matrix));
  pitch.pitch = 40;
  CHECK(formats::check(pitch).find("pitch") != std::string::npos);
}
