// CSR matrices on the device: transposition, what is derived from a matrix once, and the invariant check
// itself.
#include <algorithm>
#include <cmath>
#include <thread>

#include "cuda/views/mxv.h"
#include "cuda/views/transpose.h"
#include "src/formats/coo.h"
#include "src/formats/element_kernels.h"
#include "src/operations/operations.h"
#include "tests/catch.h"
#include "tests/operations/mxv_matrix.h"

using namespace cugrb;
using formats::Csr;
using formats::DeviceMatrix;
using test::RefMatrix;
using test::Spread;

namespace {

bool same(const RefMatrix& a, const RefMatrix& b) {
  if (a.rows != b.rows || a.columns != b.columns || a.entries.size() != b.entries.size()) return false;
  for (auto x = a.entries.begin(), y = b.entries.begin(); x != a.entries.end(); ++x, ++y) {
    if (x->first != y->first || x->second.bytes != y->second.bytes) return false;
  }
  return true;
}

/// A type of `bytes` bytes whose values are random bytes: moving values must not look at them.
RefMatrix matrix_of_bytes(test::Random& random, uint64_t rows, uint64_t columns, size_t bytes) {
  RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Int8), rows, columns, Spread::uniform, 5, false);
  matrix.type = {TypeCode::User, bytes, "blob" + std::to_string(bytes), "typedef struct blob"};
  for (auto& [place, value] : matrix.entries) {
    value.type = matrix.type;
    value.bytes.assign(bytes, '\0');
    for (char& byte : value.bytes) byte = char(random());
  }
  return matrix;
}

std::vector<uint64_t> positions_of(const formats::LongRows& rows) {
  std::vector<uint64_t> positions = rows.rows.to_host<uint64_t>(rows.count);
  std::sort(positions.begin(), positions.end());
  return positions;
}

}  // namespace

TEST_CASE("the transpose holds the same entries, sorted, for every shape, width and iso-ness") {
  test::Random random(1);
  const struct {
    uint64_t rows, columns;
    Spread spread;
  } shapes[] = {
      {60, 45, Spread::uniform},       {1, 300, Spread::uniform},    {300, 1, Spread::uniform},
      {1, 1, Spread::no_empty_row},    {50, 50, Spread::empty_rows}, {9, 2500, Spread::one_huge_row},
      {2500, 9, Spread::one_huge_row}, {80, 80, Spread::power_law},  {20, 30, Spread::nothing},
      {0, 5, Spread::nothing},         {5, 0, Spread::nothing}};
  for (const auto& shape : shapes) {
    for (const bool wide : {false, true}) {
      for (const bool iso : {false, true}) {
        const RefMatrix matrix = test::random_matrix(random, Type::of(TypeCode::Int32), shape.rows,
                                                     shape.columns, shape.spread, 4, iso);
        const Csr csr = test::csr_to_device(matrix, iso, wide);
        INFO(shape.rows << " x " << shape.columns << (wide ? " wide" : "") << (iso ? " iso" : ""));
        REQUIRE(formats::check(csr) == "");
        const Csr transpose = formats::transpose(csr);
        REQUIRE(formats::check(transpose) == "");
        CHECK(same(test::from_device(transpose), test::transposed(matrix)));
        CHECK(same(test::from_device(formats::transpose(transpose)), matrix));
      }
    }
  }
}

TEST_CASE("the transpose moves values of any size, byte for byte") {
  test::Random random(2);
  for (const size_t bytes : {1, 2, 3, 4, 8, 12, 16, 24, 40}) {
    const RefMatrix matrix = matrix_of_bytes(random, 40, 33, bytes);
    INFO(bytes << " bytes");
    CHECK(same(test::from_device(formats::transpose(test::csr_to_device(matrix, false, false))),
               test::transposed(matrix)));
  }
}

