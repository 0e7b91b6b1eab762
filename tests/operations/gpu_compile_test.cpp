// The specialisations that ran on the emulated device are compiled for GPUs, too (no GPU is needed for that).
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
  const char* architectures[] = {"sm_90", "sm_75", "sm_80", "sm_100"};
  unsigned compiled = 0;
  for (size_t n = 0; n < requests.size();
       n += 3) {  // a third of them, the architectures by turns: a few seconds
    if (requests[n].preamble.find("nonsense") != std::string::npos)
      continue;  // the one that must not compile
    const char* architecture = architectures[n / 3 % 4];
    INFO(requests[n].name << " for " << architecture);
    try {
      const jit::Compiled result = jit::compile(requests[n], architecture);
      CHECK(result.log.find(" 0 bytes spill stores") != std::string::npos);
      ++compiled;
    } catch (const jit::CompilationFailure& failure) {
      if (compiled == 0 && std::string(failure.what()).find("CUGRB_NVRTC") != std::string::npos) {
        WARN("no NVRTC on this machine: nothing was compiled for GPUs");
        return;
      }
      FAIL_CHECK(failure.what());
    }
  }
  CHECK(compiled > requests.size() / 4);
}
