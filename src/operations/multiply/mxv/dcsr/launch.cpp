// The matrix-vector kernels on dynamic CSR: a group of lanes a row, and with adaptive binning.
#include "src/formats/dcsr.h"

#include <algorithm>

#include "src/formats/element_kernels.h"
#include "src/operations/multiply/mxv/bins.h"
#include "src/operations/multiply/mxv/csr/csr.h"
#include "src/operations/multiply/mxv/dcsr/dcsr.h"
#include "src/operations/multiply/mxv/push.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Dcsr;
using formats::DcsrBins;
using formats::EmptyRows;
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

std::string rows_id(const MatrixVectorRun& run, const Dcsr& dcsr) {
  return template_id("dcsr_rows",
                     {formats::index_type(dcsr.offset_width), formats::index_type(dcsr.column_width),
                      values_id(dcsr.type, run.reads_matrix(), dcsr.iso)});
}

/// The kernel `stem` on all rows, each by as many lanes; blocks for long ones come first.
void launch_rows(const MatrixVectorRun& run, const Pull& pull, const Dcsr& dcsr, const char* stem,
                 const MxvBinsArguments& arguments) {
  const uint64_t blocks = arguments.long_blocks + formats::blocks_for(dcsr.rows * dcsr.lanes);
  launch_product(run, "mxv_dcsr.h", stem, blocks, arguments, [&](const std::string& name) {
    return template_id(name, {product_id(run, pull, rows_id(run, dcsr)), run.mask.name(),
                              text_of(pull.full_result), std::to_string(dcsr.lanes)});
  });
}

/// Records of long rows for blocks, and their number in front of them.
struct LongFragments {
  struct Key {
    using Made = LongFragments;
    bool binned;  ///< records are those of the bins, not the rows
    bool operator==(const Key&) const = default;
  };
  runtime::Buffer records;
  size_t bytes() const { return records.bytes(); }
};

/// Entries that a row has at most for each of its lanes, before a block takes it, where all have as many. Of
/// rows in bins: DcsrBins::longest_by_lane.
constexpr uint64_t longest_by_equal_lanes = 32;

/// Of the records that have lanes and not blocks; the longest ones by `longest` entries for each lane.
LongFragments find_long_rows(const Dcsr& dcsr, DcsrLongArguments arguments, const std::string& rows) {
  const uint64_t most = dcsr.entries / std::max<uint64_t>(1, arguments.longest_by_lane * arguments.lanes);
  LongFragments found{runtime::Buffer((1 + std::min(arguments.records, most)) * sizeof(uint64_t))};
  found.records.fill(0, 0, sizeof(uint64_t));
  arguments.sizes = dcsr.sizes.data();
  arguments.long_rows = found.records.as<uint64_t>();
  formats::launch_per_element("dcsr_build.h",
                              template_id("dcsr_long_rows", {formats::index_type(dcsr.offset_width), rows}),
                              arguments.records, arguments);
  return found;
}

/// Lists them once a batch, which nothing is waited for, and has some blocks take them ahead of the others:
/// at most one for each row that has `shortest` entries.
void give_blocks_to_long_rows(const MatrixVectorRun& run, const Dcsr& dcsr, const LongFragments::Key& key,
                              const DcsrLongArguments& records, uint64_t shortest, const std::string& rows,
                              MxvBinsArguments& arguments) {
  const LongFragments& found = run.call.matrix.derived(run.call.transpose_matrix, key,
                                                       [&] { return find_long_rows(dcsr, records, rows); });
  arguments.long_rows = found.records.as<uint64_t>();
  arguments.longest_by_lane = records.longest_by_lane;
  arguments.long_blocks = std::min(formats::resident_blocks() / 2, 1 + dcsr.entries / shortest);
}

/// One launch: each row by its lanes.
DeviceVector pull_by_short_dcsr(const MatrixVectorRun& run) {
  Pull pull(run);
  const Dcsr& dcsr = dcsr_of(run);
  MxvBinsArguments arguments = arguments_of(run, pull, dcsr);
  arguments.spans[0].records = dcsr.rows;
  launch_rows(run, pull, dcsr, "mxv_dcsr", arguments);
  return std::move(pull.t);
}

