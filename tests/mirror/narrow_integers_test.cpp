// Integers of 32 bits go up as they are, and are read in place where parts of a matrix are wanted.
#include "tests/mirror/narrow_integers.h"

#include "src/mirror/integer_copies.h"
#include "src/mirror/transfer.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/mirror/matrices.h"

using namespace cugrb;
using namespace cugrb::test;
using mirror::HostForm;

namespace {

/// Bytes that the device copies up while `action` runs.
template <class Action>
uint64_t bytes_up(const Action& action) {
  const uint64_t before = trace::totals().bytes_up;
  action();
  return trace::totals().bytes_up - before;
}

}  // namespace

TEST_CASE("a matrix with integers of 32 bits is the same on the device, and no more bytes go up") {
  start_graphblas();
  for (const char* name : {"fp64", "Point"}) {
    const TestType& type = type_named(name);
    for_all_shapes(17, 12, [&](const Shape& shape) {
      INFO(describe(shape, type));
      GrB_Matrix a = make_matrix(shape, type, 21);
      const mirror::HostView wide = mirror::view(a);
      const NarrowIntegers narrow(wide);
      const Type value_type = mirror::read(a)->type;
      formats::DeviceMatrix from_wide, from_narrow;
      const uint64_t expected = bytes_up([&] { from_wide = mirror::upload_matrix(wide, value_type); });
      CHECK(bytes_up([&] { from_narrow = mirror::upload_matrix(narrow.view(), value_type); }) == expected);
      CHECK(entries_of(from_narrow) == entries_of(from_wide));
      CHECK(formats::check(from_narrow.stored) == "");
      if (shape.form != GxB_FULL) CHECK(expected == from_narrow.bytes());  // a full pattern is made there
      release(a);
    });
  }
}

TEST_CASE("a vector with indices of 32 bits is the same on the device") {
  start_graphblas();
  const TestType& type = type_named("int32");
  Shape shape;
  shape.rows = 61;
  shape.by_column = true;
  shape.entries = 20;
  GrB_Vector v = make_vector(61, shape, type, 22);
  const mirror::HostView wide = mirror::view(v);
  const NarrowIntegers narrow(wide);
  const formats::DeviceVector vector = mirror::upload_vector(narrow.view(), mirror::read(v)->type);
  REQUIRE(vector.form == Form::sparse);
  const auto indices = vector.indices.to_host<uint32_t>(vector.nvals());
  REQUIRE(indices.size() == wide.entries);
  for (uint64_t k = 0; k < indices.size(); ++k) CHECK(indices[k] == wide.indices[k]);
  release(v);
}

TEST_CASE("integers of 32 bits become 64 on a device that needs them") {
  const std::vector<uint32_t> host = {0, 7, 4294967295u};
  runtime::Buffer device(host.size() * sizeof(uint64_t));
  mirror::copy_integers_to_device(device.data(), host.data(), host.size(), primitives::Width::bits64);
  CHECK(device.to_host<uint64_t>(host.size()) == std::vector<uint64_t>{0, 7, 4294967295u});
}
