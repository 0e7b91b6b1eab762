// Ranges of rows and columns cut out of a matrix, tiles put together, a row put in another's place.
#pragma once
#include "cuda/kernels/move_element.h"
#include "cuda/kernels/mxm_operands.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/matrix_parts.h"

namespace cugrb {

/// Of ascending values in [low, high), where those from `from` on begin and where those from `to` on do. Both
/// searches wait for memory together.
template <class Value>
CUGRB_DEVICE void bounds_of(const Value* values, uint64_t low, uint64_t high, uint64_t from, uint64_t to,
                            uint64_t& first, uint64_t& last) {
  uint64_t end_of_first = high, end_of_last = high;
  first = last = low;
  while (first < end_of_first || last < end_of_last) {
    const bool searches_first = first < end_of_first, searches_last = last < end_of_last;
    const uint64_t middle = first + (end_of_first - first) / 2, other = last + (end_of_last - last) / 2;
    const bool below = searches_first && uint64_t(read_only(values + middle)) < from;
    const bool other_below = searches_last && uint64_t(read_only(values + other)) < to;
    if (searches_first) (below ? first : end_of_first) = below ? middle + 1 : middle;
    if (searches_last) (other_below ? last : end_of_last) = other_below ? other + 1 : other;
  }
}

/// offsets[i] = length of the part's row i: a sum makes offsets of them; begins[i]. Two binary searches in
/// the row. One thread a row of the part.
template <class Rows, class Offset>
CUGRB_KERNEL(256)
void part_lengths(MatrixPartArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.rows) return;
  const uint64_t row = a.row + i;
  uint64_t first = 0, last = 0;
  if (row < a.from.rows) {
    const uint64_t begin = row_begin<Rows>(a.from, row), end = row_begin<Rows>(a.from, row + 1);
    bounds_of(columns_of<Rows>(a.from), begin, end, a.column, a.column + a.columns, first, last);
  }
  static_cast<Offset*>(a.offsets)[i] = Offset(last - first);
  static_cast<typename Rows::Offset*>(a.begins)[i] = typename Rows::Offset(first);
}

/// How far behind the result's entries of a row those that they are copied from are: begins[row] - start.
template <class Rows>
struct part_distance {
  const void* begins;
  using Distance = typename Rows::Offset;
  CUGRB_DEVICE Distance operator()(uint64_t row, uint64_t start, uint64_t) const {
    return static_cast<const Distance*>(begins)[row] - Distance(start);
  }
};

/// Columns, counted from the part's first, and, unless `Element` is void, values. Grid: blocks that take
/// tiles of entries of the part.
template <class Rows, class Offset, class Column, class Element>
CUGRB_KERNEL_RESIDENT(EntryTile::threads, 6)
void part_entries(MatrixPartArguments a) {
  using Distance = typename part_distance<Rows>::Distance;
  for_moved_tiles(static_cast<const Offset*>(a.offsets), a.rows, a.entries, part_distance<Rows>{a.begins},
                  [&](const auto& tile) {
                    typename Rows::Column columns[moved_at_once];
                    element_under_way<Element> values[moved_at_once];
                    move_entries(
                        tile,
                        [&](unsigned k, unsigned n) {
                          const uint64_t p = Distance(Distance(tile.begin) + n + tile.of_item(n).known);
                          columns[k] = columns_of<Rows>(a.from)[p];
                          values[k].load(a.from.values, p);
                        },
                        [&](unsigned k, unsigned n) {
                          static_cast<Column*>(a.out_columns)[tile.begin + n] =
                              Column(uint64_t(columns[k]) - a.column);
                          values[k].store(a.out_values, tile.begin + n);
                        });
                  });
}

/// Adds the lengths of the tile's rows to those of the whole. One thread a row of the tile; tiles that share
/// rows come one after another.
template <class Rows, class Offset>
CUGRB_KERNEL(256)
void tile_lengths(MatrixTileArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.tile.rows) return;
  Offset* const length = static_cast<Offset*>(a.offsets) + a.row + i;
  static_cast<Offset*>(a.before)[i] = *length;
  *length += Offset(row_begin<Rows>(a.tile, i + 1) - row_begin<Rows>(a.tile, i));
}

/// How far behind a tile's entries of a row they are in the whole.
template <class Offset>
struct tile_distance {
  const Offset *offsets, *before;  ///< of the tile's rows
  CUGRB_DEVICE Offset operator()(uint64_t row, uint64_t start, uint64_t) const {
    return Offset(offsets[row] + before[row] - Offset(start));
  }
};

/// The tile's columns and, unless `Element` is void, values, into the whole. `iso`: of the tile. Grid: blocks
/// that take tiles of entries of the tile. (Wide rows take more registers.)
template <class Rows, class Offset, class Column, class Element, bool iso>
CUGRB_KERNEL_RESIDENT(EntryTile::threads, (sizeof(typename Rows::Column) == 8 ? 4 : 6))
void tile_entries(MatrixTileArguments a) {
  const tile_distance<Offset> distance = {static_cast<const Offset*>(a.offsets) + a.row,
                                          static_cast<const Offset*>(a.before)};
  for_moved_tiles(static_cast<const typename Rows::Offset*>(a.tile.offsets), a.tile.rows, a.tile.entries,
                  distance, [&](const auto& tile) {
                    Offset places[moved_at_once];
                    typename Rows::Column columns[moved_at_once];
                    element_under_way<Element> values[moved_at_once];
                    move_entries(
                        tile,
                        [&](unsigned k, unsigned n) {
                          places[k] = Offset(Offset(tile.begin) + n + tile.of_item(n).known);
                          columns[k] = columns_of<Rows>(a.tile)[tile.begin + n];
                          values[k].load(a.tile.values, iso ? 0 : tile.begin + n);
                        },
                        [&](unsigned k, unsigned) {
                          static_cast<Column*>(a.out_columns)[places[k]] =
                              Column(uint64_t(columns[k]) + a.column);
                          values[k].store(a.out_values, places[k]);
                        });
                  });
}

/// One thread for each of rows + 1.
template <class Rows, class Offset>
CUGRB_KERNEL(256)
void line_offsets(MatrixLineOffsetsArguments a) {
  const uint64_t i = global_thread();
  if (i > a.from.rows) return;
  const uint64_t offset = row_begin<Rows>(a.from, i);
  const uint64_t old = row_begin<Rows>(a.from, a.row + 1) - row_begin<Rows>(a.from, a.row);
  static_cast<Offset*>(a.offsets)[i] = Offset(i <= a.row ? offset : offset - old + a.length);
}

}  // namespace cugrb
