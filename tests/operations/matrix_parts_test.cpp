// Matrices cut into parts, put together from tiles, and with one line replaced, against the definition.
#include "src/operations/matrix_parts.h"

#include <algorithm>

#include "tests/catch.h"
#include "tests/operations/matrix_exits.h"
#include "tests/operations/mxv_cases.h"

using namespace cugrb;
using namespace cugrb::test;
using operations::Range;

namespace {

RefMatrix ref_part(const RefMatrix& a, Range rows, Range columns) {
  RefMatrix t{a.type, rows.count, columns.count, {}};
  for (const auto& [at, x] : a.entries) {
    const uint64_t i = at.first - rows.begin, j = at.second - columns.begin;  // beyond, when it is before
    if (i < rows.count && j < columns.count) t.entries[{i, j}] = x;
  }
  return t;
}

/// Tiles of these heights and widths, row by row.
struct Tiling {
  std::vector<uint64_t> heights, widths;
};
const Tiling tilings[] = {
    {{5, 9, 1}, {4, 12}}, {{7}, {3, 1, 8, 2}}, {{6, 2}, {11}}, {{4}, {5}}, {{3, 40}, {70, 2}}};

std::vector<RefMatrix> draw_tiles(Random& random, const Tiling& tiling, const std::string& type, bool iso) {
  std::vector<RefMatrix> tiles;
  const Value one = random_value(random, type_of(type));
  for (const uint64_t height : tiling.heights) {
    for (const uint64_t width : tiling.widths) {
      RefMatrix tile =
          random_matrix(random, type_of(type), height, width,
                        tiles.size() % 4 == 2 ? Spread::nothing : Spread::uniform, double(width) / 2, iso);
      if (iso) {
        for (auto& [at, x] : tile.entries) x = one;
      }
      tiles.push_back(std::move(tile));
    }
  }
  return tiles;
}

RefMatrix ref_concat(const std::vector<RefMatrix>& tiles, const Tiling& tiling) {
  RefMatrix t{tiles[0].type, 0, 0, {}};
  size_t n = 0;
  for (const uint64_t height : tiling.heights) {
    t.columns = 0;
    for (const uint64_t width : tiling.widths) {
      for (const auto& [at, x] : tiles[n++].entries)
        t.entries[{t.rows + at.first, t.columns + at.second}] = x;
      t.columns += width;
    }
    t.rows += height;
  }
  return t;
}

std::vector<formats::DeviceMatrix> to_device(const std::vector<RefMatrix>& tiles, bool iso) {
  std::vector<formats::DeviceMatrix> list;
  for (size_t n = 0; n < tiles.size(); ++n)
    list.push_back(test::to_device(tiles[n], n % 3 == 1, iso, n % 2 == 1));
  return list;
}
std::vector<const formats::DeviceMatrix*> pointers(const std::vector<formats::DeviceMatrix>& tiles) {
  std::vector<const formats::DeviceMatrix*> list;
  for (const auto& tile : tiles) list.push_back(&tile);
  return list;
}

}  // namespace

TEST_CASE("a part has the entries in its rows and columns, and none beyond the matrix") {
  Random random(81);
  for (const Spread spread : {Spread::uniform, Spread::empty_rows, Spread::one_huge_row, Spread::nothing}) {
    for (int n = 0; n < 8; ++n) {
      const bool by_column = n & 1, iso = n & 2, wide = n & 4;
      const RefMatrix a = random_matrix(random, type_of("INT32"), 30, 50, spread, 12, iso);
      const formats::DeviceMatrix device_a = test::to_device(a, by_column, iso, wide);
      const std::pair<Range, Range> ranges[] = {{{0, 30}, {0, 50}},  {{3, 9}, {10, 25}}, {{29, 1}, {49, 1}},
                                                {{0, 90}, {0, 120}}, {{0, 12}, {0, 80}}, {{5, 0}, {7, 3}}};
      for (const auto& [rows, columns] : ranges) {
        INFO("spread " << int(spread) << ", variant " << n << ", " << rows.count << " x " << columns.count);
        const formats::DeviceMatrix t = operations::part(device_a, rows, columns);
        CHECK(t.rows == rows.count);
        CHECK(t.columns == columns.count);
        CHECK(t.by_column == by_column);
        CHECK(difference(flattened(ref_part(a, rows, columns)), flattened(read_back(t))) == "");
      }
    }
  }
}

TEST_CASE("a vector becomes shorter and longer in every form") {
  Random random(82);
  for (const Form form : {Form::sparse, Form::bitmap, Form::full}) {
    for (const bool iso : {false, true}) {
      for (const uint64_t length : {1, 20, 49, 50, 51, 300}) {
        INFO("form " << int(form) << ", length " << length);
        const RefVector u = random_vector(random, type_of("FP32"), 50, form == Form::full ? 1 : 0.4, iso);
        RefVector wanted{u.type, length, {}};
        for (const auto& [i, x] : u.entries) {
          if (i < length) wanted.entries[i] = x;
        }
        const formats::DeviceVector w = operations::resized(test::to_device(u, form, iso), length);
        CHECK(difference(wanted, from_device(w)) == "");
      }
    }
  }
  const RefVector few = random_vector(random, type_of("FP32"), 50, 0.4, false);
  RefVector far = few;
  far.length = uint64_t(1) << 50;  // its indices are wider
  CHECK(difference(far, from_device(operations::resized(test::to_device(few, Form::sparse, false),
                                                        far.length))) == "");
}

