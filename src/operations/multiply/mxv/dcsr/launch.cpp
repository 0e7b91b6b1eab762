// The matrix-vector kernels on dynamic CSR: a group of lanes a row, and with adaptive binning.
#include "src/formats/dcsr.h"

#include <algorithm>

#include "src/formats/element_kernels.h"
#include "src/operations/multiply/mxv/bins.h"
#include "src/operations/multiply/mxv/dcsr/dcsr.h"
#include "src/operations/multiply/mxv/push.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Dcsr;
using formats::DcsrBins;
using formats::Only;

namespace {

const Dcsr& dcsr_of(const MatrixVectorRun& run) {
  if (run.call.matrix.fragments != nullptr) return *run.call.matrix.fragments;
  return run.call.matrix.derived(run.call.transpose_matrix, Only<Dcsr>(),
                                 [](const Csr& rows) { return formats::make_dcsr(rows); });
}

/// Has the kernel read the matrix's segments.
template <class Arguments>
void read_segments(Arguments& arguments, const Dcsr& dcsr) {
  arguments.operands.matrix.columns = dcsr.column_indices.data();
  arguments.operands.matrix.values = dcsr.values.data();
  arguments.sizes = dcsr.sizes.data();
  arguments.segments = dcsr.segments.data();
  arguments.pitch = dcsr.pitch;
  arguments.slots = dcsr.slots;
}

MxvBinsArguments arguments_of(const MatrixVectorRun& run, const Pull& pull, const Dcsr& dcsr) {
  MxvBinsArguments arguments;
  arguments.operands = operands_of(run, pull);
  arguments.operands.matrix.offsets = nullptr;
  read_segments(arguments, dcsr);
  return arguments;
}

/// The largest power of two that is not above the mean length, a warp at most: most rows take a few steps.
int lanes_for(const Dcsr& dcsr) {
  int lanes = 1;
  while (lanes < 32 && uint64_t(2 * lanes) * dcsr.rows <= dcsr.entries) lanes *= 2;
  return lanes;
}

std::string rows_id(const MatrixVectorRun& run, const Dcsr& dcsr) {
  return template_id("dcsr_rows",
                     {formats::index_type(dcsr.offset_width), formats::index_type(dcsr.column_width),
                      values_id(dcsr.type, run.reads_matrix(), dcsr.iso)});
}

/// One launch: each row by its lanes.
DeviceVector pull_by_short_dcsr(const MatrixVectorRun& run) {
  Pull pull(run);
  const Dcsr& dcsr = dcsr_of(run);
  const int lanes = lanes_for(dcsr);
  MxvBinsArguments arguments = arguments_of(run, pull, dcsr);
  arguments.spans[0].records = dcsr.rows;
  launch_product(run, "mxv_dcsr.h", "mxv_dcsr", formats::blocks_for(dcsr.rows * uint64_t(lanes)), arguments,
                 [&](const std::string& stem) {
                   return template_id(stem, {product_id(run, pull, rows_id(run, dcsr)), run.mask.name(),
                                             text_of(pull.full_result), std::to_string(lanes)});
                 });
  return std::move(pull.t);
}

/// One or two launches.
DeviceVector pull_by_adcsr(const MatrixVectorRun& run) {
  Pull pull(run);
  const Dcsr& dcsr = dcsr_of(run);
  const DcsrBins& binned = run.call.matrix.derived(run.call.transpose_matrix, Only<DcsrBins>(), [&] {
    return formats::bin_dcsr(dcsr, formats::index_width(dcsr.rows));
  });
  const auto rows = [&] {
    return template_id(
        "adcsr_rows",
        {formats::index_type(dcsr.offset_width), formats::index_type(binned.bins.row_width),
         formats::index_type(dcsr.column_width), values_id(dcsr.type, run.reads_matrix(), dcsr.iso)});
  };
  MxvBinsArguments arguments = arguments_of(run, pull, dcsr);
  arguments.rows = binned.bins.rows.data();
  arguments.chunk_starts = binned.chunks.starts.as<uint64_t>();
  arguments.chunk_entries = DcsrBins::chunk;
  const uint64_t blocks =
      lay_out_spans(binned.bins, {0, 1, 2, 3, 4, 5, 6, 7}, binned.chunks.chunks, arguments);
  constexpr BinKernels kernels = {"mxv_adcsr.h", "mxv_adcsr", "mxv_adcsr_carries"};
  run_bins(run, pull, kernels, rows, blocks, binned.chunks.chunks, arguments);
  return std::move(pull.t);
}

DeviceVector push_by_dcsr(const MatrixVectorRun& run) {
  const Dcsr& dcsr = dcsr_of(run);
  VxmPushArguments arguments;
  arguments.operands.matrix = run.call.matrix.stored.view();
  read_segments(arguments, dcsr);
  return push(run, {"vxm_push_dcsr.h", rows_id(run, dcsr), arguments, dcsr.offset_width, dcsr.entries});
}

/// Rows for blocks, and their number in front of them.
struct LongFragments {
  runtime::Buffer rows;
  size_t bytes() const { return rows.bytes(); }
};

LongFragments find_long_rows(const Dcsr& dcsr) {
  LongFragments found{runtime::Buffer((2 + dcsr.entries / formats::longest_short_row) * sizeof(uint64_t))};
  found.rows.fill(0, 0, sizeof(uint64_t));
  DcsrBuildArguments arguments;
  arguments.dcsr = dcsr.view();
  arguments.long_rows = found.rows.as<uint64_t>();
  arguments.longest_short = formats::longest_short_row;
  formats::launch_per_element("dcsr_build.h",
                              template_id("dcsr_long_rows", {formats::index_type(dcsr.offset_width)}),
                              dcsr.rows, arguments);
  return found;
}

/// One launch. Long rows are listed once a batch: nothing is waited for.
DeviceVector pull_by_long_dcsr(const MatrixVectorRun& run) {
  Pull pull(run);
  const Dcsr& dcsr = dcsr_of(run);
  const LongFragments& found = run.call.matrix.derived(run.call.transpose_matrix, Only<LongFragments>(),
                                                       [&] { return find_long_rows(dcsr); });
  const int lanes = lanes_for(dcsr);
  MxvBinsArguments arguments = arguments_of(run, pull, dcsr);
  arguments.long_rows = found.rows.as<uint64_t>();
  arguments.longest_short = formats::longest_short_row;
  arguments.spans[6].records =
      std::min(formats::resident_blocks() / 2, 1 + dcsr.entries / formats::longest_short_row);
  arguments.spans[0].first_block = arguments.spans[6].records;
  arguments.spans[0].records = dcsr.rows;
  const uint64_t blocks = arguments.spans[0].first_block + formats::blocks_for(dcsr.rows * uint64_t(lanes));
  launch_product(run, "mxv_dcsr.h", "mxv_dcsr_long", blocks, arguments, [&](const std::string& stem) {
    return template_id(stem, {product_id(run, pull, rows_id(run, dcsr)), run.mask.name(),
                              text_of(pull.full_result), std::to_string(lanes)});
  });
  return std::move(pull.t);
}

/// Rows of fragments may have grown since they were counted; one that has is no mistake of a group of lanes.
bool has_long_rows(const MatrixVectorRun& run) {
  const formats::DeviceMatrix& matrix = run.call.matrix;
  if (matrix.fragments != nullptr) return 2 * matrix.history.longest_row > formats::longest_short_row;
  return matrix.row_lengths(run.call.transpose_matrix).longest > formats::longest_short_row;
}

DeviceVector pull_by_dcsr(const MatrixVectorRun& run) {
  return has_long_rows(run) ? pull_by_long_dcsr(run) : pull_by_short_dcsr(run);
}

}  // namespace

