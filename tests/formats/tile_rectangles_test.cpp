// The paper's tiles of packed rows: its Algorithms 1 to 3 on examples worked out by hand, and that the format
// holds what the CSR holds. PVLDB 4(4), 2011, section 3.3 and Appendix E.
#include "src/formats/tile_rectangles.h"

#include "tests/catch.h"
#include "tests/formats/format_cases.h"

using namespace cugrb;
using formats::Csr;
using formats::pack_rows;
using formats::PackedRows;
using formats::PartitionDevice;
using formats::TileRectangles;
using formats::TileRectanglesParameters;
using test::RefMatrix;

namespace {

using Shapes = std::vector<std::vector<uint64_t>>;

/// {first row, rows, width, height} of each workload.
Shapes shapes(const std::vector<uint32_t>& lengths, uint64_t size, uint64_t lanes) {
  Shapes all;
  for (const PackedRows& w : pack_rows(lengths, size, lanes))
    all.push_back({w.first_row, w.rows, w.width, w.height});
  return all;
}

/// Performance is the workload's size: every workload takes the same time by itself.
PartitionDevice even_device(uint64_t lanes, uint64_t warps) {
  return {lanes, warps, [](uint64_t w, uint64_t h) { return double(w * h); }};
}

TileRectangles built(const Csr& csr, uint64_t tile_columns) {
  TileRectanglesParameters parameters;
  parameters.tile_columns = tile_columns;
  parameters.device = even_device(32, 4);
  return make_tile_rectangles(csr, parameters);
}

}  // namespace

TEST_CASE("Algorithm 1: a tile while its first column has more than one entry") {
  CHECK(formats::count_tiles({9, 5, 3, 2, 2, 1, 1, 1}, 2) == 3);  // columns 0, 2 and 4
  CHECK(formats::count_tiles({9, 5, 3, 2, 1, 1, 1, 1}, 2) == 2);  // column 4 has one entry
  CHECK(formats::count_tiles({2, 2, 2}, 2) == 2);                 // 3/2 tiles begin
  CHECK(formats::count_tiles({2, 1}, 1 << 16) == 1);
  CHECK(formats::count_tiles({1, 1}, 1 << 16) == 0);
  CHECK(formats::count_tiles({}, 4) == 0);
}

TEST_CASE("Figure 1(d): two threads a warp, workloads of 4") {
  // Four rows of two entries: two workloads row by row. Four rows of one: one column by column.
  CHECK(shapes({2, 2, 2, 2, 1, 1, 1, 1}, 4, 2) == Shapes{{0, 2, 2, 2}, {2, 2, 2, 2}, {4, 4, 1, 4}});
  const auto packed = pack_rows({2, 2, 2, 2, 1, 1, 1, 1}, 4, 2);
  CHECK(packed[0].by_rows());
  CHECK_FALSE(packed[2].by_rows());
}

TEST_CASE("Algorithm 3, lines 9 and 10: whole rows, the longest gives the width, one side is padded") {
  // 7 / 5 = 1 row, 7 / 3 = 2 rows of 3 and 2, 7 / 2 = 3 rows, of which 2 are left: by rows, 2 >= 2.
  CHECK(shapes({5, 3, 2, 2, 1}, 7, 4) == Shapes{{0, 1, 8, 1}, {1, 2, 4, 2}, {3, 2, 4, 2}});
  // 9 / 1 = 9 rows, padded to 12.
  CHECK(shapes(std::vector<uint32_t>(9, 1), 9, 4) == Shapes{{0, 9, 1, 12}});
  // A row that is longer than the workload has one by itself.
  CHECK(shapes({6}, 3, 4) == Shapes{{0, 1, 8, 1}});
  CHECK(shapes({}, 3, 4).empty());
}

TEST_CASE("Eq. 1 to 5: iterations of all active warps, each at its warps' mean performance") {
  PartitionDevice device;
  device.active_warps = 2;
  device.performance = [](uint64_t width, uint64_t) { return width == 2 ? 8.0 : 2.0; };
  // I = ceil(3 / 2) (Eq. 1). Size(0) = 4 + 4, P_0 = (8 + 8) / 2: t_0 = 1. Size(1) = 4, P_1 = 2: t_1 = 2.
  const auto packed = pack_rows({2, 2, 2, 2, 1, 1, 1, 1}, 4, 2);
  CHECK(formats::packed_seconds(packed, device) == Approx(3));
  // All at once: Size = 12, P = (8 + 8 + 2) / 3 = 6.
  device.active_warps = 960;
  CHECK(formats::packed_seconds(packed, device) == Approx(2));
  CHECK(formats::packed_seconds({}, device) == 0);
}

