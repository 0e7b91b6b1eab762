// Predicted times of the products that are made by sorting: row by row, and outer products.
#include <algorithm>

#include "src/operations/multiply/mxm/costs.h"

namespace cugrb::operations {

using namespace selector;

namespace {

// Bytes that, moved at the copy bandwidth, take as long as a product and as an entry. Fitted to A*A, C<A> =
// A*A', C<!A> = A*A, the triangles and bench/results/spgemm_scaled.json on the H200
// (docs/notebook/2026-11-21-mxm-entries.md has prediction beside measurement).
constexpr double sorted_product_bytes = 350, sorted_entry_bytes = 280;  ///< mxm_sort
constexpr double sorted_row_seconds = 1.6e-9;  ///< of mxm_sort's slices, that the host plans
/// Below that the device is not full: twice the time of the calibrated sort's keys, as nothing smaller was
/// measured.
constexpr double few_sorted = 1 << 20;
constexpr double outer_product_bytes = 270, outer_entry_bytes = 220;  ///< mxm_outer
constexpr double workload_seconds = 0.6e-6;  ///< of a block of mxm_outer_expand, one multiprocessor

double few_sorted_seconds(const MxmProblem& p, const Hardware& h) {
  return std::min(p.products, few_sorted) * 2 / h.sort_keys_per_second;
}

double sort_seconds(const MxmProblem& p, const Hardware& h) {
  return 60 * h.launch_seconds + few_sorted_seconds(p, h) + double(p.rows) * sorted_row_seconds +
         (p.products * sorted_product_bytes + p.entries.kept * sorted_entry_bytes) / h.copy_bytes_per_second +
         result_seconds(p, h, 1);
}

double outer_seconds(const MxmProblem& p, const Hardware& h) {
  return 25 * h.launch_seconds + few_sorted_seconds(p, h) +
         double(p.inner) * workload_seconds / h.multiprocessors +
         (p.products * outer_product_bytes + p.entries.kept * outer_entry_bytes) / h.copy_bytes_per_second +
         result_seconds(p, h, 1);
}

/// Keys and payload while they are sorted, in half of the memory at most, and T's entries; `owner_bytes`: of
/// each of `owners` rows, or indices of the sum.
double sorted_workspace_bytes(const MxmProblem& p, double owners, double owner_bytes) {
  const double sorted = 64 + (p.result_bytes > 8 ? double(p.result_bytes) : 0);  // a product
  return owners * owner_bytes + std::min(p.products * sorted, p.usable_bytes / 2) +
         p.entries.kept * double(p.column_bytes + p.result_bytes);
}

/// A launch is a block's threads at least.
double on_emulated(const MxmProblem& p, double owners, double launches) {
  return (p.products + owners) * emulated_waiting_thread + launches * 256 * emulated_plain_thread;
}

}  // namespace

Cost cost_of_sort(const MxmProblem& p, const Hardware& h) {
  const double rows = double(p.rows);
  return {.seconds = h.emulated ? on_emulated(p, rows, 12) : sort_seconds(p, h),
          .workspace_bytes = sorted_workspace_bytes(p, rows, 40)};
}

Cost cost_of_outer(const MxmProblem& p, const Hardware& h) {
  const double inner = double(p.inner);
  return {.seconds = h.emulated ? on_emulated(p, inner, 8) : outer_seconds(p, h),
          .workspace_bytes = sorted_workspace_bytes(p, inner, 56)};
}

}  // namespace cugrb::operations
