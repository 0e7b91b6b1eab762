// T by a thread a row: one launch.
#include "cuda/views/plain.h"
#include "src/operations/multiply/mxv/pull.h"
#include "src/operations/multiply/registry.h"
#include "tests/recipes/kernel/plain/plain.h"

namespace cugrb::operations {

namespace {

DeviceVector pull_plainly(const MatrixVectorRun& run) {
  Pull pull(run);
  MxvPlainArguments arguments;
  arguments.operands = operands_of(run, pull);
  launch_product(run, "mxv_plain.h", "mxv_plain", formats::blocks_for(pull.matrix.rows), arguments,
                 [&](const std::string& stem) {
                   return template_id(stem, {csr_product_id(run, pull.matrix, pull.vector), run.mask.name(),
                                             text_of(pull.full_result)});
                 });
  return std::move(pull.t);
}

}  // namespace

const MxvKernel mxv_plain = {{"mxv_plain", Role::reference},
                             {.cost = cost_of_plain, .plan = always(pull_plainly)}};

}  // namespace cugrb::operations
