// Vectors longer than memory: 2^40 positions, 64-bit indices. What stays sparse runs; what would not is
// declined.
#include <cstring>

#include "src/operations/operations.h"
#include "src/support/declined.h"
#include "tests/catch.h"

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
