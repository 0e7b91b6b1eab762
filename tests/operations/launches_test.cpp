// What a call costs: launches and allocations of the calls that graph programs make in their loops. On a GPU
// each of them is microseconds, so their numbers are part of the contract.
#include <numeric>
#include <vector>

#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/operations/cases.h"
#include "tests/operations/cost.h"

using namespace cugrb;
using formats::DeviceVector;
using operations::VectorOutput;
using test::Cost;
using test::cost_of;

namespace {

constexpr uint64_t length = 1000;
const Type& fp32 = Type::of(TypeCode::Fp32);

DeviceVector vector_of(Form form, double density) {
  test::Random random(5);
  return test::to_device(test::random_vector(random, fp32, length, density, false), form, false);
}

}  // namespace

TEST_CASE("PageRank's vector calls: one launch each, in place; constants cost none") {
  const DeviceVector t = vector_of(Form::full, 1), d = vector_of(Form::full, 1);
  DeviceVector w = vector_of(Form::full, 1), r = w;
  const BinaryOp divide = *catalogue::binary_op("DIV_FP32"), minus = *catalogue::binary_op("MINUS_FP32");
  const UnaryOp abs = *catalogue::unary_op("ABS_FP32");
  const Value teleport = test::make_value(fp32, 0.15);
  operations::ewise_mult({w, {}, std::nullopt, false}, divide, t, d);  // from here on w's memory is its own
  CHECK(cost_of([&] { operations::ewise_mult({w, {}, std::nullopt, false}, divide, t, d); }) == Cost{1, 0});
  CHECK(cost_of([&] { operations::assign({w, {}, minus, false}, t, {}); }) == Cost{1, 0});
  CHECK(cost_of([&] { operations::apply({w, {}, std::nullopt, false}, abs, w); }) == Cost{1, 0});
  CHECK(cost_of([&] {
          operations::assign_scalar({r, {}, std::nullopt, false}, teleport, {});
        }) == Cost{0, 0});
  CHECK(cost_of([&] { operations::assign({r, {}, std::nullopt, false}, t, {}); }) == Cost{0, 0});
}

TEST_CASE("breadth-first search's vector calls: work on the frontier only, one launch each") {
  const DeviceVector q = vector_of(Form::sparse, 0.05), degree = vector_of(Form::full, 1);
  DeviceVector pi = vector_of(Form::bitmap, 0.5), w = DeviceVector::empty(fp32, length);
  const Value one = test::make_value(fp32, 1);
  const auto parents = [&] { operations::assign({pi, {&q, true, false}, std::nullopt, false}, q, {}); };
  const auto degrees = [&] { operations::assign({w, {&q, true, false}, std::nullopt, true}, degree, {}); };
  const auto levels = [&] {
    operations::assign_scalar({pi, {&q, true, false}, std::nullopt, false}, one, {});
  };
  const auto visited = [&] {
    operations::assign_scalar({w, {&q, true, false}, std::nullopt, true}, one, {});
  };
  CHECK(cost_of(parents) == Cost{1, 0});
  CHECK(cost_of(degrees) == Cost{1, 1});
  CHECK(cost_of(levels) == Cost{1, 0});
  CHECK(cost_of(visited) == Cost{0, 0});
  CHECK(cost_of([&] { operations::clear(w); }) == Cost{0, 0});
}

TEST_CASE("indices that follow each other are made on the device, others are copied up") {
  constexpr uint64_t all = 6000, count = 4000, first = 700;
  test::Random random(6);
  const DeviceVector u = test::to_device(test::random_vector(random, fp32, all, 1, false), Form::full, false);
  std::vector<uint64_t> range(count), gap(count);
  std::iota(range.begin(), range.end(), first);
  std::iota(gap.begin(), gap.end(), first);
  gap.back() += 1;
  const test::RefVector values = test::from_device(u);
  for (const auto& [list, indices] : {std::pair(&range, operations::Indices{false, count, range.data()}),
                                      std::pair(&range, operations::Indices{false, count, nullptr, first}),
                                      std::pair(&gap, operations::Indices{false, count, gap.data()})}) {
    DeviceVector part = DeviceVector::empty(fp32, count), back = DeviceVector::empty(fp32, all);
    const uint64_t before = trace::totals().bytes_up;
    operations::extract({part, {}, std::nullopt, false}, u, indices);
    operations::assign({back, {}, std::nullopt, false}, part, indices);
    const uint64_t copied = trace::totals().bytes_up - before;
    CHECK(copied == (list == &range ? 0 : 2 * count * sizeof(uint64_t)));
    const test::RefVector placed = test::from_device(back);
    CHECK(placed.entries.size() == count);
    for (const uint64_t i : *list) CHECK(placed.entries.at(i).bytes == values.entries.at(i).bytes);
  }
}

TEST_CASE("a result that is already masked becomes the output without a launch") {
  const DeviceVector pi = vector_of(Form::bitmap, 0.5);
  DeviceVector q = DeviceVector::empty(fp32, length);
  const DeviceVector found = vector_of(Form::bitmap, 0.2);
  const VectorOutput output{q, {&pi, true, true}, std::nullopt, true};
  CHECK(cost_of([&] { operations::write_back(output, DeviceVector(found), true); }) == Cost{0, 0});
}

TEST_CASE("iso operands give iso results: one launch of a single thread's worth") {
  const Value half = test::make_value(fp32, 0.5);
  const DeviceVector u = DeviceVector::full_of(fp32, length, half.bytes.data());
  DeviceVector w = DeviceVector::empty(fp32, length);
  const BinaryOp plus = *catalogue::binary_op("PLUS_FP32");
  CHECK(cost_of([&] { operations::ewise_mult({w, {}, std::nullopt, false}, plus, u, u); }) == Cost{1, 1});
  CHECK(w.iso);
  CHECK(test::same_value(*operations::extract_element(w, 77), test::make_value(fp32, 1)));
}
