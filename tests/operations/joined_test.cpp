// Calls that share a launch: what they compute is what they compute one by one, and their launches are few.
#include <cstring>
#include <functional>
#include <vector>

#include "src/operations/operations.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/operations/breadth.h"
#include "tests/operations/device_data.h"
#include "tests/operations/launches.h"

using namespace cugrb;
using formats::DeviceVector;
using operations::VectorOutput;
using test::launches;
using test::Random;
using test::settle;

namespace {

const Type& fp32 = Type::of(TypeCode::Fp32);
const Type& int64 = Type::of(TypeCode::Int64);
const Type& boolean = Type::of(TypeCode::Bool);

BinaryOp binary(const char* name) { return *catalogue::binary_op(name); }
Value number(const Type& type, double x) { return test::make_value(type, x); }
Value all_of(const Monoid& monoid, const DeviceVector& u) { return *operations::reduce(monoid, u); }

/// Runs `chain` on vectors with launches joined and again without: the same bits.
void same_bits(const std::vector<DeviceVector>& vectors,
               const std::function<void(std::vector<DeviceVector>&)>& chain) {
  const SettingsGuard guard;
  std::vector<test::RefVector> results[2];
  for (const bool joins : {true, false}) {
    Settings s = settings();
    s.join = joins ? JoinPolicy::automatic : JoinPolicy::never;
    override_settings(s);
    std::vector<DeviceVector> mine = vectors;  // shares memory: a call that writes in place makes its own
    chain(mine);
    for (const DeviceVector& vector : mine) results[joins].push_back(test::from_device(vector));
  }
  for (size_t n = 0; n < vectors.size(); ++n) {
    INFO("vector " << n);
    CHECK(test::difference(results[0][n], results[1][n]) == "");
  }
}

DeviceVector drawn(Random& random, const Type& type, uint64_t length, Form form) {
  const double density = form == Form::full ? 1 : form == Form::bitmap ? 0.6 : 0.1;
  return test::to_device(test::random_vector(random, type, length, density, false), form, false);
}

/// PageRank's vectors: r (iso), T of the product, t, d, w.
std::vector<DeviceVector> rank_vectors(uint64_t length) {
  Random random(3);
  std::vector<DeviceVector> v;
  for (int n = 0; n < 5; ++n) v.push_back(drawn(random, fp32, length, Form::full));
  const Value teleport = number(fp32, 0.25);
  v[0] = DeviceVector::full_of(fp32, length, teleport.bytes.data());
  return v;
}
/// r += T, t -= r, t = |t|, the sum of t.
float rank_turn(std::vector<DeviceVector>& v) {
  operations::write_back({v[0], {}, binary("PLUS_FP32"), false}, DeviceVector(v[1]), true);
  operations::assign({v[2], {}, binary("MINUS_FP32"), false}, v[0], {});
  operations::apply({v[2], {}, std::nullopt, false}, *catalogue::unary_op("ABS_FP32"), v[2]);
  float sum = 0;
  std::memcpy(&sum, all_of(*catalogue::monoid("PLUS_FP32"), v[2]).bytes.data(), sizeof sum);
  return sum;
}

}  // namespace

TEST_CASE("the end of a PageRank turn is one launch, of any length, and sums as separate calls do") {
  for (const uint64_t length : {uint64_t(7), uint64_t(1000), uint64_t(4097), uint64_t(50000)}) {
    INFO("length " << length);
    std::vector<float> sums;
    same_bits(rank_vectors(length), [&](std::vector<DeviceVector>& v) { sums.push_back(rank_turn(v)); });
    CHECK(sums[0] == sums[1]);
    std::vector<DeviceVector> v = rank_vectors(length);
    rank_turn(v);  // t's memory is its own from here on
    settle();
    CHECK(launches([&] { rank_turn(v); }) == 1);
  }
}

