// The entries of a dynamic CSR that an operator selects, as a CSR: read from the segments. And a column.
//
// To select, a first launch goes over all entries, a tile each block, and keeps a bit for each. With the sums
// of the tiles before, the bits tell how many kept entries come before any place. A row is two runs of
// ascending columns: so an entry's place in the result is the number of kept ones before it in its own run,
// and of those in the other run that have lower columns, which one binary search finds.
#pragma once
#include "cuda/kernels/dcsr_build.h"
#include "cuda/kernels/look_back.h"
#include "cuda/kernels/matrix_elementwise.h"
#include "cuda/views/dcsr_select.h"

namespace cugrb {

constexpr unsigned kept_words = DcsrTile::entries / 32;  ///< of a tile
constexpr unsigned select_items = DcsrTile::entries / DcsrTile::threads;

/// Of the entries before the p-th, those that are kept.
CUGRB_DEVICE uint64_t kept_before(const DcsrSelectArguments& a, uint64_t p) {
  const uint64_t tile = p / DcsrTile::entries;
  const uint64_t before = read_only(a.before + tile);
  if (p % DcsrTile::entries == 0) return before;
  const KeptWord word = a.kept[p / 32];
  return before + word.before + unsigned(count_bits(word.bits & ((1u << p % 32) - 1)));
}

/// The rows of a tile, in shared memory where they fit it.
template <class Offset, bool merges>
struct select_tile {
  static constexpr unsigned capacity = 1024;
  const Offset* starts;  ///< the entries before each, from the first one on
  uint64_t first, count;
  bool loaded;
  dcsr_tile_rows<Offset, every_row, merges> rows;

