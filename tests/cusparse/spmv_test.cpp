// mxv_cusparse_*: the same products as every other kernel, in T's own pattern, and what becomes of a call
// when cuSPARSE refuses.
#include <cmath>
#include <limits>

#include "cuda/cusparse/cusparse.h"
#include "cuda/runtime/injection.h"
#include "src/formats/ell.h"
#include "src/support/settings.h"
#include "tests/catch.h"
#include "tests/cusparse/fixture.h"
#include "tests/operations/agree.h"
#include "tests/operations/cost.h"
#include "tests/operations/mxv_cases.h"

using namespace cugrb;
using formats::DeviceMatrix;
using formats::DeviceVector;
using test::MxvConfiguration;
using test::RefMatrix;
using test::RefVector;
using test::Spread;

namespace {

const char* const kernels[] = {"mxv_cusparse_csr_alg1", "mxv_cusparse_csr_alg2", "mxv_cusparse_sell"};

RefVector full(unsigned seed, const std::string& type, uint64_t length) {
  test::Random random(seed);
  return test::random_vector(random, test::type_of(type), length, 1, false);
}

/// w = A u by the kernel that settings() say.
trace::Record multiply(const DeviceMatrix& a, const DeviceVector& u, DeviceVector& w) {
  const Semiring semiring = catalogue::semiring("PLUS_TIMES_" + a.type.suffix()).value();
  return fixture::traced([&] {
    operations::mxv({w, {}, std::nullopt, false}, {semiring, a, u, false, false});
  });
}

std::string wrong(const RefMatrix& a, const RefVector& u, const DeviceVector& w) {
  const RefVector found = test::from_device(w);
  const auto terms =
      test::terms_of(a, u, false, test::built_in_semiring("PLUS_TIMES_" + a.type.suffix()).multiply);
  RefVector expected{a.type, a.rows, {}};
  const BinaryOp plus = catalogue::binary_op("PLUS_" + a.type.suffix()).value();
  for (const auto& [i, values] : terms) {
    Value sum = values[0];
    for (size_t n = 1; n < values.size(); ++n) sum = reference::apply(plus, sum, values[n]);
    expected.entries[i] = sum;
  }
  return test::difference(expected, found);
}

}  // namespace

TEST_CASE("matrix-vector products of all shapes and orientations, both types and orders of operands") {
  if (!fixture::have_cusparse()) return;
  for (const char* kernel : kernels) {
    for (const char* type : {"FP32", "FP64"}) {
      MxvConfiguration c{std::string("PLUS_TIMES_") + type, type, type};
      c.kernel = kernel;
      test::agree_on_all(c, test::mxv_shapes(), test::run_mxv);
      c.vector_first = true;
      c.accumulate = std::string("PLUS_") + type;
      test::agree_on_all(c, test::mxv_shapes(), test::run_mxv);
      c.output_type = "INT32";
      test::agree_on_all(c, test::mxv_shapes(), test::run_mxv);
    }
  }
}

TEST_CASE("it is cuSPARSE that multiplies; rows without entries have none in T, zeros that are stored do") {
  if (!fixture::have_cusparse()) return;
  for (const char* kernel : kernels) {
    const test::Forced forced(kernel);
    for (const auto& [type, spread] :
         {std::pair("FP32", Spread::empty_rows), std::pair("FP64", Spread::no_empty_row),
          std::pair("FP32", Spread::one_huge_row)}) {
      RefMatrix a = fixture::drawn(1, type, 500, 700, spread, 3);
      a.entries[{17, 5}] = test::make_value(a.type, 0);
      const RefVector u = full(2, type, 700);
      const DeviceMatrix matrix = test::to_device(a, false, false);
      const DeviceVector vector = test::to_device(u, Form::full, false);
      DeviceVector w = DeviceVector::empty(a.type, 500);
      // What memory held before must not matter: freed blocks of NaN come again.
      { const runtime::Buffer dirty = runtime::Buffer::filled(500 * a.type.size, 0xFF); }
      const trace::Record record = multiply(matrix, vector, w);
      INFO(kernel << " " << type);
      CHECK(record.kernel == kernel);
      CHECK(wrong(a, u, w) == "");
      CHECK((w.form == Form::full) == (spread == Spread::no_empty_row));
    }
  }
}

