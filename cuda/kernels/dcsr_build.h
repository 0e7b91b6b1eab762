// CSR to dynamic CSR and back (which is the defragmentation: segments put together, slack left out).
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/kernels/dcsr_position.h"
#include "cuda/kernels/lists.h"
#include "cuda/kernels/move_element.h"
#include "cuda/kernels/segments.h"

namespace cugrb {

/// Which row a record is of.
struct every_row {
  static CUGRB_DEVICE uint64_t at(const void*, uint64_t record) { return record; }
};
template <class Row>
struct rows_listed {
  static CUGRB_DEVICE uint64_t at(const void* rows, uint64_t record) {
    return uint64_t(static_cast<const Row*>(rows)[record]);
  }
};

/// Entries of a row of `length` in each of its first used - 1 segments; the last holds the rest.
CUGRB_DEVICE uint64_t dcsr_share(uint64_t length, uint64_t used) { return (length + used - 1) / used; }

/// begins[s * rows + r] = positions of segment s of record r: its share of the entries; the last also the
/// slack, and `width` at least.
/// One thread a segment.
template <class From, class Offset>
CUGRB_KERNEL(256)
void dcsr_capacities(DcsrBuildArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.used * a.csr.rows) return;
  const uint64_t s = n / a.csr.rows, i = n % a.csr.rows;
  const From* offsets = static_cast<const From*>(a.csr.offsets);
  const uint64_t length = uint64_t(offsets[i + 1]) - uint64_t(offsets[i]), share = dcsr_share(length, a.used);
  const uint64_t before = s * share < length ? s * share : length;
  const uint64_t entries = length - before < share ? length - before : share;
  const uint64_t last = entries + a.slack > a.width ? entries + a.slack : a.width;
  static_cast<Offset*>(a.begins)[n] = Offset(s + 1 == a.used ? last : entries);
}

/// tile_rows[t]: the row that has the first entry of tile t; behind those of all tiles, the last row with
/// entries. In place of a search by each tile, whose loads would wait for each other. Of row i, which has the
/// entries begin to end.
CUGRB_DEVICE void dcsr_store_tiles(const DcsrBuildArguments& a, uint64_t i, uint64_t begin, uint64_t end) {
  if (begin == end) return;
  uint64_t t = (begin + a.tile_entries - 1) / a.tile_entries;
  for (; t * a.tile_entries < end; ++t) a.tile_rows[t] = i;
  if (end == a.csr.entries) a.tile_rows[(end + a.tile_entries - 1) / a.tile_entries] = i;
}

/// The same of all rows. One thread a row.
template <class From>
CUGRB_KERNEL(256)
void dcsr_tile_starts(DcsrBuildArguments a) {
  const uint64_t i = global_thread();
  const From* offsets = static_cast<const From*>(a.csr.offsets);
  if (i < a.csr.rows) dcsr_store_tiles(a, i, uint64_t(offsets[i]), uint64_t(offsets[i + 1]));
}

/// An element of the table, which is stored at once.
template <class Offset>
struct alignas(2 * sizeof(Offset)) dcsr_segment {
  Offset begin, end;
};

/// The table and the sizes, from the summed capacities; `single`: of one segment a row that has no least
/// width, whose place follows from the offsets. Slots beyond `used` are zeros. Where it is asked for also the
/// rows of tiles. One thread a record, of the rows that Rows tells.
template <class From, class Offset, class Rows, bool single>
CUGRB_KERNEL(256)
void dcsr_segments(DcsrBuildArguments a) {
  const uint64_t r = global_thread();
  if (r >= a.csr.rows) return;
  const uint64_t i = Rows::at(a.order, r);
  const From* offsets = static_cast<const From*>(a.csr.offsets);
  const Offset* begins = static_cast<const Offset*>(a.begins);
  static_cast<Offset*>(a.dcsr.sizes)[i] = Offset(offsets[r + 1] - offsets[r]);
  if (a.tile_rows != nullptr) dcsr_store_tiles(a, r, uint64_t(offsets[r]), uint64_t(offsets[r + 1]));
  for (uint64_t s = 0; s < a.dcsr.slots; ++s) {
    // What is zero does not depend on the row: it is written in order.
    const uint64_t place = s < a.used ? i : r;
    dcsr_segment<Offset> segment{0, 0};
    if (single && s == 0) {
      segment.begin = Offset(uint64_t(offsets[r]) + r * a.slack);
      segment.end = Offset(uint64_t(offsets[r + 1]) + (r + 1) * a.slack);
    } else if (!single && s < a.used) {
      segment.begin = begins[s * a.csr.rows + r];
      segment.end = begins[s * a.csr.rows + r + 1];
    }
    if (single && s == 0 && a.starts != nullptr) {
      static_cast<Offset*>(a.starts)[r] = segment.begin;
      if (r + 1 == a.csr.rows) static_cast<Offset*>(a.starts)[r + 1] = segment.end;
    }
    static_cast<dcsr_segment<Offset>*>(a.dcsr.segments)[place + s * (a.dcsr.pitch / 2)] = segment;
  }
}

