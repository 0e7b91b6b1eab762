// Specialisations of the matrix product by every kernel, compiled for GPUs (no GPU is needed for that).
#include <set>

#include "src/jit/jit.h"
#include "tests/catch.h"
#include "tests/gpu_compile.h"
#include "tests/operations/mxm_cases.h"

using namespace cugrb;

namespace {

/// ptxas moves a few bounds of outer loops out of registers for full occupancy; nothing of an inner loop.
constexpr long most_spilled_bytes = 32;

long spilled_bytes(const std::string& log) {
  const size_t end = log.find(" bytes spill stores");
  if (end == std::string::npos) return -1;
  return std::stol(log.substr(log.rfind(' ', end - 1) + 1));
}

}  // namespace

TEST_CASE(
    "specialisations of the matrix product compile for every architecture, without spilling inner loops") {
  jit::forget_kernels();  // requests_so_far() begins anew
  for (const char* kernel : {"mxm_rows", "mxm_sort", "mxm_dcsr", "mxm_outer", "mxm_outer_staged", "mxm_dot",
                             "mxm_dense", "mxm_dense_push"}) {
    test::MxmConfiguration c{"PLUS_MAX_FP64", "FP64", "FP64", test::MaskKind::structural};
    c.accumulate = "MINUS_FP64";
    c.kernel = kernel;
    for (const size_t shape : {size_t(1), size_t(4)}) {
      test::Random random(shape);
      const test::MeantSemiring semiring = test::built_in_semiring(c.semiring);
      CHECK(test::run_mxm(c, semiring, test::mxm_shapes()[shape], random) == "");
    }
  }
  const Type& type = Type::of(TypeCode::Fp64);
  test::Random random(5);
  const auto merged = test::merged_factors(random, type, 100000, 12);
  for (const auto& [left, right] : {merged, test::unbounded(merged.first, merged.second)}) {
    CHECK(test::run_plain_mxm(test::built_in_semiring("PLUS_MAX_FP64"), left, right, nullptr, "mxm_rows") ==
          "");
  }
  for (const uint64_t met : {uint64_t(2), uint64_t(12)}) {
    const auto [left, right] = test::counted_factors(random, type, met, uint64_t(1) << 28);
    CHECK(test::run_plain_mxm(test::built_in_semiring("PLUS_MAX_FP64"), left, right, nullptr, "mxm_rows") ==
          "");
  }
  for (const uint64_t met : {uint64_t(20), uint64_t(40), uint64_t(70)}) {
    const auto [left, right] = test::ranked_factors(random, type, met, 900);
    CHECK(test::run_plain_mxm(test::built_in_semiring("PLUS_MAX_FP64"), left, right, nullptr, "mxm_rows") ==
          "");
  }
  test::RefMatrix diagonal{type, 5, 5, {}};
  for (uint64_t i = 0; i < 5; ++i) diagonal.entries[{i, i}] = test::make_value(type, double(i));
  CHECK(test::run_plain_mxm(test::built_in_semiring("PLUS_MAX_FP64"), diagonal, diagonal, nullptr,
                            "mxm_scale") == "");
  test::RefMatrix links = diagonal, row{type, 1, 3000, {}};
  links.entries[{0, 1}] = test::make_value(type, 1);
  for (uint64_t k = 0; k < 3000; ++k) row.entries[{0, k}] = test::make_value(type, 1);
  const formats::DeviceMatrix pattern = test::to_device(links, false, false),
                              long_row = test::to_device(row, false, false),
                              column = test::to_device(test::transposed(row), false, false);
  const Semiring semiring = catalogue::semiring("PLUS_MAX_FP64").value();
  for (const bool complement : {false, true}) {
    operations::decide_mxm({&pattern, true, complement}, {semiring, pattern, pattern}, selector::Hardware(),
                           nullptr);
  }
  operations::decide_mxm({}, {semiring, pattern, pattern}, selector::Hardware(), nullptr);
  operations::decide_mxm({}, {semiring, long_row, column}, selector::Hardware(), nullptr);
  operations::decide_mxm({&pattern, true, false}, {semiring, pattern, pattern, false, true},
                         selector::Hardware(),
                         nullptr);  // dot products need no transposition
  size_t n = 0;
  std::set<std::string> compiled;
  for (const jit::Request& request : jit::requests_so_far()) {
    if (request.header.rfind("mxm_", 0) != 0 && request.header.rfind("matrix_", 0) != 0) continue;
    const char* architecture = test::gpu_architecture(n++);
    INFO(request.name << " for " << architecture);
    const auto result = test::compiled_for_gpu(request, architecture);
    if (!result) return;
    INFO(result->log);
    CHECK(spilled_bytes(result->log) <= most_spilled_bytes);
    compiled.insert(request.name.substr(0, request.name.find('<')));
  }
  CHECK(compiled.size() > 10);
  for (const char* name :
       {"mxm_scale", "mxm_dense", "mxm_dense_push", "mxm_product_octaves", "mxm_sample_rows",
        "mxm_sample_count", "mxm_dot_steps", "mxm_tile_products", "mxm_weigh_rows", "mxm_ranks_fill",
        "mxm_merge_fill", "mxm_bounded_merge", "mxm_bounded_sort", "mxm_bounded_place"}) {
    INFO(name);
    CHECK(compiled.count(name) == 1);
  }
}

TEST_CASE("rows of values of every size, those of users' types too, are moved") {
  for (const char* element : {"uint8_t", "uint64_t", "packed<uint64_t, 3>", "packed<uint8_t, 5>"}) {
    const jit::Request request{"mxm_esc.h",
                               std::string("mxm_move_rows<uint32_t, ") + element + ", uint32_t, 8>", ""};
    INFO(request.name);
    if (!test::compiled_for_gpu(request, "sm_90")) return;
  }
}