  /// By all threads of a block, which passes a barrier.
  CUGRB_DEVICE void load(const DcsrSelectArguments& a, uint64_t tile) {
    CUGRB_SHARED(Offset, row_starts, capacity);
    CUGRB_SHARED(Offset, row_begins, capacity);
    CUGRB_SHARED(Offset, row_seconds, (merges ? capacity : 1));
    CUGRB_SHARED(uint32_t, row_mains, capacity);
    const Offset* const offsets = static_cast<const Offset*>(a.offsets);
    first = a.tile_rows[tile], count = a.tile_rows[tile + 1] - first + 1;
    loaded = count <= capacity;
    starts = loaded ? row_starts : offsets + first;
    rows.begins = row_begins, rows.seconds = row_seconds, rows.mains = row_mains;
    if (!loaded) return;
    for (unsigned s = thread_index(); s < count; s += DcsrTile::threads) row_starts[s] = offsets[first + s];
    rows.load(a.dcsr, nullptr, first, unsigned(count));
  }
  /// The record of an entry, counted from the first.
  CUGRB_DEVICE uint64_t record(uint64_t p) const {
    return loaded ? tile_record(starts, unsigned(count), Offset(p)) : last_start_at_most(starts, 0, count, p);
  }
  /// Where entry n of record s lies.
  CUGRB_DEVICE uint64_t position(const DcsrView& dcsr, uint64_t s, uint64_t n) const {
    const Offset known = loaded ? rows.position(unsigned(s), n) : rows.elsewhere;
    return known != rows.elsewhere ? uint64_t(known) : dcsr_places<Offset>(dcsr, first + s)(n);
  }
};

/// Which entries op(A(i,j), i, j, thunk) keeps. Rows: csr_rows with the offsets, columns and the values that
/// Op reads; `flipped`: its rows are A's columns; `looks_at_columns`: Op does. Grid: a block for each tile.
template <class Op, class Rows, bool flipped, bool looks_at_columns, bool merges>
CUGRB_KERNEL(DcsrTile::threads)
void dcsr_keep(DcsrSelectArguments a) {
  using Offset = typename Rows::Offset;
  CUGRB_SHARED(uint32_t, words, kept_words);
  const uint64_t number = take_tile(a.tiles), begin = number * DcsrTile::entries;
  select_tile<Offset, merges> tile;
  tile.load(a, number);
  CsrView view;
  view.values = a.dcsr.values;
#pragma unroll
  for (unsigned k = 0; k < select_items; ++k) {
    const unsigned place = k * DcsrTile::threads + thread_index();
    const uint64_t p = begin + place;
    bool keeps = false;
    if (p < a.entries) {
      const uint64_t s = tile.record(p), q = tile.position(a.dcsr, s, p - uint64_t(tile.starts[s]));
      const uint64_t j = looks_at_columns ? static_cast<const typename Rows::Column*>(a.dcsr.columns)[q] : 0;
      keeps = cast<bool>(entry_function<Op, Rows, flipped, false>::at(view, a.thunk, q, tile.first + s, j));
    }
    const unsigned bits = ballot(full_warp, keeps);
    if (lane_index() == 0) words[place / 32] = bits;
  }
  sync_block();
  if (thread_index() >= warp_lanes) return;
  static_assert(kept_words == 2 * warp_lanes, "a lane has two words");
  const unsigned lane = lane_index();
  KeptWord pair[2];
  pair[0].bits = words[2 * lane], pair[1].bits = words[2 * lane + 1];
  const uint32_t first = uint32_t(count_bits(pair[0].bits)), own = first + uint32_t(count_bits(pair[1].bits));
  uint32_t sum = own;
  for (unsigned delta = 1; delta < warp_lanes; delta *= 2) {
    const uint32_t other = shuffle_up(full_warp, sum, delta);
    if (lane >= delta) sum += other;
  }
  pair[0].before = sum - own, pair[1].before = sum - own + first;
  KeptWord* const kept = a.kept + number * kept_words + 2 * lane;
  kept[0] = pair[0], kept[1] = pair[1];
  const uint32_t of_tile = shuffle(full_warp, sum, 31);
  const uint64_t before = sum_before_tile(a.tiles + 1, number, of_tile);
  if (lane != 0) return;
  a.before[number] = before;
  if (begin + DcsrTile::entries >= a.entries) a.before[number + 1] = before + of_tile;
}

/// The result's offsets. One thread a row, and one more.
template <class Offset, class Out>
CUGRB_KERNEL(256)
void dcsr_kept_offsets(DcsrSelectArguments a) {
  const uint64_t i = global_thread();
  if (i > a.dcsr.rows) return;
  static_cast<Out*>(a.new_offsets)[i] =
      Out(i < a.dcsr.rows ? kept_before(a, uint64_t(static_cast<const Offset*>(a.offsets)[i]))
                          : a.before[(a.entries + DcsrTile::entries - 1) / DcsrTile::entries]);
}

/// The result's columns and values. `merges`: rows lie in two runs. Grid: one block for each tile of entries.
template <class Offset, class Column, class Element, bool merges>
CUGRB_KERNEL_RESIDENT(DcsrTile::threads, (sizeof(Offset) + sizeof(Column) > 8 ? 1 : 2))
void dcsr_move_kept(DcsrSelectArguments a) {
  const uint64_t begin = uint64_t(block_index()) * DcsrTile::entries;
  if (a.before[block_index()] == a.before[block_index() + 1]) return;  // none is kept
  select_tile<Offset, merges> tile;
  tile.load(a, block_index());
  unsigned records[select_items];
  element_under_way<Column> columns[select_items];
  element_under_way<Element> values[select_items];
  bool keeps[select_items];
#pragma unroll
  for (unsigned k = 0; k < select_items; ++k) {
    const uint64_t p = begin + k * DcsrTile::threads + thread_index();
    keeps[k] = p < a.entries && (a.kept[p / 32].bits >> p % 32 & 1) != 0;
    if (!keeps[k]) continue;
    records[k] = unsigned(tile.record(p));
    const uint64_t q = tile.position(a.dcsr, records[k], p - uint64_t(tile.starts[records[k]]));
    columns[k].load(a.dcsr.columns, q);
    values[k].load(a.dcsr.values, q);
  }
#pragma unroll
  for (unsigned k = 0; k < select_items; ++k) {
    if (!keeps[k]) continue;
    const uint64_t p = begin + k * DcsrTile::threads + thread_index();
    uint64_t to = kept_before(a, p);
    if constexpr (merges) {
      const uint64_t i = tile.first + records[k], start = uint64_t(tile.starts[records[k]]);
      const uint64_t size = static_cast<const Offset*>(a.dcsr.sizes)[i];
      const uint64_t main = static_cast<const Offset*>(a.dcsr.mains)[i];
      if (main < size) {
        const bool first = p - start < main;
        const uint64_t other = dcsr_places<Offset>(a.dcsr, i).template lower_bound<Column>(
            first ? main : 0, first ? size : main, columns[k].value);
        to = to + kept_before(a, start + other) - kept_before(a, start + main);
      }
    }
    columns[k].store(a.columns, to);
    values[k].store(a.values, to);
  }
}

/// The entries of a column as a bitmap: two searches in each row. One thread a row.
template <class Offset, class Column, class Element>
CUGRB_KERNEL(256)
void dcsr_search_column(DcsrLineArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.dcsr.rows) return;
  const uint64_t size = static_cast<const Offset*>(a.dcsr.sizes)[i];
  const uint64_t main = a.dcsr.mains != nullptr ? static_cast<const Offset*>(a.dcsr.mains)[i] : size;
  const dcsr_places<Offset> places(a.dcsr, i);
  uint64_t n = places.template lower_bound<Column>(0, main, a.column), end = main;
  if (n == end || places.template column<Column>(n) != a.column)
    n = places.template lower_bound<Column>(main, size, a.column), end = size;
  const bool there = n < end && places.template column<Column>(n) == a.column;
  a.present[i] = there ? 1 : 0;
  if (there) move_element<Element>(a.values, i, a.dcsr.values, places(n));
}

}  // namespace cugrb
