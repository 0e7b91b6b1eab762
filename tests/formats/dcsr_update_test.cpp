// Changes of entries of a dynamic CSR against a map: one batch after the other, with every shape; growth and
// defragmentation; failures.
#include "src/formats/dcsr_update.h"

#include "cuda/runtime/injection.h"
#include "tests/catch.h"
#include "tests/formats/format_cases.h"
#include "tests/formats/update_cases.h"
#include "tests/gpu_compile.h"

using namespace cugrb;
using formats::Csr;
using formats::Dcsr;
using formats::DcsrShape;
using test::RefMatrix;
using test::RefUpdates;

namespace {

void check_same(const Dcsr& found, const RefMatrix& expected) {
  REQUIRE(formats::check(found) == "");
  REQUIRE(found.entries == expected.entries.size());
  const Csr csr = to_csr(found);
  REQUIRE(formats::check(csr) == "");
  CHECK(test::same(test::from_device(csr), expected));
}

}  // namespace

TEST_CASE("batches that change a dynamic CSR agree with a map, for every shape of matrix and of segments") {
  test::Random random(81);
  size_t turn = 0;
  test::for_every_matrix(81, [&](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    for (const DcsrShape& shape : {DcsrShape{4, 1, 2}, DcsrShape{2, 1, 0}, DcsrShape{1, 1, 0},
                                   DcsrShape{3, 2, 1}, DcsrShape{4, 1, 0, 8}}) {
      if (test::races_only() && ++turn % 3 != 0) continue;  // of five shapes one or two, by turns
      Dcsr dcsr = make_dcsr(csr, shape);
      RefMatrix expected = matrix;
      for (const size_t count : {1, 30, 200, 7}) {
        INFO(text << ", " << count << " updates, segments " << shape.slots << ", slack " << shape.slack);
        const RefUpdates updates = test::random_updates(random, expected, count, 0.3);
        const Dcsr before = dcsr;
        const RefMatrix old = expected;
        formats::update(dcsr, test::to_device(updates, csr, false));
        test::apply(expected, updates, std::nullopt);
        check_same(dcsr, expected);
        if (count == 30) check_same(before, old);  // it shares its memory
      }
      formats::defragment(dcsr);
      CHECK_FALSE(dcsr.mains);
      check_same(dcsr, expected);
      CHECK(dcsr.compact == (shape.width == 0));
      if (dcsr.compact) CHECK(to_csr(dcsr).column_indices.data() == dcsr.column_indices.data());
      check_same(make_dcsr(csr, shape), matrix);
    }
  });
}

TEST_CASE("rows with many updates, or many that have come before, agree with a map beside rows with few") {
  test::Random random(86);
  const BinaryOp plus = *catalogue::binary_op("PLUS_INT32");
  for (const bool wide : {false, true}) {
    RefMatrix expected =
        test::random_matrix(random, Type::of(TypeCode::Int32), 40, 4000, test::Spread::uniform, 700, false);
    const Csr csr = test::csr_to_device(expected, false, wide);
    Dcsr dcsr = make_dcsr(csr, {4, 1, 20});
    for (const size_t count : {2500, 40, 9000, 3}) {  // more than DcsrUpdateTeams::few, and less
      RefUpdates updates = test::random_updates(random, expected, 200, 0.3);
      for (size_t n = 0; n < count; ++n) {  // into two rows
        std::optional<Value> value;
        if (n % 3 != 0) value = test::random_value(random, expected.type);
        updates[{17 + n % 2, test::below(random, 4000)}] = value;
      }
      INFO(count << (wide ? ", wide" : ""));
      formats::update(dcsr, test::to_device(updates, csr, false), plus);
      test::apply(expected, updates, plus);
      check_same(dcsr, expected);
    }
  }
}