TEST_CASE("the transpose's kernels agree when only ordinals travel, as in matrices of 2^32 rows or entries") {
  test::Random random(12);
  for (const Spread spread : {Spread::uniform, Spread::empty_rows, Spread::one_huge_row}) {
    const RefMatrix matrix =
        test::random_matrix(random, Type::of(TypeCode::Int32), 300, 2000, spread, 9, false);
    const Csr csr = test::csr_to_device(matrix, false, false);
    const Csr expected = formats::transpose(csr);
    cugrb::TransposeArguments arguments;
    arguments.matrix = csr.view();
    runtime::Buffer payload(csr.entries * sizeof(uint64_t));
    arguments.payload = payload.as<uint64_t>();
    formats::launch_blocks("transpose.h",
                           "transpose_payload<uint32_t, uint64_t, void, TransposePayload::ordinal>",
                           formats::move_blocks(csr.entries), arguments);
    // The sort, on the host.
    std::vector<uint64_t> ordinals = payload.to_host<uint64_t>(csr.entries);
    const std::vector<uint32_t> columns = csr.column_indices.to_host<uint32_t>(csr.entries);
    REQUIRE(std::all_of(ordinals.begin(), ordinals.end(), [&](uint64_t p) { return p < csr.entries; }));
    std::stable_sort(ordinals.begin(), ordinals.end(),
                     [&](uint64_t a, uint64_t b) { return columns[a] < columns[b]; });
    payload = runtime::Buffer::from_host(ordinals.data(), ordinals.size() * sizeof(uint64_t));
    arguments.payload = payload.as<uint64_t>();
    const runtime::Buffer rows(csr.entries * sizeof(uint32_t)), values(csr.entries * sizeof(int32_t));
    arguments.columns = rows.data();
    arguments.values = values.data();
    formats::launch_per_element("transpose.h",
                                "transpose_entries<uint32_t, uint32_t, uint32_t, TransposePayload::ordinal>",
                                csr.entries, arguments);
    CHECK(rows.to_host<uint32_t>(csr.entries) == expected.column_indices.to_host<uint32_t>(csr.entries));
    CHECK(values.to_host<int32_t>(csr.entries) == expected.values.to_host<int32_t>(csr.entries));
  }
}

TEST_CASE("the invariant check names what is wrong") {
  test::Random random(3);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp32), 10, 10, Spread::no_empty_row, 4, false);
  const Csr good = test::csr_to_device(matrix, false, false);
  const auto with = [&](auto change) {
    Csr csr = good;
    change(csr);
    return formats::check(csr);
  };
  const auto poke = [](runtime::Buffer& buffer, size_t index, uint32_t value) {
    buffer = buffer.clone();
    runtime::device().copy_to_device(buffer.as<uint32_t>() + index, &value, 4);
  };
  CHECK(with([](Csr&) {}) == "");
  CHECK(with([&](Csr& c) { poke(c.column_indices, 0, 10); }).find("out of range") != std::string::npos);
  CHECK(with([&](Csr& c) { poke(c.column_indices, 1, c.column_indices.read<uint32_t>(0)); }).find("ascend") !=
        std::string::npos);
  CHECK(with([&](Csr& c) { poke(c.offsets, 0, 1); }).find("first offset") != std::string::npos);
  CHECK(with([&](Csr& c) { poke(c.offsets, 10, 0); }).find("last offset") != std::string::npos);
  CHECK(with([&](Csr& c) { poke(c.offsets, 5, 1000); }).find("ends before it begins") != std::string::npos);
  CHECK(with([&](Csr& c) { c.values = {}; }).find("values are too few") != std::string::npos);
}

TEST_CASE("row lengths, long rows and merge plans agree with the matrix") {
  test::Random random(4);
  for (const Spread spread : {Spread::one_huge_row, Spread::empty_rows, Spread::power_law, Spread::nothing}) {
    const RefMatrix matrix =
        test::random_matrix(random, Type::of(TypeCode::Bool), 600, 1500, spread, 3, false);
    std::vector<uint64_t> lengths(matrix.rows, 0);
    for (const auto& [place, value] : matrix.entries) ++lengths[place.first];
    const DeviceMatrix device =
        test::to_device(matrix, true, false);  // by rows is the transpose of what is stored
    const formats::RowLengths measured = device.row_lengths(false);
    CHECK(measured.rows == matrix.rows);
    CHECK(measured.entries == matrix.entries.size());
    CHECK(measured.longest == *std::max_element(lengths.begin(), lengths.end()));
    CHECK(measured.empty == uint64_t(std::count(lengths.begin(), lengths.end(), 0)));
    double squares = 0;
    for (const uint64_t length : lengths) squares += std::pow(double(length) - measured.mean, 2);
    CHECK(std::abs(measured.deviation - std::sqrt(squares / 600)) < 1e-6);

    std::vector<uint64_t> expected;
    for (uint64_t i = 0; i < matrix.rows; ++i) {
      if (lengths[i] > formats::longest_short_row) expected.push_back(i);
    }
    const formats::LongRows& long_rows = device.long_rows(false);
    CHECK(long_rows.count == expected.size());
    CHECK(positions_of(long_rows) == expected);

    const formats::MergePlan& plan = device.merge_plan(false);
    const std::vector<uint64_t> cuts = plan.tile_rows.to_host<uint64_t>(plan.tiles + 1);
    CHECK(cuts.front() == 0);
    CHECK(cuts.back() == matrix.rows);
    uint64_t row = 0, entry = 0, ends = lengths[0];  // walk the path step by step
    for (uint64_t step = 0, tile = 0; step <= matrix.rows + matrix.entries.size(); ++step) {
      if (step % merge_tile_steps == 0) CHECK(cuts[tile++] == row);
      if (row == matrix.rows) continue;
      if (entry < ends) {
        ++entry;
      } else if (++row < matrix.rows) {
        ends += lengths[row];
      }
    }
  }
}