TEST_CASE("Algorithm 2: multiples of the longest row, up to the entries of an active warp") {
  // 8 entries, one active warp: 4 and 8 are tried. 4 gives 4x1, 2x2, 2x1 and three iterations of 1; 8 gives
  // 4x2 and 1x2 in two.
  CHECK(shapes({4, 2, 1, 1}, 4, 2) == Shapes{{0, 1, 4, 1}, {1, 2, 2, 2}, {3, 1, 2, 1}});
  CHECK(shapes({4, 2, 1, 1}, 8, 2) == Shapes{{0, 2, 4, 2}, {2, 2, 1, 2}});
  CHECK(formats::best_workload_size({4, 2, 1, 1}, even_device(2, 1)) == 8);
  // At the same performance for all shapes both take 10 / P: the smaller one is kept (line 8 asks for less).
  const PartitionDevice flat{2, 1, [](uint64_t, uint64_t) { return 5.0; }};
  CHECK(formats::best_workload_size({4, 2, 1, 1}, flat) == 4);
  // Two active warps: 8 / 2 = 4 is the upper bound.
  CHECK(formats::best_workload_size({4, 2, 1, 1}, even_device(2, 2)) == 4);
  // 6 entries for 10 warps: the longest row exceeds the upper bound, and is not cut.
  CHECK(formats::best_workload_size({5, 1}, even_device(2, 10)) == 5);
  CHECK(formats::best_workload_size({}, even_device(2, 1)) == 0);
}

TEST_CASE(
    "CSR to packed rows and back keeps every entry, for every shape, width, iso-ness and size of value") {
  test::for_every_matrix(41, [](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    for (const uint64_t tile_columns : {8, 1024}) {
      INFO(text << ", tiles of " << tile_columns);
      const TileRectangles packed = built(csr, tile_columns);
      REQUIRE(formats::check(packed) == "");
      CHECK(test::same(test::from_device(to_csr(packed)), matrix));
      CHECK(packed.bytes() == packed.places * (4 + (packed.iso ? 0 : packed.type.size)) +
                                  32 * packed.first_workload.back() + packed.packed_rows.bytes() +
                                  4 * packed.columns);
    }
  });
}

TEST_CASE("columns of two entries and more are in tiles, each tile has a size of its own") {
  test::Random random(42);
  // Row i holds columns 0 to 39 - i: column j has 40 - j entries.
  std::vector<uint64_t> lengths;
  for (uint64_t i = 0; i < 40; ++i) lengths.push_back(40 - i);
  const RefMatrix matrix = test::matrix_of_lengths(random, Type::of(TypeCode::Fp64), lengths, 60);
  const TileRectangles packed = built(test::csr_to_device(matrix, false, false), 13);
  // Columns 0 to 38 have two entries and more: three tiles of 13, and one column of one entry.
  CHECK(packed.tiles() == 3);
  CHECK(packed.workload_sizes.back() == 1);
  CHECK(packed.order.to_host<uint32_t>(3) == std::vector<uint32_t>{0, 1, 2});
  // Tile 0 has 442 entries for 4 active warps, its longest row 13.
  CHECK(packed.workload_sizes[0] % 13 == 0);
  CHECK(packed.workload_sizes[0] <= 442 / 4);
}

TEST_CASE("behind a workload of a multiple of 512 places 64 are left empty") {
  test::Random random(43);
  const RefMatrix matrix = test::matrix_of_lengths(random, Type::of(TypeCode::Fp32), {512, 512, 40}, 600);
  const Csr csr = test::csr_to_device(matrix, false, false);
  TileRectanglesParameters parameters;
  parameters.tile_columns = 1024;
  parameters.device = even_device(32, 1000);  // one row a workload
  const TileRectangles packed = make_tile_rectangles(csr, parameters);
  REQUIRE(formats::check(packed) == "");
  REQUIRE(packed.first_workload.back() == 3);
  const auto workloads = packed.workloads.to_host<TileRectangle>(3);
  CHECK(workloads[0].start == 0);
  CHECK(workloads[1].start == 512 + 64);
  CHECK(workloads[2].start == 2 * (512 + 64));
  CHECK(packed.places == 2 * (512 + 64) + 64);  // 40 entries are padded to 64
}

TEST_CASE("the check of packed rows names what is wrong") {
  test::Random random(44);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp32), 60, 30, test::Spread::no_empty_row, 12, false);
  const TileRectangles good = built(test::csr_to_device(matrix, false, false), 8);
  const auto with = [&](auto change) {
    TileRectangles packed = good;
    change(packed);
    return formats::check(packed);
  };
  CHECK(with([](TileRectangles&) {}) == "");
  CHECK(with([](TileRectangles& t) {
          t.column_ranks = test::with_word(t.column_ranks, 0, 30);
        }).find("names no column") != std::string::npos);
  CHECK(with([](TileRectangles& t) {
          t.packed_rows = test::with_word(t.packed_rows, 0, 60);
        }).find("no row") != std::string::npos);
  CHECK(with([](TileRectangles& t) {
          t.column_ranks = test::with_word(t.column_ranks, 0, 0xffffffffu);
        }).find("entries in all") != std::string::npos);
  CHECK(with([](TileRectangles& t) { t.places = 3; }).find("out of range") != std::string::npos);
}