/// Bins that stay while rows grow, which blocks take when they have grown too long for their lanes.
void take_bins_of_fragments(const MatrixVectorRun& run, const Dcsr& dcsr, MxvBinsArguments& arguments) {
  const formats::RowBins& bins = dcsr.bins->bins;
  DcsrLongArguments records;
  records.rows = bins.rows.data();
  records.records = bins.starts[7];
  for (size_t lanes = 1; lanes < 6; ++lanes) records.starts[lanes - 1] = bins.starts[lanes + 1];
  records.longest_by_lane = dcsr.bins->longest_by_lane;
  // Few rows outgrow their lanes: a block that finds none is in the way of the others.
  give_blocks_to_long_rows(run, dcsr, {.binned = true}, records, 32 * records.longest_by_lane,
                           template_id("rows_listed", {formats::index_type(bins.row_width)}), arguments);
}

/// One or two launches.
DeviceVector pull_by_adcsr(const MatrixVectorRun& run) {
  Pull pull(run);
  const Dcsr& dcsr = dcsr_of(run);
  const auto bins_of_now = [&]() -> const DcsrBins& {
    return run.call.matrix.derived(run.call.transpose_matrix, Only<DcsrBins>(), [&] {
      return formats::bin_dcsr(dcsr, formats::index_width(dcsr.rows), EmptyRows::left_out);
    });
  };
  const DcsrBins& binned = dcsr.bins != nullptr ? *dcsr.bins : bins_of_now();
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
  if (dcsr.bins != nullptr) take_bins_of_fragments(run, dcsr, arguments);
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

/// One launch.
DeviceVector pull_by_long_dcsr(const MatrixVectorRun& run) {
  Pull pull(run);
  const Dcsr& dcsr = dcsr_of(run);
  MxvBinsArguments arguments = arguments_of(run, pull, dcsr);
  DcsrLongArguments records;
  records.records = dcsr.rows;
  records.lanes = dcsr.lanes;
  records.longest_by_lane = longest_by_equal_lanes;
  give_blocks_to_long_rows(run, dcsr, {.binned = false}, records, records.longest_by_lane * records.lanes,
                           "every_row", arguments);
  arguments.spans[0].first_block = arguments.long_blocks;
  arguments.spans[0].records = dcsr.rows;
  launch_rows(run, pull, dcsr, "mxv_dcsr_long", arguments);
  return std::move(pull.t);
}

/// Rows of fragments may have grown since they were counted; one that has is no mistake of a group of lanes.
/// Where the first terms end a sum no row is long.
bool has_long_rows(const MatrixVectorRun& run) {
  if (run.call.semiring.add.ends_at_once() && run.call.vector.form == Form::full) return false;
  const formats::DeviceMatrix& matrix = run.call.matrix;
  const uint64_t longest_short = longest_by_equal_lanes * dcsr_of(run).lanes;
  if (matrix.fragments != nullptr) return 2 * matrix.history.longest_row > longest_short;
  return matrix.row_lengths(run.call.transpose_matrix).longest > longest_short;
}

DeviceVector pull_by_dcsr(const MatrixVectorRun& run) {
  return has_long_rows(run) ? pull_by_long_dcsr(run) : pull_by_short_dcsr(run);
}

/// Rows with entries beyond where they were laid out, and how many there are in front.
struct RestOfFragments {
  runtime::Buffer listed;
  size_t bytes() const { return listed.bytes(); }
};

RestOfFragments find_rest(const Dcsr& dcsr) {
  const uint64_t most_by_block = (dcsr.used - dcsr.laid_out) / MxvRestArguments::longest_by_warp + 1;
  RestOfFragments found{runtime::Buffer((3 + dcsr.rows + most_by_block) * sizeof(uint64_t))};
  found.listed.fill(0, 0, 3 * sizeof(uint64_t));
  DcsrRestArguments arguments;
  arguments.sizes = dcsr.sizes.data();
  arguments.starts = dcsr.starts.data();
  arguments.rows = dcsr.rows;
  arguments.longest_by_lanes = MxvRestArguments::longest_by_lanes;
  arguments.longest_by_warp = MxvRestArguments::longest_by_warp;
  arguments.listed = found.listed.as<uint64_t>();
  formats::launch_per_element("dcsr_build.h",
                              template_id("dcsr_list_rest", {formats::index_type(dcsr.offset_width)}),
                              dcsr.rows, arguments);
  return found;
}

/// Two launches over the positions in which the rows were laid out, and one for what rows have beyond them.
DeviceVector pull_by_merged_dcsr(const MatrixVectorRun& run) {
  Pull pull(run);
  const Dcsr& dcsr = dcsr_of(run);
  const Csr rows = formats::laid_out_rows(dcsr);
  MxvMergeArguments arguments;
  arguments.operands = operands_of(run, rows.view(), pull.vector, pull.t, entry_bytes(run, rows.entries));
  const bool has_gaps = dcsr.entries < dcsr.laid_out || dcsr.mains || dcsr.used > dcsr.laid_out;
  const bool flagged = has_gaps || !run.mask.allows_all || pull.vector.form != Form::full;
  launch_merge(run, pull, *dcsr.plan, flagged, arguments, [&] {
    return product_id(
        run, pull,
        template_id(has_gaps ? "csr_rows_with_gaps" : "csr_rows",
                    {formats::index_type(dcsr.offset_width), formats::index_type(dcsr.column_width),
                     values_id(dcsr.type, run.reads_matrix(), dcsr.iso)}));
  });
  if (dcsr.used == dcsr.laid_out) return std::move(pull.t);
  const RestOfFragments& rest = run.call.matrix.derived(run.call.transpose_matrix, Only<RestOfFragments>(),
                                                        [&] { return find_rest(dcsr); });
  MxvRestArguments of_rest;
  of_rest.rows = arguments_of(run, pull, dcsr);
  of_rest.starts = dcsr.starts.data();
  of_rest.listed = rest.listed.as<uint64_t>();
  launch_product(run, "mxv_dcsr.h", "mxv_dcsr_rest", formats::resident_blocks(), of_rest,
                 [&](const std::string& name) {
                   return template_id(name, {product_id(run, pull, rows_id(run, dcsr)), run.mask.name()});
                 });
  return std::move(pull.t);
}

/// Whether a product goes along the merge path. Sums that mostly end at once would read all of it.
bool goes_along_merge_path(const MatrixVectorRun& run, const MxvKernel* forced) {
  if (run.call.matrix.fragments->plan == nullptr || (forced != nullptr && forced != &mxv_merge)) return false;
  return (!run.call.semiring.add.ends_at_once() || forced != nullptr) && merge_refusal(run.call).empty();
}

}  // namespace

