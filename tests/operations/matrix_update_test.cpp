// Batches of changed entries in whichever form a matrix is, against a map: each way forced, copies, products
// of what is fragmented, batches that outputs take, failures.
#include "src/operations/matrix_update.h"

#include <cstring>
#include <functional>

#include "cuda/runtime/injection.h"
#include "src/formats/dcsr_update.h"
#include "src/operations/fragment_factors.h"
#include "src/operations/fragment_select.h"
#include "src/operations/matrix_assign.h"
#include "src/operations/matrix_elementwise.h"
#include "src/operations/matrix_extract.h"
#include "src/operations/matrix_operations.h"
#include "src/support/settings.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/formats/format_cases.h"
#include "tests/formats/update_cases.h"
#include "tests/gpu_compile.h"
#include "tests/operations/breadth.h"
#include "tests/operations/mxm_cases.h"

using namespace cugrb;
using formats::DeviceMatrix;
using test::Forced;
using test::RefMatrix;
using test::RefUpdates;

namespace {

/// As the matrix stores its rows.
formats::EntryUpdates as_stored(const RefUpdates& updates, const DeviceMatrix& matrix, bool iso) {
  if (!matrix.by_column) return test::to_device(updates, matrix.stored, iso);
  RefUpdates turned;
  for (const auto& [place, value] : updates) turned[{place.second, place.first}] = value;
  return test::to_device(turned, matrix.stored, iso);
}

void check_same(DeviceMatrix matrix, const RefMatrix& expected) {
  REQUIRE(matrix.nvals() == expected.entries.size());
  if (matrix.fragments != nullptr) REQUIRE(formats::check(*matrix.fragments) == "");
  matrix.read_rows();
  REQUIRE(formats::check(matrix.stored) == "");
  const RefMatrix found = test::from_device(matrix.stored);
  CHECK(test::same(matrix.by_column ? test::transposed(found) : found, expected));
}

int32_t int_of(const Value& value) {
  int32_t number = 0;
  std::memcpy(&number, value.bytes.data(), sizeof(number));
  return number;
}

const char* const ways[] = {"update_insert", "update_merge", "update_rebuild"};

RefMatrix some_matrix(test::Random& random, const char* type = "INT32", bool iso = false) {
  return test::random_matrix(random, test::type_of(type), 60, 45, test::Spread::power_law, 6, iso);
}

}  // namespace

TEST_CASE("batches agree with a map by every way, in both orientations, and copies stay as they were") {
  test::Random random(301);
  const BinaryOp plus = *catalogue::binary_op("PLUS_INT32"), minus = *catalogue::binary_op("MINUS_FP64");
  for (const char* way : ways) {
    const Forced forced(way);
    for (const bool by_column : {false, true}) {
      for (const std::optional<BinaryOp>& op : {std::optional<BinaryOp>(), {plus}, {minus}}) {
        for (const double removed : {0.0, 0.3}) {
          INFO(way << (by_column ? " by column " : " ") << (op ? op->name : "") << removed);
          RefMatrix expected = some_matrix(random);
          DeviceMatrix matrix = test::to_device(expected, by_column, false);
          for (const size_t count : {3, 60, 1}) {
            const DeviceMatrix copy = matrix;
            const RefMatrix before = expected;
            const RefUpdates updates = test::random_updates(random, expected, count, removed);
            const std::string said = operations::update(matrix, as_stored(updates, matrix, false), op);
            CHECK(said != "");
            test::apply(expected, updates, op);
            check_same(matrix, expected);
            check_same(copy, before);
          }
          if (std::string(way) == "update_insert") CHECK(matrix.fragments != nullptr);
          if (std::string(way) == "update_merge") CHECK(matrix.fragments == nullptr);
          CHECK(matrix.history.batches == 3);
        }
      }
    }
  }
}

TEST_CASE("one value stays one through insertion, and values of every size are moved") {
  test::Random random(302);
  const Forced forced("update_insert");
  for (const char* type : test::by_turns({"BOOL", "INT16", "FP32", "FP64"})) {
    for (const bool iso : {false, true}) {
      INFO(type << iso);
      RefMatrix expected = some_matrix(random, type, iso);
      const Value one = expected.entries.begin()->second;
      DeviceMatrix matrix = test::to_device(expected, false, iso);
      for (int batch = 0; batch < 3; ++batch) {
        const RefUpdates updates = test::random_updates(random, expected, 40, 0.2, iso ? &one : nullptr);
        operations::update(matrix, as_stored(updates, matrix, iso));
        test::apply(expected, updates, std::nullopt);
        check_same(matrix, expected);
      }
      CHECK(matrix.stored.iso == iso);
      CHECK(matrix.bytes() >= matrix.fragments->bytes());
    }
  }
}

TEST_CASE("an entry of a fragmented matrix is found where it is") {
  test::Random random(303);
  const Forced forced("update_insert");
  RefMatrix expected = some_matrix(random);
  DeviceMatrix matrix = test::to_device(expected, false, false);
  const RefUpdates updates = test::random_updates(random, expected, 90, 0.3);
  operations::update(matrix, as_stored(updates, matrix, false));
  test::apply(expected, updates, std::nullopt);
  for (const auto& [place, value] : updates) {
    const auto found = formats::find_entry(*matrix.fragments, place.first, place.second);
    REQUIRE(found.has_value() == value.has_value());
    if (value) CHECK(matrix.fragments->values.read<int32_t>(*found) == int_of(*value));
  }
  // Fresh from CSR each row is one run.
  const formats::Dcsr fresh = formats::make_dcsr(test::csr_to_device(expected, false, false));
  const auto& [place, value] = *expected.entries.begin();
  REQUIRE(formats::find_entry(fresh, place.first, place.second).has_value());
}

