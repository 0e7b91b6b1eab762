// The kernel that the recipe has added: it is known by its name, computes what all kernels compute, and is
// not chosen where nobody asks for it.
#include "src/jit/jit.h"
#include "src/operations/multiply/registry.h"
#include "tests/catch.h"
#include "tests/operations/agree.h"
#include "tests/operations/mxv_cases.h"

using namespace cugrb;
using test::MxvConfiguration;

namespace {

void agree(MxvConfiguration configuration) {
  configuration.kernel = "mxv_plain";
  test::agree_on_all(configuration, test::mxv_shapes(), test::run_mxv);
}

uint64_t requests_of_it() {
  uint64_t count = 0;
  for (const jit::Request& request : jit::requests_so_far())
    count += request.name.rfind("mxv_plain<", 0) == 0;
  return count;
}

}  // namespace

TEST_CASE("one line makes a kernel known by its name") {
  REQUIRE(operations::find_mxv_kernel("mxv_plain") == &operations::mxv_plain);
  CHECK(operations::kernel_names().find("mxv_plain") != std::string::npos);
}

TEST_CASE("it runs where it is forced, with any semiring, form and mask") {
  agree({"PLUS_TIMES_FP64"});
  MxvConfiguration masked{"MIN_PLUS_INT32", "INT32", "INT16"};
  masked.form = Form::bitmap;
  masked.mask = test::MaskKind::structural_complement;
  masked.accumulate = "PLUS_INT32";
  agree(masked);
  CHECK(requests_of_it() >= 2);
}

TEST_CASE("a reference is not chosen") {
  const uint64_t before = requests_of_it();
  test::Random random(3);
  CHECK(test::run_mxv({"TIMES_PLUS_FP32", "FP32", "FP32"}, test::built_in_semiring("TIMES_PLUS_FP32"),
                      test::mxv_shapes()[0], random) == "");
  CHECK(requests_of_it() == before);
}
