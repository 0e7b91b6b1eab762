// Predicted time of the product by rows.
#include <algorithm>
#include <cmath>

#include "src/operations/multiply/mxm/costs.h"

namespace cugrb::operations {

using namespace selector;

namespace {

// Fitted to the 45 products of bench/results/spgemm.json whose rows are neither bounded nor scaled (H200,
// FP32, true entries given; short rows are too few there, their constants are older): 30 within 20 % of the
// measured times, 39 within 30 %, in 0.72 to 1.97. Too long where the most popular columns are few (ca-HepPh,
// Groebner, memplus) and for rows of 64-bit items that are sorted (livejournal). Seconds of one
// multiprocessor, by the weight of the row that a product or an entry of T belongs to.
constexpr double short_product = 0.14e-9, short_entry = 2.5e-9;
constexpr double light_product = 1.72e-9, light_entry = 1.31e-9;
constexpr double medium_product = 1.79e-9, medium_entry = 0.71e-9;
/// Rows that are merged; where their products do not meet (more entries a product than this), they are only
/// counted so.
constexpr double merged_product = 0.42e-9, merged_entry = 0.2e-9, merged_share = 0.6;
/// Rows of bounded products. Fitted by hand to 14 products (H200, FP32): in bench/results/spgemm.json within
/// 30 % of 10 of them, 0.61 to 1.60.
constexpr double bounded_launches = 18;
constexpr double bounded_merged_8_product = 0.29e-9, bounded_merged_12_product = 0.59e-9,
                 bounded_merged_row = 9.2e-9;
constexpr double bounded_sorted_product = 2.6e-9, bounded_sorted_row = 4e-9;
constexpr uint64_t bounded_merged_8 = 64;  ///< products of a row, at most, where it has up to 8 left entries
constexpr double ranked_product = 0.27e-9, ranked_entry = 1.01e-9;  ///< heavy rows of few columns
constexpr double heavy_product = 0.97e-9, heavy_column = 0.071e-9;  ///< of each heavy row: clear, mark, rank
constexpr double left_entry = 3.55e-9;
constexpr double launches = 26;       ///< and what waits for them, where the device is not full
constexpr double found_share = 0.15;  ///< of an entry's time where the mask forbids it
/// A block by itself where few rows are all there is, for each left entry that a block looks at and each
/// product that it adds. Fitted within a factor of 3 to LAGraph's betweenness of RMAT 20 (frontiers of 4
/// rows, H200): 0.25, 0.45, 1.7, 5.6, 35 and 33 ms beyond the launches for 0.02, 0.9, 1.1, 60, 28 and 114
/// million products of 3, 10, 0.2, 30, 373 and 914 thousand left entries, where at most 0.5 ms were predicted
/// without it; mxm_vectors takes 1.4 ms for each of them. With it: betweenness 91.5 -> 17.4 ms.
constexpr double block_entry_seconds = 150e-9, block_product_seconds = 20e-9;
constexpr double window_columns = 1 << 18;

/// Rows that are too heavy to sort go by windows of columns, a block each.
double heavy_row_seconds(const MxmProblem& p, const Hardware& h) {
  const RowWeights& w = p.weights;
  if (w.heavy_rows <= 0) return 0;
  const double rows = std::min(double(p.rows), std::max(1.0, double(p.left_entries)));
  const double windows = std::max(1.0, std::ceil(double(p.columns) / window_columns));
  const double few = block_entry_seconds * double(p.left_entries) / rows +
                     block_product_seconds * w.heavy / w.heavy_rows / windows;
  return std::max(few, w.heavy_rows * double(p.columns) * heavy_column / h.multiprocessors);
}

double bounded_seconds(const MxmProblem& p, const Hardware& h) {
  const bool merged = p.bounded == BoundedUse::merged;
  const double a_product = !merged                                  ? bounded_sorted_product
                           : p.bounded_products <= bounded_merged_8 ? bounded_merged_8_product
                                                                    : bounded_merged_12_product;
  const double width = (20 + double(p.result_bytes)) / 24;
  const double work =
      p.products * a_product + double(p.rows) * (merged ? bounded_merged_row : bounded_sorted_row);
  return bounded_launches * h.launch_seconds + width * work / h.multiprocessors +
         (p.mask == MaskUse::none ? 0 : result_seconds(p, h, merged ? 2 : 1));
}

double rows_seconds(const MxmProblem& p, const Hardware& h) {
  if (p.bounded != BoundedUse::none) return bounded_seconds(p, h);
  const RowWeights& w = p.weights;
  // Products meet in an entry as often in rows of any weight.
  const double made = found_share * p.entries.all + (1 - found_share) * p.entries.kept;
  const double share = p.products <= 0 ? 0 : made / p.products;
  const double merged = share <= merged_share ? w.merged : 0;
  const double light = std::max(0.0, p.products - w.of_short - merged - w.medium - w.heavy);
  const double width = (20 + double(p.result_bytes)) / 24;  // 1.08 to 1.31 for FP64, 1.16 in the mean
  const double work =
      w.of_short * (short_product + share * short_entry) + merged * (merged_product + share * merged_entry) +
      light * (light_product + share * light_entry) + w.medium * (medium_product + share * medium_entry) +
      w.heavy * (p.columns <= most_ranked_columns ? ranked_product + share * ranked_entry : heavy_product);
  return launches * h.launch_seconds + heavy_row_seconds(p, h) +
         (width * work + double(p.left_entries) * left_entry) / h.multiprocessors +
         (p.mask == MaskUse::none ? 0 : result_seconds(p, h, 2));
}

/// T's room while it is not known, or that of its sorted rows; else of each row, and of rows made at once.
double workspace_bytes(const MxmProblem& p) {
  const double rows = double(p.rows), entry = double(p.column_bytes + p.result_bytes);
  if (p.bounded != BoundedUse::none) return p.bounded_room * entry + 4 * rows;
  return rows * (40 + 8 * (p.mask != MaskUse::none) + 8 * p.has_windows) + p.made_at_once * entry;
}

}  // namespace

double result_seconds(const MxmProblem& p, const Hardware& h, int passes) {
  // Of a binary search, that do not hit the L1 cache: fitted, with found_share, to seven masked products by
  // mxm_rows (six within 20 %, R-MAT 18 0.76).
  constexpr double loads = 0.6;
  const double bytes = double(p.column_bytes + p.result_bytes);
  const double asked =
      p.mask == MaskUse::none ? 0 : passes * p.entries.all * loads / h.gathers_per_second(p.rows * 8);
  return asked + p.entries.kept * bytes / h.copy_bytes_per_second;
}

Cost cost_of_rows(const MxmProblem& p, const Hardware& h) {
  const double emulated =
      double(p.rows) * 16 * emulated_waiting_thread + p.products * emulated_plain_thread * 3;
  return {.seconds = h.emulated ? emulated : rows_seconds(p, h), .workspace_bytes = workspace_bytes(p)};
}

}  // namespace cugrb::operations