TEST_CASE("products read fragments: pulled along rows and pushed, for every form of the vector") {
  test::Random random(304);
  for (const char* kernel : {"mxv_dcsr", "mxv_adcsr", "vxm_push"}) {
    const bool pushes = std::string(kernel) == "vxm_push";
    for (const char* name : test::by_turns({"PLUS_TIMES_FP64", "MIN_PLUS_INT32", "PLUS_SECOND_INT64",
                                            "LOR_LAND_BOOL", "MAX_FIRSTJ_INT32"})) {
      const test::MeantSemiring semiring = test::built_in_semiring(name);
      for (const bool iso : {false, true}) {
        for (const test::Spread spread :
             {test::Spread::power_law, test::Spread::one_huge_row, test::Spread::empty_rows}) {
          RefMatrix expected = test::random_matrix(random, test::type_of("INT32"), 70, 90, spread, 5, iso);
          DeviceMatrix matrix = test::to_device(expected, /*by_column=*/pushes, iso);
          const Value one = expected.entries.begin()->second;
          {
            const Forced forced("update_insert");
            for (int batch = 0; batch < 3; ++batch) {
              const RefUpdates updates =
                  test::random_updates(random, expected, 60, 0.2, iso ? &one : nullptr);
              operations::update(matrix, as_stored(updates, matrix, iso));
              test::apply(expected, updates, std::nullopt);
            }
          }
          const Forced forced(kernel);
          operations::settle_form(matrix, semiring.semiring, /*transpose=*/false);
          REQUIRE(matrix.fragments != nullptr);
          for (const Form form : {Form::full, Form::bitmap, Form::sparse}) {
            INFO(kernel << " " << name << (iso ? " iso " : " ") << int(form) << " " << int(spread));
            const test::RefVector vector =
                test::random_vector(random, test::type_of("INT32"), 90, form == Form::full ? 1 : 0.4, false);
            CHECK(test::run_plain_mxv(semiring, expected, matrix, vector, form, false) == "");
            CHECK(test::run_plain_mxv(semiring, expected, matrix, vector, form, true) == "");
          }
        }
      }
    }
  }
}

TEST_CASE("rows of more than a thousand entries are summed by blocks, also those that have grown or shrunk") {
  test::Random random(309);
  RefMatrix expected =
      test::matrix_of_lengths(random, test::type_of("INT32"), {3, 1500, 0, 900, 2100, 1020, 1030, 7}, 2200);
  for (const char* name : test::by_turns({"PLUS_TIMES_INT32", "LOR_LAND_BOOL"})) {
    const test::MeantSemiring semiring = test::built_in_semiring(name);
    RefMatrix now = expected;
    DeviceMatrix matrix = test::to_device(now, false, false);
    for (int batch = 0; batch < 3; ++batch) {
      const Forced forced("update_insert");
      RefUpdates updates = test::random_updates(random, now, 400, 0.5);
      for (uint64_t column = 0; column < 60; ++column)
        updates[{5, 2000 + column}] = test::make_value(now.type, 2);
      operations::update(matrix, as_stored(updates, matrix, false));
      test::apply(now, updates, std::nullopt);
      REQUIRE(matrix.fragments != nullptr);
      CHECK(matrix.history.longest_row == 2100);
      for (const Form form : {Form::full, Form::bitmap}) {
        INFO(name << batch << int(form));
        const test::RefVector vector =
            test::random_vector(random, now.type, 2200, form == Form::full ? 1 : 0.4, false);
        CHECK(test::run_plain_mxv(semiring, now, matrix, vector, form, false) == "");
      }
    }
  }
}

TEST_CASE("a product of matrices reads the rows of a fragmented factor that the other one meets") {
  test::Random random(316);
  const RefMatrix first =
      test::random_matrix(random, test::type_of("INT32"), 90, 70, test::Spread::power_law, 5, false);
  const RefMatrix few_left =
      test::random_matrix(random, test::type_of("INT32"), 40, 90, test::Spread::empty_rows, 0.2, false);
  const RefMatrix few_right =
      test::random_matrix(random, test::type_of("INT32"), 70, 30, test::Spread::empty_rows, 0.1, false);
  for (const char* name : test::by_turns({"PLUS_TIMES_INT32", "MAX_FIRSTJ_INT32", "LOR_LAND_BOOL"})) {
    const test::MeantSemiring semiring = test::built_in_semiring(name);
    for (const bool by_column : {false, true}) {
      for (const bool is_second : {false, true}) {
        for (const bool transposed : {false, true}) {
          INFO(name << (by_column ? ", by column" : "") << (is_second ? ", second" : ", first")
                    << (transposed ? ", transposed" : ""));
          RefMatrix now = first;
          DeviceMatrix matrix = test::to_device(transposed ? test::transposed(now) : now, by_column, false);
          {
            const Forced forced("update_insert");
            RefMatrix held = transposed ? test::transposed(now) : now;
            for (int batch = 0; batch < 2; ++batch) {
              const RefUpdates updates = test::random_updates(random, held, 60, 0.2);
              operations::update(matrix, as_stored(updates, matrix, false));
              test::apply(held, updates, std::nullopt);
            }
            now = transposed ? test::transposed(held) : held;
          }
          const RefMatrix& few = is_second ? few_left : few_right;
          DeviceMatrix other = test::to_device(few, false, false);
          DeviceMatrix &a = is_second ? other : matrix, &b = is_second ? matrix : other;
          const bool transpose_a = !is_second && transposed, transpose_b = is_second && transposed;
          operations::settle_factors(a, b, transpose_a, transpose_b);
          CHECK(matrix.fragments != nullptr);
          // Where the summed index numbers stored rows few of them are copied, else all.
          CHECK((matrix.history.copies == 0) == (is_second == (by_column == transposed)));
          const RefMatrix &left = is_second ? few : now, &right = is_second ? now : few;
          DeviceMatrix c =
              test::to_device({semiring.semiring.add.type(), left.rows, right.columns, {}}, false, false);
          operations::mxm({c, {}, std::nullopt, false}, {semiring.semiring, a, b, transpose_a, transpose_b});
          const test::MatrixTerms terms = test::terms_of(left, right, semiring.multiply);
          const test::RefVector found = test::flattened(test::read_back(c));
          CHECK(test::difference(test::sums_of(semiring, terms, left.rows, right.columns, found), found) ==
                "");
        }
      }
    }
  }
}

namespace {

/// Of two batches that were inserted.
DeviceMatrix fragmented(test::Random& random, RefMatrix& matrix, bool by_column, bool iso) {
  const Forced forced("update_insert");
  const Value one = matrix.entries.begin()->second;
  DeviceMatrix made = test::to_device(matrix, by_column, iso);
  for (int batch = 0; batch < 2; ++batch) {
    const RefUpdates updates = test::random_updates(random, matrix, 60, 0.2, iso ? &one : nullptr);
    operations::update(made, as_stored(updates, made, iso));
    test::apply(matrix, updates, std::nullopt);
  }
  REQUIRE(made.fragments != nullptr);
  return made;
}

}  // namespace

