// Vectors longer than memory: 2^40 positions, 64-bit indices. What stays sparse runs; what would not is
// declined.
#include <cstring>

#include "src/operations/operations.h"
#include "src/support/declined.h"
#include "tests/catch.h"
#include "tests/operations/breadth.h"
#include "tests/operations/cases.h"
#include "tests/operations/cost.h"

using namespace cugrb;
using formats::DeviceVector;
using runtime::Buffer;

namespace {

constexpr uint64_t far_end = uint64_t(1) << 40;

DeviceVector sparse(const std::vector<uint64_t>& indices, const std::vector<int32_t>& values) {
  DeviceVector vector = DeviceVector::empty(Type::of(TypeCode::Int32), far_end);
  vector.indices = Buffer::from_host(indices.data(), indices.size() * 8);
  vector.values = Buffer::from_host(values.data(), values.size() * 4);
  vector.set_nvals(indices.size());
  return vector;
}

void check(const DeviceVector& vector, const std::vector<uint64_t>& indices,
           const std::vector<int32_t>& values) {
  REQUIRE(vector.form == Form::sparse);
  REQUIRE(vector.nvals() == indices.size());
  CHECK(vector.indices.to_host<uint64_t>(indices.size()) == indices);
  CHECK(expand_iso(vector).values.to_host<int32_t>(indices.size()) == values);
}

Value int32(int32_t x) {
  return {Type::of(TypeCode::Int32), std::string(reinterpret_cast<const char*>(&x), 4)};
}

}  // namespace

TEST_CASE("operations on a sparse vector of 2^40 positions cost its entries only") {
  const std::vector<uint64_t> at = {3, 5000000000, far_end - 1};
  const DeviceVector u = sparse(at, {10, 20, 30}),
                     v = sparse({5000000000, far_end - 2, far_end - 1}, {1, 2, 3});
  DeviceVector w = DeviceVector::empty(u.type, far_end);
  operations::apply({w, {}, std::nullopt, false}, *catalogue::unary_op("AINV_INT32"), u);
  check(w, at, {-10, -20, -30});
  operations::ewise_mult({w, {}, std::nullopt, false}, *catalogue::binary_op("PLUS_INT32"), u, v);
  check(w, {5000000000, far_end - 1}, {21, 33});
  operations::select({w, {}, std::nullopt, false}, *catalogue::index_unary_op("VALUELT_INT32"), u, int32(25));
  check(w, {3, 5000000000}, {10, 20});
  operations::assign_scalar({w, {&v, true, false}, std::nullopt, true}, int32(7), {});
  check(w, {5000000000, far_end - 2, far_end - 1}, {7, 7, 7});
  operations::assign({w, {&v, true, false}, std::nullopt, true}, u, {});
  check(w, {5000000000, far_end - 1}, {20, 30});
  operations::set_element(w, 4, int32(1));
  operations::remove_element(w, far_end - 1);
  check(w, {4, 5000000000}, {1, 20});
  CHECK(operations::extract_element(w, 4)->bytes == int32(1).bytes);
  CHECK_FALSE(operations::extract_element(w, 5).has_value());
  CHECK(operations::reduce(*catalogue::monoid("PLUS_INT32"), u)->bytes == int32(60).bytes);
}

TEST_CASE("what would need a bitmap of 2^40 positions is declined and changes nothing") {
  const DeviceVector u = sparse({1}, {1}), v = sparse({2}, {2});
  DeviceVector w = u;
  const BinaryOp plus = *catalogue::binary_op("PLUS_INT32");
  CHECK_THROWS_AS(operations::ewise_add({w, {}, std::nullopt, false}, plus, u, v), Declined);
  CHECK_THROWS_AS(operations::assign({w, {&v, true, false}, std::nullopt, false}, v, {}), Declined);
  CHECK_THROWS_AS(to_bitmap(w), Declined);
  check(w, {1}, {1});
}

namespace {

/// `count` copies of `value` under the operator, doubled along the bits of their number.
Value summed(const BinaryOp& op, const Value& value, uint64_t count) {
  if (count == 1) return value;
  const Value half = summed(op, value, count / 2);
  const Value whole = reference::apply(op, half, half);
  return count % 2 == 0 ? whole : reference::apply(op, whole, value);
}

DeviceVector iso_full(const Value& value, uint64_t length = far_end) {
  return DeviceVector::full_of(value.type, length, value.bytes.data());
}

void check_iso(const DeviceVector& w, const Value& value, uint64_t length = far_end) {
  REQUIRE(w.form == Form::full);
  REQUIRE(w.iso);
  CHECK(w.length == length);
  CHECK(w.nvals() == length);
  CHECK(test::same_value(*operations::extract_element(w, length - 1), value));
}

}  // namespace

TEST_CASE("every monoid reduces 2^60 copies of a value, or any number, as SuiteSparse does: by doubling") {
  test::Random random(3);
  size_t turn = 0;
  for (const Monoid& monoid : catalogue::monoids()) {
    if (test::structures_only() && turn++ % 4 != 0) continue;
    INFO(monoid.name);
    const Value value = test::make_value(monoid.type(), double(test::below(random, 5)) - 2);
    for (const uint64_t count : {uint64_t(1), uint64_t(6), uint64_t(1000003), far_end - 1, far_end << 20}) {
      const Value wanted = monoid.is_any ? value : summed(monoid.op, value, count);
      std::optional<Value> got;
      const test::Cost cost =
          test::cost_of([&] { got = operations::reduce(monoid, iso_full(value, count)); });
      REQUIRE(got.has_value());
      CHECK(test::same_value(*got, wanted));
      CHECK(cost.launches == 1);
    }
  }
}

