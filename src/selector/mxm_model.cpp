#include "src/selector/mxm_model.h"

#include <algorithm>
#include <cmath>

#include "cuda/views/mxm.h"
#include "src/selector/mxm_costs.h"
#include "src/support/number_text.h"
#include "src/support/trace_text.h"

namespace cugrb::selector {

const std::vector<std::string>& mxm_kernels() {
  static const std::vector<std::string> names = {"mxm_dot",   "mxm_rows",       "mxm_sort",
                                                 "mxm_outer", "mxm_vectors",    "mxm_scale",
                                                 "mxm_dense", "mxm_dense_push", "mxm_cusparse"};
  return names;
}

ResultEntries entries_by_means(const MxmProblem& p) {
  ResultEntries entries;
  const double rows = std::min(double(p.rows), std::max(1.0, double(p.left_entries)));
  entries.all = std::min(p.products, rows * reached_columns(p.products / rows, double(p.columns)));
  entries.kept = p.mask == MaskUse::selects ? std::min(entries.all, double(p.mask_entries)) : entries.all;
  return entries;
}

ResultEntries uncounted_entries(const MxmProblem& p) {
  ResultEntries entries = entries_by_means(p);
  if (p.met <= 0 || p.products / p.met >= entries.all) return entries;
  entries.source = ResultEntries::Source::drawn;
  entries.kept *= p.products / p.met / entries.all;
  entries.all = p.products / p.met;
  return entries;
}

RowWeights weights_by_means(const MxmProblem& p) {
  const double rows = std::min(double(p.rows), std::max(1.0, double(p.left_entries)));
  const double mean = p.products / rows;
  if (mean <= double(short_row_products)) return {0, 0, 0, 0, p.products};
  if (mean <= double(light_row_products)) return {};
  if (mean <= double(medium_row_products)) return {p.products, 0, 0, 0};
  return {0, p.products, rows, mean};
}

namespace {

// What a multiprocessor does in a second, with everything in shared memory or cache. Fitted to A*A, C<A> =
// A*A', C<!A> = A*A, the triangles and bench/results/spgemm_scaled.json on the H200
// (docs/notebook/2026-11-21-mxm-entries.md has prediction beside measurement).
constexpr double searches_per_multiprocessor = 3e9;   ///< mxm_dot: steps of binary searches
constexpr double lookups_per_multiprocessor = 1.2e9;  ///< mxm_dot_hash: a load, a probe
constexpr double loads_before_a_dot = 4;              ///< dependent loads until two rows are known
/// Sorting: bytes that, moved at the copy bandwidth, take as long as a product and as an entry (the same
/// source).
constexpr double sorted_product_bytes = 350, sorted_entry_bytes = 280;  ///< mxm_sort
constexpr double sorted_row_seconds = 1.6e-9;  ///< of mxm_sort's slices, that the host plans
/// Below that the device is not full: twice the time of the calibrated sort's keys, as nothing smaller was
/// measured.
constexpr double few_sorted = 1 << 20;
constexpr double outer_product_bytes = 270, outer_entry_bytes = 220;  ///< mxm_outer
constexpr double workload_seconds = 0.6e-6;  ///< of a block of mxm_outer_expand, one multiprocessor
double dot_seconds(const MxmProblem& p, const Hardware& h) {
  const double mask = double(p.mask_entries), at_once = 32 * mask;
  const double searched = p.stops_at_once ? std::min(p.dot_work.searched, at_once) : p.dot_work.searched;
  const double streamed = p.stops_at_once ? std::min(p.dot_work.streamed, at_once) : p.dot_work.streamed;
  const double gathers = mask * loads_before_a_dot / h.gathers_per_second((p.rows + p.columns) * 8);
  const double steps = searched / searches_per_multiprocessor + streamed / lookups_per_multiprocessor;
  const double traffic =
      mask * (double(p.result_bytes) * 3 + 2 * double(p.column_bytes) + 10) / h.copy_bytes_per_second;
  const double work = gathers + steps / h.multiprocessors + traffic;
  return 12 * h.launch_seconds + std::max(work, p.dot_work.longest_chain * h.latency_seconds);
}

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

/// Device memory at its peak, beyond what there was before and T itself. Of each kernel's allocations; what
/// the radix sort and the prefix sums take for themselves is of CUB's size.
double workspace_bytes(const std::string& kernel, const MxmProblem& p) {
  const double rows = double(p.rows), entry = double(p.column_bytes + p.result_bytes);
  const double sorted = 64 + (p.result_bytes > 8 ? double(p.result_bytes) : 0);  // a product
  if (kernel == "mxm_dot") return double(p.mask_entries) * double(p.result_bytes + 9);
  if (kernel == "mxm_rows" && p.bounded != BoundedUse::none)
    return p.bounded_room * entry + 4 * rows;  // T's room while it is not known, or that of its sorted rows
  if (kernel == "mxm_rows")
    return rows * (40 + 8 * (p.mask != MaskUse::none) + 8 * p.has_windows) + p.made_at_once * entry;
  if (kernel == "mxm_sort") {
    return rows * 40 + std::min(p.products * sorted, p.usable_bytes / 2) + p.entries.kept * entry;
  }
  if (kernel == "mxm_outer") {
    return double(p.inner) * 56 + std::min(p.products * sorted, p.usable_bytes / 2) + p.entries.kept * entry;
  }
  if (kernel == "mxm_vectors") {
    const double columns = p.vector_rows == 0 ? 0 : rows * double(p.columns) / double(p.vector_rows);
    return columns * double(p.result_bytes + 1) * 3 + p.entries.kept * entry;
  }
  if (kernel == "mxm_dense" || kernel == "mxm_dense_push") {  // laid out and turned
    return 2 * (double(p.inner) * double(p.vector_rows) * double(1 + p.vector_value_bytes) +
                rows * double(p.columns) * double(1 + p.result_bytes));
  }
  if (kernel == "mxm_cusparse") return cusparse_workspace_bytes(p);
  return 0;  // a diagonal factor
}

/// On the emulated device a CUDA thread is a fiber: threads and barriers cost, and little else.
double emulated_seconds(const std::string& kernel, const MxmProblem& p) {
  constexpr double plain = 0.1e-6, waiting = 1.7e-6;
  if (kernel == "mxm_dot") return double(p.mask_entries) * 8 * waiting;
  if (kernel == "mxm_scale" || kernel == "mxm_cusparse") return p.products * plain;
  if (kernel == "mxm_rows") return double(p.rows) * 16 * waiting + p.products * plain * 3;
  if (kernel == "mxm_vectors") return double(p.vector_rows) * 2000 * waiting + p.products * waiting;
  return p.products * waiting + double(kernel == "mxm_outer" ? p.inner : p.rows) * waiting;
}

/// Why it cannot run, or should not for want of memory.
std::string refusal_of(const std::string& kernel, const MxmCandidate& known, const MxmProblem& p) {
  if (!known.refusal.empty() || kernel != "mxm_cusparse") return known.refusal;
  const double bytes = cusparse_workspace_bytes(p) +
                       p.entries.kept * double(p.column_bytes + p.result_bytes) + 4 * double(p.rows);
  if (bytes <= p.usable_bytes) return {};
  return "workspace and result of " + trace::bytes_text(uint64_t(bytes)) + " do not fit the memory";
}

Candidate candidate_of(const std::string& kernel, const MxmCandidate& known, const MxmProblem& p,
                       const Hardware& h) {
  const bool dense = kernel == "mxm_dense", dense_push = kernel == "mxm_dense_push";
  Candidate c;
  c.kernel = kernel;
  c.format = known.transposed_entries == 0 ? "csr" : "csr, transposed first";
  c.reason = refusal_of(kernel, known, p);
  c.applicable = c.reason.empty();
  if (!c.applicable) return c;
  if (dense || dense_push) c.reason = "reckoned, with a margin";
  c.predicted_seconds = dense || dense_push        ? dense_seconds(p, h, dense_push)
                        : h.emulated               ? emulated_seconds(kernel, p)
                        : kernel == "mxm_dot"      ? dot_seconds(p, h)
                        : kernel == "mxm_rows"     ? rows_seconds(p, h)
                        : kernel == "mxm_sort"     ? sort_seconds(p, h)
                        : kernel == "mxm_vectors"  ? vectors_seconds(p, h)
                        : kernel == "mxm_scale"    ? scale_seconds(p, h)
                        : kernel == "mxm_cusparse" ? cusparse_seconds(p, h)
                                                   : outer_seconds(p, h);
  c.workspace_bytes = workspace_bytes(kernel, p);
  const double moved = double(known.transposed_entries);
  c.conversion_seconds = moved == 0 ? 0
                                    : moved / h.sort_keys_per_second + moved * 40 / h.copy_bytes_per_second +
                                          10 * h.launch_seconds;
  if (kernel == "mxm_cusparse") c.conversion_seconds += cusparse_share_of_loading(p);
  return c;
}

std::string basis_of(const MxmProblem& p) {
  const std::string text = p.products_counted ? fixed_text(p.products, 0) + " products"
                                              : "about " + general_text(p.products, 3) + " products";
  const std::string bound =
      p.bounded == BoundedUse::none ? "" : ", at most " + std::to_string(p.bounded_products) + " a row";
  return text + " (" + (p.products_counted ? "counted" : "by mean lengths") + bound +
         "), T: " + to_text(p.entries);
}

}  // namespace

Decision choose_mxm(const MxmProblem& p, const Hardware& h, const std::string& forced) {
  Decision decision;
  decision.operation = p.operation;
  decision.candidates = {
      candidate_of("mxm_dot", p.dot, p, h),          candidate_of("mxm_rows", p.rows_by_hash, p, h),
      candidate_of("mxm_sort", p.sort, p, h),        candidate_of("mxm_outer", p.outer, p, h),
      candidate_of("mxm_vectors", p.vectors, p, h),  candidate_of("mxm_scale", p.scale, p, h),
      candidate_of("mxm_dense", p.dense, p, h),      candidate_of("mxm_dense_push", p.dense_push, p, h),
      candidate_of("mxm_cusparse", p.cusparse, p, h)};
  decision.basis = basis_of(p);
  choose(decision, forced);  // sorting is always applicable
  return decision;
}

bool depends_on_entries(const MxmProblem& p, const Hardware& h, const std::string& forced) {
  // Products that meet in an entry: 28 in the worst of 63 measured cases; where some rows were drawn, heavy
  // ones left out, that many times as in these.
  constexpr double most_met = 32, most_met_beyond_drawn = 4;
  const double most_compressed = p.met > 0 ? std::min(most_met, most_met_beyond_drawn * p.met) : most_met;
  constexpr double wait_seconds = 12e-6;  // for what is read back, twice
  MxmProblem least = p, most = p;
  least.entries.all = p.products / most_compressed;
  least.entries.kept = p.mask == MaskUse::none ? least.entries.all : 0;
  most.entries.all = std::min(p.products, double(p.rows) * double(p.columns));
  most.entries.kept =
      p.mask == MaskUse::selects ? std::min(most.entries.all, double(p.mask_entries)) : most.entries.all;
  const Decision few = choose_mxm(least, h, forced), many = choose_mxm(most, h, forced);
  const auto loss = [](const Decision& decision, const std::string& other) {
    for (const Candidate& c : decision.candidates) {
      if (c.kernel == other) return charged_seconds(c) - charged_seconds(decision.chosen);
    }
    return 0.0;
  };
  return std::max(loss(few, many.chosen.kernel), loss(many, few.chosen.kernel)) >
         3 * h.launch_seconds + 2 * wait_seconds;
}

}  // namespace cugrb::selector
