// Predicted time of the matrix-vector product on compressed sparse blocks: what a multiprocessor takes for a
// step's sums, and for the streams and gathers by neighbouring columns of its entries.
#include <algorithm>
#include <cmath>

#include "src/formats/csb_pieces.h"
#include "src/formats/launch.h"
#include "src/operations/multiply/mxv/csb/csb.h"
#include "src/operations/multiply/mxv/csr/csr.h"

namespace cugrb::operations {

using namespace selector;

namespace {

/// Places of the steps that are there over those that entries take.
constexpr double places_per_entry = 1.03;
/// A band's last steps, of entries that waited for slots of their rows: as a share of its full ones, and at
/// most (measured: 2 to 15, by how long the longest rows are).
constexpr double waiting_share = 0.4, most_waiting_steps = 6;
/// Standard deviations that the largest of a hundred bands is above their mean.
constexpr double largest_deviations = 2.3;
/// Of a band's slots, what the bands of one matrix differ by; those that long rows have beyond their first
/// one where lengths are not known.
constexpr double uneven_slots = 0.003, usual_further_slots = 0.1;
/// While it is made: a round of one warp that cuts a band's entries into steps, 32 entries; entries
/// that are sorted in the time of one with any key of 64 bits, and moved.
constexpr double round_seconds = 0.45e-6, sorted_keys = 0.4;
/// Times the time of a step with sums of up to four bytes: twice the words of shared memory.
constexpr double wide_steps = 2;
/// Neighbouring bytes of u that are gathered together: two sectors, which fit where one, or a line, does not.
constexpr double gathered_line = 64;
/// Of the gathers that L2 does not keep, which go to memory for each turn of stored bands after the first.
constexpr double drift_of_turn = 0.3;
/// Of a block's shared memory, for a band's sums; the rest is the cache of gathers. Of these slots where sums
/// are stored and fewer of them may be worth more gathers.
constexpr double wide_share = 0.71, stored_shares[] = {1, 0.71, 0.5, 0.35};
constexpr uint32_t least_slots = 10000;
/// A cluster's next band: slots cleared and joined, blocks waited for, loads begun.
constexpr double next_band_seconds = 5.8e-6;
/// A row of T that a block makes, by the square of its cluster's blocks: it reads the slots of each, and all
/// of them read the same one's at a time.
constexpr double row_seconds = 0.009e-9;
/// Until a block's first step is done, which nothing hides, if it is full; and as long again by the share of
/// its gathers that name lines of their own.
constexpr double first_step_seconds = 2.8e-6, scattered_start_seconds = 3.2e-6;
/// What the blocks of a cluster wait for each other, for each one after the first.
constexpr double cluster_seconds = 0.25e-6;
/// Columns that a chunk may span on the average, of those that 16 bits count.
constexpr double most_span = 32768;

struct Bands {
  double count, entries;  ///< entries of one
};
/// Slots of a band that rows have beyond their first one: a row has one more for each of its share of a
/// step's places and a half (src/formats/csb.h).
double further_slots(const MxvProblem& p, const formats::CsbParameters& plan) {
  if (p.pull_distribution == nullptr) return usual_further_slots * plan.most_slots;
  const double places = 1.5 * plan.step_places(), bands = std::max(1.0, double(p.rows) / plan.most_slots);
  const uint64_t longest_of_one = uint64_t(double(p.entries) / bands / places);
  return places * double(p.pull_distribution->entries_above(longest_of_one)) / double(p.entries);
}
Bands bands_of(const MxvProblem& p, const formats::CsbParameters& plan) {
  const double most = plan.most_slots, first_slots = (1 - uneven_slots) * most - further_slots(p, plan);
  const double filled = 1 - (lengths_known(p) ? double(p.pull_lengths.empty) / double(p.rows) : 0);
  const double rows = std::min(double(p.rows), std::max(0.5 * most, first_slots) / std::max(filled, 1e-3));
  const double clusters = plan.clusters();
  const double count = std::ceil(std::ceil(double(p.rows) / rows) / clusters) * clusters;
  return {count, double(p.entries) / count};
}

/// Sums that a share of a block's shared memory holds.
uint32_t shared_slots(const MxvProblem& p, const Hardware& h, double share) {
  const double slots = share * double(h.shared_bytes_per_block) / double(p.result_bytes);
  return uint32_t(std::min(double(formats::most_csb_slots), slots));
}

/// The share of a band's gathers that name another line than those before: entries in one line of u, in the
/// order of columns, are gathered together.
double apart_in_band(const MxvProblem& p, const Bands& bands) {
  const double in_line = gathered_line / double(p.vector_value_bytes) * bands.entries / double(p.columns);
  return std::min(gathers_apart(p), (1 - std::exp(-in_line)) / in_line);
}

/// All blocks go through u at once and by its order: what they ask for is in L2, also where u is larger than
/// what L2 keeps. With whole bands they do so band after band; where sums are stored a block's steps begin
/// and end anywhere in a band, so that after the first one they drift apart, and what L2 does not keep is
/// asked of memory.
double seconds_of_gathers(const MxvProblem& p, const Hardware& h, const Bands& bands, bool stores_sums) {
  const double gathers = double(p.entries) * apart_in_band(p, bands);
  const double further_turns = stores_sums ? std::max(0.0, bands.count / h.multiprocessors - 1) : 0;
  const double drift = std::min(1.0, drift_of_turn * further_turns);
  const double missed = drift * (1 - share_of_popular(p, h.cached_bytes));
  return gathers / (h.of("csb").gather_share * h.near_gathers_per_second) +
         missed * gathers * (1 / h.far_gathers_per_second - 1 / h.near_gathers_per_second);
}

/// Steps that hold all entries, if they are full.
double full_steps(const MxvProblem& p, const formats::CsbParameters& plan) {
  return places_per_entry * double(p.entries) / plan.step_places();
}

/// There is a piece a block, or a band where these are more; no more than steps.
double pieces_of(const MxvProblem& p, const formats::CsbParameters& plan, const Bands& bands) {
  return std::min(std::max(bands.count, double(plan.blocks)), std::ceil(full_steps(p, plan)));
}

/// A piece's sums are stored, and read again by another launch.
double seconds_of_stored_sums(const MxvProblem& p, const Hardware& h, const formats::CsbParameters& plan,
                              const Bands& bands) {
  const double bytes = std::max(4.0, double(p.result_bytes)) * double(p.rows) / bands.count;
  return h.further_launch_seconds + 2 * pieces_of(p, plan, bands) * bytes / h.copy_bytes_per_second;
}

/// The blocks of a cluster make rows, and begin anew for each of its bands.
double seconds_of_rows(const MxvProblem& p, const formats::CsbParameters& plan, const Bands& bands) {
  const double turns = bands.count / plan.clusters(), cluster = plan.cluster;
  return (turns - 1) * next_band_seconds + double(p.rows) / plan.blocks * cluster * cluster * row_seconds;
}

/// What a format turned out to be; or no steps: it has not been made.
struct Made {
  uint32_t steps = 0, cluster = 0;
};
/// Steps of the block that has most, and who makes rows of T.
struct Steps {
  double longest;
  bool stores_sums;  ///< bands are too uneven for clusters, or there are none
};
/// Of a format that has not been made: a block's share of full steps and of those that wait for slots; and
/// where clusters have whole bands, what the largest has more, rows being drawn at random.
Steps expected_steps(const MxvProblem& p, const formats::CsbParameters& plan, const Bands& bands) {
  const double full = full_steps(p, plan) / plan.blocks, bands_of_block = bands.count / plan.blocks;
  const double waiting = std::min(most_waiting_steps, waiting_share * bands.entries / plan.step_places());
  const double even = full + waiting * bands_of_block;
  if (plan.cluster == 0) return {std::max(1.0, even), true};
  const double deviation = lengths_known(p) ? p.pull_lengths.deviation / mean_length(p) : 0;
  const double more = full * largest_deviations * deviation / std::sqrt(double(p.rows) / bands.count);
  // As share_csb_bands compares it with equal stretches.
  const double turns = bands.count / plan.clusters();
  const bool uneven = more + double(formats::steps_of_csb_piece) * (turns - 1 - bands_of_block) >
                      double(formats::steps_of_csb_launch);
  return {std::max(1.0, even + (uneven ? 0 : more)), uneven};
}

/// How long the parts of a product take.
struct Parts {
  double start;           ///< until steps are under way
  double stream, gather;  ///< of the entries
  double steps;           ///< reads and stores of sums, whose banks meet, and instructions
  double rows;            ///< what follows them

