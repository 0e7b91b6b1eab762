#include "src/operations/multiply/mxm/estimate.h"

#include <algorithm>
#include <cmath>

#include "src/formats/element_kernels.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

constexpr char mxm_estimate_header[] = "mxm_sample.h";

selector::ProductOctaves octaves_of(MxmSampleArguments& arguments, const std::string& mask) {
  const Buffer octaves = Buffer::zeroed(sizeof(selector::ProductOctaves));
  arguments.octaves = octaves.as<ProductOctave>();
  formats::launch_blocks(mxm_estimate_header, template_id("mxm_product_octaves", {mask}),
                         std::min(formats::resident_blocks(), formats::blocks_for(arguments.rows.left.rows)),
                         arguments);
  return octaves.read<selector::ProductOctaves>();
}

/// Rows drawn by a hash of their number, and counted.
std::vector<SampledRow> count_some(MxmSampleArguments& arguments, const selector::ProductOctaves& octaves,
                                   const std::string& patterns, const std::string& mask) {
  const auto wanted = selector::rows_to_count(octaves);
  double expected = 0;
  for (int n = 0; n < product_octaves; ++n) {
    const double share = wanted[size_t(n)] / double(std::max<uint64_t>(octaves[size_t(n)].rows, 1));
    arguments.thresholds[n] = uint64_t(std::min(1.0, share) * 0x1p32);
    expected += wanted[size_t(n)];
  }
  arguments.capacity = uint32_t(expected + 8 * std::sqrt(expected)) + 1;  // eight deviations: never reached
  const Buffer list(arguments.capacity * sizeof(uint64_t)), taken = Buffer::zeroed(sizeof(uint32_t));
  const Buffer samples = Buffer::zeroed(arguments.capacity * sizeof(SampledRow));
  arguments.list = list.as<uint64_t>();
  arguments.taken = taken.as<uint32_t>();
  arguments.samples = samples.as<SampledRow>();
  formats::launch_blocks(mxm_estimate_header, template_id("mxm_sample_rows", {"uint64_t"}),
                         formats::blocks_for(arguments.rows.left.rows), arguments);
  formats::launch_kernel({mxm_estimate_header, template_id("mxm_sample_count", {patterns, mask}), {}},
                         {arguments.capacity, bitmap_threads}, arguments);
  return samples.to_host<SampledRow>(arguments.capacity);
}

}  // namespace

selector::MaskUse mask_use(const PreparedMatrixMask& mask) {
  return mask.matrix == nullptr ? selector::MaskUse::none
         : mask.complement      ? selector::MaskUse::excludes
                                : selector::MaskUse::selects;
}

bool can_count_rows(const MatrixMatrixRun& run, const RowProfile& profile) {
  return profile.products && (run.mask.matrix == nullptr || run.mask.matrix->has_rows(run.flipped));
}

selector::ResultEntries estimate_entries(const MatrixMatrixRun& run, const RowProfile& profile) {
  const Csr& left = run.left();
  const Csr& right = run.right();
  MxmSampleArguments arguments;
  arguments.rows.left = left.view();
  arguments.rows.right = right.view();
  arguments.rows.mask = run.mask.mask_view(run.flipped);
  arguments.rows.products = profile.products.as<uint64_t>();
  const std::string mask =
      run.mask.matrix == nullptr
          ? "selects_nothing"
          : template_id("selects_entries", {run.mask.select_id(run.mask.rows(run.flipped))});
  const selector::ProductOctaves octaves = octaves_of(arguments, mask);
  const std::vector<SampledRow> samples =
      count_some(arguments, octaves, MatrixMatrixRun::pattern_id(left, right), mask);
  return selector::counted_entries(octaves, samples, right.columns, mask_use(run.mask));
}

selector::DotWork dot_work(const MatrixMatrixRun& run) {
  constexpr uint64_t most = 1 << 16;
  const Csr& left = run.left();
  const Csr& right = run.right_columns();
  const Csr& mask = run.mask.rows(run.flipped);
  const Buffer steps = Buffer::zeroed(sizeof(DotSteps));
  MxmDotStepsArguments arguments;
  arguments.dot.left = left.view();
  arguments.dot.right = right.view();
  arguments.dot.mask = mask.view();
  arguments.dot.longest_searched = longest_searched_row;
  arguments.part = dot_table_slots(run) / 2;
  arguments.stride = formats::blocks_for(mask.entries, most);
  arguments.count = formats::blocks_for(mask.entries, arguments.stride);
  arguments.steps = steps.as<DotSteps>();
  formats::launch_blocks(
      "mxm_dot_steps.h",
      template_id("mxm_dot_steps", {MatrixMatrixRun::pattern_id(left, right), run.mask.select_id(mask)}),
      formats::blocks_for(arguments.count), arguments);
  const DotSteps sum = steps.read<DotSteps>();
  const double scale = double(mask.entries) / double(arguments.count);
  return {double(sum.searched) * scale, double(sum.streamed) * scale, double(sum.longest_chain)};
}

}  // namespace cugrb::operations