TEST_CASE("infinities and NaN go through; what is written into T does not reach the next product") {
  if (!fixture::have_cusparse()) return;
  const RefMatrix a = fixture::drawn(3, "FP32", 60, 60, Spread::empty_rows, 5);
  RefVector u = full(4, "FP32", 60);
  u.entries[3] = test::make_value(u.type, std::numeric_limits<float>::infinity());
  u.entries[7] = test::make_value(u.type, std::nan(""));
  for (const char* kernel : kernels) {
    const test::Forced forced(kernel);
    const DeviceMatrix matrix = test::to_device(a, false, false);
    const DeviceVector vector = test::to_device(u, Form::full, false);
    DeviceVector w = DeviceVector::empty(a.type, 60);
    multiply(matrix, vector, w);
    CHECK(wrong(a, u, w) == "");
    for (uint64_t i = 0; i < 60; ++i) operations::set_element(w, i, test::make_value(a.type, 1));
    DeviceVector again = DeviceVector::empty(a.type, 60);
    multiply(matrix, vector, again);
    CHECK(wrong(a, u, again) == "");  // the presence of rows is the matrix's
  }
}

TEST_CASE("a repeated product is one allocation and one call") {
  if (!fixture::have_cusparse()) return;
  const RefMatrix a = fixture::drawn(5, "FP32", 70, 70, Spread::no_empty_row, 4);
  const RefVector u = full(6, "FP32", 70);
  for (const char* kernel : kernels) {
    const test::Forced forced(kernel);
    const DeviceMatrix matrix = test::to_device(a, false, false);
    const DeviceVector vector = test::to_device(u, Form::full, false);
    DeviceVector w = DeviceVector::empty(a.type, 70);
    const Semiring semiring = catalogue::semiring("PLUS_TIMES_FP32").value();
    const auto product = [&] { operations::mxv({w, {}, std::nullopt, false}, {semiring, matrix, vector}); };
    for (int uses = 0; uses < 12; ++uses) product();
    INFO(kernel);
    CHECK(test::cost_of(product) == test::Cost{1, 1});
  }
}

TEST_CASE("what it cannot multiply goes another way, and the record says why") {
  if (!fixture::have_cusparse()) return;
  const RefMatrix a = fixture::drawn(7, "FP32", 40, 40, Spread::uniform, 4);
  const auto reason = [&](const std::string& semiring, const DeviceMatrix& matrix, const DeviceVector& u,
                          const operations::VectorMask& mask) {
    const Semiring s = catalogue::semiring(semiring).value();
    DeviceVector w = DeviceVector::empty(s.add.type(), 40);
    const test::Forced forced("mxv_cusparse_csr_alg1");
    return fixture::traced([&] { operations::mxv({w, mask, std::nullopt, false}, {s, matrix, u}); }).reason;
  };
  const std::string start = "CUGRB_FORCE=mxv_cusparse_csr_alg1 is not applicable: ";
  const DeviceMatrix matrix = test::to_device(a, false, false), wide = test::to_device(a, false, false, true);
  const DeviceVector u = test::to_device(full(8, "FP32", 40), Form::full, false);
  const DeviceVector bitmap = test::to_device(full(8, "FP32", 40), Form::bitmap, false);
  const DeviceVector doubles = test::to_device(full(8, "FP64", 40), Form::full, false);
  CHECK(reason("PLUS_SECOND_FP32", matrix, u, {}) == start + "not PLUS_TIMES of FP32 or FP64");
  CHECK(reason("PLUS_TIMES_FP32", matrix, bitmap, {}) == start + "the vector is not full");
  CHECK(reason("PLUS_TIMES_FP32", matrix, doubles, {}) == start + "the vector would have to be typecast");
  CHECK(reason("PLUS_TIMES_FP64", matrix, doubles, {}) == start + "a factor would have to be typecast");
  CHECK(reason("PLUS_TIMES_FP32", wide, u, {}) == start + "indices of 64 bits");
  const RefVector some = [&] {
    test::Random random(14);
    return test::random_vector(random, test::type_of("BOOL"), 40, 0.4, false);
  }();
  const DeviceVector mask = test::to_device(some, Form::bitmap, false);
  CHECK(reason("PLUS_TIMES_FP32", matrix, u, {&mask, true, false}) ==
        start + "it would make what the mask forbids");
  const SettingsGuard guard;
  Settings deterministic = settings();
  deterministic.deterministic = true;
  override_settings(deterministic);
  CHECK(reason("PLUS_TIMES_FP32", matrix, u, {}).find(start + "CUGRB_DETERMINISTIC: only csr_alg2") == 0);
}