TEST_CASE("a row is long from one entry more than the longest short row on") {
  test::Random random(7);
  const uint64_t limit = formats::longest_short_row;
  const RefMatrix matrix = test::matrix_of_lengths(random, Type::of(TypeCode::Bool),
                                                   {limit, limit + 1, limit - 1, 0, limit + 2}, limit + 2);
  const DeviceMatrix device = test::to_device(matrix, false, false);
  CHECK(positions_of(device.long_rows(false)) == std::vector<uint64_t>{1, 4});
}

namespace {

struct Numbered {
  using Made = formats::Coo;
  int number;
  bool operator==(const Numbered&) const = default;
};

}  // namespace

TEST_CASE("what is retired is forgotten by the type of its key, and freed when no pin is left") {
  test::Random random(6);
  const DeviceMatrix device = test::to_device(
      test::random_matrix(random, Type::of(TypeCode::Fp64), 70, 50, Spread::uniform, 6, false), false, false);
  const size_t stored = device.bytes();
  const auto derive = [&](const auto& key) -> const formats::Coo& {
    return device.derived(false, key, [](const Csr& rows) { return formats::make_coo(rows); });
  };
  using Another = formats::Only<formats::Coo>;
  const formats::Coo& coo = derive(Numbered{3});
  CHECK(&derive(Numbered{4}) != &coo);
  CHECK(&derive(Another()) != &coo);
  CHECK(&derive(Numbered{3}) == &coo);
  const size_t each = coo.bytes();
  REQUIRE(device.bytes() == stored + 3 * each);
  const uint64_t changes = device.changes();
  const std::type_index numbered[] = {typeid(formats::Only<Csr>), typeid(Numbered)};
  {
    const DeviceMatrix::Pin pin(device), another(device);
    device.retire(true, numbered);  // of the transpose
    CHECK(device.changes() == changes);
    device.retire(false, numbered);
    CHECK(device.changes() == changes + 2);
    CHECK_FALSE(device.has_derived(false, typeid(Numbered)));
    CHECK(device.has_derived(false, typeid(Another)));
    CHECK(device.bytes() == stored + 3 * each);
    CHECK(coo.row_indices.to_host<uint32_t>(coo.entries).size() == device.nvals());
    derive(Numbered{3});
  }
  CHECK(device.bytes() == stored + 2 * each);
  CHECK(device.find_derived(false, Numbered{3}) != nullptr);
  CHECK(device.find_derived(false, Numbered{4}) == nullptr);
  device.retire(false, numbered);
  device.retire(false, std::vector<std::type_index>{typeid(Another)});
  CHECK(device.bytes() == stored);
}

TEST_CASE("a matrix keeps what it derived, counts uses, and gives memory back") {
  test::Random random(5);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp64), 70, 50, Spread::uniform, 6, false);
  const DeviceMatrix device = test::to_device(matrix, false, false);
  const size_t stored = device.bytes();
  CHECK(device.has_rows(false));
  CHECK_FALSE(device.has_rows(true));
  CHECK(device.uses(false) == 0);
  const Csr& transpose = device.by_rows(true);
  CHECK(device.has_rows(true));
  CHECK(&device.by_rows(true) == &transpose);
  CHECK(device.uses(true) == 2);
  device.by_rows(false);
  CHECK(device.uses(false) == 1);
  CHECK(same(test::from_device(transpose), test::transposed(matrix)));
  const DeviceMatrix copy = device;
  CHECK(copy.has_rows(true));
  const size_t transpose_bytes = transpose.bytes();
  CHECK(device.bytes() == stored + transpose_bytes);
  CHECK(device.drop_caches() == transpose_bytes);
  CHECK_FALSE(device.has_rows(true));
  CHECK(device.bytes() == stored);
  CHECK(same(test::from_device(device.by_rows(true)), test::transposed(matrix)));
}

