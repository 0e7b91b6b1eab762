// Predicted time of the product on the paper's tiles of packed rows, and what these are made with.
#include "src/operations/multiply/mxv/tile_rectangles/tile_rectangles.h"

#include <algorithm>

namespace cugrb::operations {

using namespace selector;

namespace {

/// Threads of a multiprocessor at full occupancy, in warps: of server GPUs from compute capability 8.0 on.
constexpr double resident_warps = 64;
/// Made on the host: entries a second, about.
constexpr double host_entries_per_second = 30e6;
/// Small tiles on the emulated device: tests reach several of them with small matrices.
constexpr uint64_t emulated_tile_columns = 640;

/// The measured class of workloads whose number of rows (1, 2, 8, 32) is nearest, by its logarithm.
int class_of_height(uint64_t height) { return height < 2 ? 0 : height < 4 ? 1 : height < 16 ? 2 : 3; }

}  // namespace

formats::TileRectanglesParameters plan_tile_rectangles(const MxvProblem& p, const Hardware& h) {
  formats::TileRectanglesParameters parameters;
  if (h.emulated) parameters.tile_columns = emulated_tile_columns;
  parameters.device.active_warps = uint64_t(h.multiprocessors * resident_warps);
  parameters.device.performance = [rates = h.workloads, bytes = p.matrix_value_bytes](uint64_t width,
                                                                                      uint64_t height) {
    const double steps = double(width * height) / tile_step_entries;
    return tile_step_entries / rates.step_seconds(bytes, class_of_height(height), steps);
  };
  return parameters;
}

Cost cost_of_tile_rectangles(const MxvProblem& p, const Hardware& h) {
  if (!p.tile_refusal.empty()) return Cost::refused(p.tile_refusal);
  const double entries = double(p.entries), conversion = entries / host_entries_per_second;
  if (h.emulated) return {entries * emulated_load + double(p.rows) * emulated_waiting_thread, conversion, {}};
  const double streamed = entries * double(4 + p.matrix_value_bytes) / h.copy_bytes_per_second;
  const double gathered = entries / h.near_gathers_per_second;
  return {.seconds = 3 * h.launch_seconds + std::max(streamed, gathered),
          .conversion_seconds = conversion,
          .note = "by its entries' stream and gathers alone"};
}

}  // namespace cugrb::operations
