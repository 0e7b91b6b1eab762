// Reductions and single elements against the obvious reference.
#include "semirings/table.h"
#include "src/operations/operations.h"
#include "tests/catch.h"
#include "tests/operations/device_data.h"

using namespace cugrb;
using formats::DeviceVector;

namespace {

/// Every form that can hold `vector`.
std::vector<DeviceVector> all_forms(const test::RefVector& vector, bool iso) {
  std::vector<DeviceVector> forms{test::to_device(vector, Form::sparse, iso),
                                  test::to_device(vector, Form::bitmap, iso)};
  if (vector.entries.size() == vector.length) forms.push_back(test::to_device(vector, Form::full, iso));
  return forms;
}

}  // namespace

TEST_CASE("reduce gives the reference's value for every form, also for no entries, iso and long vectors") {
  test::Random random(7);
  const char* names[] = {"PLUS_INT64", "PLUS_FP32", "MIN_INT32", "LOR_BOOL", "TIMES_UINT8"};
  for (const char* name : names) {
    const Monoid monoid = *catalogue::monoid(name);
    for (const uint64_t length : {1, 3, 255, 257, 4097, 9000}) {
      const bool iso = length == 257;
      const double density = length == 3 ? 0 : length == 255 || length == 9000 ? 1 : 0.4;
      const Type& type = length == 4097 ? Type::of(TypeCode::Int32) : monoid.type();
      const test::RefVector u = test::random_vector(random, type, length, density, iso);
      const auto expected = test::ref_reduce(monoid, u);
      for (const DeviceVector& device : all_forms(u, iso)) {
        const auto found = operations::reduce(monoid, device);
        INFO(name << " of " << u.entries.size() << " entries in " << length);
        REQUIRE(found.has_value() == expected.has_value());
        CHECK(test::same_value(*found, *expected));
      }
    }
  }
}

TEST_CASE("a few floats are summed from the first to the last, as SuiteSparse does") {
  const Monoid plus = *catalogue::monoid("PLUS_FP64");
  for (const uint64_t length : {3, 20, 32}) {
    test::RefVector u{plus.type(), length, {}};
    double sum = 0;
    for (uint64_t i = 0; i < length; i += length == 20 ? 2 : 1) {
      const double value = 1.0 / static_cast<double>(1 + (7 * i) % 19);
      u.entries[i] = table::value_of(plus.type(), value);
      sum += value;
    }
    INFO(length);
    for (const DeviceVector& device : all_forms(u, false))
      CHECK(operations::reduce(plus, device)->bytes == table::value_of(plus.type(), sum).bytes);
  }
}

TEST_CASE("reduce by ANY gives one of the values, and none for an empty vector") {
  test::Random random(8);
  const Monoid any = *catalogue::monoid("ANY_INT32");
  const test::RefVector u = test::random_vector(random, any.type(), 700, 0.05, false);
  for (const DeviceVector& device : all_forms(u, false)) {
    const auto found = operations::reduce(any, device);
    REQUIRE(found.has_value());
    bool is_one = false;
    for (const auto& [i, value] : u.entries) is_one = is_one || test::same_value(value, *found);
    CHECK(is_one);
  }
  CHECK_FALSE(operations::reduce(any, DeviceVector::empty(any.type(), 10)).has_value());
}

TEST_CASE("reduce of a bitmap that turns out to be empty is the identity") {
  const Monoid min = *catalogue::monoid("MIN_INT32");
  DeviceVector bitmap = test::to_device({min.type(), 50, {}}, Form::bitmap, false);
  bitmap.forget_nvals();
  CHECK(test::same_value(*operations::reduce(min, bitmap), *min.identity));
}

TEST_CASE("setElement, extractElement and removeElement agree with a map, in every form") {
  test::Random random(9);
  const Type& type = Type::of(TypeCode::Int32);
  for (const Form form : {Form::sparse, Form::bitmap, Form::full}) {
    for (const bool iso : {false, true}) {
      const double density = form == Form::full ? 1 : 0.3;
      test::RefVector expected = test::random_vector(random, type, 60, density, iso);
      DeviceVector device = test::to_device(expected, form, iso);
      const DeviceVector shared = device;  // shares memory: must keep its content
      const test::RefVector before = expected;
      for (int step = 0; step < 25; ++step) {
        const uint64_t i = test::below(random, 60);
        if (step % 3 == 0) {
          operations::remove_element(device, i);
          expected.entries.erase(i);
        } else {
          const Value value = test::make_value(Type::of(TypeCode::Fp64), double(step) + 0.5);
          operations::set_element(device, i, value);
          expected.entries[i] = reference::cast(value, type);
        }
        CHECK(test::difference(expected, test::from_device(device)) == "");
        const uint64_t asked = test::below(random, 60);
        const auto found = operations::extract_element(device, asked);
        const auto entry = expected.entries.find(asked);
        REQUIRE(found.has_value() == (entry != expected.entries.end()));
        if (found) CHECK(test::same_value(*found, entry->second));
      }
      CHECK(test::difference(before, test::from_device(shared)) == "");
      operations::clear(device);
      CHECK(device.nvals() == 0);
    }
  }
}