TEST_CASE("fragmented factors are copied for their product, until it pays to put them together") {
  test::Random random(317);
  const test::MeantSemiring semiring = test::built_in_semiring("PLUS_TIMES_INT32");
  for (const bool one_matrix : {false, true}) {
    for (const bool by_column : {false, true}) {
      for (const bool transpose : {false, true}) {
        INFO(one_matrix << by_column << transpose);
        RefMatrix left =
            test::random_matrix(random, test::type_of("INT32"), 50, 50, test::Spread::power_law, 5, false);
        RefMatrix right = left;
        DeviceMatrix a = fragmented(random, left, by_column, false);
        DeviceMatrix b = fragmented(random, right, !by_column, false);
        if (one_matrix) right = left;
        DeviceMatrix& second = one_matrix ? a : b;
        for (int time = 0; time < 6; ++time) {
          operations::settle_factors(a, second, transpose, false);
          if (time == 0) CHECK((a.fragments != nullptr && second.fragments != nullptr));
          DeviceMatrix c = test::to_device({test::type_of("INT32"), 50, 50, {}}, false, false);
          operations::mxm({c, {}, std::nullopt, false}, {semiring.semiring, a, second, transpose, false});
          const RefMatrix of_a = transpose ? test::transposed(left) : left;
          const test::MatrixTerms terms = test::terms_of(of_a, right, semiring.multiply);
          const test::RefVector found = test::flattened(test::read_back(c));
          CHECK(test::difference(test::sums_of(semiring, terms, 50, 50, found), found) == "");
        }
        CHECK(a.fragments == nullptr);
        CHECK(second.fragments == nullptr);
      }
    }
  }
}