TEST_CASE("a breadth-first search's level, dense or by a list, is one launch besides its product") {
  for (const Form form : {Form::bitmap, Form::sparse}) {
    Random random(11);
    const uint64_t length = 3000;
    const std::vector<DeviceVector> vectors = {
        drawn(random, int64, length, form), drawn(random, int64, length, Form::bitmap),
        drawn(random, int64, length, Form::full), DeviceVector::empty(int64, length)};
    std::vector<Value> sums;
    const auto level = [&](std::vector<DeviceVector>& v) {
      DeviceVector &q = v[0], &pi = v[1], &degree = v[2], &w = v[3];
      operations::assign({pi, {&q, true, false}, std::nullopt, false}, q, {});
      operations::assign({w, {&q, true, false}, std::nullopt, true}, degree, {});
      sums.push_back(all_of(*catalogue::monoid("PLUS_INT64"), w));
    };
    same_bits(vectors, level);
    CHECK(test::same_value(sums[0], sums[1]));
    std::vector<DeviceVector> v = vectors;
    level(v);
    CHECK(launches([&] { level(v); }) == 1);
  }
}

TEST_CASE("a step of shortest paths is two launches besides its product, counts included") {
  Random random(12);
  const uint64_t length = 2000;
  const std::vector<DeviceVector> vectors = {drawn(random, fp32, length, Form::bitmap),     // tmasked
                                             drawn(random, fp32, length, Form::bitmap),     // tReq
                                             drawn(random, fp32, length, Form::bitmap),     // t
                                             drawn(random, boolean, length, Form::bitmap),  // s
                                             drawn(random, boolean, length, Form::bitmap),  // reach
                                             DeviceVector::empty(boolean, length)};         // tless
  const Value yes = number(boolean, 1), no = number(boolean, 0), bound = number(fp32, 3);
  std::vector<uint64_t> counts;
  const auto step = [&](std::vector<DeviceVector>& v) {
    DeviceVector &masked = v[0], &request = v[1], &t = v[2], &s = v[3], &reach = v[4], &less = v[5];
    operations::assign_scalar({s, {&masked, true, false}, std::nullopt, false}, yes, {});
    operations::ewise_mult({less, {}, std::nullopt, false}, binary("LT_FP32"), request, t);
    operations::select({less, {}, std::nullopt, false}, *catalogue::index_unary_op("VALUENE_BOOL"), less, no);
    counts.push_back(less.nvals());
    operations::assign_scalar({reach, {&less, true, false}, std::nullopt, false}, yes, {});
    operations::clear(masked);
    operations::select({masked, {&less, true, false}, std::nullopt, false},
                       *catalogue::index_unary_op("VALUELT_FP32"), request, bound);
    operations::assign({t, {&less, true, false}, std::nullopt, false}, request, {});
    counts.push_back(masked.nvals());
  };
  same_bits(vectors, step);
  CHECK(counts[0] == counts[2]);
  CHECK(counts[1] == counts[3]);
  std::vector<DeviceVector> v = vectors;
  for (DeviceVector& vector : v) {  // what is written in place is nobody else's
    vector.values = vector.values.clone();
    vector.present = vector.present.clone();
  }
  CHECK(launches([&] { step(v); }) == 2);
}

TEST_CASE("who reads what is not written leaves work waiting; who reads what is has it done") {
  Random random(5);
  const uint64_t length = 500;
  DeviceVector u = drawn(random, fp32, length, Form::full), w = drawn(random, fp32, length, Form::full),
               other = drawn(random, fp32, length, Form::full);
  const auto square = [&] {
    operations::ewise_mult({w, {}, std::nullopt, false}, binary("TIMES_FP32"), u, u);
  };
  square();
  settle();
  CHECK(launches(square) == 0);
  CHECK(launches([&] { other.values.read<float>(3); }) == 0);
  CHECK(launches([&] { u.values.read<float>(3); }) == 0);  // it is read, not written
  CHECK(launches([&] { w.values.read<float>(3); }) == 1);
  CHECK(w.values.read<float>(3) == u.values.read<float>(3) * u.values.read<float>(3));
}

