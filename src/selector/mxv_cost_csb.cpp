// Predicted time of the matrix-vector product on compressed sparse blocks: streams, gathers by neighbouring
// columns, sums in shared memory.
#include <algorithm>
#include <cmath>

#include "src/formats/launch.h"
#include "src/selector/mxv_costs.h"

namespace cugrb::selector {

namespace {

/// Places of the steps that are there over those that entries take, without the last steps of bands.
constexpr double places_per_entry = 1.02;
/// Rows of a band over its slots: long ones have several.
constexpr double rows_per_slot = 0.9;
/// While it is made: a round of one warp that cuts a band's entries into steps, 32 entries; entries
/// that are sorted in the time of one with any key of 64 bits, and moved.
constexpr double round_seconds = 0.45e-6, sorted_keys = 0.4;
/// Times the time of an entry's sum of four bytes: banks are shared by narrow ones, wide ones take two.
constexpr double narrow_sums = 2.0, wide_sums = 1.4;
/// Times the time of a round that clears, joins and stores them: narrow ones go one by one.
constexpr double narrow_rounds = 4;
/// Times the time of a gather of up to four bytes.
constexpr double wide_gathers = 1.5;
constexpr double slots_of_round = 1024;  ///< that a block clears, and stores, at once
/// Columns from one entry of a band to the next from which on larger bands are better.
constexpr double sparse_columns = 8;
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
  plan.blocks = h.emulated ? 17 : uint32_t(h.multiprocessors);
  plan.threads = h.emulated ? 32 : 1024;
  if (h.emulated) {  // large matrices' bands are stored by several blocks, as on devices
    plan.most_slots = p.rows > 4096 ? 1280 : 256;
    return plan;
  }
  const auto slots_in = [&](double share) {
    const double slots = share * double(h.shared_bytes_per_block) / double(p.result_bytes);
    return uint32_t(std::min(double(formats::most_csb_slots), slots));
  };
  // The rest is the cache of gathers, which few of them find anything in where entries are far apart.
  plan.most_slots = slots_in(0.5);
  if (double(p.columns) > sparse_columns * bands_of(p, plan).entries) plan.most_slots = slots_in(0.71);
  return plan;
}

Cost cost_of_csb(const MxvProblem& p, const Hardware& h, const KernelName&) {
  const formats::CsbParameters plan = plan_csb(p, h);
  std::string refusal = refusal_of(p, plan);
  if (!refusal.empty()) return Cost::refused(std::move(refusal));
  if (h.emulated) return {3 * cost_of_merge(p, h, {}).seconds, 0, {}};
  const Bands bands = bands_of(p, plan);
  const double entries = double(p.entries), rows = double(p.rows), result = double(p.result_bytes);
  const double places = places_per_entry * entries + bands.count * plan.step_places() / 2;
  // A piece's sums are written once and read once; there is a piece a block, and one more a band.
  const double pieces = std::min(bands.count + plan.blocks, std::ceil(places / plan.step_places()));
  const double slots = rows / bands.count;
  const double streamed =
      places * double(4 + p.matrix_value_bytes) + 2 * result * pieces * slots + rows * (2 + result);
  // Entries of a band in one sector of u, in the order of columns.
  const double in_sector = 32 / double(p.vector_value_bytes) * bands.entries / double(p.columns);
  const double apart = std::min(gathers_apart(p), (1 - std::exp(-in_sector)) / in_sector);
  const KernelNumbers& k = h.of(Family::csb);
  const double stream = streamed / (k.stream_share * h.copy_bytes_per_second);
  // All blocks go through u at once and by its order: what they ask for is in L2, however large u is.
  const double gather = (p.vector_value_bytes > 4 ? wide_gathers : 1) * entries * apart /
                        (k.gather_share * h.near_gathers_per_second);
  const double width = result < 4 ? narrow_sums : result > 4 ? wide_sums : 1;
  const double most = std::max({stream, gather, entries * width * k.entry_seconds});
  const double rounds =
      std::max(1.0, pieces / plan.blocks) * slots / slots_of_round * (result < 4 ? narrow_rounds : 1);
  Cost cost;
  cost.seconds = slower_of(k.call_seconds, k.start_seconds + most + k.overlap * std::min(stream, gather) +
                                               rounds * k.wave_load_seconds);
  // Runs of a band's entries side by side, a multiprocessor each; their blocks' loads overlap.
  const double run = std::min(bands.entries, double(formats::csb_steps_of_run) * plan.step_places());
  const double waves = std::max(1.0, 0.75 * entries / run / h.multiprocessors);
  cost.conversion_seconds = sorted_keys * entries / h.sort_keys_per_second +
                            waves * run / 32 * round_seconds + 20 * h.launch_seconds + 0.3e-3;
  return cost;
}

}  // namespace cugrb::selector