TEST_CASE("entries are selected from a fragmented matrix and from its segments, by values and by places") {
  test::Random random(318);
  struct Case {
    const char* name;
    std::function<bool(int32_t x, int64_t i, int64_t j)> keeps;
  };
  const int64_t thunk = 3;
  const Case cases[] = {{"VALUEGT_INT32", [&](int32_t x, int64_t, int64_t) { return x > thunk; }},
                        {"VALUEEQ_INT32", [&](int32_t x, int64_t, int64_t) { return x == thunk; }},
                        {"TRIL", [&](int32_t, int64_t i, int64_t j) { return j <= i + thunk; }},
                        {"ROWLE", [&](int32_t, int64_t i, int64_t) { return i <= thunk; }}};
  for (const test::Spread spread : {test::Spread::power_law, test::Spread::one_huge_row}) {
    for (const bool by_column : {false, true}) {
      for (const bool transpose : {false, true}) {
        for (const bool iso : {false, true}) {
          RefMatrix expected = test::random_matrix(random, test::type_of("INT32"), 300, 280, spread, 9, iso);
          DeviceMatrix matrix = fragmented(random, expected, by_column, iso);
          const RefMatrix source = transpose ? test::transposed(expected) : expected;
          for (const Case& c : cases) {
            INFO(c.name << int(spread) << by_column << transpose << iso);
            const IndexUnaryOp op = *catalogue::index_unary_op(c.name);
            RefMatrix wanted{source.type, source.rows, source.columns, {}};
            for (const auto& [place, value] : source.entries) {
              if (c.keeps(int_of(value), int64_t(place.first), int64_t(place.second)))
                wanted.entries[place] = value;
            }
            operations::settle_reading(matrix);
            REQUIRE(matrix.fragments != nullptr);
            matrix.history.products = 0;
            for (const auto& select : {operations::select, operations::select_of_segments}) {
              DeviceMatrix result =
                  test::to_device({source.type, source.rows, source.columns, {}}, false, false);
              select({result, {}, std::nullopt, false}, op, {matrix, transpose},
                     test::make_value(op.thunk, double(thunk)));
              check_same(result, wanted);
              CHECK(matrix.fragments != nullptr);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("without memory for a CSR of all rows entries are selected from the segments") {
  test::Random random(320);
  RefMatrix expected =
      test::random_matrix(random, test::type_of("INT32"), 300, 280, test::Spread::uniform, 9, false);
  const DeviceMatrix matrix = fragmented(random, expected, false, false);
  const IndexUnaryOp op = *catalogue::index_unary_op("TRIL");
  RefMatrix wanted{expected.type, expected.rows, expected.columns, {}};
  for (const auto& [place, value] : expected.entries) {
    if (place.second <= place.first) wanted.entries[place] = value;
  }
  DeviceMatrix result = test::to_device({expected.type, expected.rows, expected.columns, {}}, false, false);
  const auto select = [&] {
    operations::select({result, {}, std::nullopt, false}, op, {matrix, false},
                       test::make_value(op.thunk, 0.0));
  };
  select();
  check_same(result, wanted);
  result = test::to_device({expected.type, expected.rows, expected.columns, {}}, false, false);
  trace::keep_records(true);
  runtime::injection::reset("allocation:1");
  {
    const trace::Scope scope("select");
    select();
  }
  runtime::injection::reset("");
  CHECK(trace::last_text().find("selected from segments") != std::string::npos);
  trace::keep_records(false);
  check_same(result, wanted);
  CHECK(matrix.fragments != nullptr);
}

TEST_CASE("a column across the rows of a fragmented matrix is searched for in its segments") {
  test::Random random(319);
  for (const bool by_column : {false, true}) {
    for (const bool iso : {false, true}) {
      RefMatrix expected =
          test::random_matrix(random, test::type_of("INT32"), 80, 30, test::Spread::power_law, 6, iso);
      DeviceMatrix matrix = fragmented(random, expected, by_column, iso);
      for (uint64_t line = 0; line < (by_column ? expected.rows : expected.columns); ++line) {
        const uint64_t length = by_column ? expected.columns : expected.rows;
        formats::DeviceVector w = formats::DeviceVector::empty(test::type_of("INT32"), length);
        operations::settle_column(matrix);
        REQUIRE(matrix.fragments != nullptr);
        operations::extract_column({w, {}, std::nullopt, false}, {matrix, by_column}, {true, length, nullptr},
                                   line);
        test::RefVector wanted{test::type_of("INT32"), length, {}};
        for (const auto& [place, value] : expected.entries) {
          if ((by_column ? place.first : place.second) == line)
            wanted.entries[by_column ? place.second : place.first] = value;
        }
        CHECK(test::difference(wanted, test::from_device(w)) == "");
      }
    }
  }
}

TEST_CASE("bins of a fragmented matrix serve products while its rows grow, shrink, come and go") {
  test::Random random(314);
  // A lane has the shortest rows, a block that of 2100, several blocks share that of 40,000.
  const std::vector<uint64_t> lengths = {3, 0, 1500, 2, 40000, 2100, 17, 60, 9, 0, 4, 33};
  const RefMatrix expected = test::matrix_of_lengths(random, test::type_of("INT32"), lengths, 60000);
  for (const char* name : test::by_turns({"PLUS_TIMES_INT32", "LOR_LAND_BOOL", "MAX_FIRSTJ_INT32"})) {
    const test::MeantSemiring semiring = test::built_in_semiring(name);
    RefMatrix now = expected;
    DeviceMatrix matrix = test::to_device(now, false, false);
    for (int batch = 0; batch < 4; ++batch) {
      RefUpdates updates = test::random_updates(random, now, 300, 0.5);
      const auto add = [&](uint64_t row, uint64_t first, uint64_t count) {
        for (uint64_t n = 0; n < count; ++n) updates[{row, first + 2 * n}] = test::make_value(now.type, 2);
      };
      if (batch == 1) add(1, 11, 500);    // far beyond what a lane takes
      if (batch == 2) add(4, 1, 20000);   // beyond its chunks; all segments are taken, and it is put together
      if (batch == 3) add(3, 100, 3000);  // more than a warp takes
      formats::insert(matrix, as_stored(updates, matrix, false), std::nullopt, {4, 1, 3, 0, /*binned=*/true});
      test::apply(now, updates, std::nullopt);
      REQUIRE(matrix.fragments != nullptr);
      REQUIRE(matrix.fragments->bins != nullptr);
      REQUIRE(formats::check(*matrix.fragments) == "");
      for (const char* kernel : {"mxv_dcsr", "mxv_adcsr", ""}) {
        const Forced forced(kernel);
        for (const Form form : {Form::full, Form::bitmap}) {
          INFO(name << ", batch " << batch << ", " << kernel << ", " << int(form));
          const test::RefVector vector =
              test::random_vector(random, now.type, 60000, form == Form::full ? 1 : 0.4, false);
          CHECK(test::run_plain_mxv(semiring, now, matrix, vector, form, false) == "");
        }
      }
    }
    check_same(matrix, now);
  }
}

TEST_CASE("products go along the merge path of rows with room, while these grow, shrink, come and go") {
  test::Random random(321);
  const std::vector<uint64_t> lengths = {3, 0, 150, 2, 700, 17, 60, 0, 0, 9, 4, 33, 1, 0};
  for (const uint64_t room : {0, 2}) {
    for (const char* name :
         test::by_turns({"PLUS_TIMES_INT32", "PLUS_TIMES_FP64", "LOR_LAND_BOOL", "MAX_FIRSTJ_INT32"})) {
      const test::MeantSemiring semiring = test::built_in_semiring(name);
      RefMatrix now = test::matrix_of_lengths(random, test::type_of("INT32"), lengths, 4000);
      DeviceMatrix matrix = test::to_device(now, false, false);
      for (int batch = 0; batch < 5; ++batch) {
        RefUpdates updates = test::random_updates(random, now, batch == 4 ? 900 : 40, 0.5);
        const auto add = [&](uint64_t row, uint64_t first, uint64_t count) {
          for (uint64_t n = 0; n < count; ++n) updates[{row, first + 2 * n}] = test::make_value(now.type, 2);
        };
        if (batch == 1) add(1, 11, 3);    // a row that had no entry
        if (batch == 1) add(9, 11, 200);  // more than lanes add to a row
        if (batch == 2) add(4, 1, 1900);  // more than a warp does
        if (batch == 3) {                 // a row that loses all it has
          for (const auto& [place, value] : now.entries)
            if (place.first == 6) updates[place] = std::nullopt;
        }
        const DeviceMatrix before = matrix;
        const RefMatrix then = now;
        formats::insert(matrix, as_stored(updates, matrix, false), std::nullopt,
                        {4, 1, 3, 0, false, false, room, /*merges=*/true});
        test::apply(now, updates, std::nullopt);
        REQUIRE(matrix.fragments->plan != nullptr);
        REQUIRE(formats::check(*matrix.fragments) == "");
        for (const char* kernel : {"mxv_merge", "mxv_dcsr", ""}) {
          const Forced forced(kernel);
          for (const Form form : {Form::full, Form::bitmap, Form::sparse}) {
            INFO(name << ", room " << room << ", batch " << batch << ", " << kernel << ", " << int(form));
            const test::RefVector vector =
                test::random_vector(random, now.type, 4000, form == Form::full ? 1 : 0.4, false);
            CHECK(test::run_plain_mxv(semiring, now, matrix, vector, form, false) == "");
            if (batch > 0) CHECK(test::run_plain_mxv(semiring, then, before, vector, form, true) == "");
          }
        }
      }
      formats::Dcsr dcsr = *matrix.fragments;
      formats::defragment(dcsr);
      REQUIRE(formats::check(dcsr) == "");
      CHECK(dcsr.plan != nullptr);
      check_same(matrix, now);
    }
  }
}

TEST_CASE("masks, accumulators and one value along the merge path of fragments") {
  test::Random random(322);
  for (const test::MaskKind mask :
       {test::MaskKind::none, test::MaskKind::structural, test::MaskKind::valued_complement}) {
    for (const bool iso : {false, true}) {
      test::MxvConfiguration configuration{"PLUS_TIMES_INT32", "INT32", "INT32"};
      configuration.mask = mask;
      configuration.iso_matrix = iso;
      configuration.accumulate = "MINUS_INT32";
      const test::MxvShape shape{90, 70, test::Spread::power_law, 8, 1, false, false, false};
      const test::MeantSemiring semiring = test::built_in_semiring(configuration.semiring);
      CHECK(test::run_mxv_by(configuration, semiring, shape, random,
                             [&](const operations::VectorOutput& w, const RefMatrix& whole,
                                 const formats::DeviceVector& u) {
                               RefMatrix part = whole;
                               RefUpdates rest;
                               for (const auto& [place, value] : whole.entries) {
                                 if ((place.first + place.second) % 5 == 0) rest[place] = value;
                               }
                               for (const auto& [place, value] : rest) part.entries.erase(place);
                               DeviceMatrix matrix = test::to_device(part, false, iso);
                               formats::insert(matrix, as_stored(rest, matrix, iso), std::nullopt,
                                               {4, 1, 1, 0, false, false, 1, /*merges=*/true});
                               const Forced forced("mxv_merge");
                               operations::mxv(w, {semiring.semiring, matrix, u});
                             }) == "");
    }
  }
}

TEST_CASE("a defragmentation lays rows out in the order of their numbers, or of their bins") {
  test::Random random(315);
  for (const auto& [width, ordered] :
       {std::pair<uint64_t, bool>{0, false}, {0, true}, {6, false}, {6, true}}) {
    INFO("width " << width << (ordered ? ", ordered" : ""));
    RefMatrix expected =
        test::random_matrix(random, test::type_of("INT32"), 300, 400, test::Spread::power_law, 9, false);
    DeviceMatrix matrix = test::to_device(expected, false, false);
    for (int batch = 0; batch < 2; ++batch) {
      const RefUpdates updates = test::random_updates(random, expected, 200, 0.2);
      formats::insert(matrix, as_stored(updates, matrix, false), std::nullopt,
                      {4, 1, 3, width, true, ordered});
      test::apply(expected, updates, std::nullopt);
    }
    formats::Dcsr dcsr = *matrix.fragments;
    const auto bins = dcsr.bins;
    formats::defragment(dcsr);
    REQUIRE(formats::check(dcsr) == "");
    CHECK(dcsr.bins == bins);
    CHECK(test::same(test::from_device(formats::to_csr(dcsr)), expected));
    const auto rows = dcsr.bins->bins.rows.to_host<uint32_t>(300);
    const auto table = dcsr.segments.to_host<uint32_t>(2 * 300);
    for (size_t r = 1; r < 300; ++r) {
      const size_t row = ordered ? rows[r] : r, before = ordered ? rows[r - 1] : r - 1;
      CHECK(table[2 * row] == table[2 * before + 1]);
    }
    // With half as many entries more the bins are made anew.
    RefUpdates many;
    for (uint64_t column = 0; column < 380; ++column) {
      for (uint64_t row = 0; row < 12; ++row) many[{25 * row, column}] = test::make_value(expected.type, 5);
    }
    formats::update(dcsr, as_stored(many, matrix, false));
    test::apply(expected, many, std::nullopt);
    formats::defragment(dcsr);
    CHECK(dcsr.bins != bins);
    CHECK(dcsr.bins->bins.starts != bins->bins.starts);
    REQUIRE(formats::check(dcsr) == "");
    CHECK(test::same(test::from_device(formats::to_csr(dcsr)), expected));
  }
}

TEST_CASE("rows that become dynamic CSR have room, which entries fill before they get segments") {
  test::Random random(316);
  const SettingsGuard guard;
  Settings asked = settings();
  asked.force = "update_insert";
  for (const bool by_column : {false, true}) {
    for (const std::optional<uint64_t> room : {std::optional<uint64_t>(), {0}, {3}}) {
      INFO((room ? "room " + std::to_string(*room) : "as suits the rows")
           << (by_column ? ", by column" : ""));
      asked.segments.room = room;
      override_settings(asked);
      const auto place = [&](uint64_t n) {
        return by_column ? std::pair(n, uint64_t(7)) : std::pair(uint64_t(7), n);
      };
      RefMatrix expected =
          test::random_matrix(random, test::type_of("INT32"), 300, 300, test::Spread::uniform, 20, false);
      for (uint64_t n = 200; n < 210; ++n) expected.entries.erase(place(n));
      DeviceMatrix matrix = test::to_device(expected, by_column, false);
      const uint64_t suits = (expected.entries.size() / 300 + 7) / 8, spare = room.value_or(suits);
      REQUIRE(suits >= 2);
      const uint64_t laid_out = expected.entries.size() + 300 * spare;
      const auto update = [&](const RefUpdates& updates) {
        operations::update(matrix, as_stored(updates, matrix, false));
        test::apply(expected, updates, std::nullopt);
        REQUIRE(matrix.fragments != nullptr);
        check_same(matrix, expected);
      };
      RefUpdates fills;
      for (uint64_t n = 0; n < std::max<uint64_t>(spare, 1); ++n)
        fills[place(200 + n)] = test::make_value(expected.type, 5);
      update(fills);
      CHECK((matrix.fragments->used == laid_out) == (spare > 0));
      CHECK(matrix.fragments->room == spare);
      update({{place(209), test::make_value(expected.type, 6)}});  // row 7 has no room left
      CHECK(matrix.fragments->used > laid_out);
      for (int batch = 0; batch < 3; ++batch) update(test::random_updates(random, expected, 60, 0.2));
      formats::Dcsr dcsr = *matrix.fragments;
      formats::defragment(dcsr);
      REQUIRE(formats::check(dcsr) == "");
      CHECK(dcsr.used == dcsr.entries + 300 * spare);
      CHECK(dcsr.compact == (spare == 0));
      const RefMatrix stored = by_column ? test::transposed(expected) : expected;
      CHECK(test::same(test::from_device(formats::to_csr(dcsr)), stored));
    }
  }
}

TEST_CASE("rows are laid out anew ahead of a batch when products have paid enough for segments apart") {
  test::Random random(323);
  const Forced forced("update_insert");
  RefMatrix expected =
      test::random_matrix(random, test::type_of("INT32"), 200, 200, test::Spread::uniform, 9, false);
  DeviceMatrix matrix = test::to_device(expected, false, false);
  const auto update = [&] {
    const RefUpdates updates = test::random_updates(random, expected, 150, 0);
    operations::update(matrix, as_stored(updates, matrix, false));
    test::apply(expected, updates, std::nullopt);
    check_same(matrix, expected);
  };
  while (matrix.fragments == nullptr || matrix.fragments->used == matrix.fragments->laid_out) update();
  const DeviceMatrix copy = matrix;
  const RefMatrix then = expected;
  const uint64_t laid_out = matrix.fragments->laid_out;
  update();
  CHECK(matrix.fragments->laid_out == laid_out);  // no product has paid
  matrix.history.products = uint64_t(1) << 40;
  update();
  CHECK(matrix.fragments->laid_out > laid_out);
  CHECK(matrix.history.apart_seconds == 0);
  check_same(copy, then);
}

TEST_CASE("rows of few entries, most of which have none, get no room") {
  const SettingsGuard guard;
  Settings asked = settings();
  asked.force = "update_insert";
  override_settings(asked);
  test::Random random(317);
  RefMatrix expected =
      test::random_matrix(random, test::type_of("INT32"), 5000, 50, test::Spread::uniform, 0, false);
  expected.entries[{3, 4}] = test::make_value(expected.type, 1);
  DeviceMatrix matrix = test::to_device(expected, false, false);
  const RefUpdates updates{{{9, 9}, test::make_value(expected.type, 2)}};
  operations::update(matrix, as_stored(updates, matrix, false));
  test::apply(expected, updates, std::nullopt);
  REQUIRE(matrix.fragments != nullptr);
  CHECK(matrix.fragments->room == 0);
  CHECK(matrix.fragments->capacity < 100);
  check_same(matrix, expected);
}

TEST_CASE("segments of a row are as many and as wide as is asked for") {
  test::Random random(313);
  const SettingsGuard guard;
  Settings asked = settings();
  asked.force = "update_insert";
  asked.segments = {2, 9, 12};
  override_settings(asked);
  RefMatrix expected = some_matrix(random);
  DeviceMatrix matrix = test::to_device(expected, false, false);
  for (int batch = 0; batch < 4; ++batch) {
    const RefUpdates updates = test::random_updates(random, expected, 60, 0.2);
    operations::update(matrix, as_stored(updates, matrix, false));
    test::apply(expected, updates, std::nullopt);
    REQUIRE(matrix.fragments != nullptr);
    CHECK(matrix.fragments->slots == 2);
    CHECK(matrix.fragments->slack == 9);
    CHECK(matrix.fragments->width == 12);
    CHECK(matrix.fragments->used >= 12 * matrix.rows);
    check_same(matrix, expected);
  }
}

TEST_CASE("up to half of a fragmented matrix's rows are extracted from its segments, in both orientations") {
  test::Random random(312);
  for (const bool by_column : {false, true}) {
    for (const bool iso : {false, true}) {
      RefMatrix expected =
          test::random_matrix(random, test::type_of("INT32"), 200, 180, test::Spread::power_law, 6, iso);
      DeviceMatrix matrix = test::to_device(expected, by_column, iso);
      const Value one = expected.entries.begin()->second;
      {
        const Forced forced("update_insert");
        for (int batch = 0; batch < 3; ++batch) {
          const RefUpdates updates = test::random_updates(random, expected, 90, 0.2, iso ? &one : nullptr);
          operations::update(matrix, as_stored(updates, matrix, iso));
          test::apply(expected, updates, std::nullopt);
        }
      }
      const std::vector<uint64_t> few = {7, 0, 93, 7, 0}, others = {5, 179, 2, 2, 44, 90};
      std::vector<uint64_t> half(by_column ? 90 : 100);
      for (uint64_t& line : half) line = test::below(random, by_column ? 180 : 200);
      const operations::Indices second{false, others.size(), others.data()};
      const operations::Indices all{true, by_column ? uint64_t(200) : uint64_t(180), nullptr};
      for (const auto& [list, listed] :
           {std::pair(&few, false), {&few, true}, {&half, false}, {&half, true}}) {
        INFO(list->size() << " lines" << (listed ? ", and some of the others" : ""));
        const operations::Indices first{false, list->size(), list->data()};
        const operations::Indices& rows = by_column ? (listed ? second : all) : first;
        const operations::Indices& columns = by_column ? first : (listed ? second : all);
        operations::settle_extraction(matrix, false, rows, columns);
        REQUIRE(matrix.fragments != nullptr);
        DeviceMatrix c =
            test::to_device({test::type_of("INT32"), rows.count, columns.count, {}}, false, false);
        operations::extract({c, {}, std::nullopt, false}, {matrix, false}, rows, columns);
        RefMatrix wanted{test::type_of("INT32"), rows.count, columns.count, {}};
        for (uint64_t k = 0; k < rows.count; ++k) {
          for (uint64_t l = 0; l < columns.count; ++l) {
            const auto found =
                expected.entries.find({rows.all ? k : rows.list[k], columns.all ? l : columns.list[l]});
            if (found != expected.entries.end()) wanted.entries[{k, l}] = found->second;
          }
        }
        check_same(c, wanted);
      }
      // One row, as a column of the transpose.
      const operations::Indices whole{true, all.count, nullptr};
      const uint64_t row = expected.entries.begin()->first.first,
                     column = expected.entries.begin()->first.second;
      const uint64_t line = by_column ? column : row;
      formats::DeviceVector w = formats::DeviceVector::empty(test::type_of("INT32"), all.count);
      operations::extract_column({w, {}, std::nullopt, false}, {matrix, !by_column}, whole, line);
      test::RefVector wanted_line{test::type_of("INT32"), all.count, {}};
      for (const auto& [place, value] : expected.entries) {
        if ((by_column ? place.second : place.first) == line)
          wanted_line.entries[by_column ? place.first : place.second] = value;
      }
      CHECK(test::difference(wanted_line, test::from_device(w)) == "");
      // Of all rows that it has it is copied, and put together when that pays.
      const operations::Indices lines{false, few.size(), few.data()};
      const operations::Indices others_all{true, by_column ? uint64_t(180) : uint64_t(200), nullptr};
      const operations::Indices &of_rows = by_column ? others_all : lines,
                                &of_columns = by_column ? lines : others_all;
      for (int time = 0; time < 6; ++time) {
        operations::settle_extraction(matrix, true, of_rows, of_columns);
        if (time == 0) REQUIRE(matrix.fragments != nullptr);
        DeviceMatrix c =
            test::to_device({test::type_of("INT32"), of_rows.count, of_columns.count, {}}, false, false);
        operations::extract({c, {}, std::nullopt, false}, {matrix, true}, of_rows, of_columns);
        RefMatrix wanted{test::type_of("INT32"), of_rows.count, of_columns.count, {}};
        for (uint64_t k = 0; k < of_rows.count; ++k) {
          for (uint64_t l = 0; l < of_columns.count; ++l) {
            const auto found = expected.entries.find(
                {of_columns.all ? l : of_columns.list[l], of_rows.all ? k : of_rows.list[k]});
            if (found != expected.entries.end()) wanted.entries[{k, l}] = found->second;
          }
        }
        check_same(c, wanted);
      }
      CHECK(matrix.fragments == nullptr);
    }
  }
}

TEST_CASE("all entries of a fragmented matrix have the sum that they have in CSR") {
  test::Random random(308);
  const Forced forced("update_insert");
  for (const bool by_column : {false, true}) {
    for (const bool iso : {false, true}) {
      for (const char* name : test::by_turns({"PLUS_INT32", "MAX_INT32", "PLUS_FP64"})) {
        INFO(by_column << iso << name);
        RefMatrix expected = some_matrix(random, "INT32", iso);
        DeviceMatrix matrix = test::to_device(expected, by_column, iso);
        const Value one = expected.entries.begin()->second;
        const RefUpdates updates = test::random_updates(random, expected, 60, 0.2, iso ? &one : nullptr);
        operations::update(matrix, as_stored(updates, matrix, iso));
        test::apply(expected, updates, std::nullopt);
        REQUIRE(matrix.fragments != nullptr);
        const Monoid monoid = *catalogue::monoid(name);
        Value sum = *monoid.identity;
        for (const auto& [place, value] : expected.entries)
          sum = reference::apply(monoid.op, sum, reference::cast(value, monoid.type()));
        CHECK(operations::reduce(monoid, matrix)->bytes == sum.bytes);
      }
    }
  }
}

TEST_CASE("a product with a kernel that reads CSR puts the fragments together first") {
  test::Random random(305);
  RefMatrix expected = some_matrix(random);
  DeviceMatrix matrix = test::to_device(expected, false, false);
  {
    const Forced forced("update_insert");
    const RefUpdates updates = test::random_updates(random, expected, 60, 0.2);
    operations::update(matrix, as_stored(updates, matrix, false));
    test::apply(expected, updates, std::nullopt);
  }
  DeviceMatrix other = matrix;
  {
    const Forced forced("mxv_row_4");
    operations::settle_form(matrix, *catalogue::semiring("PLUS_TIMES_FP64"), false);
  }
  CHECK(matrix.fragments == nullptr);
  check_same(matrix, expected);
  {  // nor does that one push
    const Forced forced("mxv_dcsr");
    operations::settle_form(other, *catalogue::semiring("PLUS_TIMES_FP64"), /*transpose=*/true);
  }
  CHECK(other.fragments == nullptr);
  check_same(other, expected);
}

TEST_CASE("few entries that an output takes are a batch; other types, or many, are not") {
  test::Random random(306);
  const BinaryOp minus = *catalogue::binary_op("MINUS_INT32");
  for (const char* way : ways) {
    const Forced forced(way);
    for (const bool by_column : {false, true}) {
      for (const bool terms_by_column : {false, true}) {
        for (const size_t count : {20, 400}) {
          INFO(way << by_column << terms_by_column << " " << count);
          RefMatrix expected = some_matrix(random);
          DeviceMatrix c = test::to_device(expected, by_column, false);
          for (int batch = 0; batch < 2; ++batch) {
            const RefUpdates updates = test::random_updates(random, expected, count, 0);
            RefMatrix terms{expected.type, expected.rows, expected.columns, {}};
            for (const auto& [place, value] : updates) terms.entries[place] = *value;
            const DeviceMatrix t = test::to_device(terms, terms_by_column, false);
            operations::assign({c, {}, minus, false, /*any_form=*/true}, operations::MatrixInput{t, false});
            test::apply(expected, updates, minus);
            check_same(c, expected);
          }
          const bool batch_of_updates = c.history.batches > 0;
          CHECK(batch_of_updates == (count == 20));
          if (batch_of_updates) CHECK(c.by_column == by_column);
        }
      }
    }
  }
}

namespace {

void check_as_anew(const DeviceMatrix& found, const DeviceMatrix& anew) {
  const RefMatrix expected = test::from_device(anew.stored);
  check_same(found, anew.by_column ? test::transposed(expected) : expected);
}

}  // namespace

TEST_CASE("of few entries those that a mask allows are a batch; where others may go, C is made anew") {
  test::Random random(334);
  const Forced forced("update_insert");
  const BinaryOp minus = *catalogue::binary_op("MINUS_INT32");
  const uint64_t rows[] = {3, 17, 4, 55, 20}, columns[] = {40, 2, 9};
  enum class Source { whole, part, scalar };
  for (const Source source : {Source::whole, Source::part, Source::scalar}) {
    for (const auto& [structural, complement] :
         test::by_turns<std::pair<bool, bool>>({{true, false}, {false, false}, {true, true}})) {
      for (const auto& [accumulates, replace, alone] : {std::tuple{true, false, false},
                                                        {true, false, true},
                                                        {true, true, false},
                                                        {false, false, false}}) {
        for (const bool by_column : {false, true}) {
          if (source == Source::whole && alone) continue;
          INFO(int(source) << structural << complement << accumulates << replace << alone << by_column);
          const RefMatrix old =
              test::random_matrix(random, test::type_of("INT32"), 60, 45, test::Spread::uniform, 9, false);
          const auto operand = [&](uint64_t height, uint64_t width, double degree) {
            return test::to_device(
                test::random_matrix(random, old.type, height, width, test::Spread::uniform, degree, false),
                by_column, false);
          };
          const bool is_part = source != Source::whole;
          const DeviceMatrix a = is_part ? operand(5, 3, 1.5) : operand(60, 45, 0.6);
          const DeviceMatrix mask = alone ? operand(5, 3, 1.5) : operand(60, 45, 20);
          const DeviceMatrix earlier = operand(60, 45, 0.4);
          const auto made = [&](bool any_form) {
            DeviceMatrix c = test::to_device(old, by_column, false);
            operations::assign({c, {}, minus, false, any_form}, operations::MatrixInput{earlier, false});
            CHECK((c.fragments != nullptr) == any_form);
            const operations::MatrixOutput out{c,
                                               {&mask, structural, complement},
                                               accumulates ? std::optional(minus) : std::nullopt,
                                               replace,
                                               any_form};
            const operations::MatrixPart part{{false, 5, rows}, {false, 3, columns}, alone};
            if (source == Source::whole) operations::assign(out, operations::MatrixInput{a, false});
            if (source == Source::part) operations::assign(out, operations::MatrixInput{a, false}, part);
            if (source == Source::scalar)
              operations::assign_scalar(out, test::make_value(old.type, 7), old.type, part);
            return c;
          };
          const DeviceMatrix found = made(true);
          check_as_anew(found, made(false));
          // A scalar at the places of a mask: all of these are T, which are many unless they are a part's.
          const bool is_scalar = source == Source::scalar, few = !is_scalar || complement || alone;
          const bool only_adds = !replace && few && (accumulates || is_scalar);
          CHECK((found.fragments != nullptr) == only_adds);
        }
      }
    }
  }
}

TEST_CASE("an assignment to a part of few rows is a batch: what is there without an entry of T goes") {
  test::Random random(335);
  const Forced forced("update_insert");
  // Rows and columns in no order, one of them twice: the last one counts.
  const uint64_t few[] = {31, 7, 50, 7, 12}, others[] = {40, 2, 9, 2, 17, 30, 8, 25, 1};
  enum class Source { entries, nothing, full };
  for (const Source source : {Source::entries, Source::nothing, Source::full}) {
    for (const bool by_column : {false, true}) {
      for (const bool all_across : {false, true}) {
        for (const bool iso : test::by_turns({false, true})) {
          INFO(int(source) << (by_column ? " by column" : "") << all_across << iso);
          const Value one = test::make_value(test::type_of("INT32"), 3);
          const auto drawn = [&](uint64_t rows, uint64_t columns, double degree) {
            RefMatrix m =
                test::random_matrix(random, one.type, rows, columns, test::Spread::uniform, degree, false);
            for (auto& [place, value] : m.entries) value = iso ? one : value;
            return m;
          };
          const auto on_device = [&](const RefMatrix& m) {
            return test::to_device(by_column ? test::transposed(m) : m, by_column, iso);
          };
          const RefMatrix old = drawn(64, 45, 12), earlier = drawn(64, 45, 0.4);
          RefMatrix a = drawn(5, all_across ? 45 : 9, source == Source::full ? 9 : 1.5);
          if (source == Source::nothing) a.entries.clear();
          const DeviceMatrix a_there = on_device(a), earlier_there = on_device(earlier);
          const auto made = [&](bool any_form) {
            DeviceMatrix c = on_device(old);
            const BinaryOp second = catalogue::second(one.type);
            operations::assign({c, {}, second, false, any_form},
                               operations::MatrixInput{earlier_there, false});
            const operations::Indices lists[] = {
                {false, 5, few},
                all_across ? operations::Indices{true, 45, nullptr} : operations::Indices{false, 9, others}};
            const operations::MatrixPart part{lists[by_column], lists[!by_column], false};
            operations::assign({c, {}, std::nullopt, false, any_form},
                               operations::MatrixInput{a_there, false}, part);
            return c;
          };
          const DeviceMatrix found = made(true);
          check_as_anew(found, made(false));
          CHECK(found.fragments != nullptr);
        }
      }
    }
  }
}

TEST_CASE("a pattern that takes edges stays one, by an operator that keeps its value, and by no other") {
  test::Random random(310);
  const Forced forced("update_insert");
  for (const char* name : test::by_turns({"LOR_BOOL", "LXOR_BOOL"})) {
    const BinaryOp op = *catalogue::binary_op(name);
    const bool keeps = std::string(name) == "LOR_BOOL";
    RefMatrix expected = some_matrix(random, "BOOL", true);
    const Value yes = test::make_value(expected.type, 1);
    for (auto& [place, value] : expected.entries) value = yes;
    DeviceMatrix c = test::to_device(expected, false, true);
    for (int batch = 0; batch < 2; ++batch) {
      RefMatrix terms{expected.type, expected.rows, expected.columns, {}};
      const RefUpdates updates = test::random_updates(random, expected, 20, 0, &yes);
      for (const auto& [place, value] : updates) terms.entries[place] = *value;
      const DeviceMatrix t = test::to_device(terms, false, true);
      operations::assign({c, {}, op, false, /*any_form=*/true}, operations::MatrixInput{t, false});
      test::apply(expected, updates, op);
      CHECK(c.stored.iso == keeps);
      REQUIRE(c.fragments != nullptr);
      CHECK(c.fragments->iso == keeps);
      check_same(c, expected);
    }
  }
}

TEST_CASE("many products between batches count as reads of CSR, few do not") {
  test::Random random(311);
  for (const bool many : {false, true}) {
    RefMatrix expected = some_matrix(random);
    DeviceMatrix matrix = test::to_device(expected, false, false);
    for (int batch = 0; batch < 6; ++batch) {
      const RefUpdates updates = test::random_updates(random, expected, 5, 0);
      operations::update(matrix, as_stored(updates, matrix, false));
      test::apply(expected, updates, std::nullopt);
      for (int product = 0; product < (many ? 2000000 : 1); ++product)
        operations::settle_form(matrix, *catalogue::semiring("PLUS_TIMES_FP64"), false);
    }
    CHECK((matrix.history.batches == 0) == many);
    CHECK(matrix.history.batches_before <= 6);
    check_same(matrix, expected);
  }
}

TEST_CASE("no memory for dynamic CSR: the batch is merged; whatever fails, the matrix is as it was") {
  test::Random random(307);
  unsigned failures = 0, merged = 0;
  for (const bool fragmented : {false, true}) {
    RefMatrix matrix = some_matrix(random);
    DeviceMatrix start = test::to_device(matrix, false, false);
    const Forced forced("update_insert");
    if (fragmented) {
      const RefUpdates first = test::random_updates(random, matrix, 50, 0.2);
      operations::update(start, as_stored(first, start, false));
      test::apply(matrix, first, std::nullopt);
    }
    const RefUpdates updates = test::random_updates(random, matrix, 200, 0.3);
    for (const char* point : {"allocation:", "launch:"}) {
      bool failed = true;
      for (unsigned n = 1; n < 60 && failed; ++n) {
        INFO(point << n << fragmented);
        DeviceMatrix changed = start;
        const formats::EntryUpdates given = as_stored(updates, changed, false);
        runtime::injection::reset(point + std::to_string(n));
        failed = false;
        bool threw = false;
        try {
          merged += operations::update(changed, given).find("no memory") != std::string::npos ? 1 : 0;
          failed = runtime::injection::count(point[0] == 'a' ? runtime::injection::Point::allocation
                                                             : runtime::injection::Point::launch) >= n;
        } catch (const std::exception&) {
          threw = failed = true;
          ++failures;
        }
        runtime::injection::reset("");
        RefMatrix expected = matrix;
        if (!threw) test::apply(expected, updates, std::nullopt);
        check_same(changed, expected);
        check_same(start, matrix);
      }
      CHECK_FALSE(failed);
    }
  }
  CHECK(failures > 5);
  CHECK(merged > 5);
}

TEST_CASE("the specialisations that read segments compile for GPUs without spilling registers") {
  test::check_third_compiles({"vxm_push_dcsr.h", "dcsr_select.h"});
}