/// Where the first segment of each record's row begins. One thread a record.
template <class Offset, class Rows>
CUGRB_KERNEL(256)
void dcsr_begins(DcsrBuildArguments a) {
  const uint64_t r = global_thread();
  if (r >= a.dcsr.rows) return;
  static_cast<Offset*>(a.begins)[r] = static_cast<const Offset*>(a.dcsr.segments)[2 * Rows::at(a.order, r)];
}

/// Lists the rows with entries beyond the positions that they were laid out with, in no order. One thread a
/// row.
template <class Offset>
CUGRB_KERNEL(256)
void dcsr_list_rest(DcsrRestArguments a) {
  const uint64_t i = global_thread();
  uint64_t rest = 0;
  if (i < a.rows) {
    const Offset* const starts = static_cast<const Offset*>(a.starts) + i;
    const uint64_t size = static_cast<const Offset*>(a.sizes)[i],
                   room = uint64_t(starts[1]) - uint64_t(starts[0]);
    rest = size > room ? size - room : 0;
  }
  const bool by_lanes = rest > 0 && rest <= a.longest_by_lanes, by_block = rest > a.longest_by_warp;
  const bool by_warp = rest > a.longest_by_lanes && !by_block;
  uint64_t* const rows = a.listed + 3;
  const uint64_t of_lanes = next_in_list(a.listed, by_lanes), of_warps = next_in_list(a.listed + 1, by_warp);
  const uint64_t of_blocks = next_in_list(a.listed + 2, by_block);
  if (by_lanes) rows[of_lanes] = i;
  if (by_warp) rows[a.rows - 1 - of_warps] = i;
  if (by_block) rows[a.rows + of_blocks] = i;
}

/// Lists the records with more entries than `longest_by_lane` for each of their lanes, in no order. One
/// thread a record.
template <class Offset, class Rows>
CUGRB_KERNEL(256)
void dcsr_long_rows(DcsrLongArguments a) {
  const uint64_t r = global_thread();
  if (r >= a.records) return;
  uint64_t lanes = a.lanes;
  for (const uint64_t start : a.starts) lanes *= r >= start ? 2 : 1;
  const uint64_t size = static_cast<const Offset*>(a.sizes)[Rows::at(a.rows, r)];
  if (size > a.longest_by_lane * lanes) a.long_rows[1 + atomic_add(a.long_rows, uint64_t(1))] = r;
}

/// Marks the rows that are the column of an entry. One thread an entry.
template <class Column>
CUGRB_KERNEL(256)
void dcsr_name_rows(DcsrNamedArguments a) {
  const uint64_t e = global_thread();
  if (e < a.entries) relaxed_store(a.named + static_cast<const Column*>(a.columns)[e], uint8_t(1));
}

/// Entries of the rows that are marked, 0 for the others. One thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void dcsr_named_lengths(DcsrNamedArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.dcsr.rows) return;
  static_cast<Offset*>(a.lengths)[i] =
      a.named[i] != 0 ? static_cast<const Offset*>(a.dcsr.sizes)[i] : Offset(0);
}

/// offsets[k] = entries of row list[k]: a sum makes offsets of them. One thread a listed row.
template <class Offset, class Out, class Row>
CUGRB_KERNEL(256)
void dcsr_listed_lengths(DcsrListArguments a) {
  const uint64_t k = global_thread();
  if (k >= a.listed) return;
  const uint64_t i = rows_listed<Row>::at(a.list, k);
  static_cast<Out*>(a.offsets)[k] = Out(static_cast<const Offset*>(a.dcsr.sizes)[i]);
}

/// The entries of the listed rows, one row after another, by column. Grid: one block for each tile of entries
/// of the result.
template <class Offset, class Column, class Out, class Element, bool merges>
CUGRB_KERNEL(EntryTile::threads)
void dcsr_listed_entries(DcsrListArguments a) {
  const uint64_t begin = tile_begin(), end = tile_end(a.entries);
  const Out* const offsets = static_cast<const Out*>(a.offsets);
  const tile_segments<Out> rows = segments_of_tile(offsets, a.listed, begin, end);
  for (uint64_t p = begin + thread_index(); p < end; p += EntryTile::threads) {
    const uint64_t k = rows.of_item(p), i = rows_listed<uint64_t>::at(a.list, k);
    const uint64_t n = p - uint64_t(offsets[k]);
    const dcsr_places<Offset> position(a.dcsr, i);
    const uint64_t q = position(n);
    const Column column = static_cast<const Column*>(a.dcsr.columns)[q];
    const uint64_t place = uint64_t(offsets[k]) + (merges ? position.template rank<Column>(n, column) : n);
    static_cast<Column*>(a.columns)[place] = column;
    move_element<Element>(a.values, place, a.dcsr.values, q);
  }
}

