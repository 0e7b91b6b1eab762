// GrB_*_extractTuples of what only the device has: into the program's arrays, without a copy in SuiteSparse's
// object.
#include <cstring>

#include "offload_functions.h"
#include "src/capi/offload_call.h"
#include "src/capi/offload_trace.h"
#include "src/formats/coo.h"
#include "src/mirror/host_content.h"
#include "src/mirror/integer_copies.h"
#include "src/operations/matrix_compact.h"

namespace cugrb::capi::offload {
namespace {

constexpr uint64_t grain = uint64_t(1) << 16;

/// The values in their order, typecast; written out where one stands for all.
void values_to_host(void* X, const formats::DeviceVector& given, uint64_t count, const Type& type) {
  if (X == nullptr || count == 0) return;
  const formats::DeviceVector values = formats::cast(given, type);
  const uint64_t stored = values.iso ? 1 : count;
  char* const out = static_cast<char*>(X);
  runtime::device().copy_to_host(out, values.values.data(), stored * type.size);
  if (!values.iso) return;
  const std::string one(out, type.size);
  parallel_ranges(count - 1, grain, [&](uint64_t begin, uint64_t end) {
    for (uint64_t k = begin + 1; k <= end; ++k) std::memcpy(out + k * type.size, one.data(), type.size);
  });
}

void indices_to_host(GrB_Index* list, const runtime::Buffer& indices, uint64_t count, formats::Width width) {
  if (list == nullptr) return;
  mirror::copy_integers_to_host(reinterpret_cast<int64_t*>(list), indices.data(), count, width);
}

/// Ascending, as SuiteSparse gives them.
void tuples_to_host(GrB_Index* I, GrB_Index*, void* X, const formats::DeviceVector& v, bool,
                    const Type& type) {
  const uint64_t count = v.nvals();
  if (v.form == Form::full) {
    values_to_host(X, v, count, type);
    if (I == nullptr) return;
    return parallel_ranges(count, grain, [I](uint64_t begin, uint64_t end) {
      for (uint64_t k = begin; k < end; ++k) I[k] = k;
    });
  }
  const formats::DeviceVector entries = formats::to_sparse(v);
  indices_to_host(I, entries.indices, count, formats::index_width(v.length));
  values_to_host(X, entries, count, type);
}

/// In the order of SuiteSparse's own storage.
void tuples_to_host(GrB_Index* I, GrB_Index* J, void* X, const formats::DeviceMatrix& a, bool by_column,
                    const Type& type) {
  const formats::Csr& lines = a.by_rows(by_column);
  GrB_Index* const of_lines = by_column ? J : I;
  if (of_lines != nullptr && lines.entries > 0) {
    const formats::Coo entries = formats::make_coo(lines);
    indices_to_host(of_lines, entries.row_indices, lines.entries, entries.row_width);
  }
  indices_to_host(by_column ? I : J, lines.column_indices, lines.entries, lines.column_width);
  values_to_host(X, operations::values_of(lines), lines.entries, type);
}

bool is_held_by_column(GrB_Vector) { return true; }
bool is_held_by_column(GrB_Matrix matrix) {
  const mirror::MetadataGuard guard(matrix);
  return mirror::held_by_column(matrix);
}

/// `type`: of X's values; null: the object's own, which is user-defined.
template <class Handle>
Outcome extract_tuples(GrB_Index* I, GrB_Index* J, void* X, GrB_Index* nvals, Handle object,
                       const Type* type) {
  return attempt([&]() -> Outcome {
    require(nvals != nullptr && object != nullptr);
    if (mirror::state(object) != mirror::State::device) return forwarded;
    const auto given = operand(object);
    note_operation(given.type.suffix());
    if (type == nullptr) require(given.type.is_user());
    const Type& wanted = type != nullptr ? *type : given.type;
    require(compatible(given.type, wanted));
    const uint64_t count = entries_of(given);
    require(count <= *nvals);
    const bool by_column = is_held_by_column(object);
    with_eviction([&] {
      const auto use = mirror::read(object);
      tuples_to_host(I, J, X, *use, by_column, wanted);
    });
    *nvals = count;
    return GrB_SUCCESS;
  });
}

}  // namespace

#define CUGRB_EXTRACT(PREFIX, FORM, ctype, TYPE)                                                         \
  Outcome PREFIX##_Vector_extractTuples_##FORM(GrB_Index* I, ctype* X, GrB_Index* nvals, GrB_Vector v) { \
    return extract_tuples(I, nullptr, X, nvals, v, TYPE);                                                \
  }                                                                                                      \
  Outcome PREFIX##_Matrix_extractTuples_##FORM(GrB_Index* I, GrB_Index* J, ctype* X, GrB_Index* nvals,   \
                                               GrB_Matrix A) {                                           \
    return extract_tuples(I, J, X, nvals, A, TYPE);                                                      \
  }
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  CUGRB_EXTRACT(PREFIX, SUFFIX, ctype, &Type::of(TypeCode::Code))
#include "semirings/types.def"
#undef CUGRB_TYPE
CUGRB_EXTRACT(GrB, UDT, void, nullptr)
#undef CUGRB_EXTRACT

}  // namespace cugrb::capi::offload
