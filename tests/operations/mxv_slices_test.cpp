// mxv of a matrix in host memory, as when it does not fit the device: slices of rows on several devices, the
// same answers as in one piece, whatever the limit, and whichever allocation fails.
#include "cuda/runtime/injection.h"
#include "src/operations/multiply/mxv/slices.h"
#include "src/support/declined.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/operations/agree.h"
#include "tests/operations/mxm_cases.h"
#include "tests/operations/ref_source.h"
#include "tests/operations/several_devices.h"

using namespace cugrb;
using test::MaskKind;
using test::MxvConfiguration;
using test::MxvShape;

namespace {

std::string run_in_slices(const MxvConfiguration& c, const test::MeantSemiring& s, const MxvShape& shape,
                          test::Random& random) {
  return test::run_mxv_by(
      c, s, shape, random,
      [&](const operations::VectorOutput& w, const test::RefMatrix& a, const formats::DeviceVector& u) {
        const test::RefSource source(a, shape.by_column, c.iso_matrix, c.wide);
        operations::mxv_in_slices(
            w, {s.semiring, source, u, shape.transpose, c.vector_first, runtime::devices()});
      });
}

void agree_in_slices(const MxvConfiguration& configuration) {
  for (const uint64_t limit : {2000, 100000}) {
    const test::Limited limited(limit);
    test::agree_on_all(configuration, test::mxv_shapes(), run_in_slices);
  }
}

}  // namespace

TEST_CASE("mxv in slices: semirings, forms, both orders, iso operands, accumulators") {
  agree_in_slices({"PLUS_TIMES_FP64"});
  MxvConfiguration bitmap{"MIN_PLUS_INT32", "INT32", "INT16"};
  bitmap.form = Form::bitmap;
  bitmap.accumulate = "PLUS_INT32";
  agree_in_slices(bitmap);
  MxvConfiguration sparse{"PLUS_MINUS_INT64", "INT64", "INT64"};
  sparse.form = Form::sparse;
  sparse.vector_first = sparse.wide = true;
  agree_in_slices(sparse);
  MxvConfiguration iso{"PLUS_SECOND_FP32", "BOOL", "FP32"};
  iso.iso_matrix = iso.iso_vector = true;
  agree_in_slices(iso);
  agree_in_slices({"MIN_SECONDI_INT32", "INT32", "INT32"});
}

TEST_CASE("mxv in slices: every kind of mask") {
  for (const MaskKind mask : {MaskKind::structural, MaskKind::structural_complement, MaskKind::valued,
                              MaskKind::valued_complement}) {
    MxvConfiguration masked{"PLUS_TIMES_INT64", "INT64", "INT64"};
    masked.mask = mask;
    agree_in_slices(masked);
  }
}

TEST_CASE("an operator that asks for the row is left to others") {
  MxvConfiguration rows{"MIN_FIRSTI_INT32", "INT32", "INT32"};
  test::Random random(3);
  CHECK_THROWS_AS(run_in_slices(rows, test::built_in_semiring(rows.semiring), test::mxv_shapes()[0], random),
                  Declined);
}

TEST_CASE("mxv in slices: the trace says how many came, and how fast; memory for one row is enough") {
  trace::keep_records(true);
  {
    const trace::Scope scope("GrB_mxv");
    const test::Limited limited(2000);
    test::Random random(4);
    const MxvConfiguration c{"PLUS_TIMES_FP64"};
    CHECK(run_in_slices(c, test::built_in_semiring(c.semiring), test::mxv_shapes()[0], random) == "");
  }
  const std::string text = trace::last_text();
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring("slices of it came from the host"));
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring(" GB/s"));
  trace::keep_records(false);
}

TEST_CASE("mxv in slices that fails at its n-th allocation is right or has changed nothing") {
  const MxvConfiguration c{"PLUS_TIMES_INT64", "INT64", "INT64"};
  const test::MeantSemiring s = test::built_in_semiring(c.semiring);
  int failures = 0;
  for (unsigned at = 1; at < 60; ++at) {
    const test::Limited limited(2000);
    test::Random random(5);
    try {
      const auto failing = [&](const operations::VectorOutput& w, const test::RefMatrix& a,
                               const formats::DeviceVector& u) {
        const test::RefSource source(a, false, false, false);
        runtime::injection::reset("allocation:" + std::to_string(at));
        const formats::DeviceVector before = w.object;
        try {
          operations::mxv_in_slices(w, {s.semiring, source, u, false, false, runtime::devices()});
        } catch (...) {
          runtime::injection::reset("");
          CHECK(test::difference(test::from_device(before), test::from_device(w.object)) == "");
          throw;
        }
        runtime::injection::reset("");
      };
      const std::string found = test::run_mxv_by(c, s, test::mxv_shapes()[0], random, failing);
      CHECK(found == "");
    } catch (const runtime::OutOfMemory&) {
      ++failures;
    }
  }
  CHECK(failures > 0);
}