TEST_CASE("a dynamic CSR combines with an operator, and keeps one value as long as updates have it") {
  test::Random random(82);
  const Type& type = Type::of(TypeCode::Int32);
  const Value one = test::make_value(type, 3);
  for (const char* name : {"PLUS_INT32", "MINUS_FP64", ""}) {
    for (const bool iso : {false, true}) {
      INFO(name << iso);
      const std::optional<BinaryOp> op = *name == 0 ? std::nullopt : catalogue::binary_op(name);
      RefMatrix expected = test::random_matrix(random, type, 60, 40, test::Spread::power_law, 6, iso);
      if (iso) {
        for (auto& [place, value] : expected.entries) value = one;
      }
      const Csr csr = test::csr_to_device(expected, iso, false);
      Dcsr dcsr = make_dcsr(csr, {4, 1, 2});
      for (int batch = 0; batch < 3; ++batch) {
        const RefUpdates updates = test::random_updates(random, expected, 80, 0.2, iso ? &one : nullptr);
        formats::update(dcsr, test::to_device(updates, csr, iso), op);
        test::apply(expected, updates, op);
        check_same(dcsr, expected);
      }
      CHECK(dcsr.iso == (iso && !op));
    }
  }
}

TEST_CASE(
    "new entries go into slack, then into segments of their own, and a row that is full is put together") {
  test::Random random(83);
  const Type& type = Type::of(TypeCode::Int32);
  RefMatrix expected = test::matrix_of_lengths(random, type, {3, 0, 2, 5}, 100);
  const Csr csr = test::csr_to_device(expected, false, false);
  Dcsr dcsr = make_dcsr(csr, {3, 1, 2});
  const auto insert = [&](uint64_t row, std::vector<uint64_t> columns) {
    RefUpdates updates;
    for (const uint64_t column : columns) updates[{row, column}] = test::random_value(random, type);
    formats::update(dcsr, test::to_device(updates, csr, false));
    test::apply(expected, updates, std::nullopt);
    check_same(dcsr, expected);
  };
  CHECK(dcsr.used == 10 + 8);
  insert(0, {50, 60});  // into the slack
  CHECK(dcsr.used == 18);
  insert(0, {40, 70, 55});  // a segment for three, and two to spare
  CHECK(dcsr.used == 18 + 5);
  CHECK(dcsr.capacity >= dcsr.used);
  CHECK(dcsr.mains.read<uint32_t>(0) == 3);
  insert(0, {80, 81});
  CHECK(dcsr.used == 23);
  insert(0, {90});  // the third segment
  CHECK(dcsr.used == 23 + 3);
  const uint64_t capacity = dcsr.capacity;
  insert(1, {7});
  insert(0, {10, 11, 12, 13});  // no fourth one: put together, then a segment for four, and two to spare
  CHECK(dcsr.mains.read<uint32_t>(0) == 11);
  CHECK(dcsr.used == 19 + 4 + 2);
  CHECK(dcsr.capacity >= capacity);
}

TEST_CASE("a segment of a long row has an eighth of the row to spare") {
  test::Random random(87);
  const Type& type = Type::of(TypeCode::Int32);
  RefMatrix expected = test::matrix_of_lengths(random, type, {80, 1}, 500);
  const Csr csr = test::csr_to_device(expected, false, false);
  Dcsr dcsr = make_dcsr(csr, {4, 1, 2});
  uint64_t column = 100;
  const auto insert = [&](uint64_t count) {
    RefUpdates updates;
    for (uint64_t n = 0; n < count; ++n) updates[{0, column++}] = test::random_value(random, type);
    formats::update(dcsr, test::to_device(updates, csr, false));
    test::apply(expected, updates, std::nullopt);
    check_same(dcsr, expected);
  };
  CHECK(dcsr.used == 81 + 4);
  insert(3);  // one more than the slack
  CHECK(dcsr.used == 85 + 1 + 10);
  insert(10);
  CHECK(dcsr.used == 96);
  insert(1);
  CHECK(dcsr.used == 96 + 1 + 93 / 8);
}

