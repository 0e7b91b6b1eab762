// select on a fragmented matrix (DeviceMatrix::fragments).
#pragma once
#include "src/operations/matrix_elementwise.h"

namespace cugrb::operations {

/// C<M> accum= the entries of A with op(A(i,j), i, j, thunk). A is fragmented and stays as it is; checked as
/// select() does. A CSR of A is made for it, which takes less time than the segments do, whatever share of
/// the entries is kept. Where the device has no memory for that, select_of_segments().
void select_of_fragments(const MatrixOutput& c, const IndexUnaryOp& op, const MatrixInput& a,
                         const Value& thunk);

/// The same, read from A's segments: needs a bit for each entry. Four launches or five, and a scan; waits for
/// the device. O(rows + entries), and for each entry that is kept a binary search in its row.
void select_of_segments(const MatrixOutput& c, const IndexUnaryOp& op, const MatrixInput& a,
                        const Value& thunk);

}  // namespace cugrb::operations
