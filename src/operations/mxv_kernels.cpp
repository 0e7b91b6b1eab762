#include "src/operations/mxv_kernels.h"

#include <algorithm>

#include "cuda/views/mxv.h"
#include "src/formats/launch.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

std::string values_id(const Type& type, bool read, bool iso) {
  if (!read) return "values_none";
  return template_id(iso ? "values_iso" : "values_array", {type.name});
}

std::string csr_id(const Csr& matrix, bool read) {
  return template_id("csr_rows",
                     {formats::index_type(matrix.offset_width), formats::index_type(matrix.column_width),
                      values_id(matrix.type, read, matrix.iso)});
}

/// How the kernel sees u: asked at any position (pull), or as a list (push).
std::string operand_id(const DeviceVector& vector, bool read) {
  const std::string values = values_id(vector.type, read, vector.iso);
  if (vector.form == Form::full) return template_id("operand_full", {values});
  if (vector.form == Form::bitmap) return template_id("operand_bitmap", {values});
  return template_id("operand_listed", {formats::index_type(formats::index_width(vector.length)), values});
}

std::string product_id(const MatrixVectorRun& run, const Csr& matrix, const DeviceVector& vector) {
  return template_id("matrix_vector",
                     {run.call.semiring.source, csr_id(matrix, run.reads_matrix()),
                      operand_id(vector, run.reads_vector()), text_of(run.call.vector_first)});
}

DeviceVector new_result(const MatrixVectorRun& run, bool full) {
  DeviceVector t;
  t.type = run.call.semiring.add.type();
  t.length = run.rows();
  // Atomic updates of 1- and 2-byte values go through the aligned word around them: the last one must be
  // whole.
  t.values = Buffer((t.length * t.type.size + 3) / 4 * 4);
  t.form = full ? Form::full : Form::bitmap;
  if (full) return t;
  t.present = Buffer(t.length);
  t.set_nvals_counter({});  // counted when somebody asks
  return t;
}

MxvOperands operands_of(const MatrixVectorRun& run, const Csr& matrix, const DeviceVector& vector,
                        const DeviceVector& t) {
  MxvOperands operands;
  operands.matrix = matrix.view();
  operands.vector = vector.view();
  operands.mask = run.mask.view;
  operands.result.values = t.values.data();
  operands.result.present = t.present.as<uint8_t>();
  operands.result.length = t.length;
  return operands;
}

/// What a pull reads and writes.
struct Pull {
  const Csr& matrix;
  DeviceVector vector;  ///< full or bitmap
  bool full_result;
  DeviceVector t;
  std::string product;

  explicit Pull(const MatrixVectorRun& run)
      : matrix(run.call.matrix.by_rows(run.call.transpose_matrix)),
        vector(run.call.vector.form == Form::sparse ? to_bitmap(run.call.vector) : run.call.vector),
        full_result(run.mask.allows_all && vector.form == Form::full &&
                    run.call.matrix.row_lengths(run.call.transpose_matrix).empty == 0),
        t(new_result(run, full_result)),
        product(product_id(run, matrix, vector)) {}
};

std::string preamble_of(const MatrixVectorRun& run) { return run.call.semiring.preamble + run.mask.preamble; }

}  // namespace

DeviceVector pull_by_rows(const MatrixVectorRun& run, int lanes) {
  Pull pull(run);
  MxvRowsArguments arguments;
  arguments.operands = operands_of(run, pull.matrix, pull.vector, pull.t);
  if (lanes == 256) {
    const std::string name =
        template_id("mxv_row_block", {pull.product, run.mask.name, text_of(pull.full_result)});
    formats::launch_blocks("mxv_rows.h", name, pull.matrix.rows, arguments, preamble_of(run));
    return std::move(pull.t);
  }
  const formats::LongRows& long_rows = run.call.matrix.long_rows(run.call.transpose_matrix);
  arguments.long_rows = long_rows.rows.as<uint64_t>();
  arguments.long_count = long_rows.count;
  arguments.longest_short = formats::longest_short_row;
  const std::string name = template_id(
      "mxv_rows", {pull.product, run.mask.name, text_of(pull.full_result), std::to_string(lanes)});
  const uint64_t blocks = long_rows.count + formats::blocks_for(pull.matrix.rows * uint64_t(lanes));
  formats::launch_blocks("mxv_rows.h", name, blocks, arguments, preamble_of(run));
  return std::move(pull.t);
}

DeviceVector pull_by_merge(const MatrixVectorRun& run) {
  Pull pull(run);
  const int items = formats::merge_items(pull.t.type.size);
  const formats::MergePlan& plan = run.call.matrix.merge_plan(run.call.transpose_matrix, items);
  const Buffer carry_rows(plan.tiles * sizeof(uint64_t)), carry_values(plan.tiles * pull.t.type.size);
  const Buffer carry_has(plan.tiles);
  MxvMergeArguments arguments;
  arguments.operands = operands_of(run, pull.matrix, pull.vector, pull.t);
  arguments.tile_rows = plan.tile_rows.as<uint64_t>();
  arguments.tiles = plan.tiles;
  arguments.carry_rows = carry_rows.as<uint64_t>();
  arguments.carry_values = carry_values.data();
  arguments.carry_has = carry_has.as<uint8_t>();
  const std::string full = text_of(pull.full_result), tile = std::to_string(items);
  formats::launch_blocks("mxv_merge.h", template_id("mxv_merge", {pull.product, run.mask.name, full, tile}),
                         plan.tiles, arguments, preamble_of(run));
  formats::launch_blocks("mxv_merge.h", template_id("mxv_merge_carries", {pull.product, full, tile}),
                         formats::blocks_for(plan.tiles, formats::block_threads / 32), arguments,
                         preamble_of(run));
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
  arguments.operands = operands_of(run, matrix, vector, t);
  arguments.edge_starts = edge_starts.data();
  const std::string product = product_id(run, matrix, vector);
  formats::launch_blocks("vxm_push.h", template_id("vxm_push_begin", {product}),
                         formats::blocks_for(std::max(t.length, entries)), arguments, preamble_of(run));
  primitives::exclusive_sum(matrix.offset_width, edge_starts.data(), edge_starts.data(), entries);
  const uint64_t resident_blocks = 8 * uint64_t(runtime::device().properties().multiprocessors);
  formats::launch_blocks("vxm_push.h",
                         template_id("vxm_push", {product, run.mask.name, std::to_string(items)}),
                         std::min(resident_blocks, formats::blocks_for(matrix.entries, 256 * items)),
                         arguments, preamble_of(run));
  return t;
}

}  // namespace cugrb::operations