/// Columns of [from, from + count) below `wanted`, in an order that ascends. In shared memory.
template <class Column>
CUGRB_DEVICE unsigned columns_below(const Column* from, unsigned count, Column wanted) {
  unsigned low = 0;
  while (low < count) {
    const unsigned middle = (low + count) / 2;
    if (from[middle] < wanted) {
      low = middle + 1;
    } else {
      count = middle;
    }
  }
  return low;
}

/// The last record of `count` that begins at the item or before. In shared memory.
template <class From>
CUGRB_DEVICE unsigned tile_record(const From* starts, unsigned count, From item) {
  unsigned low = 0;
  while (count - low > 1) {
    const unsigned middle = (low + count) / 2;
    if (starts[middle] <= item) {
      low = middle;
    } else {
      count = middle;
    }
  }
  return low;
}

/// Of a tile's records, in shared memory: where the entries of their rows lie.
template <class Offset, class Rows, bool merges>
struct dcsr_tile_rows {
  static constexpr Offset elsewhere = Offset(~Offset(0));  ///< not in one piece: entries look the table up

  Offset* begins;   ///< position of the first run; elsewhere
  Offset* seconds;  ///< position of the second run, where there is one; elsewhere
  uint32_t* mains;  ///< entries of the first run, where its begin is known

  /// By all threads of a block; `count` records from `first` on.
  CUGRB_DEVICE void load(const DcsrView& dcsr, const void* order, uint64_t first, unsigned count) const {
    const Offset* segments = static_cast<const Offset*>(dcsr.segments);
    const Offset* sizes = static_cast<const Offset*>(dcsr.sizes);
    for (unsigned s = thread_index(); s < count; s += DcsrTile::threads) {
      const uint64_t i = Rows::at(order, first + s);
      const Offset size = sizes[i], begin = segments[2 * i], capacity = segments[2 * i + 1] - begin;
      const Offset main = merges ? static_cast<const Offset*>(dcsr.mains)[i] : size;
      const bool known = main <= capacity && uint64_t(main) < uint64_t(~uint32_t(0));
      begins[s] = known ? begin : elsewhere;
      mains[s] = uint32_t(main);
      if constexpr (merges) {
        seconds[s] = elsewhere;
        if (size == main) continue;
        const dcsr_places<Offset> places(dcsr, i);
        if (places.are_together(main, size)) seconds[s] = Offset(places(main));
      }
    }
    sync_block();
  }
  /// Of entry n of record s; a record whose row has to be looked up gives `elsewhere`.
  CUGRB_DEVICE Offset position(unsigned s, uint64_t n) const {
    if (begins[s] == elsewhere) return elsewhere;
    if (!merges || n < mains[s]) return Offset(begins[s] + n);
    return seconds[s] == elsewhere ? elsewhere : Offset(seconds[s] + (n - mains[s]));
  }
  /// Of record s, of `size` entries.
  CUGRB_DEVICE bool is_known(unsigned s, uint64_t size) const {
    return begins[s] != elsewhere && (size == mains[s] || seconds[s] != elsewhere);
  }
  /// Rank in its row of entry n of record s, of `size` entries, whose columns are in shared memory: before it
  /// come those of the other run that have lower columns.
  template <class Column>
  CUGRB_DEVICE unsigned rank(const Column* columns, unsigned s, unsigned n, unsigned size) const {
    const unsigned main = mains[s];
    if (n < main) return n + columns_below(columns + main, size - main, columns[n]);
    return n - main + columns_below(columns, main, columns[n]);
  }
  /// The same where other tiles have some of them. The record is known.
  template <class Column>
  CUGRB_DEVICE uint64_t far_rank(const Column* columns, unsigned s, uint64_t n, uint64_t size,
                                 Column column) const {
    const uint64_t main = mains[s];
    if (n >= main) return n - main + lower_bound(columns + begins[s], 0, main, uint64_t(column));
    return n + (size == main ? 0 : lower_bound(columns + seconds[s], 0, size - main, uint64_t(column)));
  }
};

/// Blocks on a multiprocessor, whose registers suffice for what is under way.
template <class Offset, class Column, class Element>
constexpr int dcsr_blocks_at_once = sizeof(Offset) + sizeof(Column) + sizeof(element_under_way<Element>) > 12
                                        ? 2
                                        : 3;

