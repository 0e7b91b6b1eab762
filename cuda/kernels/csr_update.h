// Changes of single entries, merged into a CSR: find their places, sum how far each moves what follows, move
// the entries between them as they lie. The matrix is read once and written once.
#pragma once
#include "cuda/kernels/segments.h"
#include "cuda/kernels/update_values.h"
#include "cuda/views/csr_update.h"

namespace cugrb {

/// Where each update belongs, and by how much it changes the number of entries. One thread an update.
template <class Offset, class Column, class Row>
CUGRB_KERNEL(256)
void update_places(CsrUpdateArguments a) {
  const uint64_t b = global_thread();
  if (b >= a.count) return;
  const Offset* offsets = static_cast<const Offset*>(a.csr.offsets);
  const Column* columns = static_cast<const Column*>(a.csr.columns);
  const uint64_t row = static_cast<const Row*>(a.rows)[b];
  const uint64_t column = static_cast<const Column*>(a.columns)[b];
  const uint64_t end = offsets[row + 1];
  const uint64_t place = lower_bound(columns, uint64_t(offsets[row]), end, column);
  const bool found = place < end && uint64_t(columns[place]) == column;
  const bool removes = a.removes != nullptr && a.removes[b] != 0;
  Offset* places = static_cast<Offset*>(a.places);
  if (b == 0) places[0] = 0;
  places[b + 1] = Offset(place);
  a.found[b] = found ? 1 : 0;
  a.shifts[b] = removes == found ? (removes ? ~uint64_t(0) : 1) : 0;
  if (removes && found) relaxed_store(&a.state->removes, 1u);
  if (!removes && !found) relaxed_store(&a.state->adds, 1u);
}

/// The offsets after the updates. One thread for each of rows + 1.
template <class Offset, class Row, class NewOffset>
CUGRB_KERNEL(256)
void update_offsets(CsrUpdateArguments a) {
  const uint64_t i = global_thread();
  if (i > a.csr.rows) return;
  const uint64_t before = lower_bound(static_cast<const Row*>(a.rows), 0, a.count, i);
  static_cast<NewOffset*>(a.out_offsets)[i] =
      NewOffset(uint64_t(static_cast<const Offset*>(a.csr.offsets)[i]) + a.shifts[before]);
}

/// Moves the entries that no update meets. `Element` void: values are one, and stay. Grid: one block for each
/// tile of the matrix's entries.
template <class Offset, class Column, class Element, bool iso_matrix>
CUGRB_KERNEL(EntryTile::threads)
void update_entries(CsrUpdateArguments a) {
  const uint64_t begin = tile_begin(), end = tile_end(a.csr.entries);
  const Offset* places = static_cast<const Offset*>(a.places);
  const tile_segments<Offset> updates = segments_of_tile(places, a.count + 1, begin, end);
  for (uint64_t p = begin + thread_index(); p < end; p += EntryTile::threads) {
    const uint64_t before = updates.of_item(p);
    if (before > 0 && uint64_t(places[before]) == p && a.found[before - 1] != 0) continue;
    const uint64_t q = p + a.shifts[before];
    static_cast<Column*>(a.out_columns)[q] = static_cast<const Column*>(a.csr.columns)[p];
    if constexpr (!is_same<Element, void>) {
      static_cast<Element*>(a.out_values)[q] = static_cast<const Element*>(a.csr.values)[iso_matrix ? 0 : p];
    }
  }
}

/// Writes what the updates set; columns where `moves` (else the entries stay where they are, and every update
/// meets one). One thread an update.
template <class Offset, class Column, class Combine, bool moves, bool iso_matrix, bool iso_updates>
CUGRB_KERNEL(256)
void update_set(CsrUpdateArguments a) {
  const uint64_t b = global_thread();
  if (b >= a.count || (a.removes != nullptr && a.removes[b] != 0)) return;
  const uint64_t p = static_cast<const Offset*>(a.places)[b + 1];
  const uint64_t q = p + a.shifts[b];
  if constexpr (moves) static_cast<Column*>(a.out_columns)[q] = static_cast<const Column*>(a.columns)[b];
  if constexpr (!is_same<Combine, void>) {
    using Value = typename Combine::type;
    const Value update = static_cast<const Value*>(a.values)[iso_updates ? 0 : b];
    static_cast<Value*>(a.out_values)[q] =
        a.found[b] != 0 ? Combine::apply(static_cast<const Value*>(a.csr.values)[iso_matrix ? 0 : p], update)
                        : update;
  }
}

}  // namespace cugrb
