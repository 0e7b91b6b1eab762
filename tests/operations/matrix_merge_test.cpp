// Matrices whose merge takes many tiles (cuda/kernels/matrix_merge.h): where tiles and threads meet, rows go
// on, are empty, or have the same column in both.
#include "src/operations/matrix_merge.h"

#include "semirings/table.h"
#include "src/formats/matrix.h"
#include "src/operations/matrix_assign.h"
#include "src/operations/matrix_elementwise.h"
#include "tests/catch.h"
#include "tests/operations/matrix_exits.h"

using namespace cugrb;
using namespace cugrb::test;
using operations::MatrixOutput;

namespace {

struct Shape {
  const char* name;
  uint64_t rows, columns;
  double of_a, of_b;  ///< share of the positions that have an entry
  uint64_t each_row;  ///< rows between those that have entries
};

const Shape shapes[] = {
    {"one full row", 1, 5000, 1, 1, 1},         {"one row, A and B apart", 1, 9000, 0.5, 0.5, 1},
    {"short rows", 4000, 3, 0.7, 0.6, 1},       {"more tiles than run at once", 24000, 3, 0.7, 0.6, 1},
    {"hardly any row", 30000, 4, 1, 0.5, 997},  {"long rows", 60, 900, 0.2, 0.05, 1},
    {"few beside many", 90, 300, 0.4, 0.01, 1}, {"nothing in A", 3000, 5, 0, 0.5, 1},
    {"one column", 6000, 1, 0.5, 0.5, 1}};

RefMatrix drawn(Random& random, const Shape& shape, double share, const char* type) {
  RefMatrix matrix{type_of(type), shape.rows, shape.columns, {}};
  for (uint64_t i = 0; i < shape.rows; i += shape.each_row) {
    for (uint64_t j = 0; j < shape.columns; ++j) {
      if (double(random() % 1000) < 1000 * share)
        matrix.entries[{i, j}] =
            reference::cast(table::value_of(Type::of(TypeCode::Int64), int64_t(random() % 9)), matrix.type);
    }
  }
  return matrix;
}

}  // namespace

TEST_CASE("operations on matrices of many tiles are what they are entry by entry") {
  const BinaryOp minus = catalogue::binary_op("MINUS_INT32").value(),
                 less = catalogue::binary_op("LT_FP64").value();
  for (const Shape& shape : shapes) {
    INFO(shape.name);
    Random random(unsigned(shape.rows + shape.columns));
    const RefMatrix a = drawn(random, shape, shape.of_a, "INT32"),
                    b = drawn(random, shape, shape.of_b, "FP64"), old = drawn(random, shape, 0.3, "INT32"),
                    mask = drawn(random, shape, 0.4, "INT8");
    const formats::DeviceMatrix device_a = to_device(a, false, false), device_b = to_device(b, false, false),
                                device_mask = to_device(mask, false, false);
    const RefVector flat_mask = flattened(mask);
    const auto check = [&](const std::string& what, const RefVector& t, bool masked, bool accumulates,
                           bool replace, const auto& compute) {
      INFO(what);
      formats::DeviceMatrix c = to_device(old, false, false);
      const std::optional<BinaryOp> accumulate = accumulates ? std::optional<BinaryOp>(minus) : std::nullopt;
      compute(MatrixOutput{
          c, {masked ? &device_mask : nullptr, /*structural=*/true, false}, accumulate, replace});
      const RefMask meant = masked ? RefMask{&flat_mask, true, false} : RefMask{};
      CHECK(difference(ref_write_back(flattened(old), meant, accumulate, replace, t),
                       flattened(read_back(c))) == "");
    };
    const RefVector sum = ref_ewise_add(minus, flattened(a), flattened(b)),
                    product = ref_ewise_mult(less, flattened(a), flattened(b));
    const auto add = [&](const MatrixOutput& c) { operations::ewise_add(c, minus, {device_a}, {device_b}); };
    const auto multiply = [&](const MatrixOutput& c) {
      operations::ewise_mult(c, less, {device_a}, {device_b});
    };
    check("add", sum, false, false, false, add);
    check("add, accumulated", sum, false, true, false, add);
    check("multiply", product, false, false, false, multiply);
    check("multiply, masked", product, true, false, true, multiply);
    check("multiply, masked and accumulated", product, true, true, false, multiply);
    check("assign, masked", flattened(a), true, false, false,
          [&](const MatrixOutput& c) { operations::assign(c, {device_a}); });
    const IndexUnaryOp greater = catalogue::index_unary_op("VALUEGT_INT32").value();
    const Value four = reference::cast(table::value_of(Type::of(TypeCode::Int64), int64_t(4)), greater.thunk);
    RefVector chosen = flattened(a);
    std::erase_if(chosen.entries, [&](const auto& entry) {
      return reference::apply(greater, entry.second, 0, 0, four).bytes[0] == 0;
    });
    check("select", chosen, false, false, false,
          [&](const MatrixOutput& c) { operations::select(c, greater, {device_a}, four); });
  }
}

