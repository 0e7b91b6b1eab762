// Index lists that are vectors (SuiteSparse 10, GxB_*_Vector).
#pragma once
#include <vector>

#include "src/capi/offload_call.h"

namespace cugrb::capi::offload {

/// The field of a descriptor that says what a vector lists (GxB_ROWINDEX_LIST, GxB_COLINDEX_LIST,
/// GxB_VALUE_LIST).
enum class ListField : int { rows = 7094, columns = 7095, values = 7096 };

/// Throws Declined where the descriptor says that the places of entries are the list, or a stride.
void require_list_of_values(GrB_Descriptor desc, ListField field);

/// Extracts the `count` values of a vector by the function of cuGrB, or where that leaves it to the host by
/// the real one; both are GrB_Vector_extractTuples_<T> into the same array. Throws Invalid.
void extract_listed(GrB_Vector vector, GrB_Index count, FunctionRef<Outcome(GrB_Index* count)> on_device,
                    FunctionRef<GrB_Info(GrB_Index* count)> real);

/// The values of a vector of 32- or 64-bit integers, as an index list in host memory: n entries are n
/// indices, in the order of their places. No vector is GrB_ALL. O(n) time and memory.
class IndexVector {
 public:
  /// Throws Invalid for a vector that is none, Declined for one of another type or another meaning.
  IndexVector(GrB_Vector vector, GrB_Descriptor desc, ListField field);
  const GrB_Index* list() const { return list_; }
  GrB_Index count() const { return count_; }

 private:
  std::vector<GrB_Index> values_;
  const GrB_Index* list_;
  GrB_Index count_ = 0;
};

}  // namespace cugrb::capi::offload
