// Predicted time of the matrix-vector product on compressed sparse blocks: streams, gathers by neighbouring
// columns, and what a multiprocessor takes for a step at least.
#include <algorithm>
#include <cmath>

#include "src/formats/launch.h"
#include "src/selector/mxv_costs.h"

namespace cugrb::selector {

namespace {

/// Places of the steps that are there over those that entries take.
constexpr double places_per_entry = 1.1;
/// Of a band's slots, what the bands of one matrix differ by; those that long rows have beyond their first
/// one where lengths are not known.
constexpr double uneven_slots = 0.003, usual_further_slots = 0.1;
/// While it is made: a round of one warp that cuts a band's entries into steps, 32 entries; entries
/// that are sorted in the time of one with any key of 64 bits, and moved.
constexpr double round_seconds = 0.45e-6, sorted_keys = 0.4;
/// Times the time of a step with sums of up to four bytes.
constexpr double wide_steps = 1.38;
/// Times the time of a gather, and of storing and reading a piece's sums, of up to four bytes.
constexpr double wide_gathers = 1.25, wide_pieces = 1.5;
/// Of the gathers that L2 does not keep, which go to memory for each turn of bands after the first.
constexpr double drift_of_turn = 0.3;
/// Of a block's shared memory, for a band's sums; the rest is the cache of gathers. Of these slots where sums
/// are stored and fewer of them may be worth more gathers.
constexpr double wide_share = 0.71, stored_shares[] = {1, 0.71, 0.5, 0.35};
constexpr uint32_t least_slots = 10000;
/// A cluster's next band: slots cleared and joined, blocks waited for, loads begun; a row of T that a block
/// makes.
constexpr double next_band_seconds = 8e-6, row_seconds = 0.12e-9;
/// Until a block's first step is done, which nothing hides, if it is full; and as long again by the share of
/// its gathers that name sectors of their own.
constexpr double first_step_seconds = 0.9e-6, scattered_start_seconds = 4.2e-6;
/// What the blocks of a cluster wait for each other, by powers of two.
constexpr double cluster_seconds = 0.8e-6;
/// Of a full step's time: one that a block has beyond its share, since bands are uneven.
constexpr double uneven_step = 0.85;
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

/// The share of a band's gathers that name another sector than those before: entries in one sector of u, in
/// the order of columns, are gathered together.
double apart_in_band(const MxvProblem& p, const Bands& bands) {
  const double in_sector = 32 / double(p.vector_value_bytes) * bands.entries / double(p.columns);
  return std::min(gathers_apart(p), (1 - std::exp(-in_sector)) / in_sector);
}

/// All blocks go
/// through u at once and by its order: what they ask for is in L2, also where u is larger than what L2 keeps.
/// Only with their first bands, though: where there are more they drift apart, and what L2 does not keep is
/// asked of memory.
double seconds_of_gathers(const MxvProblem& p, const Hardware& h, const Bands& bands) {
  const double gathers = double(p.entries) * apart_in_band(p, bands);
  const double drift = std::min(1.0, drift_of_turn * std::max(0.0, bands.count / h.multiprocessors - 1));
  const double missed = drift * (1 - share_of_popular(p, h.cached_bytes));
  return (p.vector_value_bytes > 4 ? wide_gathers : 1) * gathers /
             (h.of(Family::csb).gather_share * h.near_gathers_per_second) +
         missed * gathers * (1 / h.far_gathers_per_second - 1 / h.near_gathers_per_second);
}

/// Steps that hold all entries, if they are filled as usual.
double steps_needed(const MxvProblem& p, const formats::CsbParameters& plan) {
  return places_per_entry * double(p.entries) / plan.step_places();
}

/// There is a piece a block, or a band where these are more; no more than steps.
double pieces_of(const MxvProblem& p, const formats::CsbParameters& plan, const Bands& bands) {
  return std::min(std::max(bands.count, double(plan.blocks)), std::ceil(steps_needed(p, plan)));
}

/// A piece's sums are stored, and read again by another launch.
double seconds_of_stored_sums(const MxvProblem& p, const Hardware& h, const formats::CsbParameters& plan,
                              const Bands& bands) {
  const double bytes = std::max(4.0, double(p.result_bytes)) * double(p.rows) / bands.count;
  const double width = p.result_bytes > 4 ? wide_pieces : 1;
  return h.further_launch_seconds + width * 2 * pieces_of(p, plan, bands) * bytes / h.copy_bytes_per_second;
}

/// The blocks of a cluster make rows, and begin anew for each of its bands.
double seconds_of_rows(const MxvProblem& p, const formats::CsbParameters& plan, const Bands& bands) {
  const double turns = bands.count / plan.clusters();
  return (turns - 1) * next_band_seconds + double(p.rows) / plan.blocks * row_seconds;
}

/// Steps of a block. Uneven bands have more than their entries need: how many is known when they are made.
double steps_of_block(const MxvProblem& p, const formats::CsbParameters& plan, double filled) {
  const double needed = std::ceil(steps_needed(p, plan) / plan.blocks);
  return filled * needed + uneven_step * std::max(0.0, p.csb_steps - needed);
}

/// How long the parts of a product take.
struct Parts {
  double start;           ///< until steps are under way
  double stream, gather;  ///< of the entries
  double steps;           ///< their loads, and reads and stores of sums, whose banks meet
  double rows;            ///< what follows them

