// The matrix-vector product on compressed sparse blocks (cuda/kernels/mxv_csb.h): by whole bands, or sums of
// pieces of bands, then of the rows.
#include "src/operations/multiply/mxv/csb/csb.h"

#include "src/operations/multiply/mxv/pull.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::Csb;
using runtime::Buffer;

namespace {

constexpr char mxv_csb_header[] = "mxv_csb.h";

const Csb& csb_of(const MatrixVectorRun& run, const formats::CsbParameters& parameters) {
  return run.call.matrix.derived(
      run.call.transpose_matrix, Csb::Key{run.call.semiring.add.type().size},
      [&](const formats::Csr& rows) { return formats::make_csb(rows, parameters); });
}

/// The sums of pieces, or of whole bands with their rows.
void sum_pieces(const MatrixVectorRun& run, const Csb& matrix, size_t sum_bytes, bool full_result,
                const MxvCsbArguments& a) {
  const uint32_t cluster = matrix.parameters.cluster;
  const runtime::Kernel& kernel = product_kernel<MxvCsbArguments>(
      run, mxv_csb_header, cluster == 0 ? "mxv_csb" : "mxv_csb_bands", [&](const std::string& stem) {
        const std::string values = values_id(run.call.matrix.type, run.reads_matrix(), matrix.iso);
        const std::string product =
            template_id("tile_product", {run.call.semiring.source, values, text_of(run.call.vector_first)});
        const std::string vector = values_id(run.call.vector.type, true, false);
        if (cluster == 0) return template_id(stem, {product, vector});
        return template_id(stem,
                           {product, vector, run.mask.name(), text_of(full_result), std::to_string(cluster)});
      });
  runtime::LaunchShape shape;
  shape.blocks = matrix.parameters.blocks;
  shape.cluster = std::max(1u, cluster);
  shape.threads = matrix.parameters.threads;
  shape.shared_bytes = a.slots * sum_bytes;
  shape.overlaps = true;
  runtime::launch(runtime::device(), kernel, shape, a);
}

/// The rows' sums from those of the pieces.
void sum_rows(const MatrixVectorRun& run, const Csb& matrix, bool full_result, const MxvCsbArguments& a) {
  constexpr uint64_t few_rows = 1 << 16;
  const bool split = matrix.pieces >= csb_many_pieces * matrix.bands && matrix.rows <= few_rows;
  // Rows that the device has threads for, twice over, get one each.
  const int rounds = matrix.rows <= 512 * formats::resident_blocks() ? 1 : 4;
  launch_product(run, mxv_csb_header, split ? "mxv_csb_split_rows" : "mxv_csb_rows",
                 matrix.bands * formats::blocks_for(matrix.band_rows, split ? 32 : 256 * uint64_t(rounds)), a,
                 [&](const std::string& stem) {
                   const std::string &add = run.call.semiring.add.source, full = text_of(full_result);
                   return split ? template_id(stem, {add, run.mask.name(), full})
                                : template_id(stem, {add, run.mask.name(), full, std::to_string(rounds)});
                 });
}

/// u is full. The format is made at the first call. Two launches.
DeviceVector pull_by_csb(const MatrixVectorRun& run, const formats::CsbParameters& parameters) {
  run.call.matrix.by_rows(run.call.transpose_matrix);  // a use
  const bool full_result = pattern_is_known(run);
  DeviceVector t = new_result(run, full_result);
  const Csb& matrix = csb_of(run, parameters);
  if (!full_result) t.present.fill(0);
  MxvCsbArguments a;
  a.slots = (matrix.slots + 3) / 4 * 4;
  const bool stored = matrix.parameters.cluster == 0;
  const Buffer sums(stored ? matrix.pieces * a.slots * t.type.size : 0);
  a.matrix = matrix.view();
  set_operands(a, run, run.call.vector, t);
  a.pieces = matrix.piece_list.as<CsbPiece>();
  a.first_pieces = matrix.first_pieces.as<uint32_t>();
  a.band_pieces = matrix.band_pieces.as<uint32_t>();
  a.sums = sums.data();
  a.policy = policy_of(run, matrix.places.bytes() + (run.reads_matrix() ? matrix.values.bytes() : 0), t);
  sum_pieces(run, matrix, t.type.size, full_result, a);
  if (stored) sum_rows(run, matrix, full_result, a);
  return t;
}

void describe_csb(const MatrixVectorRun& run, bool, MxvProblem& p) {
  const Csb* made = run.call.matrix.find_derived(run.call.transpose_matrix, Csb::Key{p.result_bytes});
  if (p.tile_columns == 0 || made == nullptr) return;
  p.ready_formats.insert(&mxv_csb);
  p.csb_failure = made->failure;
  p.csb_steps = made->longest_steps;
  p.csb_cluster = made->parameters.cluster;
}

}  // namespace

const MxvKernel mxv_csb = {
    {"mxv_csb"},
    {.cost = cost_of_csb,
     .plan = [](const MxvProblem& p, const Hardware& h) -> MxvLaunch {
       const formats::CsbParameters parameters = plan_csb(p, h);
       return {[parameters](const MatrixVectorRun& run) { return pull_by_csb(run, parameters); },
               [parameters](const MatrixVectorRun& run) { return csb_of(run, parameters).failure; }};
     },
     .numbers = NumbersId("csb"),
     .format = "csb",
     .derives = {typeid(Csb::Key)},
     .describe = describe_csb}};

}  // namespace cugrb::operations
