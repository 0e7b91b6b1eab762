// The specialisations that ran on the emulated device are compiled for GPUs, too (no GPU is needed for that).
#include "tests/gpu_compile.h"
#include "src/jit/jit.h"
#include "tests/catch.h"
#include "tests/operations/cases.h"

using namespace cugrb;

TEST_CASE(
    "specialisations of the vector operations compile for every architecture, without spilling registers") {
  for (unsigned n = 0; n < 20; ++n) {  // configurations of vector_operations_test.cpp
    test::Random random(1000003u + n);
    const test::Configuration configuration = test::draw(random);
    test::run(configuration, random, 40);
  }
  const std::vector<jit::Request> requests = jit::requests_so_far();
  unsigned compiled = 0;
  for (size_t n = 0; n < requests.size();
       n += 3) {  // a third of them, the architectures by turns: a few seconds
    if (requests[n].preamble.find("nonsense") != std::string::npos)
      continue;  // the one that must not compile
    const char* architecture = test::gpu_architecture(n / 3);
    INFO(requests[n].name << " for " << architecture);
    const auto result = test::compiled_for_gpu(requests[n], architecture);
    if (!result) return;
    INFO(result->log);
    CHECK(result->log.find(" 0 bytes spill stores") != std::string::npos);
    ++compiled;
  }
  CHECK(compiled > requests.size() / 4);
}
