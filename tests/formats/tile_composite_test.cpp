// Tile-composite holds what the CSR holds, whatever the rows look like, and its parts keep their invariants.
#include "src/formats/tile_composite.h"

#include "tests/catch.h"
#include "tests/operations/mxv_matrix.h"

using namespace cugrb;
using formats::Csr;
using formats::TileComposite;
using formats::TileCompositeParameters;

namespace {

std::map<std::pair<uint64_t, uint64_t>, std::string> contents(const Csr& matrix) {
  std::map<std::pair<uint64_t, uint64_t>, std::string> result;
  for (const auto& [place, value] : test::from_device(matrix).entries) result[place] = value.bytes;
  return result;
}

TileComposite built(const Csr& csr, TileCompositeParameters parameters) {
  parameters.gathered = std::min<uint64_t>(
      csr.columns,
      std::max<uint64_t>(parameters.gathered, uint64_t(parameters.tiles) * parameters.tile_columns));
  return make_tile_composite(csr, parameters);
}

/// Every entry is there once, at its place.
void same(const Csr& csr, const TileComposite& tiles) {
  CHECK(check(tiles) == "");
  CHECK(contents(to_csr(tiles)) == contents(csr));
}

TileCompositeParameters parameters(uint32_t tile_columns, int tiles, uint64_t gathered, uint32_t blocks) {
  TileCompositeParameters p;
  p.tile_columns = tile_columns;
  p.tiles = tiles;
  p.gathered = gathered;
  p.blocks = blocks;
  p.window_rows = 64;
  p.warps_of_block = 2;
  p.most_cold_warps = 3;
  return p;
}

}  // namespace

TEST_CASE("every spread of rows, iso or not, by narrow and wide indices, comes back from its tiles") {
  test::Random random(11);
  const Type& type = Type::of(TypeCode::Int32);
  for (const auto spread : {test::Spread::uniform, test::Spread::empty_rows, test::Spread::one_huge_row,
                            test::Spread::power_law, test::Spread::nothing}) {
    for (const bool iso : {false, true}) {
      const auto matrix = test::random_matrix(random, type, 150, 90, spread, 12, iso);
      const Csr csr = test::csr_to_device(matrix, iso, !iso);
      same(csr, built(csr, parameters(16, 3, 60, 7)));
      same(csr, built(csr, parameters(128, 1, 0, 1)));
    }
  }
}

TEST_CASE("rows at the borders of the classes: 64, 256, 512 entries, and pieces of 2048") {
  test::Random random(12);
  const std::vector<uint64_t> lengths = {0,   1,   4,   63,   64,   65,   255,  256, 257,
                                         511, 512, 513, 2047, 2048, 2049, 4097, 5000};
  const auto matrix = test::matrix_of_lengths(random, Type::of(TypeCode::Fp64), lengths, 5000);
  const Csr csr = test::csr_to_device(matrix, false, false);
  const TileComposite one = built(csr, parameters(8000, 1, 0, 3));
  CHECK(one.steps == one.cold_step);
  CHECK(one.listed_slots == 10 + 1 + 1 + 1 + 2 + 3 + 3);  // none for the empty row; pieces of six long ones
  same(csr, one);
  const TileComposite two = built(csr, parameters(2500, 2, 0, 2));
  CHECK(two.parts.size() == 3);
  CHECK(two.share_count == 2);
  same(csr, two);
}

TEST_CASE("a longest workload decides the classes: rows at their borders, in tiles and in the cold part") {
  test::Random random(15);
  for (const uint32_t steps : {1, 4, 8}) {
    std::vector<uint64_t> lengths;
    for (const uint64_t lanes : {1, 4, 16, 32}) {
      for (const uint64_t more : {0, 1, 2}) lengths.push_back(4 * lanes * steps + more - 1);
    }
    const auto matrix = test::matrix_of_lengths(random, Type::of(TypeCode::Int16), lengths, 1200);
    const Csr csr = test::csr_to_device(matrix, false, false);
    TileCompositeParameters p = parameters(1200, 1, 0, 2);
    p.tile_steps = steps;
    const TileComposite tile = built(csr, p);
    same(csr, tile);
    const std::vector<uint32_t> offsets = tile.step_offsets.to_host<uint32_t>(tile.workloads + 1);
    for (uint64_t w = 0; w < tile.workloads; ++w) CHECK(offsets[w + 1] - offsets[w] <= steps);
    for (int c = 0; c + 1 < tile_classes; ++c)
      CHECK(tile.parts[0].classes[c].last > tile.parts[0].classes[c].first);
    p = parameters(16, 1, 0, 2);
    p.cold_steps = steps;
    p.least_cold_warps = 5;
    p.most_cold_warps = 8;
    const TileComposite cold = built(csr, p);
    CHECK(cold.parts.back().warps >= std::min<uint64_t>(5, cold.steps - cold.cold_step));
    same(csr, cold);
  }
}

TEST_CASE("the most popular columns come first, neighbours in their own order") {
  test::RefMatrix matrix;
  matrix.type = Type::of(TypeCode::Bool);
  matrix.rows = 40;
  matrix.columns = 3000;
  for (uint64_t i = 0; i < 40; ++i) {
    for (uint64_t k = 0; k < 3000; k += i + 1)
      matrix.entries[{i, 2999 - k}] = Value{matrix.type, std::string(1, 1)};
  }
  const Csr csr = test::csr_to_device(matrix, true, false);
  std::vector<uint64_t> counts(matrix.columns);
  for (const auto& [place, value] : matrix.entries) ++counts[place.second];
  const std::vector<uint64_t> order =
      formats::columns_in_order(formats::column_counts(csr, formats::Width::bits32), matrix.columns)
          .to_host<uint64_t>(matrix.columns);
  for (size_t r = 1; r < order.size(); ++r) {
    REQUIRE(counts[order[r]] <= counts[order[r - 1]]);
    if (counts[order[r]] == counts[order[r - 1]]) REQUIRE(order[r] > order[r - 1]);
  }
}

TEST_CASE("many blocks are shared out by work, few blocks still give every tile one") {
  test::Random random(14);
  const auto matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp32), 3000, 400, test::Spread::power_law, 8, false);
  const Csr csr = test::csr_to_device(matrix, false, false);
  for (const uint32_t blocks : {1, 4, 64}) {
    const TileComposite tiles = built(csr, parameters(64, 4, 0, blocks));
    const std::vector<TileShare> shares = tiles.shares.to_host<TileShare>(tiles.share_count);
    CHECK(shares.size() == std::max(blocks, 4u));
    std::vector<uint32_t> seen(4);
    for (const TileShare& share : shares) CHECK(share.first_warp == 2 * seen[share.layout.tile]++);
    for (const TileShare& share : shares) CHECK(share.layout.warps == 2 * seen[share.layout.tile]);
    CHECK(check(tiles) == "");
    if (blocks == 64) CHECK(seen[0] > seen[3]);
  }
}

TEST_CASE("a GPU's tile is as wide as its shared memory and 16-bit indices allow") {
  CHECK(formats::tile_columns_in(227 << 10, 4) == 57344);  // an H200: (232448 - 1024) / 4, in whole 1024s
  CHECK(formats::tile_columns_in(227 << 10, 8) == 28672);
  CHECK(formats::tile_columns_in(227 << 10, 1) == 64512);  // 65535 in whole 1024s
}
