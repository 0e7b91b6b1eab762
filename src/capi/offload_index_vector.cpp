#include "src/capi/offload_index_vector.h"

#include <algorithm>

#include "offload_functions.h"
#include "src/capi/offload_indices.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {

void require_list_of_values(GrB_Descriptor desc, ListField field) {
  int32_t meaning = 0;
  if (desc == nullptr) return;
  require(real::table().GrB_Descriptor_get_INT32(desc, &meaning, static_cast<int>(field)) == GrB_SUCCESS);
  if (meaning != GxB_DEFAULT) throw Declined("a list by the places of a vector's entries, or by a stride");
}

void extract_listed(GrB_Vector vector, GrB_Index count, FunctionRef<Outcome(GrB_Index* count)> on_device,
                    FunctionRef<GrB_Info(GrB_Index* count)> real) {
  GrB_Index extracted = count;
  const Outcome done = on_device(&extracted);
  if (!done) require(mirror::to_host(vector) == GrB_SUCCESS);
  require((done ? *done : real(&extracted)) == GrB_SUCCESS && extracted == count);
}

IndexVector::IndexVector(GrB_Vector vector, GrB_Descriptor desc, ListField field) : list_(all_indices()) {
  if (vector == nullptr) return;
  require_list_of_values(desc, field);
  const VectorOperand list = operand(vector);
  const TypeCode code = list.type.code;
  // SuiteSparse casts other types by rules of its own.
  if (code != TypeCode::Int32 && code != TypeCode::Int64 && code != TypeCode::UInt32 &&
      code != TypeCode::UInt64) {
    throw Declined("an index list that is a vector of " + list.type.suffix());
  }
  count_ = entries_of(list);
  values_.resize(std::max<GrB_Index>(count_, 1));
  // A negative index becomes one that is too large.
  extract_listed(
      vector, count_,
      [&](GrB_Index* n) { return GrB_Vector_extractTuples_UINT64(nullptr, values_.data(), n, vector); },
      [&](GrB_Index* n) {
        return real::table().GrB_Vector_extractTuples_UINT64(nullptr, values_.data(), n, vector);
      });
  list_ = values_.data();
}

}  // namespace cugrb::capi::offload
