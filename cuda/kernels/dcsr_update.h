// Changes of single entries of a dynamic CSR, where it lies: values in place, removals by closing the gaps of
// their rows, new entries into the rows' slack or into a segment that one atomic addition allocates. After
// "Efficient SpMM using Dynamic-CSR on GPUs", section 3.1. A row's entries are two runs of ascending columns:
// those that the last defragmentation left, and those that have come since, into which new ones are merged.
#pragma once
#include "cuda/kernels/dcsr_position.h"
#include "cuda/kernels/lists.h"
#include "cuda/kernels/look_back.h"
#include "cuda/kernels/segments.h"
#include "cuda/kernels/teams.h"
#include "cuda/kernels/update_values.h"
#include "cuda/views/dcsr_update.h"

namespace cugrb {

/// Whether update b finds its entry, and where; true where it adds one.
template <class Offset, class Column, class Row>
CUGRB_DEVICE bool dcsr_find_one(const DcsrUpdateArguments& a, uint64_t b) {
  const uint64_t row = static_cast<const Row*>(a.rows)[b], column = static_cast<const Column*>(a.columns)[b];
  const uint64_t size = static_cast<const Offset*>(a.dcsr.sizes)[row];
  const uint64_t main = static_cast<const Offset*>(a.dcsr.mains)[row];
  const dcsr_places<Offset> places(a.dcsr, row);
  uint64_t n = places.template lower_bound<Column>(0, main, column), end = main;
  bool there = n < end && places.template column<Column>(n) == column;
  if (!there) {
    n = places.template lower_bound<Column>(main, size, column), end = size;
    there = n < end && places.template column<Column>(n) == column;
  }
  const bool removes = a.removes != nullptr && a.removes[b] != 0;
  a.places[b] = there ? places(n) : 0;
  a.kinds[b] = uint8_t((there ? dcsr_update_there : 0) | (removes ? dcsr_update_removes : 0));
  return !there && !removes;
}

/// What each update finds, where one block surveys them afterwards. One thread an update.
template <class Offset, class Column, class Row>
CUGRB_KERNEL_RESIDENT(256, 4)
void dcsr_find(DcsrUpdateArguments a) {
  wait_for_earlier_kernels();
  const uint64_t b = global_thread();
  if (b < a.count) dcsr_find_one<Offset, Column, Row>(a, b);
}

/// The same with the new entries before each update, by a prefix sum over the tiles of the launch. Blocks of
/// 256 threads, one thread an update.
template <class Offset, class Column, class Row>
CUGRB_KERNEL(256)
void dcsr_find_and_sum(DcsrUpdateArguments a) {
  wait_for_earlier_kernels();
  CUGRB_SHARED(sums_of_warps, sums, 1);
  CUGRB_SHARED(uint64_t, before_tile, 1);
  const uint64_t tile = take_tile(a.tiles), b = tile * 256 + thread_index();
  const bool adds = b < a.count && dcsr_find_one<Offset, Column, Row>(a, b);
  if (b < a.count && a.kinds[b] == (dcsr_update_there | dcsr_update_removes))
    atomic_add(&a.state->removed, uint64_t(1));
  uint32_t of_tile = 0;
  const uint32_t in_tile = sum_before_thread(adds ? 1 : 0, sums, of_tile);
  if (thread_index() < warp_lanes) {
    const uint64_t sum = sum_before_tile(a.tiles + 1, tile, of_tile);
    if (lane_index() == 0) before_tile[0] = sum;
  }
  sync_block();
  if (b >= a.count) return;
  a.before[b] = before_tile[0] + in_tile;
  if (b + 1 == a.count) a.before[a.count] = a.state->added = before_tile[0] + of_tile;
}

/// Of a row: how many positions a segment for `more` entries must have; none where those that it has suffice.
/// `next`: the segment. What it has to spare grows with the row: rows of a power law that are long get most
/// of the entries to come, and would soon have all of their segments.
template <class Offset>
CUGRB_DEVICE uint64_t dcsr_needs(const DcsrView& dcsr, uint64_t row, uint64_t more, uint64_t slack,
                                 uint64_t& next) {
  uint64_t capacity = 0;
  next = 0;
  for (uint64_t s = 0; s < dcsr.slots; ++s) {
    const Offset* segment = static_cast<const Offset*>(dcsr.segments) + 2 * row + s * dcsr.pitch;
    if (segment[0] == segment[1]) continue;
    capacity += uint64_t(segment[1]) - uint64_t(segment[0]);
    next = s + 1;
  }
  const uint64_t size = static_cast<const Offset*>(dcsr.sizes)[row], needed = size + more;
  if (needed <= capacity) return 0;
  return needed - capacity + (size / 8 > slack ? size / 8 : slack);
}

/// Whether the updates of a row, from b up to `end`, remove an entry, for which the whole row is gone
/// through: of many it is not asked.
CUGRB_DEVICE bool dcsr_may_remove(const DcsrUpdateArguments& a, uint64_t b, uint64_t end) {
  if (a.removes == nullptr) return false;
  if (end - b > DcsrUpdateTeams::most_small) return true;
  bool removes = false;
  for (; b < end; ++b) removes = removes || a.kinds[b] == (dcsr_update_there | dcsr_update_removes);
  return removes;
}

/// Of update b, where there is one and it is the first of its row: lists the row, and adds up what it lacks.
/// All lanes of a warp call.
template <class Offset, class Row>
CUGRB_DEVICE void dcsr_demand_of(const DcsrUpdateArguments& a, uint64_t b) {
  const Row* rows = static_cast<const Row*>(a.rows);
  const bool heads = b < a.count && (b == 0 || rows[b - 1] != rows[b]);
  uint64_t work = 0, needs = 0, next = 0;
  if (heads) {
    const uint64_t row = rows[b], end = lower_bound(rows, b, a.count, row + 1);
    const uint64_t size = static_cast<const Offset*>(a.dcsr.sizes)[row];
    const uint64_t main = static_cast<const Offset*>(a.dcsr.mains)[row];
    work = end - b + (dcsr_may_remove(a, b, end) ? size : size - main);
    const uint64_t more = a.before[end] - a.before[b];
    if (more > 0) needs = dcsr_needs<Offset>(a.dcsr, row, more, a.slack, next);
  }
  const bool small = heads && work <= DcsrUpdateTeams::most_small;
  const bool heavy = work > DcsrUpdateTeams::most_light, light = heads && !small && !heavy;
  const uint64_t of_small = next_in_list(&a.state->small, small);
  const uint64_t of_light = next_in_list(&a.state->light, light);
  const uint64_t of_heavy = next_in_list(&a.state->heavy, heavy);
  if (small) a.heads[a.count + of_small] = b;
  if (light) a.heads[of_light] = b;
  if (heavy) a.heads[a.count - 1 - of_heavy] = b;
  if (needs == 0) return;
  atomic_add(&a.state->demand, needs);
  if (next == a.dcsr.slots) relaxed_store(&a.state->full, uint64_t(1));
}

/// The same of all updates. One thread an update.
template <class Offset, class Row>
CUGRB_KERNEL(256)
void dcsr_demand(DcsrUpdateArguments a) {
  wait_for_earlier_kernels();
  dcsr_demand_of<Offset, Row>(a, global_thread());
}

/// Of few updates, with the sum before it: one block in place of two launches and what is zeroed for them.
template <class Offset, class Row>
CUGRB_KERNEL(DcsrUpdateTeams::threads)
void dcsr_demand_of_few(DcsrUpdateArguments a) {
  wait_for_earlier_kernels();
  using team = block_team<DcsrUpdateTeams::threads>;
  uint64_t added = 0, removed = 0;
  for (uint64_t first = 0; first < a.count; first += team::lanes) {
    const uint64_t b = first + team::lane();
    const bool adds = b < a.count && a.kinds[b] == 0;
    const uint64_t before = added + team::rank(adds);
    if (b < a.count) a.before[b] = before;
    added += team::count(adds);
    removed += team::count(b < a.count && a.kinds[b] == (dcsr_update_there | dcsr_update_removes));
  }
  if (team::lane() == 0) {
    a.before[a.count] = added;
    *a.state = {};
    a.state->added = added;
    a.state->removed = removed;
  }
  team::sync();
  for (uint64_t first = 0; first < a.count; first += team::lanes)
    dcsr_demand_of<Offset, Row>(a, first + team::lane());
}

/// A segment for what a row lacks, which has the updates [begin, end). Lane 0 acts.
template <class Team, class Offset>
CUGRB_DEVICE void dcsr_allocate(const DcsrUpdateArguments& a, uint64_t row, uint64_t begin, uint64_t end) {
  const uint64_t more = a.before[end] - a.before[begin];
  uint64_t next = 0;
  if (Team::lane() == 0 && more > 0) {
    const uint64_t needs = dcsr_needs<Offset>(a.dcsr, row, more, a.slack, next);
    if (needs > 0) {
      const uint64_t from = a.used + atomic_add(&a.state->allocated, needs);
      Offset* segment = static_cast<Offset*>(a.dcsr.segments) + 2 * row + next * a.dcsr.pitch;
      segment[0] = Offset(from);
      segment[1] = Offset(from + needs);
    }
  }
  Team::sync();
}

/// A row with its updates [begin, end), in the hands of a team. Its segments are allocated.
template <class Team, class Offset, class Column, class Combine, bool iso_updates>
struct dcsr_row {
  const DcsrUpdateArguments& a;
  uint64_t row, begin, end, size, main;
  dcsr_places<Offset> position;

