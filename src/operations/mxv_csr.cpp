// The matrix-vector kernels on CSR: a group of lanes a row, merge path, push.
#include <algorithm>

#include "src/operations/mxv_pull.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

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

DeviceVector push(const MatrixVectorRun& run) {
  constexpr int items = 4;
  const Csr& matrix = run.call.matrix.by_rows(!run.call.transpose_matrix);
  const DeviceVector vector = to_sparse(run.call.vector);
  const uint64_t entries = vector.nvals();
  DeviceVector t = new_result(run, false);
  const Buffer edge_starts((entries + 1) * formats::bytes_of(matrix.offset_width));
  VxmPushArguments arguments;
  arguments.operands = operands_of(run, matrix.view(), vector, t, entry_bytes(run, matrix.entries));
  arguments.edge_starts = edge_starts.data();
  launch_product(
      run, "vxm_push.h", "vxm_push_begin", formats::blocks_for(std::max(t.length, entries)), arguments,
      [&](const std::string& stem) { return template_id(stem, {csr_product_id(run, matrix, vector)}); });
  primitives::exclusive_sum(matrix.offset_width, edge_starts.data(), edge_starts.data(), entries);
  launch_product(run, "vxm_push.h", "vxm_push",
                 std::min(formats::resident_blocks(), formats::blocks_for(matrix.entries, 256 * items)),
                 arguments, [&](const std::string& stem) {
                   return template_id(
                       stem, {csr_product_id(run, matrix, vector), run.mask.name(), std::to_string(items)});
                 });
  return t;
}

}  // namespace cugrb::operations
