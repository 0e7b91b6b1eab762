// After the other cases of the program: what they have compiled, for GPUs.
#include "src/jit/jit.h"
#include "tests/catch.h"
#include "tests/gpu_compile.h"

using namespace cugrb;

TEST_CASE("the specialisations that assemble objects compile for GPUs without spilling registers") {
  test::check_third_compiles({"kronecker.h", "build.h", "matrix_parts.h"});
}
