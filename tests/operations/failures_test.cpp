// The output is untouched until the device has succeeded: the n-th allocation, launch or compilation fails,
// for every n.
#include "cuda/runtime/injection.h"
#include "src/jit/jit.h"
#include "tests/catch.h"
#include "tests/operations/cases.h"

using namespace cugrb;

namespace {

/// Runs the configuration with the injected failure. True when it threw; then nothing may have changed.
bool fails_cleanly(const test::Configuration& configuration, uint64_t seed, const std::string& injection) {
  test::Random random(seed);
  test::Data data = test::make_data(configuration, random, 400);
  const test::RefVector u = data.u, v = data.v, w = data.w, mask = data.mask;
  const test::RefVector expected = test::expected_output(configuration, data);
  bool failed = false;
  runtime::injection::reset(injection);
  try {
    test::run_on_device(configuration, data);
  } catch (const std::exception&) {
    failed = true;
  }
  runtime::injection::reset("");
  const formats::DeviceVector& output = test::output_of(configuration, data);
  INFO(configuration.text() << "; " << injection << (failed ? " failed" : " succeeded"));
  CHECK(test::difference(failed ? w : expected, test::from_device(output)) == "");
  if (&output != &data.du) CHECK(test::difference(u, test::from_device(data.du)) == "");
  if (&output != &data.dv) CHECK(test::difference(v, test::from_device(data.dv)) == "");
  return failed;
}

}  // namespace

TEST_CASE("an operation that fails at its n-th allocation or launch leaves its output as it was") {
  unsigned failures = 0;
  for (unsigned n = 0; n < 80; ++n) {
    test::Random random(1000003u + n);  // the configurations of vector_operations_test.cpp: compiled already
    const test::Configuration configuration = n % 16 == 15 ? test::draw_sparse(random) : test::draw(random);
    fails_cleanly(configuration, n, "");
    for (const char* point : {"allocation:", "launch:"}) {
      unsigned at = 1;
      while (at < 50 && fails_cleanly(configuration, n, point + std::to_string(at))) ++at, ++failures;
      CHECK(at < 50);
    }
  }
  CHECK(failures > 150);
}

TEST_CASE("an operation whose kernel does not compile leaves its output as it was") {
  const Type type = Type::of(TypeCode::Int32);
  const BinaryOp broken = catalogue::user_binary_op(
      "broken", "void broken(int32_t *z, const int32_t *x, const int32_t *y) { *z = nonsense; }", type, type,
      type);
  test::Random random(1);
  const test::RefVector u = test::random_vector(random, type, 50, 1, false);
  formats::DeviceVector du = test::to_device(u, Form::full, false);
  for (int attempt = 0; attempt < 2; ++attempt) {  // the second is refused from memory
    CHECK_THROWS_AS(operations::ewise_mult({du, {}, std::nullopt, false}, broken, du, du),
                    jit::CompilationFailure);
    CHECK(test::difference(u, test::from_device(du)) == "");
  }
}