  /// A step's sums and the next one's loads share a multiprocessor: together they take more than the longer
  /// of them, and less than both.
  double seconds(const KernelNumbers& k) const {
    return start + std::max(stream, std::hypot(steps, gather + k.overlap * stream)) + rows;
  }
};
Parts parts_of(const MxvProblem& p, const Hardware& h, formats::CsbParameters plan, const Made& made) {
  const Bands bands = bands_of(p, plan);
  const double result = double(p.result_bytes), places = places_per_entry * double(p.entries);
  const double streamed = places * double(4 + p.matrix_value_bytes) + double(p.rows) * (2 + result);
  const KernelNumbers& k = h.of("csb");
  const Steps steps =
      made.steps > 0 ? Steps{double(made.steps), made.cluster == 0} : expected_steps(p, plan, bands);
  // Not foreseen: these blocks share clusters' bands, of which they are seldom a multiple, by more pieces.
  if (made.steps > 0 && made.cluster == 0) plan.blocks = plan.storing_blocks;
  const double idle = h.multiprocessors / plan.blocks;  // some may have no cluster
  Parts parts;
  // A band whose entries fill no step has its blocks wait for fewer.
  const double filled = std::min(1.0, bands.entries / plan.step_places());
  parts.start =
      k.start_seconds + filled * (first_step_seconds + apart_in_band(p, bands) * scattered_start_seconds);
  if (!steps.stores_sums && plan.cluster > 1) parts.start += cluster_seconds * (plan.cluster - 1);
  parts.stream = idle * streamed / (k.stream_share * h.copy_bytes_per_second);
  parts.gather = idle * seconds_of_gathers(p, h, bands, steps.stores_sums);
  parts.steps = (steps.longest - 1 + filled) * (result > 4 ? wide_steps : 1) * k.wave_load_seconds;
  parts.rows =
      steps.stores_sums ? seconds_of_stored_sums(p, h, plan, bands) : seconds_of_rows(p, plan, bands);
  return parts;
}

/// As many clusters of so many blocks as are resident; 0 and 1 are for devices without clusters, too.
formats::CsbParameters layout_of(const MxvProblem& p, const Hardware& h, uint32_t cluster, uint32_t slots) {
  const int clusters = cluster > 0 && cluster < h.clusters.size() ? h.clusters[cluster] : 0;
  formats::CsbParameters plan;
  plan.cluster = cluster;
  plan.storing_blocks = uint32_t(h.multiprocessors);
  plan.blocks = clusters > 0 ? cluster * uint32_t(clusters) : plan.storing_blocks;
  plan.most_slots = slots;
  plan.sum_bytes = uint32_t(p.result_bytes);
  return plan;
}

/// The layout of the least predicted time. Without clusters a block has bands of its own where there are at
/// least half as many as blocks (smaller ones gather too much apart); else blocks share all steps.
formats::CsbParameters best_layout(const MxvProblem& p, const Hardware& h) {
  const uint32_t widest = shared_slots(p, h, wide_share);
  formats::CsbParameters best;
  double least = 0;
  const auto offer = [&](uint32_t cluster, uint32_t slots) {
    const formats::CsbParameters plan = layout_of(p, h, cluster, slots);
    const double seconds = parts_of(p, h, plan, {}).seconds(h.of("csb"));
    if (least > 0 && seconds >= least) return;
    best = plan;
    least = seconds;
  };
  if (h.clusters[2] > 0) {
    for (uint32_t cluster = 1; cluster < h.clusters.size(); ++cluster) {
      if (h.clusters[cluster] > 0) offer(cluster, widest);
    }
    return best;
  }
  for (const double share : stored_shares)
    offer(0, std::min(widest, std::max(least_slots, uint32_t(share * widest))));
  if (2 * bands_of(p, best).count >= h.multiprocessors) offer(1, widest);
  return best;
}

/// That of a format that has been made: where its bands were too uneven for clusters, they are what was
/// planned.
formats::CsbParameters layout_made(const MxvProblem& p, const Hardware& h) {
  if (p.csb_cluster == 0) return best_layout(p, h);
  return layout_of(p, h, p.csb_cluster, shared_slots(p, h, wide_share));
}

std::string refusal_of(const MxvProblem& p, const formats::CsbParameters& plan) {
  if (!p.tile_refusal.empty()) return p.tile_refusal;
  if (!p.has_identity) return "the monoid has no identity";
  if (p.tile_columns == 0) return "the matrix is not there by rows yet";
  if (!p.csb_failure.empty()) return p.csb_failure;
  const Bands bands = bands_of(p, plan);
  if (double(p.columns) * csb_chunk > most_span * bands.entries)
    return "neighbouring entries of a band are too many columns apart";
  // While it is made: keys and payload, before and after they are sorted, and the choice of steps.
  return memory_refusal(p, double(p.entries) * double(40 + p.matrix_value_bytes));
}

}  // namespace

formats::CsbParameters plan_csb(const MxvProblem& p, const Hardware& h) {
  if (!h.emulated) return p.csb_steps > 0 ? layout_made(p, h) : best_layout(p, h);
  // Every kind; large matrices' bands are stored by several blocks, as on devices.
  formats::CsbParameters plan;
  plan.cluster = p.rows % 4;
  plan.blocks = plan.cluster > 1 ? 16 / plan.cluster * plan.cluster : 17;
  plan.threads = 32;
  plan.sum_bytes = uint32_t(p.result_bytes);
  plan.most_slots = p.rows > 4096 ? 1280 : 256;
  return plan;
}

Cost cost_of_csb(const MxvProblem& p, const Hardware& h) {
  const formats::CsbParameters plan = plan_csb(p, h);
  std::string refusal = refusal_of(p, plan);
  if (!refusal.empty()) return Cost::refused(std::move(refusal));
  if (h.emulated) return {3 * cost_of_merge(p, h).seconds, 0, {}};
  const KernelNumbers& k = h.of("csb");
  const double entries = double(p.entries);
  Cost cost;
  const Parts parts = parts_of(p, h, plan, {p.csb_steps, p.csb_cluster});
  cost.seconds = slower_of(seconds_of_call(p, h, "csb"), parts.seconds(k));
  // Runs of a band's entries side by side, a multiprocessor each; their blocks' loads overlap.
  const double run =
      std::min(bands_of(p, plan).entries, double(formats::csb_steps_of_run) * plan.step_places());
  const double waves = std::max(1.0, 0.75 * entries / run / h.multiprocessors);
  cost.conversion_seconds = sorted_keys * entries / h.sort_keys_per_second +
                            waves * run / 32 * round_seconds + 20 * h.launch_seconds + 0.3e-3;
  return cost;
}

}  // namespace cugrb::operations
