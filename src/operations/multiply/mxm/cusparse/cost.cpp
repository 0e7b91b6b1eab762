// Predicted time of the product by cuSPARSE.
#include <algorithm>

#include "src/operations/multiply/mxm/costs.h"
#include "src/support/trace_text.h"

namespace cugrb::operations {

using namespace selector;

namespace {

// Fitted to cusparseSpGEMM's ALG1 (cuSPARSE 12.6) on 27 products of bench/results/spgemm.json and
// spgemm_kernels.json (H200, FP32, all generated): 0.85 to 1.2 of the measured times, but 0.47 on the
// 27-point grid. It sorts all products row by row: long rows cost more, and so do those whose products do
// not meet. Seconds of one multiprocessor, for a product and for an entry of T, by the weight of its row.
constexpr double light_product = 2.4e-9, light_entry = 3.6e-9;
constexpr double medium_product = 2.4e-9, medium_entry = 24.6e-9;
constexpr double heavy_product = 9.25e-9, heavy_entry = 2.3e-9;
constexpr double call_seconds = 0.268e-3;
/// Its workspace is a hundred times that of mxm_rows: where both may be the faster one it is not taken.
constexpr double margin = 1.05;

double cusparse_seconds(const MxmProblem& p, const Hardware& h) {
  const RowWeights& w = p.weights;
  const double light = std::max(0.0, p.products - w.medium - w.heavy);
  const double made = p.products <= 0 ? 0 : p.entries.all / p.products;
  // What is sorted for each product, in units of FP32's 12 bytes; in medium rows the values wait aside
  // (FP64 over FP32: 1.3 in heavy rows, 1.0 in medium ones, 1.15 to 2 in light ones).
  const double width = (8 + double(p.result_bytes)) / 12;
  const double sorted = width * light * (light_product + made * light_entry) +
                        w.medium * (medium_product + made * medium_entry) +
                        width * w.heavy * (heavy_product + made * heavy_entry);
  return margin * (call_seconds + sorted / h.multiprocessors);
}

double cusparse_workspace_bytes(const MxmProblem& p) {
  // Keys and values, twice; 13 to 29 bytes a left entry were measured, 24.1 to 27 a product in all.
  return 2 * (8 + double(p.result_bytes)) * p.products + 24 * double(p.left_entries);
}

}  // namespace

Cost cost_of_cusparse(const MxmProblem& p, const Hardware& h) {
  const double workspace = cusparse_workspace_bytes(p);
  const double bytes =
      workspace + p.entries.kept * double(p.column_bytes + p.result_bytes) + 4 * double(p.rows);
  if (bytes > p.usable_bytes)
    return Cost::refused("workspace and result of " + trace::bytes_text(uint64_t(bytes)) +
                         " do not fit the memory");
  return {.seconds = h.emulated ? p.products * emulated_plain_thread : cusparse_seconds(p, h),
          .conversion_seconds = p.cusparse_open ? 0 : cusparse_loading_seconds,
          .workspace_bytes = workspace};
}

}  // namespace cugrb::operations
