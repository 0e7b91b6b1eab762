// Changes of entries, merged into a CSR: against a map; what stays as it is; failures.
#include "src/formats/csr_update.h"

#include <cstring>

#include "cuda/runtime/injection.h"
#include "tests/catch.h"
#include "tests/formats/format_cases.h"
#include "tests/formats/update_cases.h"
#include "tests/gpu_compile.h"

using namespace cugrb;
using formats::Csr;
using formats::DeviceMatrix;
using test::RefMatrix;
using test::RefUpdates;

namespace {

void check_same(const Csr& found, const RefMatrix& expected) {
  REQUIRE(formats::check(found) == "");
  CHECK(test::same(test::from_device(found), expected));
}

RefMatrix some_matrix(test::Random& random, const Type& type) {
  return test::random_matrix(random, type, 60, 40, test::Spread::uniform, 6, false);
}

}  // namespace

TEST_CASE("merged changes agree with a map, for every shape, width, iso-ness and size of value") {
  test::Random random(51);
  test::for_every_matrix(51, [&](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    for (const double removed : {0.0, 0.4, 1.0}) {
      for (const size_t count : {1, 9, 700}) {
        INFO(text << ", " << count << " updates, " << removed << " of them removals");
        const RefUpdates updates = test::random_updates(random, matrix, count, removed);
        RefMatrix expected = matrix;
        test::apply(expected, updates, std::nullopt);
        Csr found = csr;
        formats::update(found, test::to_device(updates, csr, false));
        check_same(found, expected);
        check_same(csr, matrix);  // which shares its memory
      }
    }
  });
}

TEST_CASE("changes combine with an operator where there is an entry, typecast to the matrix's type") {
  test::Random random(52);
  for (const char* name : {"PLUS_INT32", "MINUS_FP64", "ISLT_INT32", "SECOND_FP32", "LT_INT32"}) {
    const std::optional<BinaryOp> op = catalogue::binary_op(name);
    for (const bool iso : {false, true}) {
      INFO(name << (iso ? ", iso" : ""));
      const Type& type = Type::of(TypeCode::Int32);
      RefMatrix matrix = test::random_matrix(random, type, 60, 40, test::Spread::power_law, 6, iso);
      const Csr csr = test::csr_to_device(matrix, iso, false);
      const Value one = test::make_value(type, 3);
      const RefUpdates updates = test::random_updates(random, matrix, 200, 0.2, iso ? &one : nullptr);
      Csr found = csr;
      formats::update(found, test::to_device(updates, csr, iso), op);
      test::apply(matrix, updates, op);
      check_same(found, matrix);
    }
  }
}

TEST_CASE("one value for all stays one as long as the updates have the same") {
  test::Random random(53);
  const Type& type = Type::of(TypeCode::Int32);
  const Value same = test::make_value(type, 5), other = test::make_value(type, 6);
  RefMatrix matrix = some_matrix(random, type);
  for (auto& [place, value] : matrix.entries) value = same;
  const Csr csr = test::csr_to_device(matrix, true, false);
  for (const Value* value : {&same, &other}) {
    for (const bool only_there : {false, true}) {
      RefUpdates updates = test::random_updates(random, matrix, 50, 0.3, value);
      if (only_there) {
        updates.clear();
        updates[matrix.entries.begin()->first] = *value;
      }
      RefMatrix expected = matrix;
      test::apply(expected, updates, std::nullopt);
      Csr found = csr;
      formats::update(found, test::to_device(updates, csr, true));
      check_same(found, expected);
      CHECK(found.iso == (value == &same));
    }
  }
  Csr none = formats::empty_csr(type, 60, 40);
  formats::update(none, test::to_device({{{3, 4}, same}, {{5, 6}, same}}, none, true));
  CHECK(none.iso);
  formats::update(none, test::to_device({{{3, 4}, std::nullopt}, {{5, 6}, std::nullopt}}, none, false));
  CHECK(none.entries == 0);
  CHECK_FALSE(none.iso);
}

