// The matrix-vector kernels on dynamic CSR: a group of lanes a row, and with adaptive binning.
#include "src/formats/dcsr.h"

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

MxvBinsArguments arguments_of(const MatrixVectorRun& run, const Pull& pull, const Dcsr& dcsr) {
  MxvBinsArguments arguments;
  arguments.operands = operands_of(run, pull);
  arguments.operands.matrix.offsets = nullptr;
  arguments.operands.matrix.columns = dcsr.column_indices.data();
  arguments.operands.matrix.values = dcsr.values.data();
  arguments.sizes = dcsr.sizes.data();
  arguments.segments = dcsr.segments.data();
  arguments.pitch = dcsr.pitch;
  arguments.slots = dcsr.slots;
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

/// One launch.
DeviceVector pull_by_dcsr(const MatrixVectorRun& run) {
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
  arguments.operands.matrix.columns = dcsr.column_indices.data();
  arguments.operands.matrix.values = dcsr.values.data();
  arguments.sizes = dcsr.sizes.data();
  arguments.segments = dcsr.segments.data();
  arguments.pitch = dcsr.pitch;
  arguments.slots = dcsr.slots;
  return push(run, {"vxm_push_dcsr.h", rows_id(run, dcsr), arguments, dcsr.offset_width, dcsr.entries});
}

/// Bins are worth making when the longest row would keep its lanes waiting for longer than that takes.
bool wants_bins(const MatrixVectorRun& run, const Dcsr& dcsr, const Hardware& h) {
  const DeviceMatrix& matrix = run.call.matrix;
  if (matrix.find_derived(run.call.transpose_matrix, Only<DcsrBins>()) != nullptr) return true;
  constexpr double wait_seconds = 12e-6, sort_passes_saved = 8;
  const double tail =
      h.of("dcsr").tail_load_seconds * double(matrix.history.longest_row) / (4 * lanes_for(dcsr));
  const double bins = 2 * wait_seconds + 9 * h.launch_seconds +
                      double(dcsr.rows) / (sort_passes_saved * h.sort_keys_per_second) +
                      double(dcsr.rows) * 60 / h.copy_bytes_per_second;
  return tail > bins;
}

}  // namespace

std::string fragments_refusal(const Semiring& semiring, bool pushes) {
  const MxvKernel* const forced = find_mxv_kernel(settings().force);
  const bool reads = pushes ? forced == &vxm_push : forced == &mxv_dcsr || forced == &mxv_adcsr;
  if (forced != nullptr && !reads) return forced->name + " reads no fragments";
  return pushes ? push_refusal(semiring) : "";
}

DeviceVector product_of_fragments(const MatrixVectorRun& run) {
  const Hardware& h = *Hardware::of_device();
  const MxvKernel* const forced = find_mxv_kernel(settings().force);
  selector::Decision decision;
  decision.operation = run.call.semiring.name;
  decision.forced = forced != nullptr;
  const bool pushes = run.call.transpose_matrix != run.call.matrix.by_column;
  const bool binned = forced != nullptr ? forced == &mxv_adcsr : !pushes && wants_bins(run, dcsr_of(run), h);
  decision.chosen.kernel = pushes ? &vxm_push : binned ? &mxv_adcsr : &mxv_dcsr;
  decision.chosen.format = "dcsr";
  if (!run.is_part) selector::record(decision);
  return pushes ? push_by_dcsr(run) : binned ? pull_by_adcsr(run) : pull_by_dcsr(run);
}

const MxvKernel mxv_dcsr = {{"mxv_dcsr"},
                            {.cost = cost_of_dcsr,
                             .plan = always(pull_by_dcsr),
                             .numbers = NumbersId("dcsr"),
                             .format = "dcsr",
                             .derives = {typeid(Only<Dcsr>)}}};

const MxvKernel mxv_adcsr = {{"mxv_adcsr"},
                             {.cost = cost_of_adcsr,
                              .plan = always(pull_by_adcsr),
                              .numbers = NumbersId("adcsr"),
                              .format = "adcsr",
                              .derives = {typeid(Only<Dcsr>), typeid(Only<DcsrBins>)}}};

}  // namespace cugrb::operations
