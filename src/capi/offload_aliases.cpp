// Names that SuiteSparse:GraphBLAS keeps for older programs: each is the function of the C API that it
// became.
#include "offload_functions.h"

namespace cugrb::capi::offload {

Outcome GxB_kron(const Target<GrB_Matrix>& C, GrB_BinaryOp op, GrB_Matrix A, GrB_Matrix B) {
  return GrB_Matrix_kronecker_BinaryOp(C, op, A, B);
}

Outcome GxB_Matrix_resize(GrB_Matrix C, GrB_Index nrows_new, GrB_Index ncols_new) {
  return GrB_Matrix_resize(C, nrows_new, ncols_new);
}
Outcome GxB_Vector_resize(GrB_Vector w, GrB_Index nrows_new) { return GrB_Vector_resize(w, nrows_new); }

#define CUGRB_APPLY(KIND)                                                                            \
  Outcome GxB_##KIND##_apply_BinaryOp1st(const Target<GrB_##KIND>& w, GrB_BinaryOp op, GrB_Scalar x, \
                                         GrB_##KIND u) {                                             \
    return GrB_##KIND##_apply_BinaryOp1st_Scalar(w, op, x, u);                                       \
  }                                                                                                  \
  Outcome GxB_##KIND##_apply_BinaryOp2nd(const Target<GrB_##KIND>& w, GrB_BinaryOp op, GrB_##KIND u, \
                                         GrB_Scalar y) {                                             \
    return GrB_##KIND##_apply_BinaryOp2nd_Scalar(w, op, u, y);                                       \
  }
CUGRB_APPLY(Vector)
CUGRB_APPLY(Matrix)
#undef CUGRB_APPLY

}  // namespace cugrb::capi::offload
