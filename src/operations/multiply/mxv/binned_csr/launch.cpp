// The matrix-vector kernels over rows in bins: binned CSR.
#include "src/operations/multiply/mxv/binned_csr/binned_csr.h"

#include "src/operations/multiply/registry.h"

namespace cugrb::operations {

using formats::BinnedCsr;
using formats::Csr;
using runtime::Buffer;

uint64_t lay_out_spans(const formats::RowBins& bins, std::initializer_list<int> classes, uint64_t chunks,
                       MxvBinsArguments& arguments) {
  constexpr uint64_t lanes[] = {1, 2, 4, 8, 16, 32, 256};
  size_t bin = 1;
  for (const int row_class : classes) {
    BinSpan& span = arguments.spans[row_class];
    span.first_record = bins.starts[bin];
    span.records = bins.starts[bin + 1] - bins.starts[bin];
    ++bin;
  }
  uint64_t block = arguments.long_blocks;
  for (int c = bin_classes - 1; c >= 0; --c) {
    arguments.spans[c].first_block = block;
    block += c == bin_classes - 1
                 ? chunks
                 : formats::blocks_for(arguments.spans[c].records * lanes[c], formats::block_threads);
  }
  return block;
}

void run_bins(const MatrixVectorRun& run, const Pull& pull, const BinKernels& kernels,
              const std::function<std::string()>& matrix, uint64_t blocks, uint64_t chunks,
              MxvBinsArguments& arguments) {
  uint64_t records = 0;
  for (const BinSpan& span : arguments.spans) records += span.records;
  // Rows without entries may have no record.
  if (!pull.full_result && records < pull.t.length) pull.t.present.fill(0);
  const Buffer carry_values(chunks * pull.t.type.size), carry_has(chunks);
  arguments.carry_values = carry_values.data();
  arguments.carry_has = carry_has.as<uint8_t>();
  launch_product(run, kernels.header, kernels.rows, blocks, arguments, [&](const std::string& stem) {
    return template_id(stem, {product_id(run, pull, matrix()), run.mask.name(), text_of(pull.full_result)});
  });
  const uint64_t huge = arguments.spans[bin_classes - 1].records;
  launch_product(run, kernels.header, kernels.carries, formats::blocks_for(huge, formats::block_threads / 32),
                 arguments, [&](const std::string& stem) {
                   return template_id(stem, {product_id(run, pull, matrix()), text_of(pull.full_result)});
                 });
}

DeviceVector pull_by_binned_csr(const MatrixVectorRun& run, const formats::BinThresholds& thresholds) {
  Pull pull(run);
  const BinnedCsr& binned =
      run.call.matrix.derived(run.call.transpose_matrix, BinnedCsr::Key{thresholds},
                              [&](const Csr& rows) { return formats::make_binned_csr(rows, thresholds); });
  const auto rows = [&] {
    return template_id(
        "binned_csr_rows",
        {formats::index_type(binned.offset_width), formats::index_type(binned.bins.row_width),
         formats::index_type(binned.column_width), values_id(binned.type, run.reads_matrix(), binned.iso)});
  };
  MxvBinsArguments arguments;
  arguments.operands = operands_of(run, pull);
  arguments.operands.matrix.columns = binned.column_indices.data();
  arguments.operands.matrix.values = binned.values.data();
  arguments.rows = binned.bins.rows.data();
  arguments.begins = binned.begins.data();
  arguments.sizes = binned.sizes.data();
  arguments.chunk_starts = binned.chunks.starts.as<uint64_t>();
  arguments.chunk_entries = binned.thresholds.chunk;
  const uint64_t blocks = lay_out_spans(binned.bins, {0, 4, 5, 6, 7}, binned.chunks.chunks, arguments);
  constexpr BinKernels kernels = {"mxv_binned_csr.h", "mxv_binned_csr", "mxv_binned_csr_carries"};
  run_bins(run, pull, kernels, rows, blocks, binned.chunks.chunks, arguments);
  return std::move(pull.t);
}

const MxvKernel mxv_binned_csr = {
    {"mxv_binned_csr"},
    {.cost = cost_of_binned_csr,
     .plan = always([](const MatrixVectorRun& run) { return pull_by_binned_csr(run, {}); }),
     .numbers = NumbersId("binned_csr"),
     .format = "binned_csr",
     .derives = {typeid(BinnedCsr::Key)},
     .describe = [](const MatrixVectorRun& run, bool, MxvProblem& p) {
       if (run.call.matrix.find_derived(run.call.transpose_matrix, BinnedCsr::Key{}) != nullptr)
         p.ready_formats.insert(&mxv_binned_csr);
     }}};

}  // namespace cugrb::operations
