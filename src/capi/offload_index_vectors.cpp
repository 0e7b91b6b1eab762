// The forms of SuiteSparse 10 whose index lists are vectors: each is the form with arrays, of the values that
// the vectors hold. (GxB_*_extractTuples_Vector gives its output vectors other types, and is SuiteSparse's.)
#include "offload_functions.h"
#include "src/capi/offload_index_vector.h"

namespace cugrb::capi::offload {
namespace {

using Use = FunctionRef<Outcome(const IndexVector&)>;
using UseBoth = FunctionRef<Outcome(const IndexVector&, const IndexVector&)>;

Outcome with_list(GrB_Vector list, GrB_Descriptor desc, ListField field, const Use& use) {
  return attempt([&] { return use(IndexVector(list, desc, field)); });
}

Outcome with_lists(GrB_Vector I, GrB_Vector J, GrB_Descriptor desc, const UseBoth& use) {
  return attempt(
      [&] { return use(IndexVector(I, desc, ListField::rows), IndexVector(J, desc, ListField::columns)); });
}

}  // namespace

Outcome GxB_Vector_extract_Vector(const Target<GrB_Vector>& w, GrB_Vector u, GrB_Vector I_vector) {
  return with_list(I_vector, w.descriptor, ListField::rows,
                   [&](const IndexVector& I) { return GrB_Vector_extract(w, u, I.list(), I.count()); });
}

Outcome GxB_Matrix_extract_Vector(const Target<GrB_Matrix>& C, GrB_Matrix A, GrB_Vector I_vector,
                                  GrB_Vector J_vector) {
  return with_lists(I_vector, J_vector, C.descriptor, [&](const IndexVector& I, const IndexVector& J) {
    return GrB_Matrix_extract(C, A, I.list(), I.count(), J.list(), J.count());
  });
}

Outcome GxB_Col_extract_Vector(const Target<GrB_Vector>& w, GrB_Matrix A, GrB_Vector I_vector, GrB_Index j) {
  return with_list(I_vector, w.descriptor, ListField::rows,
                   [&](const IndexVector& I) { return GrB_Col_extract(w, A, I.list(), I.count(), j); });
}

#define CUGRB_INTO_VECTOR(NAME, ARRAY_FORM, Source)                                                \
  Outcome NAME(const Target<GrB_Vector>& w, Source x, GrB_Vector I_vector) {                       \
    return with_list(I_vector, w.descriptor, ListField::rows,                                      \
                     [&](const IndexVector& I) { return ARRAY_FORM(w, x, I.list(), I.count()); }); \
  }
CUGRB_INTO_VECTOR(GxB_Vector_assign_Vector, GrB_Vector_assign, GrB_Vector)
CUGRB_INTO_VECTOR(GxB_Vector_assign_Scalar_Vector, GrB_Vector_assign_Scalar, GrB_Scalar)
CUGRB_INTO_VECTOR(GxB_Vector_subassign_Vector, GxB_Vector_subassign, GrB_Vector)
CUGRB_INTO_VECTOR(GxB_Vector_subassign_Scalar_Vector, GxB_Vector_subassign_Scalar, GrB_Scalar)
#undef CUGRB_INTO_VECTOR

#define CUGRB_INTO_MATRIX(NAME, ARRAY_FORM, Source)                                                       \
  Outcome NAME(const Target<GrB_Matrix>& C, Source x, GrB_Vector I_vector, GrB_Vector J_vector) {         \
    return with_lists(I_vector, J_vector, C.descriptor, [&](const IndexVector& I, const IndexVector& J) { \
      return ARRAY_FORM(C, x, I.list(), I.count(), J.list(), J.count());                                  \
    });                                                                                                   \
  }
CUGRB_INTO_MATRIX(GxB_Matrix_assign_Vector, GrB_Matrix_assign, GrB_Matrix)
CUGRB_INTO_MATRIX(GxB_Matrix_assign_Scalar_Vector, GrB_Matrix_assign_Scalar, GrB_Scalar)
CUGRB_INTO_MATRIX(GxB_Matrix_subassign_Vector, GxB_Matrix_subassign, GrB_Matrix)
CUGRB_INTO_MATRIX(GxB_Matrix_subassign_Scalar_Vector, GxB_Matrix_subassign_Scalar, GrB_Scalar)
#undef CUGRB_INTO_MATRIX

#define CUGRB_INTO_LINES(ROW, ROW_ARRAY_FORM, COLUMN, COLUMN_ARRAY_FORM)                               \
  Outcome ROW(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, GrB_Index i,            \
              GrB_Vector J_vector, GrB_Descriptor desc) {                                              \
    return with_list(J_vector, desc, ListField::columns, [&](const IndexVector& J) {                   \
      return ROW_ARRAY_FORM(C, mask, accum, u, i, J.list(), J.count(), desc);                          \
    });                                                                                                \
  }                                                                                                    \
  Outcome COLUMN(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, GrB_Vector I_vector, \
                 GrB_Index j, GrB_Descriptor desc) {                                                   \
    return with_list(I_vector, desc, ListField::rows, [&](const IndexVector& I) {                      \
      return COLUMN_ARRAY_FORM(C, mask, accum, u, I.list(), I.count(), j, desc);                       \
    });                                                                                                \
  }
CUGRB_INTO_LINES(GxB_Row_assign_Vector, GrB_Row_assign, GxB_Col_assign_Vector, GrB_Col_assign)
CUGRB_INTO_LINES(GxB_Row_subassign_Vector, GxB_Row_subassign, GxB_Col_subassign_Vector, GxB_Col_subassign)
#undef CUGRB_INTO_LINES

}  // namespace cugrb::capi::offload
