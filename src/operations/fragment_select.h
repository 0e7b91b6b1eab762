// select on a fragmented matrix (DeviceMatrix::fragments).
#pragma once
#include "src/operations/matrix_elementwise.h"

namespace cugrb::operations {

/// C<M> accum= the entries of A with op(A(i,j), i, j, thunk), read from A's segments: A stays as it is.
/// Four launches or five, and a scan; waits for the device. O(rows + entries), and for each entry that is
/// kept a binary search in its row. A is fragmented; checked as select() does.
void select_of_fragments(const MatrixOutput& c, const IndexUnaryOp& op, const MatrixInput& a,
                         const Value& thunk);

}  // namespace cugrb::operations
