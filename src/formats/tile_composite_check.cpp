// Tile-composite back to CSR, entry by entry on the host.
#include <optional>

#include "src/formats/host_entries.h"
#include "src/formats/tile_composite.h"

namespace cugrb::formats {

namespace {

constexpr uint32_t no_row = 0xffffffffu;

struct HostTiles {
  std::vector<uint16_t> columns;
  std::vector<uint32_t> cold_columns;
  std::vector<uint32_t> step_offsets, gathered;
  std::vector<char> values;
  std::vector<uint32_t> row_of_slot;
};

HostTiles to_host(const TileComposite& m) {
  HostTiles host;
  host.columns = m.columns.to_host<uint16_t>(m.cold_step * tile_step_entries);
  host.cold_columns = m.cold_columns.to_host<uint32_t>((m.steps - m.cold_step) * tile_step_entries);
  host.step_offsets = m.step_offsets.to_host<uint32_t>(m.workloads + 1);
  host.gathered = m.gathered_columns.to_host<uint32_t>(m.parameters.gathered);
  if (!m.iso) host.values = m.values.to_host<char>(m.steps * tile_step_entries * m.type.size);
  host.row_of_slot.assign(m.slots, no_row);
  const std::vector<uint32_t> offsets = m.row_offsets.to_host<uint32_t>(m.row_count + 1);
  const std::vector<uint32_t> slots = m.row_slots.to_host<uint32_t>(m.listed_slots);
  for (uint64_t i = 0; i < m.row_count; ++i) {
    for (uint32_t p = offsets[i]; p < offsets[i + 1]; ++p) host.row_of_slot.at(slots[p]) = uint32_t(i);
  }
  return host;
}

/// The row that a lane of a workload works for.
uint32_t row_of_lane(const HostTiles& host, const TileWorkloads& work, int row_class, uint64_t w,
                     unsigned lane) {
  const unsigned lanes = unsigned(tile_class_lanes[row_class]);
  return host.row_of_slot[work.slot_base + (w - work.first) * (32 / lanes) + lane / lanes];
}

/// The original column of the q-th place of all steps, or nothing.
std::optional<uint64_t> column_at(const TileComposite& m, const HostTiles& host, uint32_t tile, uint64_t q) {
  const uint64_t first_cold = m.cold_step * tile_step_entries;
  if (q < first_cold) {
    if (host.columns[q] == no_tile_column) return {};
    return host.gathered.at(uint64_t(tile) * m.parameters.tile_columns + host.columns[q]);
  }
  const uint32_t place = host.cold_columns[q - first_cold];
  if (place == no_cold_column) return {};
  return place < host.gathered.size() ? host.gathered[place] : place - host.gathered.size();
}

std::vector<HostEntry> all_entries(const TileComposite& m) {
  std::vector<HostEntry> entries;
  const HostTiles host = to_host(m);
  for (const TileLayout& part : m.parts) {
    for (int c = 0; c < tile_classes; ++c) {
      const TileWorkloads& work = part.classes[c];
      for (uint64_t w = work.first; w < work.last; ++w) {
        for (uint64_t q = uint64_t(host.step_offsets[w]) * 128; q < uint64_t(host.step_offsets[w + 1]) * 128;
             ++q) {
          const std::optional<uint64_t> column = column_at(m, host, part.tile, q);
          if (!column) continue;
          const uint32_t row = row_of_lane(host, work, c, w, unsigned(q / 4 % 32));
          const std::string value = m.iso ? "" : std::string(&host.values[q * m.type.size], m.type.size);
          entries.push_back({row, *column, value});
        }
      }
    }
  }
  return entries;
}

}  // namespace

Csr to_csr(const TileComposite& matrix) {
  SparseShape shape;
  shape.type = matrix.type;
  shape.rows = matrix.row_count;
  shape.columns = matrix.column_count;
  shape.iso = matrix.iso;
  return csr_of_entries(shape, all_entries(matrix), matrix.values);
}

namespace {

/// Every warp begins where the one before it ends, from the first workload of its class to the last.
std::string check_cuts(const TileComposite& matrix) {
  const std::vector<TileCut> cuts = matrix.cuts.to_host<TileCut>(matrix.cuts.bytes() / sizeof(TileCut));
  const std::vector<uint32_t> offsets = matrix.step_offsets.to_host<uint32_t>(matrix.workloads + 1);
  for (const TileLayout& part : matrix.parts) {
    for (int c = 0; c < tile_classes; ++c) {
      const TileCut* first = &cuts[part.first_cut + uint64_t(c) * (part.warps + 1)];
      const TileCut* last = first + part.warps;
      if (first->workload != part.classes[c].first || last->workload != part.classes[c].last) {
        return "the warps do not share all workloads";
      }
      for (const TileCut* cut = first; cut <= last; ++cut) {
        if (cut->step != offsets[cut->workload]) return "a warp begins inside a workload";
        if (cut < last && cut->workload > cut[1].workload) return "a warp ends before it begins";
      }
    }
  }
  return {};
}

}  // namespace

std::string check(const TileComposite& matrix) {
  for (const TileLayout& part : matrix.parts) {
    const bool is_tile = part.tile < uint32_t(matrix.parameters.tiles);
    if ((part.columns == 0) == is_tile || part.columns > matrix.parameters.tile_columns) {
      return "a tile without columns, or too many";
    }
    for (int c = 0; c + 1 < tile_classes; ++c) {
      if (part.classes[c].last != part.classes[c + 1].first) return "workloads between two classes";
    }
  }
  if (const std::string wrong = check_cuts(matrix); !wrong.empty()) return wrong;
  const std::vector<uint32_t> slots = matrix.row_slots.to_host<uint32_t>(matrix.listed_slots);
  std::vector<bool> listed(matrix.slots);
  for (const uint32_t slot : slots) {
    if (slot >= matrix.slots || listed[slot]) return "a slot of no workload, or of two rows";
    listed[slot] = true;
  }
  for (const HostEntry& entry : all_entries(matrix)) {
    if (entry.row >= matrix.row_count) return "an entry of no row";
  }
  return check(to_csr(matrix));  // ascending and in range: no column comes twice
}

}  // namespace cugrb::formats