std::string fragments_refusal(const formats::DeviceMatrix& matrix, const Semiring& semiring, bool pushes) {
  const MxvKernel* const forced = find_mxv_kernel(settings().force);
  const bool has_path = matrix.fragments != nullptr && matrix.fragments->plan != nullptr;
  const bool reads = pushes
                         ? forced == &vxm_push
                         : forced == &mxv_dcsr || forced == &mxv_adcsr || (has_path && forced == &mxv_merge);
  if (forced != nullptr && !reads) return forced->name + " reads no fragments";
  return pushes ? push_refusal(semiring) : "";
}

DeviceVector product_of_fragments(const MatrixVectorRun& run) {
  const MxvKernel* const forced = find_mxv_kernel(settings().force);
  const bool pushes = run.call.transpose_matrix != run.call.matrix.by_column;
  const bool has_bins = run.call.matrix.fragments->bins != nullptr && forced != &mxv_dcsr;
  const bool merged = !pushes && goes_along_merge_path(run, forced);
  const bool binned = !pushes && !merged && (forced == &mxv_adcsr || has_bins);
  selector::Decision decision;
  decision.operation = run.call.semiring.name;
  decision.chosen.kernel = pushes ? &vxm_push : merged ? &mxv_merge : binned ? &mxv_adcsr : &mxv_dcsr;
  decision.chosen.format = "dcsr";
  decision.forced = forced == decision.chosen.kernel;
  if (!run.is_part) selector::record(decision);
  const std::shared_ptr<MxvMemo> kernels = kernels_of(run);
  MatrixVectorRun remembered = run;
  remembered.memo = kernels.get();
  if (pushes) return push_by_dcsr(remembered);
  if (merged) return pull_by_merged_dcsr(remembered);
  return binned ? pull_by_adcsr(remembered) : pull_by_dcsr(remembered);
}

const MxvKernel mxv_dcsr = {
    {"mxv_dcsr"},
    {.cost = cost_of_dcsr,
     .plan = always(pull_by_dcsr),
     .numbers = NumbersId("dcsr"),
     .format = "dcsr",
     .derives = {typeid(LongFragments::Key), typeid(Only<RestOfFragments>), typeid(Only<Dcsr>)}}};

const MxvKernel mxv_adcsr = {{"mxv_adcsr"},
                             {.cost = cost_of_adcsr,
                              .plan = always(pull_by_adcsr),
                              .numbers = NumbersId("adcsr"),
                              .format = "adcsr",
                              .derives = {typeid(Only<Dcsr>), typeid(Only<DcsrBins>)}}};

}  // namespace cugrb::operations
