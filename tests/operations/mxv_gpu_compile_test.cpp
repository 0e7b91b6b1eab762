// The matrix-vector kernels by merge path and on formats other than CSR, compiled for GPUs (no GPU is needed
// for that): no register is spilled, and at least 1024 threads fit a multiprocessor.
#include <regex>

#include "src/jit/jit.h"
#include "src/operations/multiply/registry.h"
#include "tests/catch.h"
#include "tests/gpu_compile.h"
#include "tests/operations/mxv_cases.h"

using namespace cugrb;
using test::MaskKind;
using test::MxvConfiguration;

namespace {

std::vector<MxvConfiguration> configurations() {
  MxvConfiguration bfs{"ANY_SECONDI_INT32", "BOOL", "INT32"};
  bfs.form = Form::bitmap;
  bfs.mask = MaskKind::structural_complement;
  MxvConfiguration wide{"PLUS_TIMES_FP64"};
  wide.wide = true;
  MxvConfiguration pattern{"PLUS_SECOND_FP32", "BOOL", "FP32"};
  pattern.iso_matrix = true;
  return {{"PLUS_TIMES_FP32", "FP32", "FP32"},
          {"PLUS_TIMES_FP64"},
          pattern,
          {"MIN_PLUS_INT32", "INT32", "INT32"},
          {"LOR_LAND_BOOL", "BOOL", "BOOL"},
          bfs,
          wide};
}

/// Registers that ptxas reports, or -1.
int registers_in(const std::string& log) {
  std::smatch found;
  return std::regex_search(log, found, std::regex("Used ([0-9]+) registers")) ? std::stoi(found[1]) : -1;
}

}  // namespace

TEST_CASE("merge path and kernels on derived formats compile for GPUs without spilling, in 64 registers") {
  for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
    const std::vector<const operations::MxvKernel*> tiles = {&operations::mxv_tile_coo,
                                                             &operations::mxv_tile_composite};
    const bool left_out = std::find(tiles.begin(), tiles.end(), kernel) != tiles.end() ||
                          kernel->name.rfind("mxv_cusparse", 0) == 0;
    if (left_out || (kernel->derives.empty() && kernel != &operations::mxv_merge)) continue;
    for (MxvConfiguration configuration : configurations()) {
      configuration.kernel = kernel->name;
      const size_t before = jit::requests_so_far().size();
      test::Random random(1);
      REQUIRE(test::run_mxv(configuration, test::built_in_semiring(configuration.semiring),
                            test::mxv_shapes()[9], random) == "");
      const std::vector<jit::Request> requests = jit::requests_so_far();
      for (size_t n = before; n < requests.size(); ++n) {
        if (requests[n].header.rfind("mxv_", 0) != 0) continue;
        INFO(requests[n].name);
        const auto result = test::compiled_for_gpu(requests[n], "sm_90");
        if (!result) return;
        INFO(result->log);
        CHECK(result->log.find(" 0 bytes spill stores") != std::string::npos);
        const int registers = registers_in(result->log);
        CHECK(registers > 0);
        CHECK(registers <= 64);
      }
    }
  }
}