TEST_CASE("matrices whose values are few bytes of two types are merged") {
  const BinaryOp minus = catalogue::binary_op("MINUS_INT32").value();
  const Shape shape = {"", 500, 40, 0, 0, 1};
  for (const auto& [type_a, type_b] : {std::pair("UINT8", "INT32"),
                                       {"INT32", "UINT8"},
                                       {"INT16", "INT8"},
                                       {"INT16", "INT16"},
                                       {"BOOL", "BOOL"}}) {
    INFO(type_a << " and " << type_b);
    Random random(3);
    const RefMatrix a = drawn(random, shape, 0.5, type_a), b = drawn(random, shape, 0.4, type_b);
    const formats::DeviceMatrix device_a = to_device(a, false, false), device_b = to_device(b, false, false);
    formats::DeviceMatrix sum = formats::matrix_by(formats::empty_csr(minus.z, 500, 40), false),
                          accumulated = device_b;
    operations::ewise_add({sum, {}, std::nullopt, false}, minus, {device_a}, {device_b});
    CHECK(difference(ref_ewise_add(minus, flattened(a), flattened(b)), flattened(read_back(sum))) == "");
    operations::assign({accumulated, {}, minus, false}, {device_a});
    CHECK(difference(ref_write_back(flattened(b), {}, minus, false, flattened(a)),
                     flattened(read_back(accumulated))) == "");
  }
}

TEST_CASE("an assignment to a block lets all tiles outside of its rows pass as they are") {
  const Shape shape = {"", 9000, 6, 0, 0, 1};
  const uint64_t first_row = 3000, rows = 3001, first_column = 1, columns = 3;
  Random random(7);
  const RefMatrix old = drawn(random, shape, 0.6, "INT32"), mask = drawn(random, shape, 0.5, "INT8"),
                  part = drawn(random, {"", rows, columns, 0, 0, 1}, 0.4, "INT32");
  RefMatrix spread{part.type, shape.rows, shape.columns, {}};
  for (const auto& [place, value] : part.entries)
    spread.entries[{first_row + place.first, first_column + place.second}] = value;
  std::vector<bool> inside(shape.rows * shape.columns, false);
  for (uint64_t i = 0; i < rows; ++i)
    for (uint64_t j = 0; j < columns; ++j) inside[(first_row + i) * shape.columns + first_column + j] = true;
  const formats::DeviceMatrix device_part = to_device(part, false, false),
                              device_mask = to_device(mask, false, false);
  const RefVector flat_mask = flattened(mask);
  const BinaryOp minus = catalogue::binary_op("MINUS_INT32").value();
  for (const unsigned way : {0u, 1u, 2u, 3u, 6u, 7u}) {
    const bool accumulates = (way & 1) != 0, masked = (way & 2) != 0, replace = (way & 4) != 0;
    INFO("accumulates " << accumulates << ", masked " << masked << ", replace " << replace);
    const std::optional<BinaryOp> accumulate = accumulates ? std::optional<BinaryOp>(minus) : std::nullopt;
    formats::DeviceMatrix c = to_device(old, false, false);
    operations::assign({c, {masked ? &device_mask : nullptr, true, false}, accumulate, replace},
                       {device_part},
                       {{false, rows, nullptr, first_row}, {false, columns, nullptr, first_column}, false});
    const RefMask meant = masked ? RefMask{&flat_mask, true, false} : RefMask{};
    CHECK(difference(ref_assign_list(flattened(old), meant, accumulate, replace, flattened(spread), inside),
                     flattened(read_back(c))) == "");
  }
}

