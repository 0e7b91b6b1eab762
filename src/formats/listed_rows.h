// Some rows of a matrix as a CSR of their own, whatever holds the rows: CSR or segments.
#pragma once
#include "cuda/primitives/primitives.h"
#include "src/formats/csr.h"

namespace cugrb::formats {

/// The listed rows, in their order. `arguments` says which they are (`listed` of them) and what they are
/// taken from; `from` has the values where they are iso. launch_lengths(arguments) has each listed row's
/// length written to arguments.offsets, in 64 bits, and launch_entries(arguments, rows) the columns
/// and values. Waits for the number of entries. Throws runtime::OutOfMemory.
template <class From, class Arguments, class Lengths, class Entries>
Csr listed_rows(const From& from, Arguments arguments, const Lengths& launch_lengths,
                const Entries& launch_entries) {
  using runtime::Buffer;
  // The last offset is the number of entries.
  const Buffer offsets((arguments.listed + 1) * sizeof(uint64_t));
  arguments.offsets = offsets.data();
  launch_lengths(arguments);
  primitives::exclusive_sum(Width::bits64, offsets.data(), offsets.data(), arguments.listed);
  SparseShape shape = from;
  shape.rows = arguments.listed;
  shape.entries = offsets.read<uint64_t>(arguments.listed);
  shape.iso = from.iso && shape.entries > 0;
  Csr rows(shape);
  rows.offsets = shifted(offsets, Width::bits64, rows.offset_width, arguments.listed + 1, 0);
  rows.column_indices = Buffer(rows.entries * bytes_of(rows.column_width));
  rows.values = rows.iso ? from.values : Buffer(rows.entries * rows.type.size);
  arguments.offsets = rows.offsets.data();
  arguments.entries = rows.entries;
  arguments.columns = rows.column_indices.data();
  arguments.values = rows.values.data();
  launch_entries(arguments, rows);
  return rows;
}

}  // namespace cugrb::formats
