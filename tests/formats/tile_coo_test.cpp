// TILE-COO holds what the CSR holds, in as many tiles as its columns ask for; its check names what is wrong.
#include "src/formats/tile_coo.h"

#include "tests/catch.h"
#include "tests/formats/format_cases.h"

using namespace cugrb;
using formats::Csr;
using formats::TileCoo;
using formats::Width;
using test::RefMatrix;

TEST_CASE("CSR to TILE-COO and back keeps every entry, for every shape, width, iso-ness and size of value") {
  test::for_every_matrix(31, [](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    if (matrix.entries.empty()) return;
    for (const uint32_t tile_columns : {8u, 1024u}) {
      INFO(text << ", tiles of " << tile_columns);
      const TileCoo tiles = make_tile_coo(csr, tile_columns);
      REQUIRE(formats::check(tiles) == "");
      CHECK(test::same(test::from_device(to_csr(tiles)), matrix));
      size_t bytes = 4 * tiles.gathered + tiles.others.bytes();
      for (const formats::Coo& tile : tiles.tiles)
        bytes += tile.entries * (8 + (tile.iso ? 0 : tile.type.size));
      CHECK(tiles.bytes() == bytes);
    }
  });
}

TEST_CASE("a tile while its first column has more than one entry, the longest columns in the first") {
  test::Random random(32);
  // Column j holds an entry in every row below 40 - j.
  std::vector<uint64_t> lengths;
  for (uint64_t i = 0; i < 40; ++i) lengths.push_back(40 - i);
  const RefMatrix matrix = test::matrix_of_lengths(random, Type::of(TypeCode::Fp64), lengths, 60);
  const Csr csr = test::csr_to_device(matrix, false, false);
  const TileCoo tens = make_tile_coo(csr, 10);
  REQUIRE(tens.tiles.size() == 4);  // columns 0 to 38 have two entries or more
  CHECK(tens.gathered == 40);
  CHECK(tens.gathered_columns.to_host<uint32_t>(3) == std::vector<uint32_t>{0, 1, 2});
  CHECK(tens.tiles[0].entries == 40 + 39 + 38 + 37 + 36 + 35 + 34 + 33 + 32 + 31);
  CHECK(tens.others.ell.entries + tens.others.coo.entries == 0);
  const TileCoo thirteens = make_tile_coo(csr, 13);
  REQUIRE(thirteens.tiles.size() == 3);  // a fourth would begin with column 39, which has one entry
  CHECK(thirteens.others.threshold == 1);
  CHECK(thirteens.others.ell.entries == 1);
}

TEST_CASE("the check of TILE-COO names what is wrong") {
  test::Random random(33);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp32), 60, 30, test::Spread::no_empty_row, 12, false);
  const TileCoo good = make_tile_coo(test::csr_to_device(matrix, false, false), 8);
  REQUIRE(good.tiles.size() > 2);
  const auto with = [&](auto change) {
    TileCoo tiles = good;
    change(tiles);
    return formats::check(tiles);
  };
  CHECK(with([](TileCoo&) {}) == "");
  CHECK(with([](TileCoo& t) {
          t.tiles[0].column_indices = test::with_word(t.tiles[0].column_indices, 2, 9);
        }).find("another tile") != std::string::npos);
  CHECK(with([](TileCoo& t) {
          t.tiles[0].column_indices = test::with_word(t.tiles[0].column_indices, 2, 1000);
        }).find("out of range") != std::string::npos);
  CHECK(with([](TileCoo& t) {
          t.tiles[1].row_indices = test::with_word(t.tiles[1].row_indices, 0, 59);
        }).find("ascend") != std::string::npos);
  CHECK(with([](TileCoo& t) { t.tiles[1].row_indices = {}; }).find("too few") != std::string::npos);
  CHECK(with([](TileCoo& t) { --t.tiles[0].entries; }).find("entries in all") != std::string::npos);
}