TEST_CASE("operands that change or go after the call do not change its result") {
  Random random(6);
  const uint64_t length = 500;
  DeviceVector w = DeviceVector::empty(fp32, length);
  std::vector<float> expected;
  {
    DeviceVector u = drawn(random, fp32, length, Form::full);
    for (const float x : u.values.to_host<float>(length)) expected.push_back(x + 1);
    operations::apply_bind_second({w, {}, std::nullopt, false}, binary("PLUS_FP32"), u, number(fp32, 1));
    operations::set_element(u, 7, number(fp32, 1000));
    operations::apply_bind_second({w, {}, std::nullopt, false}, binary("PLUS_FP32"), w, number(fp32, 0));
  }
  const DeviceVector taken = drawn(random, fp32, length, Form::full);  // may take the memory that u had
  CHECK(w.values.to_host<float>(length) == expected);
}

TEST_CASE("a call that reads other positions joins nothing") {
  Random random(8);
  const uint64_t length = 400;
  std::vector<uint64_t> reversed(length);
  for (uint64_t i = 0; i < length; ++i) reversed[i] = length - 1 - i;
  const std::vector<DeviceVector> vectors = {drawn(random, fp32, length, Form::full),
                                             drawn(random, fp32, length, Form::full)};
  same_bits(vectors, [&](std::vector<DeviceVector>& v) {
    for (int turn = 0; turn < 3; ++turn) {
      operations::ewise_add({v[1], {}, std::nullopt, false}, binary("PLUS_FP32"), v[0], v[1]);
      operations::extract({v[0], {}, std::nullopt, false}, v[1], {false, length, reversed.data()});
      operations::assign({v[0], {}, std::nullopt, false}, v[1], {false, length, reversed.data()});
      operations::ewise_add({v[0], {}, std::nullopt, false}, binary("MINUS_FP32"), v[0], v[1]);
    }
  });
}

namespace {

/// One of several calls on vectors of the pool, masks and accumulators included.
void random_call(Random& random, std::vector<DeviceVector>& v) {
  const auto any = [&]() -> DeviceVector& { return v[test::below(random, v.size())]; };
  DeviceVector &w = any(), &u = any(), &x = any(), &m = any();
  const bool masked = test::chance(random, 0.4), accumulates = test::chance(random, 0.3);
  const operations::VectorMask mask{masked ? &m : nullptr, true, masked && test::chance(random, 0.3)};
  const VectorOutput output{w, mask, accumulates ? std::optional(binary("PLUS_INT64")) : std::nullopt,
                            masked && test::chance(random, 0.5)};
  switch (test::below(random, 6)) {
    case 0:
      return operations::ewise_add(output, binary("PLUS_INT64"), u, x);
    case 1:
      return operations::ewise_mult(output, binary("MIN_INT64"), u, x);
    case 2:
      return operations::apply(output, *catalogue::unary_op("AINV_INT64"), u);
    case 3:
      return operations::select(output, *catalogue::index_unary_op("VALUELE_INT64"), u, number(int64, 2));
    case 4:
      return operations::assign_scalar(output, number(int64, 4), {});
    default:
      return operations::assign(output, u, {});
  }
}

}  // namespace

TEST_CASE("random calls on shared vectors give the same joined and alone") {
  const uint64_t programs = test::structures_only() ? 16 : 40;
  for (uint64_t program = 0; program < programs; ++program) {
    INFO("program " << program);
    Random random(1000 + program);
    const uint64_t length = program % 2 == 0 ? 300 : 1500;
    std::vector<DeviceVector> vectors;
    for (const Form form : {Form::full, Form::bitmap, Form::bitmap, Form::sparse})
      vectors.push_back(drawn(random, int64, length, form));
    const uint64_t seed = random();
    std::vector<uint64_t> seen;
    same_bits(vectors, [&](std::vector<DeviceVector>& v) {
      Random calls(seed);
      for (int n = 0; n < 6; ++n) {
        random_call(calls, v);
        if (test::chance(calls, 0.2)) seen.push_back(v[test::below(calls, v.size())].nvals());
      }
    });
    const size_t half = seen.size() / 2;
    CHECK(std::equal(seen.begin(), seen.begin() + long(half), seen.begin() + long(half)));
  }
}
