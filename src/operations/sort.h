// The values of each row or column in order, with the contract of matrix_operations.h (GxB_sort of
// SuiteSparse's user guide, section 10.14).
#pragma once
#include "src/operations/matrix_elementwise.h"

namespace cugrb::operations {

/// Where sorted values go, and where they were. One may be null.
template <class Object>
struct SortedInto {
  Object* values;  ///< of the type of what is sorted
  Object* places;  ///< INT64 or UINT64
};

/// C(i, k) = the k-th of A(i,:) in the order of `before`, which says whether x is to come before y; equal
/// ones keep their order. P(i, k) = its column in A. With a.transpose the same of columns: C(k, j) is the
/// k-th of A(:,j), for the A that is given. Built-in types under LT or GT of that type: a radix sort of row
/// and value, O(entries). Other operators: O(entries log^2 row). Waits for the device. Declined where the
/// values have no order: NaN, operators that are no strict weak order on them.
void sort(const SortedInto<DeviceMatrix>& out, const BinaryOp& before, const MatrixInput& a);
/// The same of a vector's entries: w(k), p(k).
void sort(const SortedInto<DeviceVector>& out, const BinaryOp& before, const DeviceVector& u);

}  // namespace cugrb::operations
