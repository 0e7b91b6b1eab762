// Predicted time of the matrix-vector product on the blocked format: streams, whatever the matrix looks like.
#include <algorithm>
#include <cmath>

#include "src/formats/launch.h"
#include "src/operations/multiply/mxv/blocked/blocked.h"
#include "src/operations/multiply/mxv/csr/csr.h"

namespace cugrb::operations {

using namespace selector;

namespace {

/// Of the bandwidth of the sums' streams: half of the bytes are written.
constexpr double multiply_share = 0.91;
/// Loads of four bytes by which the lanes of a warp meet in one bank of a multiprocessor's shared memory,
/// what other warps hide taken off: matrices of a single tile took 7 us a bin longer (H200).
constexpr double conflicting_loads_per_second = 1.8e9;
constexpr double build_bytes_per_second = 0.3e12;  ///< entries to places of their own
/// Of the bandwidth, where products of less than four bytes are written and read one by one.
constexpr double narrow_share = 0.8;
/// Of the start, and of the conflicts, that products of a few entries have; all of it from so many on.
constexpr double small_share = 0.5, small_entries = 2e5;

/// Seconds that the sums' loads wait for each other. A lane sums entries that follow each other; where a
/// bin's entries are of one tile, in its order, all lanes of a warp ask the same bank.
double conflict_seconds(const MxvProblem& p, const Hardware& h, const formats::BlockedParameters& plan) {
  const double together = p.columns <= plan.tile_columns ? 1 : 1 - gathers_apart(p);
  const double bins = double(formats::blocks_for(p.entries, plan.bin_entries()));
  const double entries = std::min(double(p.entries), double(plan.bin_entries()));
  const double words = std::min(1.0, double(p.result_bytes) / 4);  // narrow ones share banks by fours
  return words * together * (std::ceil(bins / h.multiprocessors) - 0.5) * entries /
         conflicting_loads_per_second;
}

/// Pieces are whole chunks: about half of one is left over in each that has an entry.
double places(const MxvProblem& p, const formats::BlockedParameters& plan) {
  const double pieces = double(formats::blocks_for(p.columns, plan.tile_columns)) *
                        double(formats::blocks_for(p.entries, plan.bin_entries()));
  return double(p.entries) + std::min(double(p.entries), pieces) * (blocked_chunk - 1) / 2;
}

}  // namespace

formats::BlockedParameters plan_blocked(const MxvProblem& p, const Hardware& h) {
  // Two bins share a multiprocessor's memory: products, about half a chunk a tile left over, sums of rows.
  const double room = double(h.shared_bytes_per_block / 2 - 2048) / double(p.result_bytes);
  const double tiles = double(formats::blocks_for(p.columns, std::max(1u, p.tile_columns)));
  const double warps = (0.9 * room - 4 * tiles) / (1024 * (1 + 1 / std::max(1.0, mean_length(p))));
  formats::BlockedParameters plan;
  plan.tile_columns = p.tile_columns;
  plan.sum_threads = h.emulated ? 64 : 32 * uint32_t(std::clamp(warps, 1.0, 24.0));
  plan.blocks = h.emulated ? 3 : uint32_t(h.multiprocessors);
  plan.multiply_threads = h.emulated ? 64 : 1024;
  return plan;
}

Cost cost_of_blocked(const MxvProblem& p, const Hardware& h) {
  if (!p.tile_refusal.empty()) return Cost::refused(p.tile_refusal);
  if (p.tile_columns == 0) return Cost::refused("the matrix is not there by rows yet");
  const formats::BlockedParameters plan = plan_blocked(p, h);
  const uint64_t tiles = formats::blocks_for(p.columns, plan.tile_columns);
  std::string refusal =
      formats::blocked_refusal(plan, p.rows, tiles, p.result_bytes, h.shared_bytes_per_block);
  if (!refusal.empty()) return Cost::refused(std::move(refusal));
  const double all = places(p, plan), entries = double(p.entries), rows = double(p.rows);
  refusal = memory_refusal(p, all * double(3 + p.matrix_value_bytes) + entries * 2.25 + 4 * rows);
  if (!refusal.empty()) return Cost::refused(std::move(refusal));
  if (h.emulated) return {3 * cost_of_merge(p, h).seconds, 0, {}};
  // Products that stay in L2 until they are summed are hidden behind the streams, but for a fifth.
  const double written = all * double(p.result_bytes);
  const double products = written * (1 - 0.5 * std::clamp(2 - written / h.cached_bytes, 0.0, 1.0));
  const double multiply =
      all * (2 + 0.5 + double(p.matrix_value_bytes)) + products + double(p.columns * p.vector_value_bytes);
  const double sum = products + entries * 2.25 + rows * double(5 + p.result_bytes);
  Cost cost;
  const KernelNumbers& k = h.of("blocked");  // its start: tiles on their way, carries, T's presence
  const double rate = k.stream_share * h.copy_bytes_per_second * (p.result_bytes < 4 ? narrow_share : 1);
  const double size = small_share + (1 - small_share) * std::min(1.0, entries / small_entries);
  cost.seconds = size * k.start_seconds + multiply / (multiply_share * rate) +
                 slower_of(sum / rate, size * conflict_seconds(p, h, plan));
  cost.conversion_seconds = entries * double(8 + 2 * p.matrix_value_bytes) / build_bytes_per_second + 0.2e-3;
  return cost;
}

}  // namespace cugrb::operations
