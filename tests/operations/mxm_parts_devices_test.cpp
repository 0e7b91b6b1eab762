// Matrix products whose left factor's rows are dealt to several devices.
#include "cuda/runtime/injection.h"
#include "src/formats/row_parts.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/operations/agree.h"
#include "tests/operations/breadth.h"
#include "tests/operations/mxm_cases.h"
#include "tests/operations/several_devices.h"

using namespace cugrb;
using test::MaskKind;
using test::MxmConfiguration;

namespace {

void agree(MxmConfiguration configuration) {
  configuration.kernel = "mxm_parts";
  test::agree_on_all(configuration, test::mxm_shapes(), test::run_mxm);
}

}  // namespace

TEST_CASE("a matrix product in parts: semirings, types, iso factors, both widths, accumulators") {
  agree({"PLUS_TIMES_FP64"});
  MxmConfiguration least{"MIN_PLUS_INT32", "INT32", "INT16"};
  least.accumulate = "PLUS_INT32";
  agree(least);
  MxmConfiguration iso{"PLUS_SECOND_FP32", "BOOL", "FP32"};
  iso.iso_a = iso.iso_b = true;
  agree(iso);
  MxmConfiguration order{"PLUS_MINUS_INT64", "INT64", "INT64"};
  order.wide = true;
  agree(order);
}

TEST_CASE("a matrix product in parts: every kind of mask") {
  for (const MaskKind mask : {MaskKind::structural, MaskKind::structural_complement, MaskKind::valued,
                              MaskKind::valued_complement}) {
    MxmConfiguration masked{"PLUS_TIMES_INT64", "INT64", "INT64"};
    masked.mask = mask;
    agree(masked);
  }
}

// Scaling looks at no mask: that is left to the write-back.
TEST_CASE("a part that a kernel without a mask makes has no entry that the mask forbids") {
  test::Random random(58);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  test::RefMatrix diagonal{Type::of(TypeCode::Int64), 40, 40, {}};
  for (uint64_t i = 0; i < 40; ++i) diagonal.entries[{i, i}] = test::random_value(random, diagonal.type);
  const test::RefMatrix right =
      test::random_matrix(random, diagonal.type, 40, 40, test::Spread::uniform, 6, false);
  const test::RefMatrix mask =
      test::random_matrix(random, diagonal.type, 40, 40, test::Spread::uniform, 6, false);
  for (const test::RefMatrix* by : {static_cast<const test::RefMatrix*>(nullptr), &mask})
    CHECK(test::run_plain_mxm(s, diagonal, right, by, "mxm_parts") == "");
}

TEST_CASE("indices of the sum and columns are the same in a part; rows are not, and one device does it") {
  for (const char* semiring :
       test::by_turns({"MIN_FIRSTJ_INT64", "MAX_SECONDI1_INT32", "MIN_SECONDJ_INT64", "MIN_FIRSTI_INT32"}))
    agree({semiring, "INT32", "INT32"});
}

TEST_CASE("both factors stay dealt and copied for the next product, and go with the matrix's caches") {
  test::Random random(56);
  const Type& type = Type::of(TypeCode::Int64);
  const formats::DeviceMatrix a = test::to_device(
      test::random_matrix(random, type, 90, 90, test::Spread::power_law, 5, false), false, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const size_t before = a.bytes();
  formats::DeviceMatrix c = formats::matrix_by(formats::empty_csr(type, 90, 90), false);
  const test::Forced forced("mxm_parts");
  operations::mxm({c, {}, std::nullopt, false}, {s.semiring, a, a, false, false, runtime::devices()});
  const auto* dealt = a.find_derived(false, formats::RowParts::Key{false});
  CHECK((dealt != nullptr) == (runtime::devices().size() > 1));
  if (dealt == nullptr) return;
  // Rows with entries once more, and the whole once for each other device.
  CHECK(a.bytes() > before + (runtime::devices().size() - 1) * before);
  a.drop_caches();
  CHECK(a.bytes() == before);
}

TEST_CASE("a matrix product in parts that fails at its n-th allocation or launch changes nothing") {
  test::Random random(57);
  const Type& type = Type::of(TypeCode::Int64);
  const test::RefMatrix matrix = test::random_matrix(random, type, 60, 60, test::Spread::uniform, 5, false);
  const test::RefMatrix old = test::random_matrix(random, type, 60, 60, test::Spread::uniform, 3, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const test::Forced forced("mxm_parts");
  const auto attempt = [&](const std::string& injection) {
    const formats::DeviceMatrix a = test::to_device(matrix, false, false);
    formats::DeviceMatrix c = test::to_device(old, false, false);
    runtime::injection::reset(injection);
    bool failed = false;
    try {
      operations::mxm({c, {}, std::nullopt, false}, {s.semiring, a, a, false, false, runtime::devices()});
    } catch (const std::exception&) {
      failed = true;
    }
    runtime::injection::reset("");
    if (failed) CHECK(test::difference(test::flattened(old), test::flattened(test::read_back(c))) == "");
    return failed;
  };
  attempt("");
  for (const unsigned at : {1u, 2u, 5u, 12u, 30u, 60u}) {
    attempt("allocation:" + std::to_string(at));
    attempt("launch:" + std::to_string(at));
  }
}