  CUGRB_DEVICE Column* columns() const { return static_cast<Column*>(a.dcsr.columns); }
  CUGRB_DEVICE const Column* update_columns() const { return static_cast<const Column*>(a.columns); }
  CUGRB_DEVICE void write(uint64_t n, Column column, const typename Combine::type& value) const {
    const uint64_t q = position(n);
    columns()[q] = column;
    Combine::store(a.dcsr.values, q, value);
  }

  /// Values of entries that are there. Whether an entry is to go.
  CUGRB_DEVICE bool set_values() const {
    bool removes = false;
    for (uint64_t b = begin + Team::lane(); b < end; b += Team::lanes) {
      if (a.kinds[b] == dcsr_update_there) {
        Combine::combine(a.dcsr.values, a.places[b], a.values, iso_updates ? 0 : b);
      }
      removes = removes || a.kinds[b] == (dcsr_update_there | dcsr_update_removes);
    }
    Team::sync();  // other lanes move them
    return Team::any(removes);
  }

  CUGRB_DEVICE bool goes(uint64_t column) const {
    const uint64_t b = lower_bound(update_columns(), begin, end, column);
    return b < end && uint64_t(update_columns()[b]) == column && (a.kinds[b] & dcsr_update_removes) != 0;
  }

  /// Closes the gaps of what goes, from the row's first entry on.
  CUGRB_DEVICE void remove() {
    uint64_t kept = 0, kept_main = 0;
    for (uint64_t first = 0; first < size; first += Team::lanes) {
      const uint64_t n = first + Team::lane();
      Column column = 0;
      typename Combine::type value{};
      bool keep = false;
      if (n < size) {
        const uint64_t q = position(n);
        column = columns()[q];
        value = Combine::load(a.dcsr.values, q);
        keep = !goes(column);
      }
      const unsigned rank = Team::rank(keep);
      Team::sync();  // all are read
      if (keep) write(kept + rank, column, value);
      kept += Team::count(keep);
      kept_main += Team::count(keep && n < main);
      Team::sync();
    }
    for (uint64_t n = kept + Team::lane(); n < size; n += Team::lanes)
      columns()[position(n)] = Column(~Column(0));
    size = kept;
    main = kept_main;
    Team::sync();
  }

