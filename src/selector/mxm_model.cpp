#include "src/selector/mxm_model.h"

#include <algorithm>
#include <cmath>

#include "src/selector/mxm_costs.h"

namespace cugrb::selector {

const std::vector<std::string>& mxm_kernels() {
  static const std::vector<std::string> names = {"mxm_dot",     "mxm_rows",  "mxm_sort",  "mxm_outer",
                                                 "mxm_vectors", "mxm_scale", "mxm_dense", "mxm_dense_push"};
  return names;
}

double expected_entries(const MxmProblem& p) {
  if (p.rows == 0 || p.columns == 0) return 0;
  const double rows = std::min(double(p.rows), std::max(1.0, double(p.left_entries)));
  const double columns = double(p.columns), weight = p.products / rows;
  return std::min(p.products, rows * columns * -std::expm1(-weight / columns));
}

namespace {

// What a multiprocessor does in a second, in steps of an inner loop with everything in shared memory or
// cache. From instruction counts of the loops and a third of the peak issue rate.
constexpr double lookups_per_multiprocessor = 4e9;   ///< mxm_dot_hash: a load, a probe
constexpr double products_per_multiprocessor = 2e9;  ///< mxm_hash, mxm_bitmap: three passes, an atomic
constexpr double loads_before_a_dot = 4;             ///< dependent loads until two rows are known
/// One block of mxm_bitmap by itself, for each left entry that it looks at and each product that it adds: a
/// few rows do not fill the device. Fitted within a factor of 3 to LAGraph's betweenness of RMAT 20
/// (frontiers of 4 rows, H200): 0.25, 0.45, 1.7, 5.6, 35 and 33 ms beyond the launches for 0.02, 0.9, 1.1,
/// 60, 28 and 114 million products of 3, 10, 0.2, 30, 373 and 914 thousand left entries, where at most 0.5 ms
/// were predicted without it; mxm_vectors takes 1.4 ms for each of them. With it: betweenness 91.5 -> 17.4
/// ms.
constexpr double block_entry_seconds = 150e-9;
constexpr double block_product_seconds = 20e-9;

/// Mean length of the rows that entries of a skewed matrix belong to, E(X^2) / E(X).
double biased_length(double mean, double deviation) {
  return mean > 0 ? mean + deviation * deviation / mean : 0;
}

double dot_seconds(const MxmProblem& p, const Hardware& h) {
  const double mask = double(p.mask_entries);
  const double left =
      biased_length(double(p.left_entries) / double(std::max<uint64_t>(p.rows, 1)), p.left_deviation);
  const double right =
      biased_length(double(p.right_entries) / double(std::max<uint64_t>(p.columns, 1)), p.right_deviation);
  // The longer of two rows is streamed past a table, or the shorter is searched in it, whichever is less.
  double steps =
      std::min({std::max(left, right), std::min(left, right) * std::log2(2 + std::max(left, right))});
  if (p.stops_at_once) steps = std::min(steps, 32.0);
  const double gathers = mask * loads_before_a_dot / h.gathers_per_second((p.rows + p.columns) * 8);
  const double lookups = mask * steps / (lookups_per_multiprocessor * h.multiprocessors);
  const double traffic =
      mask * (double(p.result_bytes) * 3 + 2 * double(p.column_bytes) + 10) / h.copy_bytes_per_second;
  return 12 * h.launch_seconds + gathers + lookups + traffic;
}

/// Asking the mask for every entry, `passes` times, and writing those that it allows.
double result_seconds(const MxmProblem& p, const Hardware& h, int passes) {
  constexpr double loads = 4;  // of a binary search, that do not hit the L1 cache
  const double entries = expected_entries(p), bytes = double(p.column_bytes + p.result_bytes);
  const double kept = p.mask_entries > 0 ? std::min(entries, double(p.mask_entries)) : entries;
  const double asked = p.masked ? passes * entries * loads / h.gathers_per_second(p.rows * 8) : 0;
  return asked + kept * bytes / h.copy_bytes_per_second;
}

/// Rows of mean weight that are too heavy to hash go by windows of columns, a block each: every one looks at
/// all of the row's left entries, and searches their right rows for its columns.
double window_seconds(const MxmProblem& p, const Hardware& h) {
  constexpr double widest = 1 << 18, narrowest = 8192, many_products = 1 << 17, hashed = 2048, steps = 40;
  const double rows = std::min(double(p.rows), std::max(1.0, double(p.left_entries)));
  const double weight = p.products / rows, columns = double(p.columns);
  if (weight <= hashed) return 0;
  const double windows =
      std::max({1.0, columns / widest, std::min(weight / many_products, columns / narrowest)});
  const double block =
      block_entry_seconds * double(p.left_entries) / rows + block_product_seconds * weight / windows;
  const double searched = windows <= 1 ? 0 : double(p.left_entries) * windows * steps;
  return std::max(block, searched / (lookups_per_multiprocessor * h.multiprocessors));
}

double rows_seconds(const MxmProblem& p, const Hardware& h) {
  const double traffic =
      p.products * (3 * double(p.column_bytes) + double(p.value_bytes)) / (2 * h.copy_bytes_per_second);
  const double work = p.products / (products_per_multiprocessor * h.multiprocessors);
  const double row_work = double(p.rows) * 80 / h.copy_bytes_per_second +
                          double(p.left_entries) * 3 / h.gathers_per_second(p.inner * 8);
  return 30 * h.launch_seconds + std::max(traffic, work) + row_work + window_seconds(p, h) +
         result_seconds(p, h, 2);
}

/// Sorting 64-bit keys takes twice the passes of the measured 32-bit ones.
double sorted_seconds(const MxmProblem& p, const Hardware& h) {
  return p.products * (2 / h.sort_keys_per_second + 80 / h.copy_bytes_per_second) + result_seconds(p, h, 1);
}

double sort_seconds(const MxmProblem& p, const Hardware& h) {
  return 40 * h.launch_seconds + double(p.rows) * 80 / h.copy_bytes_per_second + sorted_seconds(p, h);
}

double outer_seconds(const MxmProblem& p, const Hardware& h) {
  return 25 * h.launch_seconds + double(p.inner) * 80 / h.copy_bytes_per_second + sorted_seconds(p, h);
}

/// Each row costs the launches and waits of an mxv, then its products pushed, or the whole right factor
/// pulled.
double vectors_seconds(const MxmProblem& p, const Hardware& h) {
  const double products = p.products / std::max(1.0, double(p.vector_rows));
  const double pushed = products / h.atomics_per_second;
  const double pulled = double(p.vector_right_entries) / h.gathers_per_second(p.inner * 8);
  const double columns = p.vector_rows == 0 ? 0 : double(p.rows) * double(p.columns) / double(p.vector_rows);
  const double dense = 12 * columns * double(p.result_bytes) / h.copy_bytes_per_second;
  return double(p.vector_rows) * (40 * h.launch_seconds + std::min(pushed, pulled) + dense);
}

/// A diagonal factor: the other one's entries, read and written once.
double scale_seconds(const MxmProblem& p, const Hardware& h) {
  const double bytes = 2 * double(p.column_bytes) + double(p.value_bytes) + double(p.result_bytes);
  return 2 * h.launch_seconds + p.products * bytes / h.copy_bytes_per_second;
}

/// On the emulated device a CUDA thread is a fiber: threads and barriers cost, and little else.
double emulated_seconds(const std::string& kernel, const MxmProblem& p) {
  constexpr double plain = 0.1e-6, waiting = 1.7e-6;
  if (kernel == "mxm_dot") return double(p.mask_entries) * 8 * waiting;
  if (kernel == "mxm_scale") return p.products * plain;
  if (kernel == "mxm_rows") return double(p.rows) * 16 * waiting + p.products * plain * 3;
  if (kernel == "mxm_vectors") return double(p.vector_rows) * 2000 * waiting + p.products * waiting;
  return p.products * waiting + double(kernel == "mxm_outer" ? p.inner : p.rows) * waiting;
}

Candidate candidate_of(const std::string& kernel, const MxmCandidate& known, const MxmProblem& p,
                       const Hardware& h) {
  const bool dense = kernel == "mxm_dense", dense_push = kernel == "mxm_dense_push";
  Candidate c;
  c.kernel = kernel;
  c.format = known.transposed_entries == 0 ? "csr" : "csr, transposed first";
  c.reason = known.refusal;
  c.applicable = known.refusal.empty();
  if (!c.applicable) return c;
  if (dense || dense_push) c.reason = "reckoned, not measured: with a margin";
  c.predicted_seconds = dense || dense_push       ? dense_seconds(p, h, dense_push)
                        : h.emulated              ? emulated_seconds(kernel, p)
                        : kernel == "mxm_dot"     ? dot_seconds(p, h)
                        : kernel == "mxm_rows"    ? rows_seconds(p, h)
                        : kernel == "mxm_sort"    ? sort_seconds(p, h)
                        : kernel == "mxm_vectors" ? vectors_seconds(p, h)
                        : kernel == "mxm_scale"   ? scale_seconds(p, h)
                                                  : outer_seconds(p, h);
  const double moved = double(known.transposed_entries);
  c.conversion_seconds = moved == 0 ? 0
                                    : moved / h.sort_keys_per_second + moved * 40 / h.copy_bytes_per_second +
                                          10 * h.launch_seconds;
  return c;
}

}  // namespace

Decision choose_mxm(const MxmProblem& p, const Hardware& h, const std::string& forced) {
  Decision decision;
  decision.operation = p.operation;
  decision.candidates = {
      candidate_of("mxm_dot", p.dot, p, h),         candidate_of("mxm_rows", p.rows_by_hash, p, h),
      candidate_of("mxm_sort", p.sort, p, h),       candidate_of("mxm_outer", p.outer, p, h),
      candidate_of("mxm_vectors", p.vectors, p, h), candidate_of("mxm_scale", p.scale, p, h),
      candidate_of("mxm_dense", p.dense, p, h),     candidate_of("mxm_dense_push", p.dense_push, p, h)};
  choose(decision, forced);  // sorting is always applicable
  return decision;
}

}  // namespace cugrb::selector
