// Kronecker products against the definition: T(iA m + iB, jA n + jB) = op(A(iA,jA), B(iB,jB)), B being m by
// n.
#include "src/operations/kronecker.h"

#include "tests/catch.h"
#include "tests/operations/breadth.h"
#include "tests/operations/matrix_exits.h"

using namespace cugrb;
using namespace cugrb::test;

namespace {

Value value_of_pair(const BinaryOp& op, const std::pair<uint64_t, uint64_t>& a, const Value& x,
                    const std::pair<uint64_t, uint64_t>& b, const Value& y) {
  switch (op.positional) {
    case Positional::None:
      return reference::apply(op, reference::cast(x, op.x), reference::cast(y, op.y));
    case Positional::SecondI:
    case Positional::SecondI1:  // the reference's k is the row of the second operand
      return reference::apply_positional(op, a.first, b.first, b.second);
    default:
      return reference::apply_positional(op, a.first, a.second, b.second);
  }
}

RefMatrix ref_kronecker(const BinaryOp& op, const RefMatrix& a, const RefMatrix& b) {
  RefMatrix t{op.z, a.rows * b.rows, a.columns * b.columns, {}};
  for (const auto& [at, x] : a.entries) {
    for (const auto& [bt, y] : b.entries) {
      t.entries[{at.first * b.rows + bt.first, at.second * b.columns + bt.second}] =
          value_of_pair(op, at, x, bt, y);
    }
  }
  return t;
}

struct Operand {
  uint64_t rows, columns;
  Spread spread;
  double degree;
  bool transpose, by_column, iso, wide;
};
/// A matrix as the product sees it, and on the device, transposed if it is to be.
struct Drawn {
  RefMatrix meant;
  formats::DeviceMatrix device;
  Drawn(Random& random, const std::string& type, const Operand& o)
      : meant(random_matrix(random, type_of(type), o.rows, o.columns, o.spread, o.degree, o.iso)),
        device(to_device(o.transpose ? transposed(meant) : meant, o.by_column, o.iso, o.wide)) {}
};

constexpr std::pair<Operand, Operand> pairs[] = {
    {{5, 7, Spread::uniform, 3, false, false, false, false},
     {6, 4, Spread::uniform, 2, false, false, false, false}},
    {{4, 9, Spread::empty_rows, 5, true, false, false, true},
     {7, 3, Spread::power_law, 0, false, true, false, false}},
    {{1, 1, Spread::no_empty_row, 1, false, true, true, false},
     {9, 12, Spread::uniform, 4, true, true, false, true}},
    {{3, 40, Spread::one_huge_row, 0, false, false, false, false},
     {4, 30, Spread::one_huge_row, 0, false, false, true, false}},
    {{4, 4, Spread::nothing, 0, false, false, false, false},
     {5, 5, Spread::uniform, 2, false, false, false, false}}};

}  // namespace

TEST_CASE("kronecker joins every entry of A with every entry of B") {
  Random random(51);
  for (const char* name :
       test::by_turns({"MINUS_FP64", "SECOND_INT32", "LT_FP32", "PAIR_INT8", "FIRSTI_INT64", "FIRSTJ1_INT32",
                       "SECONDI1_INT64", "SECONDJ_INT32"})) {
    const BinaryOp op = catalogue::binary_op(name).value();
    size_t number = 0;
    for (const auto& [first, second] : pairs) {
      INFO(name << ", pair " << number++);
      const Drawn a(random, "INT16", first), b(random, "FP32", second);
      check_all_exits(
          random, ref_kronecker(op, a.meant, b.meant), "FP64", [&](const operations::MatrixOutput& c) {
            operations::kronecker(c, op, {a.device, first.transpose}, {b.device, second.transpose});
          });
    }
  }
}

TEST_CASE("a Kronecker product of what is iso is iso") {
  Random random(52);
  const Operand iso{5, 6, Spread::uniform, 3, false, false, true, false},
      other{4, 3, Spread::uniform, 2, false, false, false, false};
  const Drawn a(random, "FP64", iso), b(random, "FP64", other);
  for (const auto& [name, expected] :
       {std::pair{"FIRST_FP64", true}, {"SECOND_FP64", false}, {"PAIR_FP64", true}}) {
    INFO(name);
    formats::DeviceMatrix c = to_device({type_of("FP64"), 20, 18, {}}, false, false);
    operations::kronecker({c, {}, std::nullopt, false}, catalogue::binary_op(name).value(), {a.device},
                          {b.device});
    CHECK(c.stored.iso == expected);
  }
}

TEST_CASE("the output of kronecker may be an operand") {
  Random random(53);
  const Operand plain{8, 5, Spread::uniform, 2, false, false, false, false};
  const BinaryOp op = catalogue::binary_op("TIMES_FP64").value();
  Drawn a(random, "FP64", plain);
  RefMatrix one{type_of("FP64"), 1, 1, {}};
  one.entries[{0, 0}] = make_value(one.type, 3);
  operations::kronecker({a.device, {}, std::nullopt, false}, op, {a.device}, {to_device(one, false, false)});
  CHECK(difference(flattened(ref_kronecker(op, a.meant, one)), flattened(read_back(a.device))) == "");
}

TEST_CASE("kronecker fails cleanly at every allocation and launch") {
  Random random(54);
  const Drawn a(random, "INT16", pairs[1].first), b(random, "FP32", pairs[1].second);
  const BinaryOp op = catalogue::binary_op("MINUS_FP64").value();
  const unsigned failures = check_failures(
      random, ref_kronecker(op, a.meant, b.meant), "FP64", [&](const operations::MatrixOutput& c) {
        a.device.drop_caches(), b.device.drop_caches();
        operations::kronecker(c, op, {a.device, true}, {b.device, false});
      });
  CHECK(failures > 10);
}

TEST_CASE("kronecker declines what would be nothing but offsets") {
  formats::DeviceMatrix a =
      to_device({type_of("FP64"), 1 << 20, 1, {{{5, 0}, make_value(type_of("FP64"), 1)}}}, false, false);
  formats::DeviceMatrix c = to_device({type_of("FP64"), 1, 1, {}}, false, false);
  CHECK_THROWS(operations::kronecker({c, {}, std::nullopt, false}, catalogue::binary_op("TIMES_FP64").value(),
                                     {a}, {a}));
  CHECK(c.nvals() == 0);
}
