#include "src/formats/tile_layout.h"

#include <algorithm>

#include "src/formats/launch.h"

namespace cugrb::formats {

using runtime::Buffer;

TileRowClasses classes_of(const TileComposite& made, size_t t) {
  return row_classes_of(is_cold(made, t) ? made.parameters.cold_steps : made.parameters.tile_steps);
}

void lay_out(TileComposite& made, std::vector<TileRows>& parts) {
  uint64_t workload = 0, slot = 0;
  for (size_t t = 0; t < parts.size(); ++t) {
    TileLayout layout;
    layout.tile = uint32_t(t);
    const uint64_t before = t * uint64_t(made.parameters.tile_columns);
    if (!is_cold(made, t)) {
      layout.columns =
          uint32_t(std::min<uint64_t>(made.parameters.tile_columns, made.parameters.gathered - before));
    }
    for (int c = 0; c < tile_classes; ++c) {
      const uint64_t rows_each = 32 / uint64_t(tile_class_lanes[c]);
      uint64_t count = parts[t].class_counts[size_t(c)];
      if (c == 0) {
        for (TileLongRow& row : parts[t].long_rows) {
          row.first_slot = slot + count;
          count += classes_of(made, t).pieces_of(row.length);
        }
      }
      const uint64_t workloads = (count + rows_each - 1) / rows_each;
      layout.classes[c] = {workload, workload + workloads, slot};
      workload += workloads;
      slot += workloads * rows_each;
    }
    made.parts.push_back(layout);
  }
  made.workloads = workload;
  made.slots = slot;
}

std::vector<uint32_t> steps_of_pieces(const std::vector<TileLongRow>& rows, const TileRowClasses& classes) {
  std::vector<uint32_t> steps;
  for (const TileLongRow& row : rows) {
    for (uint32_t piece = 0; piece < classes.pieces_of(row.length); ++piece) {
      const uint64_t length =
          classes.begin_of_piece(row.length, piece + 1) - classes.begin_of_piece(row.length, piece);
      steps.push_back(uint32_t((length + tile_step_entries - 1) / tile_step_entries));
    }
  }
  return steps;
}

uint64_t first_step_of(const TileComposite& made, size_t t) {
  return made.step_offsets.read<uint32_t>(made.parts[t].classes[0].first);
}

namespace {

/// Every tile gets a block, and each of the others goes where the work of a block is largest. A row costs
/// about as much as a step's lane.
std::vector<uint32_t> blocks_of_tiles(const TileComposite& made, const std::vector<TileRows>& parts) {
  const size_t tiles = parts.size() - 1;
  std::vector<double> work;
  for (size_t t = 0; t < tiles; ++t) {
    work.push_back(double(first_step_of(made, t + 1) - first_step_of(made, t)) + double(parts[t].count) / 32);
  }
  std::vector<uint32_t> counts(tiles, 1);
  for (uint64_t given = tiles; given < made.parameters.blocks; ++given) {
    size_t busiest = 0;
    for (size_t t = 1; t < tiles; ++t) {
      if (work[t] / counts[t] > work[busiest] / counts[busiest]) busiest = t;
    }
    ++counts[busiest];
  }
  return counts;
}

/// Warps begin with a few dependent loads, which are worth some steps; but no warp takes several while
/// others have none.
uint32_t cold_warps(const TileComposite& made) {
  constexpr uint64_t least_steps = 16;
  const uint64_t steps = made.steps - made.cold_step;
  const uint64_t enough = std::min<uint64_t>(steps, made.parameters.least_cold_warps);
  const uint64_t wanted = std::max(enough, (steps + least_steps - 1) / least_steps);
  return uint32_t(std::clamp<uint64_t>(wanted, 1, made.parameters.most_cold_warps));
}

}  // namespace

void share_out(TileComposite& made, const std::vector<TileRows>& parts) {
  std::vector<uint32_t> blocks = blocks_of_tiles(made, parts);
  uint64_t cut = 0;
  for (size_t t = 0; t < parts.size(); ++t) {
    TileLayout& part = made.parts[t];
    part.warps = is_cold(made, t) ? cold_warps(made) : blocks[t] * made.parameters.warps_of_block;
    part.first_cut = cut;
    cut += uint64_t(part.warps + 1) * tile_classes;
  }
  made.cuts = Buffer(cut * sizeof(TileCut));
  std::vector<TileShare> shares;
  for (size_t t = 0; t < parts.size(); ++t) {
    TileCutsArguments a;
    a.layout = made.parts[t];
    a.step_offsets = made.step_offsets.as<uint32_t>();
    a.cuts = made.cuts.as<TileCut>();
    launch_blocks("tile_composite_build.h", "tile_cuts<0>",
                  blocks_for(uint64_t(a.layout.warps + 1) * tile_classes), a);
    for (uint32_t b = 0; !is_cold(made, t) && b < blocks[t]; ++b) {
      shares.push_back({made.parts[t], b * made.parameters.warps_of_block});
    }
  }
  made.share_count = shares.size();
  made.shares = Buffer::from_host(shares.data(), shares.size() * sizeof(TileShare));
}

}  // namespace cugrb::formats
