// Transposition around a stable sort of (column, payload): what goes in with each entry, and what comes out.
//
// The payload carries an entry's row and, when values travel, its value or its ordinal p. `row`: the row, as
// the transpose's column (iso). `value`: row in the upper, a value of at most 4 bytes in the lower 32 bits.
// `packed`: row and p in the same places; values are fetched afterwards. `ordinal`: p, and the row is
// searched again afterwards (matrices of 2^32 rows or entries, where both do not fit).
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/kernels/segments.h"
#include "cuda/views/transpose.h"

namespace cugrb {

enum class TransposePayload : uint8_t { row, value, packed, ordinal };

/// The bits of a value of at most 4 bytes, and back.
template <class Element>
CUGRB_DEVICE uint32_t bits_of_value(const Element& value) {
  uint32_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(Element));
  return bits;
}
template <class Element>
CUGRB_DEVICE Element value_of_bits(uint32_t bits) {
  Element value;
  __builtin_memcpy(&value, &bits, sizeof(Element));
  return value;
}

/// payload[p] for every entry p, as a `Payload`. `Element`: of the values that travel with it, else void.
/// Grid: blocks that take tiles of entries.
template <class Offset, class Payload, class Element, TransposePayload kind>
CUGRB_KERNEL(EntryTile::threads)
void transpose_payload(TransposeArguments a) {
  for_moved_tiles(
      static_cast<const Offset*>(a.matrix.offsets), a.matrix.rows, a.matrix.entries, segment_of_tile(),
      [&](const auto& tile) {
        Payload payload[moved_at_once];
        move_entries(
            tile,
            [&](unsigned k, unsigned n) {
              const uint64_t p = tile.begin + n,
                             row = kind == TransposePayload::ordinal ? 0 : tile.first + tile.of_item(n).known;
              if constexpr (kind == TransposePayload::ordinal) {
                payload[k] = p;
              } else if constexpr (kind == TransposePayload::row) {
                payload[k] = Payload(row);
              } else if constexpr (kind == TransposePayload::packed) {
                payload[k] = row << 32 | p;
              } else {
                payload[k] = row << 32 | bits_of_value(static_cast<const Element*>(a.matrix.values)[p]);
              }
            },
            [&](unsigned k, unsigned n) { static_cast<Payload*>(a.payload)[tile.begin + n] = payload[k]; });
      });
}

/// Entry q of the transpose from its sorted payload, which is no bare row: its column is the entry's row, and
/// its value moves. One thread an entry.
template <class Offset, class Column, class Element, TransposePayload kind>
CUGRB_KERNEL(256)
void transpose_entries(TransposeArguments a) {
  const uint64_t q = global_thread();
  if (q >= a.matrix.entries) return;
  const uint64_t payload = static_cast<const uint64_t*>(a.payload)[q];
  uint64_t row = payload >> 32, p = payload & 0xffffffffu;
  if constexpr (kind == TransposePayload::ordinal) {
    p = payload;
    row = last_start_at_most(static_cast<const Offset*>(a.matrix.offsets), 0, a.matrix.rows, p);
  }
  static_cast<Column*>(a.columns)[q] = Column(row);
  if constexpr (kind == TransposePayload::value) {
    static_cast<Element*>(a.values)[q] = value_of_bits<Element>(uint32_t(p));
  } else {
    static_cast<Element*>(a.values)[q] = static_cast<const Element*>(a.matrix.values)[p];
  }
}

/// keys[p]: column and row of entry p. Grid: blocks that take tiles of entries.
template <class Offset, class Column>
CUGRB_KERNEL(EntryTile::threads)
void transpose_keys(TransposeArguments a) {
  for_moved_tiles(static_cast<const Offset*>(a.matrix.offsets), a.matrix.rows, a.matrix.entries,
                  segment_of_tile(), [&](const auto& tile) {
                    uint64_t keys[moved_at_once];
                    move_entries(
                        tile,
                        [&](unsigned k, unsigned n) {
                          const uint64_t column =
                              static_cast<const Column*>(a.matrix.columns)[tile.begin + n];
                          keys[k] = column << a.row_bits | (tile.first + tile.of_item(n).known);
                        },
                        [&](unsigned k, unsigned n) { a.keys[tile.begin + n] = keys[k]; });
                  });
}

/// The transpose's columns, which are the rows of sorted keys, and its offsets. One thread an entry, and one
/// for the rows behind the last.
template <class Column, class Offset>
CUGRB_KERNEL(256)
void transpose_columns(TransposeArguments a) {
  const uint64_t q = global_thread(), entries = a.matrix.entries;
  uint64_t low = 1, high = 0;  // rows of the transpose that begin here: none
  if (q <= entries) {
    const uint64_t key = q < entries ? a.keys[q] : a.matrix.columns_count << a.row_bits;
    low = q == 0 ? 0 : (a.keys[q - 1] >> a.row_bits) + 1;
    high = key >> a.row_bits;
    if (q < entries) static_cast<Column*>(a.columns)[q] = Column(key & ((uint64_t(1) << a.row_bits) - 1));
  }
  store_starts(static_cast<Offset*>(a.offsets), low, high, q);
}

}  // namespace cugrb
