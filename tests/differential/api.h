// Two ways into GraphBLAS in one process: the exported functions (cuGrB's, when it is loaded) and the real
// library's own, found past libcugrb. Objects made and used only through `real` are unknown to
// cuGrB: they are the oracle.
#pragma once
#include <cmath>
#include <complex>
#include <cstdio>
#include <stdexcept>
#include <string>

extern "C" {  // the 7.4 header has no linkage specification of its own
#include <GraphBLAS.h>
}

#include "tests/differential/oracle.h"

// GrB_Type_new and friends are macros in some versions; none of those is used here.
// clang-format off
#define DIFFERENTIAL_FUNCTIONS(X) \
  X(GrB_Vector_new) X(GrB_Vector_free) X(GrB_Vector_dup) X(GrB_Vector_clear) X(GrB_Vector_nvals) \
  X(GrB_Vector_wait) X(GrB_Matrix_new) X(GrB_Matrix_free) X(GrB_Matrix_wait) X(GrB_Scalar_new) \
  X(GrB_Scalar_free) X(GrB_mxv) X(GrB_vxm) X(GrB_Vector_eWiseAdd_BinaryOp) \
  X(GrB_Vector_eWiseMult_BinaryOp) X(GrB_Vector_eWiseAdd_Monoid) X(GrB_Vector_eWiseMult_Semiring) \
  X(GxB_Vector_eWiseUnion) X(GrB_Vector_apply) X(GrB_Vector_apply_BinaryOp1st_Scalar) \
  X(GrB_Vector_apply_BinaryOp2nd_Scalar) X(GrB_Vector_apply_IndexOp_Scalar) X(GrB_Vector_select_Scalar) \
  X(GrB_Vector_assign) X(GrB_Vector_assign_Scalar) X(GrB_Vector_extract) X(GrB_Vector_removeElement) \
  X(GrB_Vector_error) X(GrB_Vector_extractTuples_BOOL) X(GrB_Vector_extractTuples_INT64) \
  X(GrB_Vector_extractTuples_UINT64) X(GrB_Vector_extractTuples_FP64) X(GrB_Vector_setElement_BOOL) \
  X(GrB_Vector_setElement_INT64) X(GrB_Vector_setElement_UINT64) X(GrB_Vector_setElement_FP64) \
  X(GrB_Matrix_setElement_INT64) X(GrB_Matrix_setElement_FP64) X(GrB_Scalar_setElement_INT64) \
  X(GrB_Scalar_setElement_FP64) X(GrB_Vector_extractElement_FP64) X(GrB_Vector_reduce_FP64) \
  X(GrB_Vector_reduce_INT64) X(GrB_Vector_reduce_UINT64) X(GrB_Vector_reduce_BOOL) \
  X(GrB_Vector_assign_INT64) X(GrB_Vector_assign_FP64) X(GrB_Vector_apply_BinaryOp2nd_INT64) \
  X(GrB_Vector_apply_BinaryOp1st_FP64) X(GrB_Vector_select_INT64) X(GrB_Vector_select_FP64) \
  X(GxB_Vector_Option_set) X(GxB_Matrix_Option_set) X(GrB_Matrix_assign_FP64) X(GrB_Semiring_new) \
  X(GrB_Semiring_free) X(GxB_Scalar_fprint) X(GxB_Vector_fprint) X(GrB_Vector_size) X(GrB_mxm) \
  X(GrB_Matrix_nvals) X(GrB_Matrix_error) X(GrB_Matrix_ncols) X(GrB_Matrix_dup) \
  X(GrB_Matrix_extractTuples_INT64) X(GrB_Matrix_extractTuples_UINT64) X(GrB_Matrix_extractTuples_FP64) \
  X(GrB_Matrix_eWiseAdd_BinaryOp) X(GrB_Matrix_eWiseMult_BinaryOp) X(GrB_Matrix_apply) \
  X(GrB_Matrix_assign) X(GrB_Matrix_apply_BinaryOp1st_FP64) X(GrB_Matrix_apply_BinaryOp2nd_INT64) \
  X(GrB_Matrix_apply_IndexOp_INT64) X(GrB_Matrix_select_INT64) X(GrB_Matrix_select_FP64) \
  X(GrB_Matrix_assign_INT64) X(GrB_transpose) X(GrB_Matrix_extract) X(GxB_Vector_iso) X(GxB_Matrix_iso) \
  X(GrB_Matrix_reduce_Monoid) X(GrB_Matrix_reduce_BOOL) X(GrB_Matrix_reduce_INT64) \
  X(GrB_Matrix_reduce_FP64) X(GrB_Matrix_kronecker_BinaryOp) X(GxB_Matrix_eWiseUnion) \
  X(GxB_Matrix_diag) X(GxB_Vector_diag) X(GrB_Matrix_build_INT64) X(GrB_Matrix_build_FP64) \
  X(GrB_Vector_build_INT64) X(GrB_Vector_build_FP64) X(GrB_Matrix_clear) X(GxB_Matrix_build_Scalar) \
  X(GrB_Row_assign) X(GrB_Col_assign) X(GxB_Matrix_concat) X(GrB_Matrix_resize) X(GrB_Vector_resize) \
  X(GxB_Vector_subassign) X(GxB_Vector_subassign_Scalar) \
  X(GxB_Matrix_subassign) X(GxB_Matrix_subassign_FP64) X(GxB_Matrix_subassign_Scalar) \
  X(GrB_Matrix_assign_Scalar) X(GxB_Row_subassign) X(GxB_Col_subassign) \
  X(GxB_Matrix_sort) X(GxB_Vector_sort) X(GxB_Matrix_reshape) X(GrB_Col_extract) X(GxB_Matrix_split) \
  X(GrB_Matrix_setElement_UDT) X(GrB_Vector_setElement_UDT) X(GrB_Matrix_extractTuples_UDT) \
  X(GrB_Vector_extractTuples_UDT) X(GrB_Matrix_removeElement) X(GrB_Matrix_extractElement_INT64) \
  X(GrB_Matrix_extractElement_FP64) X(GrB_Matrix_extractElement_UDT) X(GrB_Vector_extractElement_INT64) \
  X(GrB_Vector_extractElement_UDT) X(GrB_Matrix_nrows) X(GrB_Matrix_build_UDT) X(GrB_Vector_build_UDT) \
  X(GrB_Matrix_reduce_UDT) X(GrB_Vector_reduce_UDT) X(GrB_Matrix_apply_BinaryOp1st_Scalar) \
  X(GrB_Matrix_apply_BinaryOp2nd_Scalar) X(GrB_Matrix_apply_IndexOp_Scalar) X(GrB_Matrix_select_Scalar) \
  X(GrB_Matrix_eWiseAdd_Monoid) X(GrB_Matrix_eWiseMult_Monoid) X(GrB_Scalar_setElement_UDT) \
  X(GxB_Matrix_setElement_FC64) X(GxB_Vector_setElement_FC64) X(GxB_Scalar_setElement_FC64) \
  X(GxB_Matrix_extractElement_FC64) X(GxB_Vector_extractElement_FC64) X(GxB_Matrix_build_FC64) \
  X(GxB_Vector_build_FC64) X(GxB_Matrix_reduce_FC64) X(GxB_Vector_reduce_FC64) \
  X(GxB_Matrix_extractTuples_FC64) X(GxB_Vector_extractTuples_FC64)
// clang-format on

namespace differential {

struct Api {
#define DECLARE(name) decltype(&::name) name = nullptr;
  DIFFERENTIAL_FUNCTIONS(DECLARE)
#undef DECLARE
};

/// The functions as this program is linked: cuGrB's when it stands in front of the real library.
const Api& exported();
/// The real library's own functions. Throws std::runtime_error when it cannot be found.
const Api& real();
/// Of a call of the real library that was left by a jump: from now on cuGrB decides where calls run.
void end_oracle_call();
/// Whether calls of the real library return.
template <class Calls>
bool oracle_survives(const Calls& calls) {
  const bool lived = survives(calls);
  if (!lived) end_oracle_call();
  return lived;
}
/// A predefined object of the real library by name ("GrB_PLUS_FP32", tried with GrB_ and GxB_ when it has no
/// prefix); null when there is none.
void* predefined(const std::string& name);
/// The same by its whole name.
void* predefined_exactly(const std::string& name);

inline void require(GrB_Info info, const char* what) {
  if (info != GrB_SUCCESS)
    throw std::runtime_error(std::string(what) + " failed with " + std::to_string(int(info)));
}

}  // namespace differential
