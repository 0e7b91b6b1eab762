// What the selector is told of the formats that a matrix has, or could have.
#include <algorithm>

#include "src/operations/multiply/mxv/coo/coo.h"
#include "src/operations/multiply/mxv/ell/ell.h"
#include "src/operations/multiply/registry.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::GatherLocality;
using formats::OfPattern;
using formats::SliceColumns;
using formats::SlicePlan;

namespace {

/// CUGRB_FORCE names a kernel that reads a format made from CSR.
bool forces_derived_format() {
  const MxvKernel* forced = find_mxv_kernel(settings().force);
  return forced != nullptr && !forced->derives.empty();
}

/// What the device has, CUGRB_MEMORY_LIMIT at most.
uint64_t memory_bytes() {
  const uint64_t all = runtime::device().properties().memory_bytes, limit = settings().memory_limit_bytes;
  return limit > 0 ? std::min(all, limit) : all;
}

/// What follows from the distribution and the size of the matrix's own values, computed once a matrix:
/// O(distinct lengths) is too long for every product.
struct Forecast {
  struct Key {
    using Made = Forecast;
    static constexpr bool of_pattern = true;
    size_t value_bytes;
    bool operator==(const Key&) const = default;
  };
  double slice_columns = 0;
  uint64_t hyb_threshold = 0;
  double hyb_slice_columns = 0;
};

Forecast forecast_of(selector::MxvProblem p, size_t value_bytes) {
  p.matrix_value_bytes = value_bytes;
  Forecast forecast;
  forecast.slice_columns = formats::expected_slice_columns(*p.pull_distribution);
  forecast.hyb_threshold = hyb_threshold(p);
  forecast.hyb_slice_columns = formats::expected_slice_columns(*p.pull_distribution, forecast.hyb_threshold);
  return forecast;
}

void describe_forecast(const DeviceMatrix& matrix, bool transposed, selector::MxvProblem& p) {
  // The threshold suits the matrix's own values: semirings that do not read them share the format.
  const size_t value_bytes = matrix.stored.iso ? 0 : matrix.type.size;
  const Forecast& forecast =
      matrix.derived(transposed, Forecast::Key{value_bytes}, [&] { return forecast_of(p, value_bytes); });
  p.slice_columns = forecast.slice_columns;
  p.hyb_threshold = forecast.hyb_threshold;
  p.hyb_slice_columns = forecast.hyb_slice_columns;
}

/// How neighbouring entries gather.
void ask_for_gather_locality(const DeviceMatrix& matrix, bool transposed, uint64_t patience) {
  matrix.derived_later(transposed, OfPattern<GatherLocality>(), patience,
                       [](const formats::Csr& rows) { return formats::begin_gather_sample(rows); });
}

/// What has been looked at, as far as it has arrived. The slices' widths stay known when their plan goes.
void describe_looks(const DeviceMatrix& matrix, bool transposed, selector::MxvProblem& p) {
  const GatherLocality* gathers = matrix.find_derived(transposed, OfPattern<GatherLocality>());
  if (gathers != nullptr) p.gathers = *gathers;
  const SliceColumns* slices = matrix.find_derived(transposed, OfPattern<SliceColumns>());
  const SlicePlan* plan = matrix.find_derived(transposed, OfPattern<SlicePlan>());
  if (slices == nullptr && plan != nullptr) {
    slices =
        &matrix.derived(transposed, OfPattern<SliceColumns>(), [&] { return SliceColumns{plan->columns}; });
  }
  if (slices != nullptr) p.slice_columns = double(slices->columns);
}

}  // namespace

void describe_formats(const MatrixVectorRun& run, const selector::Looks& looks, bool waits,
                      selector::MxvProblem& p) {
  const DeviceMatrix& matrix = run.call.matrix;
  const bool transposed = run.call.transpose_matrix, forced = forces_derived_format();
  if (!p.pull_ready && !forced) {
    // A push of much of the matrix waits for the row that most entries meet in, if each of them changes it.
    const bool meets = p.push_ready && p.swaps_to_add && !p.stops_early;
    if (meets && p.vector_entries > p.columns / 16) p.pull_lengths = matrix.row_lengths(transposed);
    return;
  }
  const bool looks_now = p.pull_uses >= looks.neighbours || forced;
  const uint64_t patience = waits || forced ? 0 : looks.neighbours_patience;
  p.pull_distribution = &matrix.row_distribution(transposed, [&] {
    if (looks.sampled_with_lengths) ask_for_gather_locality(matrix, transposed, patience);
  });
  p.pull_lengths = p.pull_distribution->summary();
  p.memory_bytes = memory_bytes();
  p.host_call_seconds = runtime::device().host_call_seconds();
  p.may_make_formats = looks_now || waits;
  if (p.may_make_formats) describe_forecast(matrix, transposed, p);
  if (looks_now) {
    ask_for_gather_locality(matrix, transposed, patience);
    // Where rows differ so much slices are refused.
    const bool sliced = p.slice_columns * double(ell_slice_rows) < 4 * double(p.entries);
    const bool known = matrix.find_derived(transposed, OfPattern<SliceColumns>()) != nullptr;
    if (sliced && !known) find_slice_plan(matrix, transposed, patience);
  }
  describe_looks(matrix, transposed, p);
}

void describe_kernels(const MatrixVectorRun& run, bool of_device, References references,
                      selector::MxvProblem& p) {
  const Kernel* forced = forced_kernel(run.is_part);
  for (const MxvKernel* kernel : mxv_kernels()) {
    if (kernel->role == Role::reference && references == References::left_out && kernel != forced) continue;
    if (kernel->describe) {
      kernel->describe(run, of_device, p);
    } else if (!kernel->derives.empty() &&
               run.call.matrix.has_derived(run.call.transpose_matrix, kernel->derives.back())) {
      p.ready_formats.insert(kernel);
    }
  }
}

}  // namespace cugrb::operations