TEST_CASE("concat puts tiles side by side") {
  Random random(83);
  for (const Tiling& tiling : tilings) {
    for (const bool iso : {false, true}) {
      INFO(tiling.heights.size() << " by " << tiling.widths.size() << (iso ? ", iso" : ""));
      const std::vector<RefMatrix> tiles = draw_tiles(random, tiling, "INT16", iso);
      const std::vector<formats::DeviceMatrix> device = to_device(tiles, iso);
      check_all_exits(random, ref_concat(tiles, tiling), "FP64", [&](const operations::MatrixOutput& c) {
        operations::concat(c, pointers(device), tiling.widths.size());
      });
    }
  }
}

TEST_CASE("what is put together of iso tiles with one value is iso") {
  Random random(84);
  std::vector<RefMatrix> tiles = draw_tiles(random, tilings[0], "FP32", true);
  const auto is_iso = [&] {
    const RefMatrix t = ref_concat(tiles, tilings[0]);
    formats::DeviceMatrix c = test::to_device({t.type, t.rows, t.columns, {}}, false, false);
    const std::vector<formats::DeviceMatrix> device = to_device(tiles, true);
    operations::concat({c, {}, std::nullopt, false}, pointers(device), 2);
    CHECK(difference(flattened(t), flattened(read_back(c))) == "");
    return c.stored.iso;
  };
  CHECK(is_iso());
  for (auto& [at, x] : tiles[3].entries) x = make_value(x.type, 77);
  CHECK(!is_iso());
}

TEST_CASE("a line of a matrix is replaced, whether it is stored by that line or not") {
  Random random(85);
  int batches = 0;
  for (int n = 0; n < 16; ++n) {
    const bool by_column = n & 1, column = n & 2, iso = n & 4, wide = n & 8;
    for (const double density : {0.0, 0.3, 1.0}) {
      for (const bool empty : {false, true}) {
        RefMatrix c = random_matrix(random, type_of("INT32"), 20, 33,
                                    empty ? Spread::nothing : Spread::uniform, 9, iso);
        const uint64_t length = column ? 20 : 33, index = random() % (column ? 33 : 20);
        RefVector r = random_vector(random, type_of("INT32"), length, density, iso);
        if (iso && n & 8 && !c.entries.empty()) {
          for (auto& [i, x] : r.entries) x = c.entries.begin()->second;
        }
        INFO("variant " << n << ", density " << density << ", line " << index);
        formats::DeviceMatrix device_c = test::to_device(c, by_column, iso, wide);
        const Form form = density == 1 ? Form::full : n % 3 == 0 ? Form::bitmap : Form::sparse;
        const formats::DeviceVector line = test::to_device(r, form, iso);
        formats::DeviceMatrix of_any_form = device_c;
        operations::replace_line({device_c, {}, std::nullopt, false}, column, index, line);
        std::erase_if(c.entries, [&](const auto& entry) {
          return (column ? entry.first.second : entry.first.first) == index;
        });
        for (const auto& [i, x] : r.entries)
          c.entries[column ? std::pair{i, index} : std::pair{index, i}] = x;
        CHECK(difference(flattened(c), flattened(read_back(device_c))) == "");
        const test::Forced forced("update_insert");
        operations::replace_line({of_any_form, {}, std::nullopt, false, /*any_form=*/true}, column, index,
                                 line);
        batches += of_any_form.fragments != nullptr ? 1 : 0;
        of_any_form.read_rows();
        CHECK(difference(flattened(c), flattened(read_back(of_any_form))) == "");
      }
    }
  }
  CHECK(batches >= 4);  // lines by which C is stored, of few entries
}

TEST_CASE("parts and tiles fail cleanly at every allocation and launch") {
  Random random(86);
  const std::vector<RefMatrix> tiles = draw_tiles(random, tilings[0], "INT16", false);
  const std::vector<formats::DeviceMatrix> device = to_device(tiles, false);
  CHECK(check_failures(random, ref_concat(tiles, tilings[0]), "FP64", [&](const operations::MatrixOutput& c) {
          for (const auto& tile : device) tile.drop_caches();
          operations::concat(c, pointers(device), 2);
        }) > 30);
  const RefMatrix a = random_matrix(random, type_of("INT32"), 20, 33, Spread::uniform, 9, false);
  const RefVector r = random_vector(random, type_of("INT32"), 33, 0.3, false);
  RefMatrix wanted = a;
  std::erase_if(wanted.entries, [](const auto& entry) { return entry.first.first == 7; });
  for (const auto& [j, x] : r.entries) wanted.entries[{7, j}] = x;
  for (const bool by_column : {false, true}) {
    formats::DeviceMatrix c;
    CHECK(check_failures({[&] { c = test::to_device(a, by_column, false); },
                          [&] {
                            operations::replace_line({c, {}, std::nullopt, false}, false, 7,
                                                     test::to_device(r, Form::bitmap, false));
                          },
                          [&] { return difference(flattened(a), flattened(read_back(c))); },
                          [&] { return difference(flattened(wanted), flattened(read_back(c))); }}) > 8);
  }
}