/// Moves every entry between CSR and the segments. Out of them they go to where `begins` has their record;
/// without it to the CSR's place, and `slack` positions further for each record before. `merges`: rows lie in
/// two runs, which become one; a tile's columns are in shared memory then, where most searches find all that
/// they look at. Grid: one block for each tile of entries.
template <class From, class Offset, class Column, class Element, class Rows, bool to_segments, bool merges>
CUGRB_KERNEL_RESIDENT(DcsrTile::threads, (dcsr_blocks_at_once<Offset, Column, Element>))
void dcsr_entries(DcsrBuildArguments a) {
  using TileRows = dcsr_tile_rows<Offset, Rows, merges>;
  constexpr unsigned capacity = 1024, items = DcsrTile::entries / DcsrTile::threads;
  CUGRB_SHARED(From, row_starts, capacity);
  CUGRB_SHARED(Offset, row_begins, capacity);
  CUGRB_SHARED(Offset, row_seconds, (merges ? capacity : 1));
  CUGRB_SHARED(uint32_t, row_mains, capacity);
  CUGRB_SHARED(Column, tile_columns, (merges ? DcsrTile::entries : 1));
  using Place = decltype(From() + Offset());
  const Place begin = Place(block_index()) * DcsrTile::entries;
  const Place rest = Place(a.csr.entries) - begin, end = rest < DcsrTile::entries ? rest : DcsrTile::entries;
  const From* const offsets = static_cast<const From*>(a.csr.offsets);
  const uint64_t first = a.tile_rows[block_index()], count = a.tile_rows[block_index() + 1] - first + 1;
  const bool loaded = count <= capacity;
  const From* const starts = loaded ? row_starts : offsets + first;
  const TileRows tile_rows{row_begins, row_seconds, row_mains};
  if (loaded) {
    for (unsigned s = thread_index(); s < count; s += DcsrTile::threads) row_starts[s] = offsets[first + s];
    tile_rows.load(a.dcsr, a.order, first, unsigned(count));
  }
  // All loads of a thread come before its first search and store, so that they are under way together.
  Place places[to_segments ? items : 1];
  unsigned owners[to_segments ? 1 : items];
  element_under_way<Column> columns[items];
  element_under_way<Element> values[items];
#pragma unroll
  for (unsigned k = 0; k < items; ++k) {
    const unsigned item = k * DcsrTile::threads + thread_index();
    if (item >= end) continue;
    const Place p = begin + item;
    const unsigned s = loaded ? tile_record(row_starts, unsigned(count), From(p))
                              : unsigned(last_start_at_most(starts, 0, count, p));
    const Place n = p - Place(starts[s]);
    Place q = loaded ? Place(tile_rows.position(s, n)) : Place(TileRows::elsewhere);
    if (q == Place(TileRows::elsewhere))
      q = Place(dcsr_places<Offset>(a.dcsr, Rows::at(a.order, first + s))(n));
    if constexpr (to_segments) {
      places[k] = q;
    } else {
      owners[k] = s;
    }
    columns[k].load(to_segments ? a.csr.columns : a.dcsr.columns, to_segments ? p : q);
    values[k].load(to_segments ? a.csr.values : a.dcsr.values, to_segments ? p : q);
  }
  if constexpr (merges) {
#pragma unroll
    for (unsigned k = 0; k < items; ++k) {
      const unsigned item = k * DcsrTile::threads + thread_index();
      if (item < end) tile_columns[item] = columns[k].value;
    }
    sync_block();
  }
#pragma unroll
  for (unsigned k = 0; k < items; ++k) {
    const unsigned item = k * DcsrTile::threads + thread_index();
    if (item >= end) continue;
    if constexpr (merges) columns[k].value = tile_columns[item];  // it need not stay in a register
    Place to = 0;
    if constexpr (to_segments) {
      to = places[k];
    } else {
      const unsigned s = owners[k];
      const uint64_t r = first + s;
      const Place start = starts[s], n = begin + item - start;
      to = n;
      if constexpr (merges) {
        const Place size = Place(s + 1 < count ? starts[s + 1] : offsets[r + 1]) - start;
        if (!loaded || !tile_rows.is_known(s, size)) {
          to = Place(
              dcsr_places<Offset>(a.dcsr, Rows::at(a.order, r)).template rank<Column>(n, columns[k].value));
        } else if (start >= begin && start - begin + size <= end) {
          to = tile_rows.rank(tile_columns + (start - begin), s, unsigned(n), unsigned(size));
        } else {
          to = Place(
              tile_rows.far_rank(static_cast<const Column*>(a.dcsr.columns), s, n, size, columns[k].value));
        }
      }
      const Offset* const begins = static_cast<const Offset*>(a.begins);
      to += begins == nullptr ? Place(start + r * a.slack) : Place(begins[r]);
    }
    columns[k].store(const_cast<void*>(to_segments ? a.dcsr.columns : a.csr.columns), to);
    values[k].store(const_cast<void*>(to_segments ? a.dcsr.values : a.csr.values), to);
  }
}

}  // namespace cugrb
