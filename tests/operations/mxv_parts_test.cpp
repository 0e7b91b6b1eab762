// Products with matrices whose rows are dealt to several devices, and the dealing itself.
#include "cuda/runtime/injection.h"
#include "src/formats/row_parts.h"
#include "src/operations/multiply/registry.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/formats/format_cases.h"
#include "tests/operations/agree.h"
#include "tests/operations/mxv_cases.h"
#include "tests/operations/several_devices.h"

using namespace cugrb;
using formats::Csr;
using formats::Only;
using formats::RowParts;
using test::MaskKind;
using test::MxvConfiguration;
using test::RefMatrix;

namespace {

void agree(MxvConfiguration configuration) {
  configuration.kernel = "mxv_parts";
  test::agree_on_all(configuration, test::mxv_shapes(), test::run_mxv);
}

/// So many devices, the process's again and again.
std::vector<runtime::Device*> devices(size_t count) {
  std::vector<runtime::Device*> all;
  for (size_t n = 0; n < count; ++n) all.push_back(runtime::devices()[n % runtime::devices().size()]);
  return all;
}

}  // namespace

// PVLDB 4(4), section 3.2. Sorted: rows 1 (9 entries), 6 (8), 3 (7), 4 (5), 2 (3), 5 (2), 0 (1). The first of
// two parts gets row 1 of the first round, row 4, the shorter, of the second, rows 2 and 0 of the others'
// beginnings.
TEST_CASE("rows are dealt in rounds: who got the longest of a round gets the shortest of the next") {
  test::Random random(51);
  const RefMatrix matrix =
      test::matrix_of_lengths(random, Type::of(TypeCode::Int32), {1, 9, 3, 7, 5, 2, 8}, 9);
  const Csr csr = test::csr_to_device(matrix, false, false);
  const RowParts dealt = formats::make_row_parts(csr, devices(2));
  REQUIRE(formats::check(dealt, csr) == "");
  CHECK(dealt.parts[0].rows.to_host<uint32_t>(3) == std::vector<uint32_t>{1, 2, 4});
  CHECK(dealt.parts[1].rows.to_host<uint32_t>(4) == std::vector<uint32_t>{0, 3, 5, 6});
  CHECK(dealt.parts[0].matrix.nvals() == 9 + 3 + 5);
  CHECK(dealt.parts[1].matrix.nvals() == 1 + 7 + 2 + 8);
}

TEST_CASE("dealt rows hold what the CSR holds, for every shape, width, iso-ness and size of value") {
  test::for_every_matrix(52, [&](const RefMatrix& matrix, const Csr& csr, const std::string& text) {
    for (const size_t count : {1, 2, 3, 7}) {
      INFO(text << " on " << count);
      const RowParts dealt = formats::make_row_parts(csr, devices(count));
      REQUIRE(formats::check(dealt, csr) == "");
      CHECK(dealt.entries() == matrix.entries.size());
      for (const formats::RowPart& part : dealt.parts) {
        CHECK(part.matrix.rows >= matrix.rows / count);
        CHECK(part.matrix.rows <= matrix.rows / count + 1);
        CHECK(&part.matrix.stored.offsets.device() == part.device);
        for (const auto& [place, value] : test::from_device(part.matrix.stored).entries) {
          const auto row = part.rows.read<uint32_t>(place.first);
          CHECK(test::same_value(value, matrix.entries.at({row, place.second})));
        }
      }
    }
  });
}

TEST_CASE("a product in parts: semirings, types, forms, iso operands, both orders, accumulators") {
  agree({"PLUS_TIMES_FP64"});
  MxvConfiguration bitmap{"MIN_PLUS_INT32", "INT32", "INT16"};
  bitmap.form = Form::bitmap;
  bitmap.accumulate = "PLUS_INT32";
  agree(bitmap);
  MxvConfiguration iso{"PLUS_SECOND_FP32", "BOOL", "FP32"};
  iso.iso_matrix = true;
  agree(iso);
  MxvConfiguration first{"MINUS_RMINUS_INT8", "INT8", "INT8"};
  first.semiring = "PLUS_MINUS_INT64";
  first.matrix_type = first.vector_type = "INT64";
  first.vector_first = true;
  first.wide = true;
  agree(first);
  MxvConfiguration reach{"LOR_LAND_BOOL", "FP32", "INT8"};
  reach.form = Form::bitmap;
  reach.iso_vector = true;
  agree(reach);
}

TEST_CASE("what a product in parts cannot do is done on one device") {
  MxvConfiguration masked{"PLUS_TIMES_FP64"};
  masked.mask = MaskKind::structural_complement;
  agree(masked);
  MxvConfiguration positional{"MIN_SECONDI_INT32", "INT32", "INT32"};
  agree(positional);
  MxvConfiguration sparse{"PLUS_TIMES_FP64"};
  sparse.form = Form::sparse;
  agree(sparse);
}

TEST_CASE("the kernel is there where there are several devices, and says why where it is not") {
  test::Random random(53);
  const RefMatrix matrix =
      test::random_matrix(random, Type::of(TypeCode::Fp64), 100, 80, test::Spread::power_law, 4, false);
  const formats::DeviceMatrix a = test::to_device(matrix, false, false);
  const formats::DeviceVector u =
      test::to_device(test::random_vector(random, Type::of(TypeCode::Fp64), 80, 1, false), Form::full, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_FP64");
  formats::DeviceVector w = formats::DeviceVector::empty(Type::of(TypeCode::Fp64), 100);
  const test::Forced forced("mxv_parts");
  operations::mxv({w, {}, std::nullopt, false}, {s.semiring, a, u, false, false, runtime::devices()});
  const RowParts* dealt = a.find_derived(false, Only<RowParts>());
  CHECK((dealt != nullptr) == (runtime::devices().size() > 1));
  if (dealt == nullptr) return;
  CHECK(dealt->parts.size() == runtime::devices().size());
  CHECK(a.bytes() > dealt->bytes());
  a.drop_caches();
  CHECK(a.find_derived(false, Only<RowParts>()) == nullptr);
}

TEST_CASE("a product in parts that fails at its n-th allocation or launch changes nothing") {
  test::Random random(54);
  const Type& type = Type::of(TypeCode::Int64);
  const RefMatrix matrix = test::random_matrix(random, type, 90, 70, test::Spread::uniform, 5, false);
  const test::RefVector operand = test::random_vector(random, type, 70, 1, false);
  const test::MeantSemiring s = test::built_in_semiring("PLUS_TIMES_INT64");
  const test::Forced forced("mxv_parts");
  const auto attempt = [&](const std::string& injection) {
    const formats::DeviceMatrix a = test::to_device(matrix, false, false);
    const formats::DeviceVector u = test::to_device(operand, Form::full, false);
    const test::RefVector before = test::random_vector(random, type, 90, 0.5, false);
    formats::DeviceVector w = test::to_device(before, Form::bitmap, false);
    runtime::injection::reset(injection);
    bool failed = false;
    try {
      operations::mxv({w, {}, std::nullopt, false}, {s.semiring, a, u, false, false, runtime::devices()});
    } catch (const std::exception&) {
      failed = true;
    }
    runtime::injection::reset("");
    if (failed) CHECK(test::difference(before, test::from_device(w)) == "");
    return failed;
  };
  attempt("");
  unsigned failures = 0;
  for (const char* point : {"allocation:", "launch:"}) {
    unsigned at = 1;
    while (at < 200 && attempt(point + std::to_string(at))) ++at, ++failures;
    CHECK(at < 200);
  }
  CHECK(failures > 5);
}
