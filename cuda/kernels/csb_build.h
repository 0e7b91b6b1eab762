// Construction of compressed sparse blocks from CSR: slots of the rows, entries by band and column, steps in
// which no slot is asked for twice. src/formats/csb.cpp calls these in order.
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/kernels/csb_banks.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/csb.h"

namespace cugrb {

/// Slots of each row: none without entries, more for long ones. One thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void csb_count_slots(CsbRowsArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.matrix.rows) return;
  const Offset* offsets = static_cast<const Offset*>(a.matrix.offsets);
  const uint64_t length = uint64_t(offsets[i + 1]) - uint64_t(offsets[i]);
  const uint64_t first = i / a.band_rows * a.band_rows, end = first + a.band_rows;
  const uint64_t of_band =
      uint64_t(offsets[end < a.matrix.rows ? end : a.matrix.rows]) - uint64_t(offsets[first]);
  const uint64_t more = length * a.expected_entries / (of_band > 0 ? of_band : 1);
  a.slot_counts[i] = uint32_t(length <= more ? length : length == 0 ? 0 : 1 + more);
}

/// Where bands begin, in slots and in entries. One thread a band, and one more.
template <class Offset>
CUGRB_KERNEL(256)
void csb_band_starts(CsbRowsArguments a) {
  const uint64_t b = global_thread();
  if (b > a.bands) return;
  const uint64_t row = b * a.band_rows < a.matrix.rows ? b * a.band_rows : a.matrix.rows;
  a.band_slots[b] = a.slot_counts[row];
  a.band_entries[b] = uint64_t(static_cast<const Offset*>(a.matrix.offsets)[row]);
}

/// The rows' first slots, counted in their band. One thread a row of a band, and one more a band.
template <int>
CUGRB_KERNEL(256)
void csb_row_slots(CsbRowsArguments a) {
  const uint64_t n = global_thread(), each = uint64_t(a.band_rows) + 1;
  if (n >= a.bands * each) return;
  const uint64_t band = n / each, row = band * a.band_rows + n % each;
  a.row_slots[n] = uint16_t(a.slot_counts[row < a.matrix.rows ? row : a.matrix.rows] - a.band_slots[band]);
}

/// What entries are sorted by, and what goes with them. Grid: one block for each tile of entries.
template <class Offset, class Column, class Key>
CUGRB_KERNEL(EntryTile::threads)
void csb_keys(CsbRowsArguments a) {
  const uint64_t begin = tile_begin(), end = tile_end(a.matrix.entries);
  const tile_segments<Offset> rows =
      segments_of_tile(static_cast<const Offset*>(a.matrix.offsets), a.matrix.rows, begin, end);
  const Column* columns = static_cast<const Column*>(a.matrix.columns);
  for (uint64_t p = begin + thread_index(); p < end; p += EntryTile::threads) {
    const uint64_t row = rows.of_item(p), band = row / a.band_rows;
    static_cast<Key*>(a.keys)[p] = Key(band << a.column_bits | uint64_t(read_streaming(columns + p)));
    a.payload[p] = uint64_t(read_only(a.row_slots + row + band)) << csb_position_bits | p;
  }
}

/// Marks rows of several slots. One thread a row.
template <int>
CUGRB_KERNEL(256)
void csb_shared_flags(CsbRowsArguments a) {
  const uint64_t i = global_thread();
  if (i < a.matrix.rows) a.flags[i] = a.slot_counts[i + 1] - a.slot_counts[i] > 1 ? 1 : 0;
}

/// Lists them, and where each band's begin. One thread a row of the list and a band, whichever are more, and
/// one more.
template <int>
CUGRB_KERNEL(256)
void csb_shared_rows(CsbRowsArguments a) {
  const uint64_t n = global_thread();
  if (n < a.shared_count) {
    const uint64_t row = a.positions[n];
    const uint32_t before = uint32_t(a.band_slots[row / a.band_rows]);
    a.shared_rows[n] = (a.slot_counts[row + 1] - before) << 16 | (a.slot_counts[row] - before);
  }
  if (n <= a.bands) a.band_shared[n] = uint32_t(lower_bound(a.positions, 0, a.shared_count, n * a.band_rows));
}

// ---- steps
// ------------------------------------------------------------------------------------------------

