// Predicted time of the matrix-vector product on compressed sparse blocks: streams, gathers by neighbouring
// columns, sums in shared memory.
#include <algorithm>
#include <cmath>

#include "src/formats/launch.h"
#include "src/selector/mxv_costs.h"

namespace cugrb::selector {

namespace {

/// Places of the steps that are there over those that entries take.
constexpr double places_per_entry = 1.1;
/// Rows of a band over its slots: long ones have several.
constexpr double rows_per_slot = 0.9;
/// While it is made: a round of one warp that cuts a band's entries into steps, 32 entries; entries
/// that are sorted in the time of one with any key of 64 bits, and moved.
constexpr double round_seconds = 0.45e-6, sorted_keys = 0.4;
/// Times the time of an entry's sum of four bytes: banks are shared by narrow ones, wide ones take two.
constexpr double narrow_sums = 2.0, wide_sums = 1.4;
/// Times the time of a gather, and of storing and reading a piece's sums, of up to four bytes.
constexpr double wide_gathers = 1.25, wide_pieces = 1.5;
/// Of the gathers that L2 does not keep, which go to memory for each turn of bands after the first.
constexpr double drift_of_turn = 0.3;
/// Columns from one entry of a band to the next from which on larger bands are better.
constexpr double sparse_columns = 8;
/// Of a block's shared memory, for a band's sums.
constexpr double usual_share = 0.5, wide_share = 0.71;
/// Smaller bands have too many entries that wait for each other, and steps that are not filled at their ends.
constexpr double least_slots = 10000, steps_of_band = 28;
/// Columns that a chunk may span on the average, of those that 16 bits count.
constexpr double most_span = 32768;

struct Bands {
  double count, entries;  ///< entries of one
};
Bands bands_of(const MxvProblem& p, const formats::CsbParameters& plan) {
  const double rows = std::min(double(p.rows), rows_per_slot * plan.most_slots);
  const double count = std::ceil(double(p.rows) / rows);
  return {count, double(p.entries) / count};
}

/// Sums that a share of a block's shared memory holds.
uint32_t shared_slots(const MxvProblem& p, const Hardware& h, double share) {
  const double slots = share * double(h.shared_bytes_per_block) / double(p.result_bytes);
  return uint32_t(std::min(double(formats::most_csb_slots), slots));
}

/// Entries of a band in one sector of u, in the order of columns, are gathered together. All blocks go
/// through u at once and by its order: what they ask for is in L2, also where u is larger than what L2 keeps.
/// Only with their first bands, though: where there are more they drift apart, and what L2 does not keep is
/// asked of memory.
double seconds_of_gathers(const MxvProblem& p, const Hardware& h, const Bands& bands) {
  const double in_sector = 32 / double(p.vector_value_bytes) * bands.entries / double(p.columns);
  const double apart = std::min(gathers_apart(p), (1 - std::exp(-in_sector)) / in_sector);
  const double gathers = double(p.entries) * apart;
  const double drift = std::min(1.0, drift_of_turn * std::max(0.0, bands.count / h.multiprocessors - 1));
  const double missed = drift * (1 - share_of_popular(p, h.cached_bytes));
  return (p.vector_value_bytes > 4 ? wide_gathers : 1) * gathers /
             (h.of(Family::csb).gather_share * h.near_gathers_per_second) +
         missed * gathers * (1 / h.far_gathers_per_second - 1 / h.near_gathers_per_second);
}

/// There is a piece a block, or a band where these are more; no more than steps.
double pieces_of(const MxvProblem& p, const formats::CsbParameters& plan, const Bands& bands) {
  const double steps = places_per_entry * double(p.entries) / plan.step_places();
  return std::min(std::max(bands.count, double(plan.blocks)), std::ceil(steps));
}

/// A piece's sums are stored, and read again.
double seconds_of_sums(const MxvProblem& p, const Hardware& h, const formats::CsbParameters& plan,
                       const Bands& bands) {
  const double bytes = std::max(4.0, double(p.result_bytes)) * double(p.rows) / bands.count;
  const double width = p.result_bytes > 4 ? wide_pieces : 1;
  return width * 2 * pieces_of(p, plan, bands) * bytes / h.copy_bytes_per_second;
}

/// Smaller bands, where fewer sums to be stored and added up are worth more gathers.
formats::CsbParameters with_fewer_sums(const MxvProblem& p, const Hardware& h,
                                       const formats::CsbParameters& widest) {
  const auto seconds = [&](const formats::CsbParameters& plan) {
    const Bands bands = bands_of(p, plan);
    return seconds_of_gathers(p, h, bands) + seconds_of_sums(p, h, plan, bands);
  };
  formats::CsbParameters best = widest;
  for (const double share : {0.71, 0.5, 0.35}) {
    formats::CsbParameters plan = widest;
    plan.most_slots = uint32_t(share * widest.most_slots);
    const bool filled = bands_of(p, plan).entries >= steps_of_band * plan.step_places();
    if (plan.most_slots >= least_slots && filled && seconds(plan) < seconds(best)) best = plan;
  }
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
  formats::CsbParameters plan;
  if (h.emulated) {  // large matrices' bands are stored by several blocks, as on devices
    plan.blocks = 17;
    plan.threads = 32;
    plan.most_slots = p.rows > 4096 ? 1280 : 256;
    return plan;
  }
  plan.blocks = uint32_t(h.multiprocessors);
  // The rest is the cache of gathers, which few of them find anything in where entries are far apart.
  plan.most_slots = shared_slots(p, h, usual_share);
  if (double(p.columns) > sparse_columns * bands_of(p, plan).entries)
    plan.most_slots = shared_slots(p, h, wide_share);
  return with_fewer_sums(p, h, plan);
}

Cost cost_of_csb(const MxvProblem& p, const Hardware& h, const KernelName&) {
  const formats::CsbParameters plan = plan_csb(p, h);
  std::string refusal = refusal_of(p, plan);
  if (!refusal.empty()) return Cost::refused(std::move(refusal));
  if (h.emulated) return {3 * cost_of_merge(p, h, {}).seconds, 0, {}};
  const Bands bands = bands_of(p, plan);
  const double entries = double(p.entries), rows = double(p.rows), result = double(p.result_bytes);
  const double places = places_per_entry * entries;
  const double streamed = places * double(4 + p.matrix_value_bytes) + rows * (2 + result);
  const KernelNumbers& k = h.of(Family::csb);
  const double stream = streamed / (k.stream_share * h.copy_bytes_per_second);
  const double gather = seconds_of_gathers(p, h, bands);
  const double width = result < 4 ? narrow_sums : result > 4 ? wide_sums : 1;
  const double sum = places * width * k.entry_seconds, most = std::max({stream, gather, sum});
  Cost cost;
  cost.seconds =
      slower_of(k.call_seconds, k.start_seconds + most + k.overlap * (stream + gather + sum - most) +
                                    seconds_of_sums(p, h, plan, bands));
  // Runs of a band's entries side by side, a multiprocessor each; their blocks' loads overlap.
  const double run = std::min(bands.entries, double(formats::csb_steps_of_run) * plan.step_places());
  const double waves = std::max(1.0, 0.75 * entries / run / h.multiprocessors);
  cost.conversion_seconds = sorted_keys * entries / h.sort_keys_per_second +
                            waves * run / 32 * round_seconds + 20 * h.launch_seconds + 0.3e-3;
  return cost;
}

}  // namespace cugrb::selector
