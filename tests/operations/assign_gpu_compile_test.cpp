// After the other cases of the program: what they have compiled, for GPUs.
#include "src/jit/jit.h"
#include "tests/catch.h"
#include "tests/gpu_compile.h"

using namespace cugrb;

TEST_CASE(
    "the specialisations that assign to parts, sort and reshape compile for GPUs without spilling "
    "registers") {
  test::check_third_compiles({"matrix_spread.h", "matrix_write_back.h", "sort.h", "reshape.h"});
}
