// Lists of entries: made from CSR, turned back, their sizes and their invariant check.
#include "src/formats/coo.h"

#include "cuda/views/coo.h"
#include "cuda/views/entry_tile.h"
#include "semirings/table.h"
#include "src/formats/launch.h"
#include "tests/catch.h"
#include "tests/formats/format_cases.h"

using namespace cugrb;
using formats::Coo;
using formats::Csr;
using formats::Width;
using test::RefMatrix;

TEST_CASE("CSR to COO and back keeps every entry, for every shape, width, iso-ness and size of value") {
  test::for_every_matrix(11, [](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    for (const Width width : {Width::bits32, Width::bits64}) {
      INFO(text);
      const Coo coo = make_coo(csr, width);
      REQUIRE(formats::check(coo) == "");
      CHECK(coo.bytes() == matrix.entries.size() * formats::bytes_of(width));
      const Csr back = to_csr(coo);
      REQUIRE(formats::check(back) == "");
      CHECK(test::same(test::from_device(back), matrix));
    }
  });
}

TEST_CASE("entries beyond a threshold: the others are left out, in every row") {
  test::for_every_matrix(12, [](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    for (const uint64_t threshold : {0, 1, 5}) {
      INFO(text << ", beyond " << threshold);
      RefMatrix beyond{matrix.type, matrix.rows, matrix.columns, {}};
      std::vector<uint64_t> passed(matrix.rows, 0);
      for (const auto& entry : matrix.entries) {
        if (passed[entry.first.first]++ >= threshold) beyond.entries.insert(entry);
      }
      if (matrix.entries.empty()) continue;
      const Coo coo = make_coo_beyond(csr, threshold);
      REQUIRE(formats::check(coo) == "");
      CHECK(coo.entries == beyond.entries.size());
      CHECK(coo.entries == test::distribution_of(matrix).entries_beyond(threshold));
      CHECK(test::same(test::from_device(to_csr(coo)), beyond));
      const size_t element = coo.iso ? 0 : coo.type.size;
      CHECK(coo.bytes() == coo.entries * (4 + formats::bytes_of(coo.column_width) + element));
    }
  });
}

TEST_CASE("rows of entries are found across any number of rows without entries") {
  // Tiles of entries keep the rows that begin in them as bits; beyond 65,536 rows they search (segments.h).
  for (const uint64_t apart : {1, 15, 16, 700, 65535, 65536, 70001}) {
    INFO(apart);
    const uint64_t entries = apart < 1000 ? 9000 : 5;
    const RefMatrix matrix = [&] {
      RefMatrix drawn{Type::of(TypeCode::Int32), 3 + apart * entries, 2, {}};
      for (uint64_t k = 0; k < entries; ++k)
        for (uint64_t j = k % 3 == 0 ? 0 : 1; j < 2; ++j)
          drawn.entries[{2 + k * apart, j}] = table::value_of(drawn.type, int32_t(k));
      return drawn;
    }();
    const Csr csr = test::csr_to_device(matrix, false, false);
    CHECK(formats::check(make_coo(csr)) == "");
    CHECK(test::same(test::from_device(to_csr(make_coo(csr))), matrix));
  }
}

TEST_CASE("blocks that take several tiles of entries find the rows of each, whatever begins or ends there") {
  constexpr uint64_t tile = EntryTile::moved_entries, gap = 70001;  // more rows than a tile keeps as bits
  test::Random random(17);
  using Lengths = std::vector<uint32_t>;
  const auto joined = [](std::initializer_list<Lengths> parts) {
    Lengths all;
    for (const Lengths& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  };
  Lengths drawn(3000);
  for (uint32_t& length : drawn) length = uint32_t(test::below(random, 41));
  const Lengths sixteen(2560, 16), empty(gap, 0), one(uint32_t(tile), 1);
  const Lengths cases[] = {sixteen,
                           drawn,
                           {uint32_t(5 * tile + 3)},
                           joined({sixteen, empty, sixteen, empty}),
                           joined({empty, one, empty, drawn}),
                           joined({{uint32_t(2 * tile - 1)}, empty, {1}, empty, sixteen}),
                           joined({one, {0, uint32_t(tile), 0}, one, drawn, {0, 0}})};
  for (const Lengths& lengths : cases) {
    std::vector<uint32_t> starts = {0}, wanted;
    for (uint32_t row = 0; row < lengths.size(); ++row) {
      starts.push_back(starts.back() + lengths[row]);
      wanted.insert(wanted.end(), lengths[row], row);
    }
    const runtime::Buffer offsets =
                              runtime::Buffer::from_host(starts.data(), starts.size() * sizeof(uint32_t)),
                          rows(wanted.size() * sizeof(uint32_t));
    CooBuildArguments arguments;
    arguments.csr.rows = lengths.size();
    arguments.starts = offsets.data();
    arguments.entries = wanted.size();
    arguments.rows = rows.data();
    for (const uint64_t blocks : {1, 2, 3, 7, 40}) {
      INFO(lengths.size() << " rows, " << blocks << " blocks");
      rows.fill(0xff);
      formats::launch_blocks("coo_build.h", "coo_entries<uint32_t, uint32_t, uint32_t, void, false>", blocks,
                             arguments);
      CHECK(rows.to_host<uint32_t>(wanted.size()) == wanted);
    }
  }
}

TEST_CASE("the check of a list names what is wrong") {
  test::Random random(13);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp32), 10, 10, test::Spread::no_empty_row, 4, false);
  const Coo good = make_coo(test::csr_to_device(matrix, false, false));
  const auto with = [&](auto change) {
    Coo coo = good;
    change(coo);
    return formats::check(coo);
  };
  CHECK(with([](Coo&) {}) == "");
  CHECK(with([](Coo& c) { c.row_indices = test::with_word(c.row_indices, 3, 10); }).find("range") !=
        std::string::npos);
  CHECK(with([](Coo& c) { c.column_indices = test::with_word(c.column_indices, 3, 10); }).find("range") !=
        std::string::npos);
  CHECK(with([](Coo& c) { c.row_indices = test::with_word(c.row_indices, 0, 9); }).find("ascend") !=
        std::string::npos);
  const std::vector<uint32_t> rows = good.row_indices.to_host<uint32_t>(good.entries);
  size_t second = 1;
  while (rows[second] != rows[second - 1]) ++second;
  const uint32_t column = good.column_indices.read<uint32_t>(second - 1);
  CHECK(with([&](Coo& c) {
          c.column_indices = test::with_word(c.column_indices, second, column);
        }).find("ascend") != std::string::npos);
  CHECK(with([](Coo& c) { c.row_indices = {}; }).find("row indices are too few") != std::string::npos);
  CHECK(with([](Coo& c) { c.values = {}; }).find("values are too few") != std::string::npos);
}