TEST_CASE("matrices with the same pattern share what follows from it, and a later version has its own") {
  struct Learnt {
    uint64_t from_rows;
  };
  test::Random random(8);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp64), 70, 50, Spread::uniform, 6, false);
  const DeviceMatrix device = test::to_device(matrix, false, false);
  const auto learn = [](const DeviceMatrix& of, bool transposed) -> const Learnt& {
    return of.derived(transposed, formats::OfPattern<Learnt>(),
                      [](const Csr& rows) { return Learnt{rows.rows}; });
  };
  const Learnt &rows = learn(device, false), &columns = learn(device, true);
  const formats::MergePlan& plan = device.merge_plan(false);
  device.derived(false, formats::Only<formats::Coo>(), [](const Csr& csr) { return formats::make_coo(csr); });
  REQUIRE(rows.from_rows == 70);
  REQUIRE(columns.from_rows == 50);

  Csr other_values = device.stored;
  other_values.values = device.stored.values.clone();
  for (const bool turned : {false, true}) {
    INFO(turned);
    DeviceMatrix sharing = formats::matrix_by(other_values, turned);  // as its own transpose, if turned
    sharing.keep_pattern(device.held_pattern());
    CHECK(&sharing.pattern() == &device.pattern());
    CHECK(&learn(sharing, turned) == &rows);
    CHECK(&learn(sharing, !turned) == &columns);
    CHECK(&sharing.merge_plan(turned) == &plan);
    CHECK_FALSE(sharing.has_derived(turned, typeid(formats::Only<formats::Coo>)));
    CHECK(sharing.uses(turned) == 0);
  }
  Csr other_columns = device.stored;
  other_columns.column_indices = device.stored.column_indices.clone();
  DeviceMatrix apart = formats::matrix_by(other_columns, false);
  apart.keep_pattern(device.held_pattern());
  CHECK(apart.pattern().identity != device.pattern().identity);

  DeviceMatrix next = device;
  for (int use = 0; use < 3; ++use) next.by_rows(false);
  next.history.products = 2;
  next.next_version();
  CHECK(next.pattern().identity == device.pattern().identity);
  CHECK(next.pattern().version == device.pattern().version + 1);
  CHECK(next.uses(false) == 2);  // as many as there were products between two changes
  CHECK(next.find_derived(false, formats::OfPattern<Learnt>()) == nullptr);
  CHECK(device.find_derived(false, formats::OfPattern<Learnt>()) == &rows);
}

TEST_CASE("storage goes when caches are dropped, knowledge stays") {
  struct Learnt {
    int what;
  };
  test::Random random(9);
  const DeviceMatrix device = test::to_device(
      test::random_matrix(random, Type::of(TypeCode::Fp64), 70, 50, Spread::uniform, 6, false), false, false);
  const size_t stored = device.bytes();
  const Learnt& learnt = device.derived(true, formats::Only<Learnt>(), [] { return Learnt{7}; });
  CHECK_FALSE(device.has_rows(true));  // it was not asked for
  device.derived(true, formats::Only<formats::Coo>(),
                 [](const Csr& rows) { return formats::make_coo(rows); });
  device.merge_plan(false);
  const size_t held = device.bytes();
  const uint64_t changes = device.changes();
  CHECK(device.drop_caches() == held - stored);
  CHECK(device.bytes() == stored);
  CHECK(device.drops() == 1);
  CHECK(device.changes() > changes);
  CHECK_FALSE(device.has_derived(true, typeid(formats::Only<formats::Coo>)));
  CHECK(device.find_derived(false, formats::OfPattern<formats::MergePlan>()) == nullptr);
  CHECK(device.find_derived(true, formats::Only<Learnt>()) == &learnt);
  CHECK(learnt.what == 7);
}

TEST_CASE("threads that ask at once get the same transpose") {
  test::Random random(6);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Int64), 90, 80, Spread::uniform, 5, false);
  const DeviceMatrix device = test::to_device(matrix, false, false);
  const Csr* seen[4] = {};
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n) threads.emplace_back([&, n] { seen[n] = &device.by_rows(true); });
  for (std::thread& thread : threads) thread.join();
  for (const Csr* csr : seen) CHECK(csr == seen[0]);
  CHECK(device.uses(true) == 4);
  CHECK(same(test::from_device(*seen[0]), test::transposed(matrix)));
}
