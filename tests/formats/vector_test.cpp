// Vector conversions: every form to every other, iso or not, counted or not, for narrow, wide and odd element
// sizes.
#include "src/formats/vector.h"

#include "tests/catch.h"
#include "tests/operations/device_data.h"

using namespace cugrb;
using formats::DeviceVector;

namespace {

std::vector<DeviceVector> forms_of(const test::RefVector& vector, bool iso) {
  std::vector<DeviceVector> forms{test::to_device(vector, Form::sparse, iso),
                                  test::to_device(vector, Form::bitmap, iso)};
  forms.push_back(forms[1]);
  forms.back().forget_nvals();
  if (vector.entries.size() == vector.length) forms.push_back(test::to_device(vector, Form::full, iso));
  return forms;
}

/// A user-defined type of so many bytes with random content.
test::RefVector random_structs(test::Random& random, size_t bytes, uint64_t length) {
  test::RefVector vector{
      {TypeCode::User, bytes, "thing", "typedef struct { char data[1]; } thing;"}, length, {}};
  for (uint64_t i = 0; i < length; i += 1 + test::below(random, 3)) {
    std::string content(bytes, '\0');
    for (char& c : content) c = char(random());
    vector.entries[i] = {vector.type, content};
  }
  return vector;
}

void check_conversions(const test::RefVector& expected, bool iso) {
  for (const DeviceVector& vector : forms_of(expected, iso)) {
    const DeviceVector sparse = to_sparse(vector), bitmap = to_bitmap(vector), plain = expand_iso(vector);
    CHECK(sparse.form == Form::sparse);
    CHECK(bitmap.form == Form::bitmap);
    CHECK_FALSE(plain.iso);
    for (const DeviceVector& converted : {sparse, bitmap, plain}) {
      CHECK(test::difference(expected, test::from_device(converted)) == "");
      CHECK(converted.nvals() == expected.entries.size());
    }
    if (expected.entries.size() == expected.length) {
      CHECK(test::difference(expected, test::from_device(to_full(vector))) == "");
    } else {
      CHECK_THROWS_AS(to_full(vector), std::logic_error);
    }
    CHECK(test::difference(expected, test::from_device(vector)) == "");  // the original is as it was
  }
}

}  // namespace

TEST_CASE("a vector keeps its entries through every change of form") {
  test::Random random(3);
  for (const TypeCode code : {TypeCode::Bool, TypeCode::Int16, TypeCode::Fp32, TypeCode::Int64}) {
    for (const double density : {0.0, 0.3, 1.0}) {
      for (const uint64_t length : {1, 600}) {
        for (const bool iso : {false, true}) {
          check_conversions(test::random_vector(random, Type::of(code), length, density, iso), iso);
        }
      }
    }
  }
}

TEST_CASE("elements of user-defined types are moved byte by byte, whatever their size") {
  test::Random random(4);
  for (const size_t bytes : {3, 12, 24}) check_conversions(random_structs(random, bytes, 300), false);
}

TEST_CASE("a typecast follows the C API's rules and keeps pattern and iso-ness") {
  test::Random random(5);
  const Type types[] = {Type::of(TypeCode::Fp64), Type::of(TypeCode::UInt8), Type::of(TypeCode::Bool)};
  for (const Type& from : types) {
    for (const Type& to : types) {
      for (const bool iso : {false, true}) {
        const test::RefVector u = test::random_vector(random, from, 300, 0.5, iso, true);
        test::RefVector expected{to, u.length, {}};
        for (const auto& [i, value] : u.entries) expected.entries[i] = reference::cast(value, to);
        for (const DeviceVector& vector : forms_of(u, iso)) {
          const DeviceVector result = cast(vector, to);
          CHECK(result.iso == iso);
          CHECK(result.form == vector.form);
          CHECK(test::difference(expected, test::from_device(result)) == "");
        }
      }
    }
  }
}

TEST_CASE("copies share memory, and conversions do not write into it") {
  test::Random random(6);
  const test::RefVector expected = test::random_vector(random, Type::of(TypeCode::Int32), 100, 1, false);
  const DeviceVector full = test::to_device(expected, Form::full, false);
  CHECK(full.values.unique());
  const DeviceVector bitmap = to_bitmap(full);
  CHECK_FALSE(full.values.unique());
  CHECK(bitmap.values.data() == full.values.data());
  CHECK(test::difference(expected, test::from_device(bitmap)) == "");
}

TEST_CASE("an empty vector and an iso full one cost no launch") {
  const DeviceVector empty = DeviceVector::empty(Type::of(TypeCode::Fp32), 1000);
  CHECK(empty.nvals() == 0);
  const float half = 0.5f;
  const DeviceVector full = DeviceVector::full_of(Type::of(TypeCode::Fp32), 1000, &half);
  CHECK(full.nvals() == 1000);
  CHECK(full.bytes() == sizeof(float));
  CHECK(test::from_device(full).entries.size() == 1000);
}
