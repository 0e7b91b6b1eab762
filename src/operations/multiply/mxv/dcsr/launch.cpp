// The matrix-vector kernels on dynamic CSR: a group of lanes a row, and with adaptive binning.
#include "src/formats/dcsr.h"

#include "src/operations/multiply/mxv/bins.h"
#include "src/operations/multiply/mxv/dcsr/dcsr.h"
#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Dcsr;
using formats::DcsrBins;
using formats::Only;

namespace {

const Dcsr& dcsr_of(const MatrixVectorRun& run) {
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

/// One launch.
DeviceVector pull_by_dcsr(const MatrixVectorRun& run) {
  Pull pull(run);
  const Dcsr& dcsr = dcsr_of(run);
  const int lanes = lanes_for(dcsr);
  MxvBinsArguments arguments = arguments_of(run, pull, dcsr);
  arguments.spans[0].records = dcsr.rows;
  launch_product(run, "mxv_dcsr.h", "mxv_dcsr", formats::blocks_for(dcsr.rows * uint64_t(lanes)), arguments,
                 [&](const std::string& stem) {
                   const std::string rows =
                       template_id("dcsr_rows", {formats::index_type(dcsr.offset_width),
                                                 formats::index_type(dcsr.column_width),
                                                 values_id(dcsr.type, run.reads_matrix(), dcsr.iso)});
                   return template_id(stem, {product_id(run, pull, rows), run.mask.name(),
                                             text_of(pull.full_result), std::to_string(lanes)});
                 });
  return std::move(pull.t);
}

/// One or two launches.
DeviceVector pull_by_adcsr(const MatrixVectorRun& run) {
  Pull pull(run);
  const Dcsr& dcsr = dcsr_of(run);
  const DcsrBins& binned = run.call.matrix.derived(
      run.call.transpose_matrix, Only<DcsrBins>(),
      [&](const Csr& rows) { return formats::bin_dcsr(dcsr, formats::index_width(rows.rows)); });
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

}  // namespace

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