TEST_CASE("a typecast comes before the sum, and a list or a bitmap counts its entries") {
  DeviceVector listed = sparse({3, 5000000000, far_end - 1}, {7, 7, 7});
  listed.iso = true;
  CHECK(operations::reduce(*catalogue::monoid("PLUS_INT32"), listed)->bytes == int32(21).bytes);
  const Value half = test::make_value(Type::of(TypeCode::Fp64), 2.5);
  CHECK(operations::reduce(*catalogue::monoid("PLUS_INT32"), iso_full(half, 10))->bytes == int32(20).bytes);
  DeviceVector bitmap = iso_full(half, 4);
  bitmap.form = Form::bitmap;
  const std::vector<uint8_t> present = {1, 0, 0, 1};
  bitmap.present = Buffer::from_host(present.data(), present.size());
  bitmap.forget_nvals();
  CHECK(operations::reduce(*catalogue::monoid("PLUS_INT32"), bitmap)->bytes == int32(4).bytes);
}

TEST_CASE("operations on iso full vectors of 2^40 positions compute one value") {
  const DeviceVector u = iso_full(int32(3)), v = iso_full(int32(5));
  DeviceVector w = DeviceVector::empty(u.type, far_end);
  const operations::VectorOutput out{w, {}, std::nullopt, false};
  const BinaryOp minus = *catalogue::binary_op("MINUS_INT32");
  operations::apply(out, *catalogue::unary_op("AINV_INT32"), u);
  check_iso(w, int32(-3));
  operations::apply_bind_first(out, minus, int32(10), u);
  check_iso(w, int32(7));
  operations::apply_bind_second(out, minus, u, int32(10));
  check_iso(w, int32(-7));
  operations::apply_index(out, *catalogue::index_unary_op("VALUEGT_INT32"), u, int32(2));
  check_iso(w, int32(1));
  operations::ewise_add(out, minus, u, v);
  check_iso(w, int32(-2));
  operations::ewise_mult(out, minus, v, w);
  check_iso(w, int32(7));
  operations::ewise_union(out, minus, w, int32(1), v, int32(1));
  check_iso(w, int32(2));
  const BinaryOp larger = *catalogue::binary_op("MAX_INT32");
  operations::assign_scalar({w, {}, larger, false}, int32(2), {});
  check_iso(w, int32(2));
  operations::assign({w, {}, larger, false}, w, {});
  check_iso(w, int32(2));
  operations::select(out, *catalogue::index_unary_op("VALUEGE_INT32"), u, int32(3));
  check_iso(w, int32(3));
  const std::vector<uint64_t> list = {far_end - 1, 0, 7};
  DeviceVector few = DeviceVector::empty(u.type, 3);
  operations::extract({few, {}, std::nullopt, false}, u, {false, 3, list.data()});
  check_iso(few, int32(3), 3);
  operations::select(out, *catalogue::index_unary_op("VALUEGT_INT32"), u, int32(3));
  CHECK(w.nvals() == 0);
}

TEST_CASE("an iso full mask allows all or nothing by its one value") {
  const DeviceVector u = iso_full(int32(3)), yes = iso_full(int32(-1)), no = iso_full(int32(0));
  for (const bool complement : {false, true}) {
    for (const bool structural : {false, true}) {
      for (const DeviceVector* mask : {&yes, &no}) {
        DeviceVector w = iso_full(int32(9));
        operations::apply({w, {mask, structural, complement}, std::nullopt, true},
                          *catalogue::unary_op("AINV_INT32"), u);
        if ((structural || mask == &yes) != complement) {
          check_iso(w, int32(-3));
        } else {
          CHECK(w.nvals() == 0);
        }
      }
    }
  }
}

TEST_CASE("what would give each of 2^40 positions a value of its own is declined and changes nothing") {
  const DeviceVector u = iso_full(int32(3)), q = sparse({4}, {1});
  DeviceVector w = u;
  const operations::VectorOutput out{w, {}, std::nullopt, false};
  const std::vector<uint64_t> list = {7};
  CHECK_THROWS_AS(operations::apply_index(out, *catalogue::index_unary_op("ROWINDEX_INT32"), u, int32(0)),
                  Declined);
  CHECK_THROWS_AS(operations::select(out, *catalogue::index_unary_op("ROWLE"), u,
                                     test::make_value(Type::of(TypeCode::Int64), 5)),
                  Declined);
  CHECK_THROWS_AS(operations::assign_scalar({w, {&q, true, false}, std::nullopt, false}, int32(4), {}),
                  Declined);
  CHECK_THROWS_AS(operations::assign_scalar(out, int32(4), {false, 1, list.data()}), Declined);
  CHECK_THROWS_AS(operations::ewise_add(out, *catalogue::binary_op("PLUS_INT32"), u, q), Declined);
  CHECK_THROWS_AS(operations::assign({w, {}, *catalogue::binary_op("PLUS_INT32"), false}, u, {}), Declined);
  CHECK_THROWS_AS(operations::set_element(w, 5, int32(1)), Declined);
  CHECK_THROWS_AS(operations::remove_element(w, 5), Declined);
  operations::set_element(w, 5, int32(3));  // as it is
  check_iso(w, int32(3));
}