/// What a run's block keeps in shared memory: entries that had to wait, twice (those of the step before, and
/// those of this one), and those that come next, with their columns and the first slots of their rows; slots.
struct csb_entry_list {
  uint32_t *entries, *columns;
  uint16_t* firsts;
};
struct csb_workspace {
  csb_entry_list waiting[2];
  uint32_t* next_columns;
  uint16_t* next_firsts;
  uint16_t* owned;  ///< by the first slot of a row: how many it has
  uint16_t* taken;  ///< the same: those that the step has given

  CUGRB_DEVICE csb_workspace(uint32_t* memory, uint32_t step_places, uint32_t slots) {
    const uint32_t most_waiting = step_places / 2;
    for (int n = 0; n < 2; ++n) {
      waiting[n].entries = memory + n * 2 * most_waiting;
      waiting[n].columns = waiting[n].entries + most_waiting;
    }
    next_columns = memory + 4 * most_waiting;
    waiting[0].firsts = reinterpret_cast<uint16_t*>(next_columns + step_places);
    waiting[1].firsts = waiting[0].firsts + most_waiting;
    next_firsts = waiting[1].firsts + most_waiting;
    owned = next_firsts + step_places;
    taken = owned + slots;
  }
};

/// A lane's entry, while its step is looked for.
struct csb_entry {
  bool there;
  uint32_t entry, column, first;
};

/// A step as far as it is filled, in the registers of one warp.
struct csb_step {
  uint32_t* chosen;
  uint16_t* slots;
  uint32_t places, filled, base;  ///< how many it has; taken; the first column of the last chunk

  /// Lanes whose entries are of the same row.
  static CUGRB_DEVICE unsigned same_row(const csb_entry& e) {
    unsigned equals = ballot(full_warp, e.there);
#pragma unroll
    for (unsigned bit = 0; bit < 16; ++bit) {
      const bool set = (e.first >> bit & 1u) != 0;
      const unsigned with = ballot(full_warp, set);
      equals &= set ? with : ~with;
    }
    return equals;
  }

  /// Takes the lanes' entries, in their order, to slots of their rows that the step has not given yet. Lanes
  /// whose row has none left, or for which there is no place, are told so.
  CUGRB_DEVICE bool take(const csb_workspace& w, csb_entry e) {
    bool waits = false;
    while (any_lane(full_warp, e.there)) {
      const unsigned before = (1u << lane_index()) - 1, equals = same_row(e);
      begin_chunk(e);
      const uint32_t owned = e.there ? w.owned[e.first] : 0u;
      const uint32_t slot = (e.there ? w.taken[e.first] : 0u) + uint32_t(count_bits(equals & before));
      // Columns ascend: lanes whose column cannot be counted from here come last, and begin another chunk.
      const bool far = e.there && e.column - base > 0xffffu;
      const bool may = e.there && slot < owned && !far;
      const uint32_t order = filled + uint32_t(count_bits(ballot(full_warp, may) & before));
      const bool fits = may && order < places;
      const unsigned placed = ballot(full_warp, fits);
      sync_warp(full_warp);  // all have read what was taken
      // Equal rows' columns ascend, too: those that fit come first.
      if (fits && (placed & equals) >> lane_index() == 1u) w.taken[e.first] = uint16_t(slot + 1);
      sync_warp(full_warp);
      if (fits) {
        chosen[order] = e.entry;
        slots[order] = uint16_t(e.first + slot);
      }
      const uint32_t until = filled + uint32_t(count_bits(placed)), chunk = until / csb_chunk * csb_chunk;
      const unsigned heads = ballot(full_warp, fits && order == chunk);
      if (heads != 0) base = shuffle(full_warp, e.column, lowest_bit(heads));
      filled = until;
      waits = waits || (e.there && !fits && !far);
      e.there = far;
    }
    return waits;
  }

  /// Ends a chunk that cannot count on to the lanes' first column, which begins the next one.
  CUGRB_DEVICE void begin_chunk(const csb_entry& e) {
    const uint32_t head = shuffle(full_warp, e.column, lowest_bit(ballot(full_warp, e.there)));
    if (filled % csb_chunk != 0 && head - base > 0xffffu)
      filled = (filled + csb_chunk - 1) / csb_chunk * csb_chunk;
    if (filled % csb_chunk == 0) base = head;
  }
};