TEST_CASE("arrays that are used up grow where they lie, and are copied where another matrix shares them") {
  test::Random random(88);
  const Type& type = Type::of(TypeCode::Int32);
  RefMatrix expected = test::random_matrix(random, type, 60, 400, test::Spread::uniform, 6, false);
  const Csr csr = test::csr_to_device(expected, false, false);
  Dcsr dcsr = make_dcsr(csr, {64, 1, 2});  // no row asks for a defragmentation
  const auto grow = [&] {
    const uint64_t capacity = dcsr.capacity;
    while (dcsr.capacity == capacity) {
      const RefUpdates updates = test::random_updates(random, expected, 150, 0);
      formats::update(dcsr, test::to_device(updates, csr, false));
      test::apply(expected, updates, std::nullopt);
    }
  };
  grow();
  const bool in_place = runtime::device().properties().kind == runtime::Kind::emulated;  // of a few bytes
  for (int time = 0; time < 3; ++time) {
    const void *const columns = dcsr.column_indices.data(), *const values = dcsr.values.data();
    grow();
    check_same(dcsr, expected);
    if (!in_place) continue;
    CHECK(dcsr.column_indices.data() == columns);
    CHECK(dcsr.values.data() == values);
  }
  const Dcsr before = dcsr;
  const RefMatrix old = expected;
  grow();
  CHECK(dcsr.column_indices.data() != before.column_indices.data());
  check_same(before, old);
  check_same(dcsr, expected);
}

TEST_CASE("an update of a dynamic CSR that fails at its n-th allocation or launch loses nothing") {
  test::Random random(84);
  unsigned failures = 0;
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Int32), 60, 40, test::Spread::uniform, 6, false);
  const Csr csr = test::csr_to_device(matrix, false, false);
  for (const uint64_t slots : {4, 2, 1}) {
    const RefUpdates first = test::random_updates(random, matrix, 200, 0.3);
    RefMatrix middle = matrix;
    test::apply(middle, first, std::nullopt);
    const RefUpdates updates = test::random_updates(random, middle, 300, 0.3);
    for (const char* point : {"allocation:", "launch:"}) {
      bool reached = true;
      for (unsigned n = 1; n < 60 && reached; ++n) {
        INFO(point << n << ", segments " << slots);
        Dcsr dcsr = make_dcsr(csr, {slots, 1, 1});
        formats::update(dcsr, test::to_device(first, csr, false));
        const formats::EntryUpdates given = test::to_device(updates, csr, false);
        runtime::injection::reset(point + std::to_string(n));
        bool failed = false;
        try {
          formats::update(dcsr, given);
        } catch (const std::exception&) {
          failed = true;
          ++failures;
        }
        reached = runtime::injection::count(*point == 'a' ? runtime::injection::Point::allocation
                                                          : runtime::injection::Point::launch) >= n;
        runtime::injection::reset("");
        RefMatrix expected = middle;
        if (!failed) test::apply(expected, updates, std::nullopt);
        check_same(dcsr, expected);
        formats::update(dcsr, given);
        expected = middle;
        test::apply(expected, updates, std::nullopt);
        check_same(dcsr, expected);
      }
      CHECK_FALSE(reached);
    }
  }
  CHECK(failures > 40);
}

TEST_CASE("the check of a dynamic CSR that has changed names what is wrong") {
  test::Random random(85);
  const Type& type = Type::of(TypeCode::Fp32);
  const RefMatrix matrix = test::matrix_of_lengths(random, type, {4, 2}, 20);
  const Csr csr = test::csr_to_device(matrix, false, false);
  Dcsr good = make_dcsr(csr, {3, 1, 4});
  formats::update(
      good, test::to_device({{{0, 9}, test::make_value(type, 1)}, {{0, 12}, test::make_value(type, 2)}}, csr,
                            false));
  CHECK(formats::check(good) == "");
  const auto with = [&](auto change) {
    Dcsr dcsr = good;
    change(dcsr);
    return formats::check(dcsr);
  };
  CHECK(with([](Dcsr& d) { d.column_indices = test::with_word(d.column_indices, 4, 2); }).find("twice") !=
        std::string::npos);
  CHECK(with([](Dcsr& d) { d.column_indices = test::with_word(d.column_indices, 4, 12); }).find("ascend") !=
        std::string::npos);
  CHECK(with([](Dcsr& d) { d.mains = test::with_word(d.mains, 0, 7); }).find("first run") !=
        std::string::npos);
}

TEST_CASE("the specialisations that change a dynamic CSR compile for GPUs without spilling registers") {
  test::check_third_compiles({"dcsr_update.h", "dcsr_build.h"});
}
