#include "src/selector/update_choice.h"

#include <algorithm>

#include "src/support/number_text.h"

namespace cugrb::selector {

const Kernel update_insert = {"update_insert"};
const Kernel update_merge = {"update_merge"};
const Kernel update_rebuild = {"update_rebuild"};

const std::vector<const Kernel*>& update_ways() {
  static const std::vector<const Kernel*> ways = {&update_insert, &update_merge, &update_rebuild};
  return ways;
}

namespace {

// Shares of the copy bandwidth, and loads a changed entry, fitted to bench/results/dynamic.json (H100, R-MAT
// 22, batches of 2^0 to 2^20) and dynamic_rounds.json (H200, R-MAT 20 and 22).
constexpr double merge_share = 0.6, rebuild_share = 0.75;
constexpr double merge_gathers = 12, insert_gathers = 24;
constexpr double merge_launches = 20;      ///< what a merge takes beside its bytes, as so many launches
constexpr double rebuild_bytes = 300;      ///< an entry: passes of the sort, keys, runs, values
constexpr double wait_seconds = 12e-6;     ///< for a number that is read back
constexpr double fragments_slower = 1.08;  ///< a product on fragments, beside its bytes (the paper's figure)
/// Rows are uneven where the longest one has so many times the mean. Bins of size save a product that share
/// of what its bytes take (bench/results/dynamic_20.json: 28 us of 50).
constexpr double uneven_rows = 8, bins_gain = 0.5;
/// Bins read three sectors of 32 bytes for each row, in no order, which of longer rows than these are few
/// beside the sectors of its gathers: R-MAT 20, of 15 entries a row, is faster by bins, imitations of 12 are
/// not. Of fewer entries bins are as fast (bench/results/dynamic_merge_path.json).
constexpr double longest_merged_mean = 14, least_merged_entries = double(1 << 21);
/// Of a segment that lies apart: its row's number, size, places and result, its entries and what they meet, a
/// sector of 32 bytes each.
constexpr double apart_bytes = 8 * 32;
/// Of a lane that goes through a long row by itself, an entry: a product with a matrix like enron, whose rows
/// of up to 1024 entries have 4 lanes, took 35 us more than one with bins
/// (bench/results/dynamic_rounds.json).
constexpr double step_seconds = 0.14e-6, longest_short_row = 1024;
/// Of the first product with a new pattern: lengths of rows, samples and the choice, which the device waits
/// for.
constexpr double learning_seconds = 150e-6;

template <class Problem>
double array_bytes(const Problem& p) {
  return double(p.entries) * double(p.entry_bytes);
}

/// Each entry is read once and written once.
template <class Problem>
double pass_seconds(const Problem& p, const Hardware& h) {
  return 2 * (array_bytes(p) + double(p.rows) * double(p.offset_bytes)) /
         (merge_share * h.copy_bytes_per_second);
}

template <class Problem>
double defragment_seconds(const Problem& p, const Hardware& h) {
  return 4 * h.launch_seconds + pass_seconds(p, h);
}

template <class Problem>
double seconds_on_csr(const Problem& p, const Hardware& h) {
  return (array_bytes(p) + double(p.rows) * double(p.offset_bytes)) / h.copy_bytes_per_second;
}

/// What a pull from fragments takes longer than one from CSR. Of a row it reads the first segment and the
/// size.
template <class Problem>
double pull_extra_seconds(const Problem& p, const Hardware& h) {
  const double bytes = array_bytes(p) + 3 * double(p.rows) * double(p.offset_bytes);
  return fragments_slower * bytes / h.copy_bytes_per_second - seconds_on_csr(p, h);
}

/// Products find a new pattern, if there are any.
double learning(const UpdateProblem& p) { return p.products > 0 ? learning_seconds : 0; }

/// The table of segments, and arrays of its own with a quarter to spare.
double fragment_seconds(const UpdateProblem& p, const Hardware& h) {
  const double table = double(p.rows) * double(2 * p.slots + 4) * double(p.offset_bytes);
  return 5 * h.launch_seconds + (table + 2 * array_bytes(p)) / (merge_share * h.copy_bytes_per_second);
}

Candidate insertion(const UpdateProblem& p, const Hardware& h) {
  Candidate c;
  c.kernel = &update_insert;
  c.format = "dcsr";
  c.applicable = p.insert_refusal.empty();
  c.reason = p.insert_refusal;
  c.predicted_seconds =
      6 * h.launch_seconds + 2 * wait_seconds + double(p.updates) * insert_gathers / h.far_gathers_per_second;
  if (p.shared) c.predicted_seconds += fragment_seconds(p, h);
  c.predicted_seconds += p.products * pull_extra_seconds(p, h);
  const double change = defragment_seconds(p, h) + (p.fragmented ? 0 : fragment_seconds(p, h));
  c.conversion_seconds = change / std::max(p.batches, 1.0);
  return c;
}

Candidate merge(const UpdateProblem& p, const Hardware& h) {
  Candidate c;
  c.kernel = &update_merge;
  c.format = "csr";
  c.predicted_seconds = merge_launches * h.launch_seconds + wait_seconds + pass_seconds(p, h) +
                        double(p.updates) * merge_gathers / h.far_gathers_per_second + learning(p);
  if (p.fragmented) c.conversion_seconds = defragment_seconds(p, h);
  return c;
}

Candidate rebuild(const UpdateProblem& p, const Hardware& h) {
  Candidate c;
  c.kernel = &update_rebuild;
  c.format = "csr";
  c.applicable = p.rebuild_refusal.empty();
  c.reason = p.rebuild_refusal;
  c.predicted_seconds =
      20 * h.launch_seconds + 4 * wait_seconds +
      double(p.entries + p.updates) * rebuild_bytes / (rebuild_share * h.copy_bytes_per_second) + learning(p);
  if (p.fragmented) c.conversion_seconds = defragment_seconds(p, h);
  return c;
}

}  // namespace

Decision choose_update(const UpdateProblem& p, const Hardware& h, const Kernel* forced) {
  Decision decision;
  decision.operation = "update";
  decision.basis = std::to_string(p.updates) + " updates, " + general_text(p.batches, 3) +
                   " batches expected, " + general_text(p.products, 3) + " products after each";
  decision.candidates = {insertion(p, h), merge(p, h), rebuild(p, h)};
  choose(decision, forced);
  return decision;
}

namespace {

double mean_length(const UpdateProblem& p) {
  return double(p.entries) / double(std::max<uint64_t>(p.rows, 1));
}
bool has_uneven_rows(const UpdateProblem& p) {
  return double(p.longest_row) >= uneven_rows * std::max(mean_length(p), 1.0);
}

}  // namespace

bool merge_path_pays(const UpdateProblem& p) {
  return p.products > 0 && has_uneven_rows(p) && mean_length(p) < longest_merged_mean &&
         double(p.entries) >= least_merged_entries;
}

bool bins_pay(const UpdateProblem& p, const Hardware& h) {
  const double mean = mean_length(p);
  if (!has_uneven_rows(p)) return false;
  // Keys and payload are written, sorted in one pass and read; records are written.
  const double rows = double(p.rows), row_bytes = 64;
  const double making =
      7 * h.launch_seconds + 2 * wait_seconds + rows * row_bytes / (merge_share * h.copy_bytes_per_second);
  // Rows that have grown too long are looked for after each batch.
  const double looking = h.launch_seconds + 2 * rows * double(p.offset_bytes) / h.copy_bytes_per_second;
  double lanes = 1;
  while (lanes < 32 && 2 * lanes <= mean) lanes *= 2;
  const double longest = std::min(double(p.longest_row), longest_short_row);
  const double waiting = std::max(0.0, longest / lanes * step_seconds - seconds_on_csr(p, h));
  const double gained = p.products * (bins_gain * seconds_on_csr(p, h) + waiting) - looking;
  return gained * p.batches > making;
}

double apart_seconds(double segments, const Hardware& h) {
  return segments * apart_bytes / h.copy_bytes_per_second;
}

bool laying_out_pays(const UpdateProblem& p, double paid_seconds, const Hardware& h) {
  return paid_seconds >= defragment_seconds(p, h);
}

bool csr_pays(const UpdateProblem& p, double reads, const Hardware& h) {
  const double one = defragment_seconds(p, h);
  return reads * one >= one + fragment_seconds(p, h);
}

FragmentsChoice choose_form(const FragmentsProblem& p, const Hardware& h) {
  FragmentsChoice choice;
  if (!p.refusal.empty()) {
    choice.defragments = true;
    return choice;
  }
  choice.convert_seconds = defragment_seconds(p, h) + learning_seconds;
  if (p.pushes) {
    choice.extra_seconds = std::max(0.0, double(p.entries) / h.atomics_per_second - seconds_on_csr(p, h));
    choice.convert_seconds += double(p.entries) / h.sort_keys_per_second +
                              double(p.entries) * 40 / h.copy_bytes_per_second + 10 * h.launch_seconds;
  } else {
    choice.extra_seconds = pull_extra_seconds(p, h);
  }
  choice.defragments = p.products * choice.extra_seconds >= choice.convert_seconds;
  return choice;
}

std::string to_text(const FragmentsProblem& p, const FragmentsChoice& choice) {
  if (!p.refusal.empty()) return "defragmented: " + p.refusal;
  return std::string(choice.defragments ? "defragmented" : "read as fragments") + ": " +
         general_text(p.products, 3) + " products expected, " + fixed_text(choice.extra_seconds * 1e6, 1) +
         " us more each, CSR takes " + fixed_text(choice.convert_seconds * 1e6, 1) + " us";
}

}  // namespace cugrb::selector