  double seconds(const KernelNumbers& k) const {
    return start + std::max(steps, std::max(stream, gather) + k.overlap * std::min(stream, gather)) + rows;
  }
};
Parts parts_of(const MxvProblem& p, const Hardware& h, const formats::CsbParameters& plan) {
  const Bands bands = bands_of(p, plan);
  const double result = double(p.result_bytes), places = places_per_entry * double(p.entries);
  const double streamed = places * double(4 + p.matrix_value_bytes) + double(p.rows) * (2 + result);
  const double idle = h.multiprocessors / plan.blocks;  // some may have no cluster
  const KernelNumbers& k = h.of(Family::csb);
  Parts parts;
  // A band whose entries fill no step has its blocks wait for fewer.
  const double filled = std::min(1.0, bands.entries / plan.step_places());
  parts.start =
      k.start_seconds + filled * (first_step_seconds + apart_in_band(p, bands) * scattered_start_seconds);
  if (plan.cluster > 1) parts.start += cluster_seconds * std::log2(double(plan.cluster));
  parts.stream = idle * streamed / (k.stream_share * h.copy_bytes_per_second);
  parts.gather = idle * seconds_of_gathers(p, h, bands);
  const double width = result > 4 ? wide_steps : 1;
  parts.steps = steps_of_block(p, plan, filled) * width * k.wave_load_seconds;
  parts.rows = plan.cluster > 0 ? seconds_of_rows(p, plan, bands) : seconds_of_stored_sums(p, h, plan, bands);
  return parts;
}

/// The layout of the least predicted time. Without clusters a block has bands of its own where there are at
/// least half as many as blocks (smaller ones gather too much apart); else blocks share all steps.
formats::CsbParameters best_layout(const MxvProblem& p, const Hardware& h) {
  const uint32_t widest = shared_slots(p, h, wide_share);
  formats::CsbParameters best;
  double least = 0;
  const auto offer = [&](uint32_t cluster, uint32_t blocks, uint32_t slots) {
    formats::CsbParameters plan;
    plan.cluster = cluster;
    plan.blocks = blocks;
    plan.most_slots = slots;
    plan.sum_bytes = uint32_t(p.result_bytes);
    const double seconds = parts_of(p, h, plan).seconds(h.of(Family::csb));
    if (least > 0 && seconds >= least) return;
    best = plan;
    least = seconds;
  };
  if (p.csb_steps > 0) {  // it is as it is
    const uint32_t c = p.csb_cluster;
    const auto clusters = uint32_t(c < h.clusters.size() ? std::max(1, h.clusters[c]) : 1);
    offer(c, c == 0 ? uint32_t(h.multiprocessors) : c * clusters, widest);
    return best;
  }
  if (h.clusters[2] > 0) {
    for (uint32_t cluster = 1; cluster < h.clusters.size(); ++cluster) {
      if (h.clusters[cluster] > 0) offer(cluster, cluster * uint32_t(h.clusters[cluster]), widest);
    }
    return best;
  }
  const uint32_t blocks = uint32_t(h.multiprocessors);
  for (const double share : stored_shares)
    offer(0, blocks, std::min(widest, std::max(least_slots, uint32_t(share * widest))));
  if (2 * bands_of(p, best).count >= h.multiprocessors) offer(1, blocks, widest);
  return best;
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
  if (!h.emulated) return best_layout(p, h);
  // Every kind; large matrices' bands are stored by several blocks, as on devices.
  formats::CsbParameters plan;
  plan.cluster = p.rows % 4;
  plan.blocks = plan.cluster > 1 ? 16 / plan.cluster * plan.cluster : 17;
  plan.threads = 32;
  plan.sum_bytes = uint32_t(p.result_bytes);
  plan.most_slots = p.rows > 4096 ? 1280 : 256;
  return plan;
}

Cost cost_of_csb(const MxvProblem& p, const Hardware& h, const KernelName&) {
  const formats::CsbParameters plan = plan_csb(p, h);
  std::string refusal = refusal_of(p, plan);
  if (!refusal.empty()) return Cost::refused(std::move(refusal));
  if (h.emulated) return {3 * cost_of_merge(p, h, {}).seconds, 0, {}};
  const KernelNumbers& k = h.of(Family::csb);
  const double entries = double(p.entries);
  Cost cost;
  cost.seconds = slower_of(seconds_of_call(p, h, Family::csb), parts_of(p, h, plan).seconds(k));
  // Runs of a band's entries side by side, a multiprocessor each; their blocks' loads overlap.
  const double run =
      std::min(bands_of(p, plan).entries, double(formats::csb_steps_of_run) * plan.step_places());
  const double waves = std::max(1.0, 0.75 * entries / run / h.multiprocessors);
  cost.conversion_seconds = sorted_keys * entries / h.sort_keys_per_second +
                            waves * run / 32 * round_seconds + 20 * h.launch_seconds + 0.3e-3;
  return cost;
}

}  // namespace cugrb::selector
