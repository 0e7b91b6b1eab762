// TILE-COO holds what the CSR holds, in as many tiles as its columns ask for; its check names what is wrong.
#include "src/formats/tile_coo.h"

#include "tests/catch.h"
#include "tests/formats/format_cases.h"

using namespace cugrb;
using formats::Csr;
using formats::TileCoo;
using formats::Width;
using test::RefMatrix;

namespace {

TileCoo built(const Csr& csr, uint32_t tile_columns) {
  const int tiles =
      formats::coo_tiles(begin_popularity(csr, formats::ColumnSampling::of(csr)).take(), tile_columns);
  return make_tile_coo(csr, tiles, tile_columns);
}

}  // namespace

TEST_CASE("CSR to TILE-COO and back keeps every entry, for every shape, width, iso-ness and size of value") {
  test::for_every_matrix(31, [](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    if (matrix.entries.empty()) return;
    for (const uint32_t tile_columns : {8u, 1024u}) {
      INFO(text << ", tiles of " << tile_columns);
      const TileCoo tiles = built(csr, tile_columns);
      REQUIRE(formats::check(tiles) == "");
      CHECK(test::same(test::from_device(to_csr(tiles)), matrix));
      size_t bytes = 4 * tiles.gathered;
      for (const formats::Coo& part : tiles.parts) {
        bytes += part.entries * (4 + formats::bytes_of(part.column_width) + (part.iso ? 0 : part.type.size));
      }
      CHECK(tiles.bytes() == bytes);
    }
  });
}

TEST_CASE("columns of at least eight entries are in tiles, the most popular in the first") {
  test::Random random(32);
  // Column j holds an entry in every row below 40 - j.
  std::vector<uint64_t> lengths;
  for (uint64_t i = 0; i < 40; ++i) lengths.push_back(40 - i);
  const RefMatrix matrix = test::matrix_of_lengths(random, Type::of(TypeCode::Fp64), lengths, 60);
  const TileCoo tiles = built(test::csr_to_device(matrix, false, false), 10);
  REQUIRE(tiles.parts.size() == 5);  // columns 0 to 32 have eight entries or more
  CHECK(tiles.gathered == 40);
  CHECK(tiles.gathered_columns.to_host<uint32_t>(3) == std::vector<uint32_t>{0, 1, 2});
  CHECK(tiles.parts[0].entries == 40 + 39 + 38 + 37 + 36 + 35 + 34 + 33 + 32 + 31);
  CHECK(tiles.parts[4].entries == 0);
}

TEST_CASE("the check of TILE-COO names what is wrong") {
  test::Random random(33);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp32), 60, 30, test::Spread::no_empty_row, 12, false);
  const TileCoo good = built(test::csr_to_device(matrix, false, false), 8);
  REQUIRE(good.parts.size() > 2);
  const auto with = [&](auto change) {
    TileCoo tiles = good;
    change(tiles);
    return formats::check(tiles);
  };
  CHECK(with([](TileCoo&) {}) == "");
  CHECK(with([](TileCoo& t) {
          t.parts[0].column_indices = test::with_word(t.parts[0].column_indices, 2, 9);
        }).find("another tile") != std::string::npos);
  CHECK(with([](TileCoo& t) {
          t.parts[0].column_indices = test::with_word(t.parts[0].column_indices, 2, 1000);
        }).find("out of range") != std::string::npos);
  CHECK(with([](TileCoo& t) {
          t.parts[1].row_indices = test::with_word(t.parts[1].row_indices, 0, 59);
        }).find("ascend") != std::string::npos);
  CHECK(with([](TileCoo& t) { t.parts[1].row_indices = {}; }).find("too few") != std::string::npos);
  CHECK(with([](TileCoo& t) { --t.parts[0].entries; }).find("entries in all") != std::string::npos);
}