std::string fragments_refusal(const Semiring& semiring, bool pushes) {
  const MxvKernel* const forced = find_mxv_kernel(settings().force);
  const bool reads = pushes ? forced == &vxm_push : forced == &mxv_dcsr || forced == &mxv_adcsr;
  if (forced != nullptr && !reads) return forced->name + " reads no fragments";
  return pushes ? push_refusal(semiring) : "";
}

DeviceVector product_of_fragments(const MatrixVectorRun& run) {
  const MxvKernel* const forced = find_mxv_kernel(settings().force);
  const bool pushes = run.call.transpose_matrix != run.call.matrix.by_column;
  const bool binned = !pushes && forced == &mxv_adcsr;
  selector::Decision decision;
  decision.operation = run.call.semiring.name;
  decision.chosen.kernel = pushes ? &vxm_push : binned ? &mxv_adcsr : &mxv_dcsr;
  decision.chosen.format = "dcsr";
  decision.forced = forced == decision.chosen.kernel;
  if (!run.is_part) selector::record(decision);
  if (pushes) return push_by_dcsr(run);
  return binned ? pull_by_adcsr(run) : pull_by_dcsr(run);
}

const MxvKernel mxv_dcsr = {{"mxv_dcsr"},
                            {.cost = cost_of_dcsr,
                             .plan = always(pull_by_dcsr),
                             .numbers = NumbersId("dcsr"),
                             .format = "dcsr",
                             .derives = {typeid(Only<LongFragments>), typeid(Only<Dcsr>)}}};

const MxvKernel mxv_adcsr = {{"mxv_adcsr"},
                             {.cost = cost_of_adcsr,
                              .plan = always(pull_by_adcsr),
                              .numbers = NumbersId("adcsr"),
                              .format = "adcsr",
                              .derives = {typeid(Only<Dcsr>), typeid(Only<DcsrBins>)}}};

}  // namespace cugrb::operations
