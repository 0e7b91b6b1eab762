// Transposition around a stable sort of (column, payload): what goes in with each entry, and what comes out.
//
// The payload carries an entry's row; when values travel, its ordinal p too. `packed`: row in the upper, p in
// the lower 32 bits; `row`: the row (iso values need no p); `ordinal`: p, and the row is searched again
// afterwards (matrices of 2^32 rows or entries, where both do not fit).
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/transpose.h"

namespace cugrb {

enum class TransposePayload : uint8_t { row, packed, ordinal };

/// payload[p] for every entry p. Grid: one block for each tile of entries.
template <class Offset, TransposePayload kind>
CUGRB_KERNEL(EntryTile::threads)
void transpose_payload(TransposeArguments a) {
  const uint64_t begin = tile_begin(), end = tile_end(a.matrix.entries);
  const Offset* offsets = static_cast<const Offset*>(a.matrix.offsets);
  const tile_segments<Offset> rows = segments_of_tile(offsets, a.matrix.rows, begin, end);
  for (uint64_t p = begin + thread_index(); p < end; p += EntryTile::threads) {
    if constexpr (kind == TransposePayload::ordinal) {
      a.payload[p] = p;
    } else {
      const uint64_t row = rows.of_item(p);
      a.payload[p] = kind == TransposePayload::row ? row : row << 32 | p;
    }
  }
}

/// Entry q of the transpose from its sorted payload: its column is the entry's row; its value moves unless
/// `Element` is void. One thread an entry.
template <class Offset, class Column, class Element, TransposePayload kind>
CUGRB_KERNEL(256)
void transpose_entries(TransposeArguments a) {
  const uint64_t q = global_thread();
  if (q >= a.matrix.entries) return;
  const uint64_t payload = a.payload[q];
  uint64_t row = payload, p = payload;
  if constexpr (kind == TransposePayload::packed) {
    row = payload >> 32;
    p = payload & 0xffffffffu;
  } else if constexpr (kind == TransposePayload::ordinal) {
    row = last_start_at_most(static_cast<const Offset*>(a.matrix.offsets), 0, a.matrix.rows, p);
  }
  static_cast<Column*>(a.columns)[q] = Column(row);
  if constexpr (kind != TransposePayload::row) {
    static_cast<Element*>(a.values)[q] = static_cast<const Element*>(a.matrix.values)[p];
  }
}

}  // namespace cugrb