TEST_CASE(
    "matrices of one pattern in arrays of their own are joined value by value, and of almost one they are "
    "merged") {
  Random random(5);
  const Shape shape = {"", 300, 300, 0, 0, 1};
  const RefMatrix a = drawn(random, shape, 0.8, "INT32");  // more entries than are compared at least
  const BinaryOp plus = catalogue::binary_op("PLUS_INT32").value();
  const auto columns_of = [](const formats::DeviceMatrix& matrix) {
    return matrix.stored.column_indices.data();
  };
  for (const bool same : {true, false}) {
    INFO(same);
    RefMatrix b = a;
    if (!same) {  // the last entry is at another place of its row
      const auto last = std::prev(b.entries.end());
      const auto [row, column] = last->first;
      const Value value = last->second;
      b.entries.erase(last);
      uint64_t free = 0;
      while (b.entries.count({row, free}) != 0 || free == column) ++free;
      b.entries[{row, free}] = value;
    }
    const formats::DeviceMatrix device_a = to_device(a, false, false), device_b = to_device(b, false, false);
    formats::DeviceMatrix sum = formats::matrix_by(formats::empty_csr(a.type, 300, 300), false),
                          product = sum;
    operations::ewise_add({sum, {}, std::nullopt, false}, plus, {device_a}, {device_b});
    operations::ewise_mult({product, {}, std::nullopt, false}, plus, {device_a}, {device_b});
    RefVector flat_sum = ref_ewise_add(plus, flattened(a), flattened(b)),
              flat_product = ref_ewise_mult(plus, flattened(a), flattened(b));
    CHECK(difference(flat_sum, flattened(read_back(sum))) == "");
    CHECK(difference(flat_product, flattened(read_back(product))) == "");
    CHECK((columns_of(sum) == columns_of(device_a)) == same);
    CHECK((columns_of(product) == columns_of(device_a)) == same);
    formats::DeviceMatrix accumulated = device_b;
    operations::assign({accumulated, {}, plus, false}, {device_a});
    CHECK(difference(flat_sum, flattened(read_back(accumulated))) == "");
    CHECK((columns_of(accumulated) == columns_of(device_b)) == same);
  }
}

TEST_CASE("a result with all entries of an operand has its pattern, and what is known of it") {
  Random random(3);
  const Shape shape = {"", 200, 50, 0, 0, 1};
  const RefMatrix many = drawn(random, shape, 0.5, "INT32");
  RefMatrix few = many;
  uint64_t n = 0;
  std::erase_if(few.entries, [&](const auto&) { return ++n % 3 == 0; });
  const formats::DeviceMatrix device_many = to_device(many, false, false),
                              device_few = to_device(few, false, false);
  const auto columns_of = [](const formats::DeviceMatrix& matrix) {
    return matrix.stored.column_indices.data();
  };
  const formats::RowLengths known = device_few.row_lengths(false);
  formats::DeviceMatrix c = formats::matrix_by(formats::empty_csr(many.type, 200, 50), false);
  const BinaryOp plus = catalogue::binary_op("PLUS_INT32").value();
  operations::ewise_mult({c, {}, std::nullopt, false}, plus, {device_many}, {device_few});
  CHECK(columns_of(c) == columns_of(device_few));
  CHECK(&c.pattern() == &device_few.pattern());
  CHECK(c.row_lengths(false).longest == known.longest);
  formats::DeviceMatrix sum = device_many;
  operations::assign({sum, {}, plus, false}, {device_few});
  CHECK(columns_of(sum) == columns_of(device_many));
  CHECK(&sum.pattern() == &device_many.pattern());
}
