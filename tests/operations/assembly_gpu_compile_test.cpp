// After the other cases of the program: what they have compiled, for GPUs.
#include "src/jit/jit.h"
#include "tests/catch.h"
#include "tests/gpu_compile.h"

using namespace cugrb;

TEST_CASE("the specialisations that assemble objects compile for GPUs without spilling registers") {
  size_t n = 0, compiled = 0;
  for (const jit::Request& request : jit::requests_so_far()) {
    if (request.header != "kronecker.h" && request.header != "build.h" && request.header != "matrix_parts.h")
      continue;
    if (++n % 3 != 0) continue;  // a third of them, the architectures by turns
    const char* architecture = test::gpu_architecture(n / 3);
    INFO(request.name << " for " << architecture);
    const auto result = test::compiled_for_gpu(request, architecture);
    if (!result) return;
    CHECK(result->log.find(" 0 bytes spill stores") != std::string::npos);
    ++compiled;
  }
  if (n == 0) WARN("skipped: no other case has run in this process");
  CHECK((n == 0 || compiled > 10));
}
