// CSR to TILE-COO: which tile an entry belongs to, and a part's entries in their order.
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/views/tile_coo.h"

namespace cugrb {

/// One thread an entry.
template <class Column>
CUGRB_KERNEL(256)
void tile_coo_parts(TileCooBuildArguments a) {
  const uint64_t p = global_thread();
  if (p >= a.matrix.entries) return;
  const uint32_t tile = a.places[static_cast<const Column*>(a.matrix.columns)[p]] / a.tile_columns;
  a.parts[p] = tile < a.tiles ? tile : a.tiles;
  a.positions[p] = p;
}

/// Rows, columns (`in_tile`: their ranks, 32 bits; else as in the matrix) and, unless Element is void, values
/// of one part. One thread an entry.
template <class Column, class Element, bool in_tile>
CUGRB_KERNEL(256)
void tile_coo_entries(TileCooBuildArguments a) {
  const uint64_t q = global_thread();
  if (q >= a.entries) return;
  const uint64_t p = a.sorted[q];
  const Column column = static_cast<const Column*>(a.matrix.columns)[p];
  a.part_rows[q] = a.rows[p];
  if constexpr (in_tile) {
    static_cast<uint32_t*>(a.part_columns)[q] = a.places[column];
  } else {
    static_cast<Column*>(a.part_columns)[q] = column;
  }
  if constexpr (!is_same<Element, void>) {
    static_cast<Element*>(a.part_values)[q] = static_cast<const Element*>(a.matrix.values)[p];
  }
}

}  // namespace cugrb