/// Fills steps with a run's entries in the order of columns: each takes entries that ask for different slots,
/// first those that had to wait in the step before. Always the same way. Grid: a block a run; dynamic shared
/// memory: csb_workspace. Its first warp decides, the others load.
template <class Key>
CUGRB_KERNEL_RESIDENT(256, 3)
void csb_steps(CsbStepsArguments a) {
  CUGRB_DYNAMIC_SHARED(uint32_t, memory);
  CUGRB_SHARED(uint32_t, progress, 2);  // entries that wait; entries that were looked at
  const csb_workspace w(memory, a.step_places, a.most_slots);
  const CsbRun run = a.runs[block_index()];
  const Key* const keys = static_cast<const Key*>(a.keys) + run.first;
  const uint64_t* const payload = a.payload + run.first;
  const uint64_t column_mask = (uint64_t(1) << a.column_bits) - 1;
  const uint32_t first_step = a.most_steps[block_index()];
  const uint32_t most_steps = a.most_steps[block_index() + 1] - first_step;
  const uint32_t most_waiting = a.step_places / 2;
  const uint16_t* const row_slots = a.row_slots + run.band * (uint64_t(a.band_rows) + 1);
  for (uint32_t r = thread_index(); r < a.band_rows; r += 256) {
    const uint16_t first = row_slots[r], next = row_slots[r + 1];
    if (first < next) w.owned[first] = uint16_t(next - first);
  }
  uint32_t next = 0, waiting = 0, step = 0;
  for (; (next < run.entries || waiting > 0) && step < most_steps; ++step) {
    const csb_entry_list late = w.waiting[step % 2], kept = w.waiting[(step + 1) % 2];
    const uint32_t fresh = run.entries - next < a.step_places ? run.entries - next : a.step_places;
#pragma unroll 8
    for (uint32_t s = thread_index(); s < a.most_slots; s += 256) w.taken[s] = 0;
#pragma unroll 4
    for (uint32_t k = thread_index(); k < fresh; k += 256) {
      w.next_firsts[k] = uint16_t(payload[next + k] >> csb_position_bits);
      w.next_columns[k] = uint32_t(uint64_t(keys[next + k]) & column_mask);
    }
    sync_block();
    if (thread_index() < 32) {
      const uint64_t begin = uint64_t(first_step + step) * a.step_places;
      csb_step filling{a.chosen + begin, a.slots + begin, a.step_places, 0, 0};
      uint32_t keeping = 0, seen = 0;
      const auto offer = [&](const csb_entry& e) {
        const bool waits = filling.take(w, e);
        const unsigned waiters = ballot(full_warp, waits);
        if (waits) {
          const uint32_t place = keeping + uint32_t(count_bits(waiters & ((1u << lane_index()) - 1)));
          kept.entries[place] = e.entry;
          kept.columns[place] = e.column;
          kept.firsts[place] = uint16_t(e.first);
        }
        keeping += uint32_t(count_bits(waiters));
      };
      for (uint32_t k = 0; k < waiting; k += 32) {
        const uint32_t n = k + lane_index();
        const bool there = n < waiting;
        offer({there, there ? late.entries[n] : 0, there ? late.columns[n] : 0,
               there ? uint32_t(late.firsts[n]) : 0u});
      }
      while (true) {
        uint32_t room = a.step_places - filling.filled;
        if (most_waiting - keeping < room) room = most_waiting - keeping;
        if (fresh - seen < room) room = fresh - seen;
        if (room == 0) break;
        const uint32_t n = seen + lane_index();
        const bool there = lane_index() < room;
        offer({there, next + n, there ? w.next_columns[n] : 0, there ? uint32_t(w.next_firsts[n]) : 0u});
        seen += room < 32 ? room : 32;
      }
      if (lane_index() == 0) {
        progress[0] = keeping;
        progress[1] = seen;
      }
    }
    sync_block();
    waiting = progress[0];
    next += progress[1];
  }
  if (thread_index() == 0) a.steps[block_index()] = next < run.entries || waiting > 0 ? no_csb_steps : step;
}

/// A step while it is filled: its entries' slots as they were chosen, and the order in which they are stored.
struct csb_filling {
  uint16_t *slots, *order;

