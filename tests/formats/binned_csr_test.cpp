// Rows in bins: made from CSR, turned back, sizes, invariant checks; the kernel over every bin.
#include "src/formats/binned_csr.h"

#include "tests/catch.h"
#include "tests/formats/format_cases.h"

using namespace cugrb;
using formats::BinnedCsr;
using formats::BinThresholds;
using formats::Csr;
using formats::RowBins;
using formats::Width;
using test::RefMatrix;

TEST_CASE(
    "CSR to binned CSR and back keeps every entry, for every shape, width, iso-ness and size of value") {
  const BinThresholds narrow{1, 3, 5, 7, 4};
  test::for_every_matrix(31, [&](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    for (const BinThresholds& thresholds : {BinThresholds(), narrow}) {
      for (const Width width : {Width::bits32, Width::bits64}) {
        INFO(text << ", tiny up to " << thresholds.tiny);
        const BinnedCsr binned = make_binned_csr(csr, thresholds, width);
        REQUIRE(formats::check(binned) == "");
        CHECK(test::same(test::from_device(to_csr(binned)), matrix));
        const auto lengths = test::distribution_of(matrix);
        const uint64_t records = matrix.rows - lengths.empty_rows(),
                       huge = lengths.rows_above(thresholds.block);
        CHECK(binned.bytes() ==
              records * (2 * formats::bytes_of(csr.offset_width) + formats::bytes_of(width)) +
                  (huge > 0 ? 8 * (huge + 1) : 0));
      }
    }
  });
}

TEST_CASE("rows fall into the bin of their length, limits included") {
  test::Random random(32);
  const RefMatrix matrix = test::matrix_of_lengths(random, Type::of(TypeCode::Bool),
                                                   {7, 6, 0, 97, 96, 1, 2049, 2048, 0, 8, 3000}, 3000);
  const BinThresholds thresholds{6, 96, 2048, 2500, 1000};
  const BinnedCsr binned = make_binned_csr(test::csr_to_device(matrix, false, false), thresholds);
  CHECK(formats::check(binned) == "");
  CHECK(binned.bins.starts == std::vector<uint64_t>{0, 0, 2, 5, 7, 8, 9});
  CHECK(binned.bins.rows.to_host<uint32_t>(9) == std::vector<uint32_t>{1, 5, 0, 4, 9, 3, 7, 6, 10});
  CHECK(binned.chunks.starts.to_host<uint64_t>(2) == std::vector<uint64_t>{0, 3});
  CHECK(binned.chunks.chunks == 3);
}

// The example of section III-B of the paper: rows (2, 3, 0), (0, 1, 0), (1, 0, 0), A_p = 0, 2, 3, 4.
TEST_CASE("the paper's matrix of three rows: records (begin, size, index), tiny ones first") {
  const Type& type = Type::of(TypeCode::Int32);
  const auto value = [&](int32_t x) {
    return Value{type, std::string(reinterpret_cast<const char*>(&x), sizeof x)};
  };
  const RefMatrix matrix{
      type, 3, 3, {{{0, 0}, value(2)}, {{0, 1}, value(3)}, {{1, 1}, value(1)}, {{2, 0}, value(1)}}};
  // t_r1 = 1, t_r2 = 2: rows 1 and 2 are tiny problems, row 0 a small one (section V-B).
  const BinnedCsr binned =
      make_binned_csr(test::csr_to_device(matrix, false, false), {1, 2, 2048, 32768, 16384});
  CHECK(formats::check(binned) == "");
  CHECK(binned.begins.to_host<uint32_t>(3) == std::vector<uint32_t>{2, 3, 0});
  CHECK(binned.sizes.to_host<uint32_t>(3) == std::vector<uint32_t>{1, 1, 2});
  CHECK(binned.bins.rows.to_host<uint32_t>(3) == std::vector<uint32_t>{1, 2, 0});
  CHECK(binned.bins.starts == std::vector<uint64_t>{0, 0, 2, 3, 3, 3, 3});
  // A_v and A_j "remain unchanged".
  CHECK(binned.column_indices.to_host<uint32_t>(4) == std::vector<uint32_t>{0, 1, 1, 0});
  CHECK(binned.values.to_host<int32_t>(4) == std::vector<int32_t>{2, 3, 1, 1});
}

TEST_CASE("bins of listed lengths are those of the offsets") {
  test::Random random(33);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Bool), 200, 50, test::Spread::power_law, 0, true);
  const std::vector<uint64_t> lengths = test::lengths_of(matrix);
  const auto list = runtime::Buffer::from_host(lengths.data(), lengths.size() * 8);
  const RowBins bins = formats::bin_rows(list, Width::bits64, 200, {0, 2, 4, 8}, Width::bits32);
  CHECK(formats::check_bins(bins, lengths) == "");
  const RowBins same =
      formats::bin_rows(test::csr_to_device(matrix, true, false), {0, 2, 4, 8}, Width::bits32);
  CHECK(same.starts == bins.starts);
  CHECK(same.rows.to_host<uint32_t>(same.records()) == bins.rows.to_host<uint32_t>(bins.records()));
}

TEST_CASE("the check of binned CSR names what is wrong") {
  test::Random random(34);
  const RefMatrix matrix =
      test::matrix_of_lengths(random, Type::of(TypeCode::Fp32), {2, 9, 3, 0, 40, 4, 60}, 60);
  const BinnedCsr good = make_binned_csr(test::csr_to_device(matrix, false, false), {3, 10, 20, 30, 16});
  const auto with = [&](auto change) {
    BinnedCsr binned = good;
    change(binned);
    return formats::check(binned);
  };
  CHECK(with([](BinnedCsr&) {}) == "");
  CHECK(with([](BinnedCsr& b) { b.bins.rows = test::with_word(b.bins.rows, 0, 7); }) != "");
  CHECK(with([](BinnedCsr& b) { b.bins.rows = test::with_word(b.bins.rows, 0, 3); }) != "");
  CHECK(with([](BinnedCsr& b) { b.sizes = test::with_word(b.sizes, 0, 4); }).find("wrong bin") !=
        std::string::npos);
  CHECK(with([](BinnedCsr& b) { b.begins = test::with_word(b.begins, 1, 1); }).find("begins at") !=
        std::string::npos);
  CHECK(with([](BinnedCsr& b) { b.entries += 1; }).find("hold") != std::string::npos);
  CHECK(with([](BinnedCsr& b) { b.chunks.chunks += 1; }).find("chunks") != std::string::npos);
  CHECK(with([](BinnedCsr& b) { b.chunks.starts = test::with_word(b.chunks.starts, 2, 9); }).find("chunks") !=
        std::string::npos);
  CHECK(with([](BinnedCsr& b) { --b.bins.starts[2]; }) != "");
}
