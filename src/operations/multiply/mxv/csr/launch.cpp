// The matrix-vector kernels on CSR: a group of lanes a row, merge path, push.
#include "src/operations/multiply/mxv/csr/csr.h"
#include "src/operations/multiply/mxv/push.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

/// T is full when every row surely has a term, else bitmap. One launch.
DeviceVector pull_by_rows(const MatrixVectorRun& run, int lanes) {
  Pull pull(run);
  MxvRowsArguments arguments;
  arguments.operands = operands_of(run, pull);
  if (lanes == 256) {
    launch_product(run, "mxv_rows.h", "mxv_row_block", pull.matrix.rows, arguments,
                   [&](const std::string& stem) {
                     return template_id(stem, {csr_product_id(run, pull.matrix, pull.vector), run.mask.name(),
                                               text_of(pull.full_result)});
                   });
    return std::move(pull.t);
  }
  const formats::LongRows& long_rows = run.call.matrix.long_rows(run.call.transpose_matrix);
  arguments.long_rows = long_rows.rows.as<uint64_t>();
  arguments.long_count = long_rows.count;
  arguments.longest_short = formats::longest_short_row;
  const uint64_t blocks = long_rows.count + formats::blocks_for(pull.matrix.rows * uint64_t(lanes));
  launch_product(run, "mxv_rows.h", "mxv_rows", blocks, arguments, [&](const std::string& stem) {
    return template_id(stem, {csr_product_id(run, pull.matrix, pull.vector), run.mask.name(),
                              text_of(pull.full_result), std::to_string(lanes)});
  });
  return std::move(pull.t);
}

/// Two launches.
DeviceVector pull_by_merge(const MatrixVectorRun& run) {
  Pull pull(run);
  const formats::MergePlan& plan = run.call.matrix.merge_plan(run.call.transpose_matrix);
  const Buffer pieces(plan.tiles * 2 * pull.t.type.size);
  const bool flagged = !run.mask.allows_all || pull.vector.form != Form::full;  // not every entry has a term
  const Buffer has(flagged ? plan.tiles * 2 : 0);
  MxvMergeArguments arguments;
  arguments.operands = operands_of(run, pull);
  arguments.tile_rows = plan.tile_rows.as<uint64_t>();
  arguments.tiles = plan.tiles;
  arguments.heads = pieces.data();
  arguments.tails = pieces.as<char>() + plan.tiles * pull.t.type.size;
  if (flagged) {
    arguments.head_has = has.as<uint8_t>();
    arguments.tail_has = arguments.head_has + plan.tiles;
  }
  constexpr uint64_t warps_of_block = formats::block_threads / 32;
  launch_product(run, "mxv_merge.h", "mxv_merge", formats::blocks_for(plan.tiles, warps_of_block), arguments,
                 [&](const std::string& stem) {
                   return template_id(stem, {csr_product_id(run, pull.matrix, pull.vector), run.mask.name(),
                                             text_of(pull.full_result)});
                 });
  launch_product(run, "mxv_merge.h", "mxv_merge_carries", formats::blocks_for(plan.tiles), arguments,
                 [&](const std::string& stem) {
                   return template_id(stem, {csr_product_id(run, pull.matrix, pull.vector), text_of(flagged),
                                             text_of(pull.full_result)});
                 });
  return std::move(pull.t);
}

DeviceVector push_by_rows(const MatrixVectorRun& run) {
  const Csr& matrix = run.call.matrix.by_rows(!run.call.transpose_matrix);
  VxmPushArguments arguments;
  arguments.operands.matrix = matrix.view();
  const std::string id = template_id(
      "csr_rows", {formats::index_type(matrix.offset_width), formats::index_type(matrix.column_width),
                   values_id(matrix.type, run.reads_matrix(), matrix.iso)});
  return push(run, {"vxm_push.h", id, arguments, matrix.offset_width, matrix.entries});
}

/// Positional operators whose value depends on T's own position: mxm's i in mxv, its j in vxm.
bool asks_result_position(const MatrixVector& call) {
  switch (call.semiring.multiply.positional) {
    case Positional::FirstI:
    case Positional::FirstI1:
      return !call.vector_first;
    case Positional::SecondJ:
    case Positional::SecondJ1:
      return call.vector_first;
    case Positional::Indices:
      return true;
    default:
      return false;
  }
}

std::string merge_refusal(const MatrixVector& call) {
  const size_t bytes = call.semiring.add.type().size;
  if (bytes > formats::most_merge_bytes) return "values of " + std::to_string(bytes) + " bytes are too large";
  if (asks_result_position(call)) return "the operator asks for the result's position";
  return {};
}

MxvKernel row_kernel(const char* name, int lanes) {
  return {{name},
          {.cost = [lanes](const MxvProblem& p, const Hardware& h) { return cost_of_rows(p, h, lanes); },
           .plan = always([lanes](const MatrixVectorRun& run) { return pull_by_rows(run, lanes); }),
           .numbers = numbers_of_rows(lanes)}};
}

}  // namespace

const MxvKernel mxv_row_thread = row_kernel("mxv_row_thread", 1);
const MxvKernel mxv_row_2 = row_kernel("mxv_row_2", 2);
const MxvKernel mxv_row_4 = row_kernel("mxv_row_4", 4);
const MxvKernel mxv_row_8 = row_kernel("mxv_row_8", 8);
const MxvKernel mxv_row_16 = row_kernel("mxv_row_16", 16);
const MxvKernel mxv_row_warp = row_kernel("mxv_row_warp", 32);
const MxvKernel mxv_row_block = row_kernel("mxv_row_block", 256);

const MxvKernel mxv_merge = {{"mxv_merge"},
                             {.cost = cost_of_merge,
                              .plan = always(pull_by_merge),
                              .numbers = NumbersId("merge"),
                              .describe = [](const MatrixVectorRun& run, bool, MxvProblem& p) {
                                p.merge_refusal = merge_refusal(run.call);
                              }}};

const MxvKernel vxm_push = {{"vxm_push"},
                            {.cost = cost_of_push,
                             .plan = always(push_by_rows),
                             .numbers = NumbersId("push"),
                             .reads_transpose = true,
                             .describe = [](const MatrixVectorRun& run, bool, MxvProblem& p) {
                               p.push_refusal = push_refusal(run.call.semiring);
                             }}};

}  // namespace cugrb::operations