TEST_CASE("whichever of its preparations fails, another kernel multiplies, and it is not tried again") {
  if (!fixture::have_stand_in()) return;
  const RefMatrix a = fixture::drawn(9, "FP64", 50, 50, Spread::uniform, 3);
  const RefVector u = full(10, "FP64", 50);
  const DeviceVector vector = test::to_device(u, Form::full, false);
  for (const char* kernel : kernels) {
    const test::Forced forced(kernel);
    int failed = 0;
    for (int n = 1; n < 20; ++n) {
      {
        const DeviceMatrix matrix = test::to_device(a, false, false);
        DeviceVector w = DeviceVector::empty(a.type, 50);
        fixture::fail(n, n % 2 == 0 ? 11 : 7);
        const trace::Record record = multiply(matrix, vector, w);
        fixture::fail(0, 0);
        INFO(kernel << " call " << n << ": " << record.reason);
        CHECK(wrong(a, u, w) == "");
        if (record.kernel == kernel) break;
        ++failed;
        CHECK(record.reason.find(std::string("CUGRB_FORCE=") + kernel + " is not applicable: cusparse") == 0);
        CHECK(multiply(matrix, vector, w).kernel == record.kernel);
        CHECK(wrong(a, u, w) == "");
      }
      CHECK(fixture::descriptions() == 0);
    }
    CHECK(failed == 5);  // the matrix, two vectors, the workspace's size, the preparation
    CHECK(fixture::descriptions() == 0);
  }
}

TEST_CASE("an allocation that fails leaves w as it was, or another kernel multiplies") {
  if (!fixture::have_stand_in()) return;
  const RefMatrix a = fixture::drawn(11, "FP32", 50, 50, Spread::empty_rows, 3);
  const RefVector u = full(12, "FP32", 50);
  for (const char* kernel : kernels) {
    const test::Forced forced(kernel);
    for (int n = 1; n < 60; ++n) {
      const DeviceMatrix matrix = test::to_device(a, false, false);
      const DeviceVector vector = test::to_device(u, Form::full, false);
      DeviceVector w = DeviceVector::empty(a.type, 50);
      runtime::injection::reset("allocation:" + std::to_string(n));
      bool made = true;
      try {
        multiply(matrix, vector, w);
      } catch (const runtime::OutOfMemory&) {
        made = false;
      }
      const bool all = runtime::injection::count(runtime::injection::Point::allocation) < uint64_t(n);
      runtime::injection::reset("");
      INFO(kernel << " allocation " << n);
      if (made) CHECK(wrong(a, u, w) == "");
      if (!made) CHECK(w.nvals() == 0);
      if (all) break;
      CHECK(n < 59);
    }
  }
}

TEST_CASE("slices begin where their positions do") {
  test::Random random(13);
  for (const bool wide : {false, true}) {
    const RefMatrix a =
        test::matrix_of_lengths(random, Type::of(TypeCode::Fp32), std::vector<uint64_t>(70, 2), 9);
    const formats::Csr csr = test::csr_to_device(a, false, wide);
    const formats::Ell sell = formats::make_sell(csr, formats::plan_slices(csr));
    CHECK(formats::position_offsets(sell).to_host<int32_t>(4) == std::vector<int32_t>{0, 64, 128, 192});
  }
}