  /// Least and largest column of the chunk's entries, for all lanes of the warp.
  template <class ColumnOf>
  CUGRB_DEVICE void bounds_of_chunk(uint32_t chunk, const ColumnOf& column_of, uint32_t& least,
                                    uint32_t& most) const {
    least = 0xffffffffu;
    most = 0;
    for (uint32_t n = 0; n < csb_chunk; n += 32) {
      const uint32_t place = chunk * csb_chunk + n + lane_index();
      const uint32_t entry = order[place];
      if (slots[entry] == no_csb_slot) continue;
      const uint32_t column = column_of(entry);
      least = column < least ? column : least;
      most = column > most ? column : most;
    }
#pragma unroll
    for (unsigned delta = 16; delta > 0; delta /= 2) {
      const uint32_t low = shuffle_down(full_warp, least, delta), high = shuffle_down(full_warp, most, delta);
      least = low < least ? low : least;
      most = high > most ? high : most;
    }
    least = shuffle(full_warp, least, 0);
    most = shuffle(full_warp, most, 0);
  }
};

/// Entries to their places. Grid: a block a step, of all runs; dynamic shared memory: two 16-bit numbers a
/// place, and 128.
template <class Key, class Element>
CUGRB_KERNEL(256)
void csb_fill(CsbFillArguments a) {
  CUGRB_DYNAMIC_SHARED(uint16_t, memory);
  CUGRB_SHARED(uint32_t, entries, 1);
  const uint64_t step = block_index(), number = last_start_at_most(a.first_steps, 0, a.run_count, step);
  const CsbRun run = a.runs[number];
  const uint64_t from = (uint64_t(a.most_steps[number]) + (step - a.first_steps[number])) * a.step_places;
  const Key* keys = static_cast<const Key*>(a.keys) + run.first;
  const uint64_t column_mask = (uint64_t(1) << a.column_bits) - 1;
  const auto column_of = [&](uint32_t entry) {
    return uint32_t(uint64_t(keys[a.chosen[from + entry]]) & column_mask);
  };
  const csb_filling filling{memory, memory + a.step_places};
  uint16_t* const waiting = filling.order + a.step_places;
  if (thread_index() == 0) entries[0] = 0;
  for (uint32_t k = thread_index(); k < a.step_places; k += 256) {
    filling.slots[k] = a.slots[from + k];
    filling.order[k] = uint16_t(k);
  }
  sync_block();
  // Chunks that ended early have places without entries: such a step stays as it is.
  bool gap = false;
  for (uint32_t k = thread_index(); k < a.step_places; k += 256) {
    gap = gap || (k > 0 && filling.slots[k] != no_csb_slot && filling.slots[k - 1] == no_csb_slot);
  }
  if (a.bank_shift < 3 && sync_block_or(gap) == 0) {
    for (uint32_t k = thread_index(); k < a.step_places; k += 256) {
      const bool last = k + 1 == a.step_places || filling.slots[k + 1] == no_csb_slot;
      if (last && filling.slots[k] != no_csb_slot) entries[0] = k + 1;
    }
    sync_block();
    if (thread_index() < 32)
      spread_over_banks(filling.slots, entries[0], a.bank_shift, filling.order, waiting);
    sync_block();
  }
  // Nor can it move where a chunk's columns would not be counted from one base.
  bool far = false;
  for (uint32_t chunk = thread_index() / 32; chunk < a.step_places / csb_chunk; chunk += 8) {
    uint32_t least, most;
    filling.bounds_of_chunk(chunk, column_of, least, most);
    far = far || (least <= most && most - least > 0xffffu);
  }
  if (sync_block_or(far) != 0) {
    for (uint32_t k = thread_index(); k < a.step_places; k += 256) filling.order[k] = uint16_t(k);
    sync_block();
  }
  for (uint32_t chunk = thread_index() / 32; chunk < a.step_places / csb_chunk; chunk += 8) {
    uint32_t least, most;
    filling.bounds_of_chunk(chunk, column_of, least, most);
    const uint32_t base = least <= most ? least : 0;
    for (uint32_t n = 0; n < csb_chunk; n += 32) {
      const uint32_t order = chunk * csb_chunk + n + lane_index(), entry = filling.order[order];
      const uint64_t place = csb_place(step * a.step_places + order);
      const uint32_t slot = filling.slots[entry];
      if (order % csb_chunk == 0) a.bases[place / csb_chunk] = base;
      a.entries[place] = slot << 16;
      if (slot == no_csb_slot) continue;
      a.entries[place] = slot << 16 | (column_of(entry) - base);
      move_element<Element>(
          a.values, place, a.matrix.values,
          a.payload[run.first + a.chosen[from + entry]] & ((uint64_t(1) << csb_position_bits) - 1));
    }
  }
}

}  // namespace cugrb