  /// New entries that come before update b.
  CUGRB_DEVICE uint64_t new_before(uint64_t b) const { return a.before[b] - a.before[begin]; }

  /// Merges the new entries into the row's second run, which moves apart from its end on.
  CUGRB_DEVICE void insert() {
    for (uint64_t b = begin + Team::lane(); b < end; b += Team::lanes) {
      if (a.kinds[b] == 0) {
        a.places[b] = position.template lower_bound<Column>(main, size, update_columns()[b]);
      }
    }
    Team::sync();
    const uint64_t chunks = (size - main + Team::lanes - 1) / Team::lanes;
    for (uint64_t chunk = chunks; chunk > 0; --chunk) {
      const uint64_t n = main + (chunk - 1) * Team::lanes + Team::lane();
      Column column = 0;
      typename Combine::type value{};
      uint64_t shift = 0;
      if (n < size) {
        const uint64_t q = position(n);
        column = columns()[q];
        shift = new_before(lower_bound(update_columns(), begin, end, uint64_t(column)));
        if (shift > 0) value = Combine::load(a.dcsr.values, q);
      }
      Team::sync();
      if (shift > 0) write(n + shift, column, value);
      Team::sync();
      if (!Team::any(shift > 0)) break;  // nothing moves before it
    }
    for (uint64_t b = begin + Team::lane(); b < end; b += Team::lanes) {
      if (a.kinds[b] == 0) {
        write(a.places[b] + new_before(b), update_columns()[b], Combine::load(a.values, iso_updates ? 0 : b));
      }
    }
    size += new_before(end);
  }
};

/// The updates of the row whose first one is `begin`.
template <class Team, class Offset, class Column, class Row, class Combine, bool iso_updates>
CUGRB_DEVICE void apply_to_row(const DcsrUpdateArguments& a, uint64_t begin) {
  const Row* rows = static_cast<const Row*>(a.rows);
  const uint64_t row = rows[begin], end = lower_bound(rows, begin, a.count, row + 1);
  Offset* size = static_cast<Offset*>(a.dcsr.sizes) + row;
  Offset* main = static_cast<Offset*>(a.dcsr.mains) + row;
  dcsr_allocate<Team, Offset>(a, row, begin, end);
  dcsr_row<Team, Offset, Column, Combine, iso_updates> r{
      a, row, begin, end, *size, *main, dcsr_places<Offset>(a.dcsr, row)};
  if (r.set_values()) r.remove();
  if (r.new_before(end) > 0) r.insert();
  Team::sync();
  if (Team::lane() != 0) return;
  *size = Offset(r.size);
  *main = Offset(r.main);
}

/// Applies the updates of the listed rows, all in one launch: none of it has happened when that fails, nor
/// where they ask for more than `room` positions, or a row for more segments than it can have. Blocks take
/// heavy rows in turn, and their warps and parts of warps the others, from the blocks on that have no heavy
/// row.
template <class Offset, class Column, class Row, class Combine, bool iso_updates>
CUGRB_KERNEL_RESIDENT(DcsrUpdateTeams::threads, 2)
void dcsr_apply(DcsrUpdateArguments a) {
  wait_for_earlier_kernels();
  using teams = DcsrUpdateTeams;
  using team = block_team<teams::threads>;
  using part = part_of_warp_team<teams::lanes>;
  const uint64_t heavy = a.state->heavy, light = a.state->light, small = a.state->small;
  const uint64_t grid = grid_blocks();
  if (a.state->full != 0 || a.state->demand > a.room) return;
  for (uint64_t r = block_index(); r < heavy; r += grid) {
    apply_to_row<team, Offset, Column, Row, Combine, iso_updates>(a, a.heads[a.count - 1 - r]);
  }
  const uint64_t block = (block_index() + grid - heavy % grid) % grid;
  for (uint64_t r = block * teams::warps + thread_index() / warp_lanes; r < light; r += grid * teams::warps) {
    apply_to_row<warp_team, Offset, Column, Row, Combine, iso_updates>(a, a.heads[r]);
  }
  for (uint64_t r = block * teams::parts + thread_index() / teams::lanes; r < small;
       r += grid * teams::parts) {
    apply_to_row<part, Offset, Column, Row, Combine, iso_updates>(a, a.heads[a.count + r]);
  }
}

}  // namespace cugrb