TEST_CASE("new values of old entries are written in place where nobody shares them, and the pattern stays") {
  test::Random random(54);
  const Type& type = Type::of(TypeCode::Fp64);
  RefMatrix expected = some_matrix(random, type);
  for (const bool by_column : {false, true}) {
    DeviceMatrix matrix = test::to_device(expected, by_column, false);
    const void* const values = matrix.stored.values.data();
    const formats::Pattern* const pattern = &matrix.pattern();
    RefMatrix rows = by_column ? test::transposed(expected) : expected;
    RefUpdates updates;
    for (const auto& [place, value] : rows.entries) {
      if (test::chance(random, 0.3)) updates[place] = test::random_value(random, type);
    }
    matrix.by_rows(!by_column);  // derived from the old values
    formats::update(matrix, test::to_device(updates, matrix.stored, false));
    test::apply(rows, updates, std::nullopt);
    check_same(matrix.stored, rows);
    CHECK(matrix.stored.values.data() == values);
    CHECK(&matrix.pattern() == pattern);
    check_same(matrix.by_rows(!by_column), test::transposed(rows));
    const DeviceMatrix copy = matrix;
    const RefMatrix before = rows;
    const RefUpdates more = test::random_updates(random, rows, 30, 0.5);
    formats::update(matrix, test::to_device(more, matrix.stored, false));
    test::apply(rows, more, std::nullopt);
    check_same(matrix.stored, rows);
    check_same(matrix.by_rows(!by_column), test::transposed(rows));
    check_same(copy.stored, before);
    CHECK(&matrix.pattern() != &copy.pattern());
    CHECK(matrix.pattern().version == copy.pattern().version + 1);
  }
}

TEST_CASE("an entry is found where it is, and nowhere else") {
  test::Random random(55);
  const RefMatrix matrix = some_matrix(random, Type::of(TypeCode::Int32));
  for (const bool wide : {false, true}) {
    const Csr csr = test::csr_to_device(matrix, false, wide);
    uint64_t position = 0;
    for (uint64_t row = 0; row < matrix.rows; ++row) {
      for (uint64_t column = 0; column < matrix.columns; column += 3) {
        const auto place = matrix.entries.find({row, column});
        const std::optional<uint64_t> found = formats::find_entry(csr, row, column);
        REQUIRE(found.has_value() == (place != matrix.entries.end()));
        if (found) {
          const auto value = csr.values.read<int32_t>(*found);
          CHECK(std::memcmp(&value, place->second.bytes.data(), sizeof(value)) == 0);
          CHECK(*found >= position);
          position = *found;
        }
      }
    }
  }
}

TEST_CASE("an update that fails at its n-th allocation or launch leaves the matrix as it was") {
  test::Random random(56);
  unsigned failures = 0;
  const Type& type = Type::of(TypeCode::Int32);
  const RefMatrix matrix = some_matrix(random, type);
  for (const bool moves : {false, true}) {
    RefUpdates updates = test::random_updates(random, matrix, 40, moves ? 0.3 : 0);
    if (!moves)
      std::erase_if(updates, [&](const auto& update) { return !matrix.entries.count(update.first); });
    for (const char* point : {"allocation:", "launch:"}) {
      bool failed = true;
      for (unsigned n = 1; n < 30 && failed; ++n) {
        INFO(point << n << (moves ? ", moves" : ""));
        DeviceMatrix device = test::to_device(matrix, false, false);
        const formats::EntryUpdates given = test::to_device(updates, device.stored, false);
        runtime::injection::reset(point + std::to_string(n));
        failed = false;
        try {
          formats::update(device, given);
        } catch (const std::exception&) {
          failed = true;
          ++failures;
        }
        runtime::injection::reset("");
        RefMatrix expected = matrix;
        if (!failed) test::apply(expected, updates, std::nullopt);
        check_same(device.stored, expected);
        check_same(device.by_rows(true), test::transposed(expected));
      }
      CHECK_FALSE(failed);
    }
  }
  CHECK(failures >= 12);
}

TEST_CASE("the specialisations that merge changes compile for GPUs without spilling registers") {
  test::check_third_compiles({"csr_update.h"});
}
