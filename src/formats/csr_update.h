// Changes of single entries of a matrix on the device, merged into it in one batch.
#pragma once
#include <optional>

#include "semirings/operators.h"
#include "src/formats/coo.h"

namespace cugrb::formats {

/// At most one change a place.
struct EntryUpdates {
  /// Places, sorted by row, then column, and values of the matrix's type. No values: all are removals.
  Coo entries;
  runtime::Buffer removes;  ///< entries bytes, 1: the entry goes, if it is there; none: all are set
};

/// A(i,j) = x for every update ((i,j), x) that sets; with `combine`, A(i,j) = op(A(i,j), x) where A has that
/// entry, typecast to A's type. Removals take the entry away. A change of values alone leaves offsets and
/// columns, and writes in place the values that nobody shares: O(updates * log(row)). Other changes make new
/// arrays, for which A is read once and written once: about 2 bytes moved for each of A, plus
/// O(rows * log(updates)). One value for all stays one where the updates have the same. Waits for the device.
/// `matrix` is as it was when a function throws runtime::OutOfMemory, Declined or jit::CompilationFailure.
void update(Csr& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine = {});
/// The same of the matrix, which is not fragmented, and whose rows the updates' are (its columns, where it is
/// stored by column). What is known of the pattern stays where the pattern does; what is derived goes.
void update(DeviceMatrix& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine = {});

/// Whether a matrix with one value for all, at `values`, has one after the updates; one without entries may
/// get one. Waits for the device where there are two values to compare.
bool stays_iso(const SparseShape& matrix, const runtime::Buffer& values, const EntryUpdates& updates,
               const std::optional<BinaryOp>& combine);
/// The template-id of what an update makes of a value (cuda/kernels/update_values.h), and its preamble.
struct Combination {
  std::string source, preamble;
};
Combination combination(const Type& type, const std::optional<BinaryOp>& combine);
/// The updates, among a kernel's arguments.
template <class Arguments>
void set_updates(Arguments& arguments, const EntryUpdates& updates) {
  arguments.count = updates.entries.entries;
  arguments.rows = updates.entries.row_indices.data();
  arguments.columns = updates.entries.column_indices.data();
  arguments.values = updates.entries.values.data();
  arguments.removes = updates.removes.template as<uint8_t>();
}
/// One value for each of `count` entries.
runtime::Buffer written_out(const runtime::Buffer& value, const Type& type, uint64_t count, uint64_t room);

/// A batch that names this place and has no value: for looking it up.
EntryUpdates one_place(const SparseShape& matrix, uint64_t row, uint64_t column);
/// Position of the entry (row, column). Waits for the device. O(log(row)).
std::optional<uint64_t> find_entry(const Csr& matrix, uint64_t row, uint64_t column);

}  // namespace cugrb::formats
