#include <algorithm>
#include <cmath>

#include "src/selector/mxm_costs.h"

namespace cugrb::selector {

namespace {

// Fitted to the 19 products of bench/results/spgemm.json (H200, FP32, all generated): 0.72 to 1.26 of the
// measured times. Seconds of one multiprocessor for an entry of T, by the weight of its row. Masks and FP64:
// bench/results/spgemm_cusparse.json.
constexpr double light_entry = 4.2e-9, medium_entry = 12.2e-9, heavy_entry = 1.5e-9;
constexpr double found_share = 0.8;  ///< of that for an entry that a mask forbids
constexpr double left_entry = 2e-9;
constexpr double heavy_window = 38e-6;  ///< a block of mxm_bitmap: clear, mark, rank 2^18 columns, twice
/// The device is not full below so many products.
constexpr double few_products = 4e6, few_product_seconds = 40e-12;
constexpr double products_per_multiprocessor = 2e9;  ///< a product that finds its column
/// Where there is a heavy row: launches and waits of its own, and a block by itself for each product of the
/// heaviest.
constexpr double heavy_seconds = 0.46e-3, heaviest_product_seconds = 9.2e-9;
/// The same where few rows are all there is, for each left entry that a block looks at and each product that
/// it adds. Fitted within a factor of 3 to LAGraph's betweenness of RMAT 20 (frontiers of 4 rows, H200):
/// 0.25, 0.45, 1.7, 5.6, 35 and 33 ms beyond the launches for 0.02, 0.9, 1.1, 60, 28 and 114 million products
/// of 3, 10, 0.2, 30, 373 and 914 thousand left entries, where at most 0.5 ms were predicted without it;
/// mxm_vectors takes 1.4 ms for each of them. With it: betweenness 91.5 -> 17.4 ms.
constexpr double block_entry_seconds = 150e-9, block_product_seconds = 20e-9;
constexpr double window_columns = 1 << 18;

/// Rows that are too heavy to hash go by windows of columns, a block each.
double bitmap_seconds(const MxmProblem& p, const Hardware& h) {
  const RowWeights& w = p.weights;
  if (w.heavy_rows <= 0) return 0;
  const double rows = std::min(double(p.rows), std::max(1.0, double(p.left_entries)));
  const double windows = std::max(1.0, std::ceil(double(p.columns) / window_columns));
  const double few = block_entry_seconds * double(p.left_entries) / rows +
                     block_product_seconds * w.heavy / w.heavy_rows / windows;
  const double heaviest = heavy_seconds + heaviest_product_seconds * w.heaviest;
  return std::max(few, heaviest) + w.heavy_rows * windows * heavy_window / h.multiprocessors;
}

}  // namespace

double result_seconds(const MxmProblem& p, const Hardware& h, int passes) {
  constexpr double loads = 2.4;  // of a binary search, that do not hit the L1 cache
  const double bytes = double(p.column_bytes + p.result_bytes);
  const double asked =
      p.mask == MaskUse::none ? 0 : passes * p.entries.all * loads / h.gathers_per_second(p.rows * 8);
  return asked + p.entries.kept * bytes / h.copy_bytes_per_second;
}

double rows_seconds(const MxmProblem& p, const Hardware& h) {
  const RowWeights& w = p.weights;
  const double traffic =
      p.products * (3 * double(p.column_bytes) + double(p.value_bytes)) / (2 * h.copy_bytes_per_second);
  const double work = p.products / (products_per_multiprocessor * h.multiprocessors);
  const double light = std::max(0.0, p.products - w.medium - w.heavy);
  // Products meet in an entry as often in rows of any weight.
  const double made = found_share * p.entries.all + (1 - found_share) * p.entries.kept;
  const double entries =
      p.products <= 0
          ? 0
          : made / p.products * (light * light_entry + w.medium * medium_entry + w.heavy * heavy_entry);
  const double width = (20 + double(p.result_bytes)) / 24;  // 1.08 to 1.31 for FP64, 1.16 in the mean
  const double few = std::min(p.products, few_products) * few_product_seconds;
  const double row_work = double(p.rows) * 80 / h.copy_bytes_per_second;
  return 30 * h.launch_seconds + few + std::max(traffic, work) + row_work + bitmap_seconds(p, h) +
         (width * entries + double(p.left_entries) * left_entry) / h.multiprocessors +
         result_seconds(p, h, 2);
}

}  // namespace cugrb::selector
