// Changes of entries of a dynamic CSR, where it lies.
#pragma once
#include "src/formats/csr_update.h"
#include "src/formats/dcsr.h"

namespace cugrb::formats {

/// What src/formats/csr_update.h says of A, in time that the updates and their rows take: a binary search an
/// update, and for each row with new entries a pass over those that have come since the row was put together;
/// for each that loses entries a pass over the row. New entries go into the slack of their row's last
/// segment, or into a segment that one atomic addition allocates, with the slack or an eighth of the row to
/// spare, whichever is more ("Efficient SpMM using Dynamic-CSR on GPUs",
/// section 3.1). Three launches; waits for the device once. They are applied before that, where the arrays
/// have room for them.
///
/// The arrays grow by a quarter or more when the allocated positions are used up: at their place, without a
/// copy, where the device maps memory behind them (runtime::Buffer::grow). A row
/// that has all its segments and needs one more has the matrix defragmented first; where that is not enough
/// (a row can have but one segment, or positions ask for wider offsets) the updates are merged into a CSR, of
/// which the matrix is made again. `matrix` holds what it held when the function throws runtime::OutOfMemory
/// or jit::CompilationFailure.
void update(Dcsr& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine = {});

/// The same of a matrix, which is fragmented then. One that is a CSR becomes a dynamic CSR of that shape
/// first, which takes its arrays over where rows need no least width. Segments that are allocated get the
/// shape's slack. Rows are put into bins where the shape has it so. The next version of its pattern.
void insert(DeviceMatrix& matrix, const EntryUpdates& updates, const std::optional<BinaryOp>& combine,
            const DcsrShape& shape);

/// Position of the entry (row, column). Waits for the device. O(log(row)).
std::optional<uint64_t> find_entry(const Dcsr& matrix, uint64_t row, uint64_t column);

}  // namespace cugrb::formats
