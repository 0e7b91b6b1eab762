// The matrix-vector product on the blocked format (cuda/kernels/mxv_blocked.h): all products, by tiles of
// columns; then sums, by bins of rows.
#include "src/operations/multiply/mxv/blocked/blocked.h"
#include "src/operations/multiply/mxv/pull.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::Blocked;
using runtime::Buffer;

namespace {

constexpr char mxv_blocked_header[] = "mxv_blocked.h";

void launch(const runtime::Kernel& kernel, uint64_t blocks, uint64_t threads, size_t shared_bytes,
            const MxvBlockedArguments& a) {
  runtime::LaunchShape shape;
  shape.blocks = blocks;
  shape.threads = unsigned(threads);
  shape.shared_bytes = shared_bytes;
  shape.overlaps = true;
  runtime::launch(runtime::device(), kernel, shape, a);
}

void multiply(const MatrixVectorRun& run, const Blocked& matrix, const Type& operand,
              const MxvBlockedArguments& a) {
  const auto template_id_of = [&](const std::string& stem) {
    const std::string values = values_id(run.call.matrix.type, run.reads_matrix(), matrix.iso);
    const std::string product =
        template_id("tile_product", {run.call.semiring.source, values, text_of(run.call.vector_first)});
    // Rounds whose loads a thread has in flight, within the 64 registers of a thread.
    const char* ahead = run.reads_matrix() && operand.size >= 8 ? "1" : "2";
    return template_id(stem, {product, values_id(run.call.vector.type, true, false), ahead});
  };
  launch(product_kernel<MxvBlockedArguments>(run, mxv_blocked_header, "mxv_blocked", template_id_of),
         matrix.parameters.blocks, matrix.parameters.multiply_threads,
         matrix.parameters.tile_columns * operand.size, a);
}

void sum(const MatrixVectorRun& run, const Blocked& matrix, const DeviceVector& t, bool full_result,
         const MxvBlockedArguments& a) {
  const std::string add = run.call.semiring.add.source, full = text_of(full_result);
  const std::string threads = std::to_string(matrix.parameters.sum_threads);
  const runtime::Kernel& sums = product_kernel<MxvBlockedArguments>(
      run, mxv_blocked_header, "mxv_blocked_sums", [&](const std::string& stem) {
        return template_id(stem, {add, run.mask.name(), full, threads});
      });
  launch(sums, matrix.bins, matrix.parameters.sum_threads,
         (matrix.most_products + matrix.most_rows) * t.type.size, a);
  if (matrix.bins < 2) return;  // nothing is carried
  launch_product(run, mxv_blocked_header, "mxv_blocked_carries",
                 formats::blocks_for(matrix.bins, formats::block_threads / 32), a,
                 [&](const std::string& stem) {
                   return template_id(stem, {add, run.mask.name()});
                 });
}

/// u is full. The format is made at the first call. Three launches.
DeviceVector pull_by_blocked(const MatrixVectorRun& run, const formats::BlockedParameters& parameters) {
  const bool transposed = run.call.transpose_matrix;
  const BinaryOp& op = run.call.semiring.multiply;
  const Type& operand = run.call.vector_first ? op.x : op.y;
  run.call.matrix.by_rows(transposed);  // a use
  const bool full_result = pattern_is_known(run);
  DeviceVector t = new_result(run, full_result);
  const Blocked& matrix = run.call.matrix.derived(
      transposed, Blocked::Key{operand.size, t.type.size},
      [&](const formats::Csr& rows) { return formats::make_blocked(rows, parameters); });
  if (!full_result) t.present.fill(0);
  const Buffer products(matrix.chunks() * blocked_chunk * t.type.size);
  const Buffer carry_values(matrix.bins * t.type.size), carry_has(matrix.bins);
  MxvBlockedArguments a;
  a.matrix = matrix.view();
  set_operands(a, run, run.call.vector, t);
  a.shares = matrix.shares.as<BlockedShare>();
  a.first_shares = matrix.first_shares.as<uint32_t>();
  a.products = products.data();
  a.most_products = uint32_t(matrix.most_products);
  a.carry_values = carry_values.data();
  a.carry_has = carry_has.as<uint8_t>();
  multiply(run, matrix, operand, a);
  sum(run, matrix, t, full_result, a);
  return t;
}

}  // namespace

const MxvKernel mxv_blocked = {
    {"mxv_blocked"},
    {.cost = cost_of_blocked,
     .plan = [](const MxvProblem& p, const Hardware& h) -> MxvLaunch {
       return {[parameters = plan_blocked(p, h)](const MatrixVectorRun& run) {
         return pull_by_blocked(run, parameters);
       }};
     },
     .numbers = NumbersId("blocked"),
     .format = "blocked",
     .derives = {typeid(Blocked::Key)},
     .describe =
         [](const MatrixVectorRun& run, bool, MxvProblem& p) {
           const Blocked::Key key{operand_bytes(run.call), p.result_bytes};
           if (p.tile_columns > 0 && run.call.matrix.find_derived(run.call.transpose_matrix, key) != nullptr)
             p.ready_formats.insert(&mxv_blocked);
         }}};

}  // namespace cugrb::operations
