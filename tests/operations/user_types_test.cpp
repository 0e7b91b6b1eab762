// User-defined types and operators through the same operations.
#include <cstring>

#include "src/support/declined.h"
#include "tests/catch.h"
#include "tests/operations/cases.h"

using namespace cugrb;
using formats::DeviceVector;

namespace {

/// A pair of doubles with component-wise maximum: 16 bytes, wider than any built-in type.
struct Pair {
  double a, b;
};
Type pair_type() {
  return {TypeCode::User, sizeof(Pair), "pair_of_doubles",
          "typedef struct { double a, b; } pair_of_doubles;"};
}
BinaryOp larger() {
  return catalogue::user_binary_op(
      "larger",
      "void larger(pair_of_doubles *z, const pair_of_doubles *x, const pair_of_doubles *y) {"
      " z->a = x->a > y->a ? x->a : y->a; z->b = x->b > y->b ? x->b : y->b; }",
      pair_type(), pair_type(), pair_type());
}
Value value_of(Pair pair) {
  return {pair_type(), std::string(reinterpret_cast<const char*>(&pair), sizeof(pair))};
}
Pair pair_of(const Value& value) {
  Pair pair;
  std::memcpy(&pair, value.bytes.data(), sizeof(pair));
  return pair;
}
Pair host_larger(Pair x, Pair y) { return {x.a > y.a ? x.a : y.a, x.b > y.b ? x.b : y.b}; }

test::RefVector random_pairs(test::Random& random, uint64_t length, double density) {
  test::RefVector vector{pair_type(), length, {}};
  for (uint64_t i = 0; i < length; ++i) {
    if (!test::chance(random, density)) continue;
    vector.entries[i] = value_of({double(test::below(random, 100)), double(test::below(random, 100))});
  }
  return vector;
}

}  // namespace

TEST_CASE("eWiseAdd with a user-defined operator on a user-defined type, with accumulator and mask") {
  test::Random random(11);
  for (const Form form : {Form::sparse, Form::bitmap}) {
    const test::RefVector u = random_pairs(random, 500, 0.2), v = random_pairs(random, 500, 0.5),
                          w = random_pairs(random, 500, 0.5);
    const DeviceVector du = test::to_device(u, form, false), dv = test::to_device(v, form, false);
    DeviceVector dw = test::to_device(w, form, false);
    test::RefVector expected = w;  // w<s(u)> larger= larger(u, v)
    for (const auto& [i, x] : u.entries) {
      Pair t = pair_of(x);
      if (v.entries.count(i)) t = host_larger(t, pair_of(v.entries.at(i)));
      if (w.entries.count(i)) t = host_larger(pair_of(w.entries.at(i)), t);
      expected.entries[i] = value_of(t);
    }
    operations::ewise_add({dw, {&du, true, false}, larger(), false}, larger(), du, dv);
    CHECK(test::difference(expected, test::from_device(dw)) == "");
  }
}

TEST_CASE("assign, extract, reduce and elements move values of user-defined type") {
  test::Random random(12);
  const test::RefVector u = random_pairs(random, 300, 1);
  const DeviceVector du = test::to_device(u, Form::full, false);
  DeviceVector dw = DeviceVector::empty(pair_type(), 300);
  std::vector<uint64_t> list(300);
  for (uint64_t k = 0; k < 300; ++k) list[k] = (7 * k) % 300;
  operations::extract({dw, {}, std::nullopt, false}, du, {false, 300, list.data()});
  CHECK(test::difference(test::ref_extract(u, list), test::from_device(dw)) == "");
  operations::assign({dw, {}, std::nullopt, false}, du, {});
  CHECK(test::difference(u, test::from_device(dw)) == "");

  Pair most{0, 0};
  for (const auto& [i, value] : u.entries) most = host_larger(most, pair_of(value));
  const Monoid monoid = catalogue::make_monoid(larger(), value_of({0, 0}), std::nullopt);
  CHECK(test::same_value(*operations::reduce(monoid, du), value_of(most)));
  CHECK(test::same_value(*operations::extract_element(du, 17), u.entries.at(17)));
}

TEST_CASE("a definition's macros reach neither the kernel nor another definition") {
  const Type& fp32 = Type::of(TypeCode::Fp32);
  // Whole numbers by a macro that would make the kernel's own float one, too; the other sees float as it is.
  const UnaryOp whole = catalogue::user_unary_op(
      "whole", "#define float int\nvoid whole (void *z, const void *x) { }", fp32, fp32);
  const BinaryOp half_sum = catalogue::user_binary_op(
      "half_sum",
      "#define FACTOR 0.5f\n#define struct class\n"
      "void half_sum (float *z, const float *x, const float *y) { *z = FACTOR * (*x + *y) ; }",
      fp32, fp32, fp32);
  BinaryOp both = half_sum;  // the other's text in front: its macro must have ended
  both.preamble = whole.preamble + half_sum.preamble;
  test::RefVector u{fp32, 3, {}}, expected{fp32, 3, {}};
  u.entries = {{0, test::make_value(fp32, 1.5)}, {2, test::make_value(fp32, 0.25)}};
  expected.entries = u.entries;
  const DeviceVector du = test::to_device(u, Form::sparse, false);
  DeviceVector w = DeviceVector::empty(fp32, 3);
  operations::ewise_add({w, {}, std::nullopt, false}, both, du, du);
  CHECK(test::difference(expected, test::from_device(w)) == "");
}

TEST_CASE("what no kernel can do is declined: typecasts of user-defined types, valued masks of them") {
  test::Random random(13);
  const DeviceVector pairs = test::to_device(random_pairs(random, 20, 0.5), Form::bitmap, false);
  const Type type = Type::of(TypeCode::Fp64);
  DeviceVector w = DeviceVector::empty(type, 20);
  CHECK_THROWS_AS(operations::assign({w, {}, std::nullopt, false}, pairs, {}), Declined);
  const Value one = test::make_value(type, 1);
  CHECK_THROWS_AS(operations::assign_scalar({w, {&pairs, false, false}, std::nullopt, false}, one, {}),
                  Declined);
  operations::assign_scalar({w, {&pairs, true, false}, std::nullopt, false}, one, {});
  CHECK(w.nvals() == pairs.nvals());
}
