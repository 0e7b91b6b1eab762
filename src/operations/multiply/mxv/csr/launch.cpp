// The matrix-vector kernels on CSR: a group of lanes a row, merge path, push.
#include "cuda/views/mxv_rows_joined.h"
#include "src/formats/joined.h"
#include "src/formats/posted_count.h"
#include "src/operations/multiply/mxv/csr/csr.h"
#include "src/operations/multiply/mxv/push.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

/// Has the launch count T's entries, where it may be a bitmap that nobody has counted.
void count_in_launch(Pull& pull, uint64_t blocks, MxvRowsArguments& arguments) {
  if (pull.full_result) return;
  const auto count = formats::PostedCount::of_launch(blocks);
  if (count == nullptr) return;
  arguments.counted = count->arguments();
  pull.t.set_nvals_posted(count);
}

/// Blocks of a product that does first what was put off. A lane of each group does it, which takes longer
/// than a launch of its own where there are many more.
constexpr uint64_t most_blocks_joined = 16384;

/// mxv_rows_joined, its template's arguments but the last being arguments_of_kernel().
template <class ArgumentsOfKernel>
class RowsBehind : public formats::Following {
 public:
  RowsBehind(const MatrixVectorRun& run, const Pull& pull, uint64_t blocks, const MxvRowsArguments& rows,
             const ArgumentsOfKernel& arguments_of_kernel)
      : run_(run), blocks_(blocks), rows_(rows), arguments_of_kernel_(arguments_of_kernel) {
    positions = pull.t.length;
    most_stages = run.call.semiring.preamble.empty() ? most_joined_before : 0;
    what = "mxv_rows";
    const auto bytes_of = [](const Buffer& buffer) {
      return formats::Stage::Written{buffer.data(), buffer.bytes()};
    };
    elsewhere = {{bytes_of(pull.vector.values), bytes_of(pull.vector.present)}};
  }

  const runtime::Kernel& kernel(const std::string& stages, int count) override {
    const std::string key = "mxv_rows_joined " + stages;
    const runtime::Kernel* kernel = run_.memo == nullptr ? nullptr : run_.memo->kernel(key);
    if (kernel != nullptr) return *kernel;
    const size_t bytes = sizeof(MxvRowsJoinedArguments<1>) + size_t(count - 1) * sizeof(WriteBackArguments);
    kernel = &jit::kernel(
        {"mxv_rows_joined.h", "mxv_rows_joined<" + arguments_of_kernel_() + ", " + stages + ">", {}, bytes});
    if (run_.memo != nullptr) run_.memo->remember(key, *kernel);
    return *kernel;
  }

  void launch(const runtime::Kernel& kernel, const std::vector<const WriteBackArguments*>& stages) override {
    launch_stages<1>(kernel, stages);
  }

 private:
  template <int count>
  void launch_stages(const runtime::Kernel& kernel, const std::vector<const WriteBackArguments*>& stages) {
    if constexpr (count < most_joined_before) {
      if (int(stages.size()) > count) return launch_stages<count + 1>(kernel, stages);
    }
    MxvRowsJoinedArguments<count> arguments;
    arguments.rows = rows_;
    for (int n = 0; n < count; ++n) arguments.stage[n] = *stages[size_t(n)];
    formats::launch_blocks(kernel, blocks_, arguments, /*overlaps=*/true);
  }

  const MatrixVectorRun& run_;
  const uint64_t blocks_;
  const MxvRowsArguments& rows_;
  const ArgumentsOfKernel& arguments_of_kernel_;
};

/// T is full when every row surely has a term, else bitmap. One launch.
DeviceVector pull_by_rows(const MatrixVectorRun& run, int lanes) {
  Pull pull(run);
  MxvRowsArguments arguments;
  arguments.operands = operands_of(run, pull);
  if (lanes == 256) {
    count_in_launch(pull, pull.matrix.rows, arguments);
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
  count_in_launch(pull, blocks, arguments);
  const auto arguments_of_kernel = [&] {
    return csr_product_id(run, pull.matrix, pull.vector) + ", " + run.mask.name() + ", " +
           text_of(pull.full_result) + ", " + std::to_string(lanes);
  };
  RowsBehind behind(run, pull, blocks, arguments, arguments_of_kernel);
  if (blocks <= most_blocks_joined && formats::launch_behind_what_waits(behind)) return std::move(pull.t);
  launch_product(run, "mxv_rows.h", "mxv_rows", blocks, arguments,
                 [&](const std::string& stem) { return stem + "<" + arguments_of_kernel() + ">"; });
  return std::move(pull.t);
}

/// Two launches.
DeviceVector pull_by_merge(const MatrixVectorRun& run) {
  Pull pull(run);
  const formats::MergePlan& plan = run.call.matrix.merge_plan(run.call.transpose_matrix);
  const bool flagged = !run.mask.allows_all || pull.vector.form != Form::full;
  MxvMergeArguments arguments;
  arguments.operands = operands_of(run, pull);
  launch_merge(run, pull, plan, flagged, arguments,
               [&] { return csr_product_id(run, pull.matrix, pull.vector); });
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

}  // namespace

std::string merge_refusal(const MatrixVector& call) {
  const size_t bytes = call.semiring.add.type().size;
  if (bytes > formats::most_merge_bytes) return "values of " + std::to_string(bytes) + " bytes are too large";
  if (asks_result_position(call)) return "the operator asks for the result's position";
  return {};
}

void launch_merge(const MatrixVectorRun& run, const Pull& pull, const formats::MergePlan& plan, bool flagged,
                  MxvMergeArguments arguments, const std::function<std::string()>& product) {
  const Buffer pieces(plan.tiles * 2 * pull.t.type.size);
  const Buffer has(flagged ? plan.tiles * 2 : 0);
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
                   return template_id(stem, {product(), run.mask.name(), text_of(pull.full_result)});
                 });
  launch_product(run, "mxv_merge.h", "mxv_merge_carries", formats::blocks_for(plan.tiles), arguments,
                 [&](const std::string& stem) {
                   return template_id(stem, {product(), text_of(flagged), text_of(pull.full_result)});
                 });
}

namespace {

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
