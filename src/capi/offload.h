// The API functions that can run on the device: one function each, of the same name and parameters, preceded
// by `info`.
//
// True: the device has done it (or answered from the device copy) and `info` is the result. False: nothing
// has happened; the caller restores the handles and calls SuiteSparse, which also makes every error code and
// text. Why it was not the device is in the thread's trace record. No exception leaves these functions.
#pragma once
#include "graphblas_functions.h"

namespace cugrb::capi::offload {

// ---- matrix times vector ----

bool GrB_mxv(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Semiring semiring,
             GrB_Matrix A, GrB_Vector u, GrB_Descriptor desc);
bool GrB_vxm(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Semiring semiring,
             GrB_Vector u, GrB_Matrix A, GrB_Descriptor desc);

// ---- matrix times matrix ----

bool GrB_mxm(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Semiring semiring,
             GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc);

// ---- Kronecker product ----

bool GrB_Matrix_kronecker_BinaryOp(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum,
                                   GrB_BinaryOp op, GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc);
bool GrB_Matrix_kronecker_Monoid(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum,
                                 GrB_Monoid op, GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc);
bool GrB_Matrix_kronecker_Semiring(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum,
                                   GrB_Semiring op, GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc);

// ---- parts and tiles ----

bool GxB_Matrix_concat(GrB_Info& info, GrB_Matrix C, const GrB_Matrix* Tiles, GrB_Index m, GrB_Index n,
                       GrB_Descriptor desc);
bool GxB_Matrix_split(GrB_Info& info, GrB_Matrix* Tiles, GrB_Index m, GrB_Index n,
                      const GrB_Index* Tile_nrows, const GrB_Index* Tile_ncols, GrB_Matrix A,
                      GrB_Descriptor desc);
bool GrB_Matrix_resize(GrB_Info& info, GrB_Matrix C, GrB_Index nrows_new, GrB_Index ncols_new);
bool GrB_Vector_resize(GrB_Info& info, GrB_Vector w, GrB_Index nrows_new);

// ---- diagonals ----

bool GrB_Matrix_diag(GrB_Info& info, GrB_Matrix* C, GrB_Vector v, int64_t k);
bool GxB_Matrix_diag(GrB_Info& info, GrB_Matrix C, GrB_Vector v, int64_t k, GrB_Descriptor desc);
bool GxB_Vector_diag(GrB_Info& info, GrB_Vector v, GrB_Matrix A, int64_t k, GrB_Descriptor desc);

// ---- element-wise ----

bool GrB_Vector_eWiseAdd_BinaryOp(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                  GrB_BinaryOp op, GrB_Vector u, GrB_Vector v, GrB_Descriptor desc);
bool GrB_Vector_eWiseAdd_Monoid(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                GrB_Monoid op, GrB_Vector u, GrB_Vector v, GrB_Descriptor desc);
bool GrB_Vector_eWiseAdd_Semiring(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                  GrB_Semiring op, GrB_Vector u, GrB_Vector v, GrB_Descriptor desc);
bool GrB_Vector_eWiseMult_BinaryOp(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                   GrB_BinaryOp op, GrB_Vector u, GrB_Vector v, GrB_Descriptor desc);
bool GrB_Vector_eWiseMult_Monoid(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                 GrB_Monoid op, GrB_Vector u, GrB_Vector v, GrB_Descriptor desc);
bool GrB_Vector_eWiseMult_Semiring(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                   GrB_Semiring op, GrB_Vector u, GrB_Vector v, GrB_Descriptor desc);
bool GxB_Vector_eWiseUnion(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op,
                           GrB_Vector u, GrB_Scalar alpha, GrB_Vector v, GrB_Scalar beta,
                           GrB_Descriptor desc);

bool GrB_Matrix_eWiseAdd_BinaryOp(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                                  GrB_BinaryOp op, GrB_Matrix u, GrB_Matrix v, GrB_Descriptor desc);
bool GrB_Matrix_eWiseAdd_Monoid(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                                GrB_Monoid op, GrB_Matrix u, GrB_Matrix v, GrB_Descriptor desc);
bool GrB_Matrix_eWiseAdd_Semiring(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                                  GrB_Semiring op, GrB_Matrix u, GrB_Matrix v, GrB_Descriptor desc);
bool GrB_Matrix_eWiseMult_BinaryOp(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                                   GrB_BinaryOp op, GrB_Matrix u, GrB_Matrix v, GrB_Descriptor desc);
bool GrB_Matrix_eWiseMult_Monoid(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                                 GrB_Monoid op, GrB_Matrix u, GrB_Matrix v, GrB_Descriptor desc);
bool GrB_Matrix_eWiseMult_Semiring(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                                   GrB_Semiring op, GrB_Matrix u, GrB_Matrix v, GrB_Descriptor desc);

bool GxB_Matrix_eWiseUnion(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op,
                           GrB_Matrix u, GrB_Scalar alpha, GrB_Matrix v, GrB_Scalar beta,
                           GrB_Descriptor desc);

// ---- apply, select ----

bool GrB_Vector_apply(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_UnaryOp op,
                      GrB_Vector u, GrB_Descriptor desc);
bool GrB_Vector_apply_BinaryOp1st_Scalar(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                         GrB_BinaryOp op, GrB_Scalar x, GrB_Vector u, GrB_Descriptor desc);
bool GrB_Vector_apply_BinaryOp2nd_Scalar(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                         GrB_BinaryOp op, GrB_Vector u, GrB_Scalar y, GrB_Descriptor desc);
bool GrB_Vector_apply_BinaryOp1st_UDT(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                      GrB_BinaryOp op, const void* x, GrB_Vector u, GrB_Descriptor desc);
bool GrB_Vector_apply_BinaryOp2nd_UDT(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                      GrB_BinaryOp op, GrB_Vector u, const void* y, GrB_Descriptor desc);
bool GrB_Vector_apply_IndexOp_Scalar(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                     GrB_IndexUnaryOp op, GrB_Vector u, GrB_Scalar y, GrB_Descriptor desc);
bool GrB_Vector_apply_IndexOp_UDT(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                  GrB_IndexUnaryOp op, GrB_Vector u, const void* y, GrB_Descriptor desc);
bool GrB_Vector_select_Scalar(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                              GrB_IndexUnaryOp op, GrB_Vector u, GrB_Scalar y, GrB_Descriptor desc);
bool GrB_Vector_select_UDT(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                           GrB_IndexUnaryOp op, GrB_Vector u, const void* y, GrB_Descriptor desc);
bool GxB_Vector_select(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GxB_SelectOp op,
                       GrB_Vector u, GrB_Scalar thunk, GrB_Descriptor desc);

bool GrB_Matrix_apply(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum, GrB_UnaryOp op,
                      GrB_Matrix u, GrB_Descriptor desc);
bool GrB_Matrix_apply_BinaryOp1st_Scalar(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                                         GrB_BinaryOp op, GrB_Scalar x, GrB_Matrix u, GrB_Descriptor desc);
bool GrB_Matrix_apply_BinaryOp2nd_Scalar(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                                         GrB_BinaryOp op, GrB_Matrix u, GrB_Scalar y, GrB_Descriptor desc);
bool GrB_Matrix_apply_BinaryOp1st_UDT(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                                      GrB_BinaryOp op, const void* x, GrB_Matrix u, GrB_Descriptor desc);
bool GrB_Matrix_apply_BinaryOp2nd_UDT(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                                      GrB_BinaryOp op, GrB_Matrix u, const void* y, GrB_Descriptor desc);
bool GrB_Matrix_apply_IndexOp_Scalar(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                                     GrB_IndexUnaryOp op, GrB_Matrix u, GrB_Scalar y, GrB_Descriptor desc);
bool GrB_Matrix_apply_IndexOp_UDT(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                                  GrB_IndexUnaryOp op, GrB_Matrix u, const void* y, GrB_Descriptor desc);
bool GrB_Matrix_select_Scalar(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                              GrB_IndexUnaryOp op, GrB_Matrix u, GrB_Scalar y, GrB_Descriptor desc);
bool GrB_Matrix_select_UDT(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,
                           GrB_IndexUnaryOp op, GrB_Matrix u, const void* y, GrB_Descriptor desc);
bool GxB_Matrix_select(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum, GxB_SelectOp op,
                       GrB_Matrix u, GrB_Scalar thunk, GrB_Descriptor desc);

// ---- assign, extract ----

bool GrB_Vector_assign(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                       const GrB_Index* I, GrB_Index ni, GrB_Descriptor desc);
bool GrB_Vector_assign_Scalar(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Scalar x,
                              const GrB_Index* I, GrB_Index ni, GrB_Descriptor desc);
bool GrB_Vector_assign_UDT(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, void* x,
                           const GrB_Index* I, GrB_Index ni, GrB_Descriptor desc);
bool GrB_Vector_extract(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                        const GrB_Index* I, GrB_Index ni, GrB_Descriptor desc);

bool GrB_Matrix_assign(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Matrix A,
                       const GrB_Index* I, GrB_Index ni, const GrB_Index* J, GrB_Index nj,
                       GrB_Descriptor desc);
bool GrB_Matrix_assign_Scalar(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Scalar x,
                              const GrB_Index* I, GrB_Index ni, const GrB_Index* J, GrB_Index nj,
                              GrB_Descriptor desc);
bool GrB_Matrix_assign_UDT(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, void* x,
                           const GrB_Index* I, GrB_Index ni, const GrB_Index* J, GrB_Index nj,
                           GrB_Descriptor desc);
bool GrB_Matrix_extract(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Matrix A,
                        const GrB_Index* I, GrB_Index ni, const GrB_Index* J, GrB_Index nj,
                        GrB_Descriptor desc);
bool GrB_Col_extract(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Matrix A,
                     const GrB_Index* I, GrB_Index ni, GrB_Index j, GrB_Descriptor desc);
bool GrB_transpose(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Matrix A,
                   GrB_Descriptor desc);

bool GrB_Row_assign(GrB_Info& info, GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                    GrB_Index i, const GrB_Index* J, GrB_Index nj, GrB_Descriptor desc);
bool GrB_Col_assign(GrB_Info& info, GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                    const GrB_Index* I, GrB_Index ni, GrB_Index j, GrB_Descriptor desc);
bool GxB_Vector_subassign(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                          const GrB_Index* I, GrB_Index ni, GrB_Descriptor desc);
bool GxB_Vector_subassign_Scalar(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                 GrB_Scalar x, const GrB_Index* I, GrB_Index ni, GrB_Descriptor desc);
bool GxB_Vector_subassign_UDT(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, void* x,
                              const GrB_Index* I, GrB_Index ni, GrB_Descriptor desc);

// ---- reduce to a scalar ----

bool GrB_Vector_reduce_Monoid_Scalar(GrB_Info& info, GrB_Scalar c, GrB_BinaryOp accum, GrB_Monoid monoid,
                                     GrB_Vector u, GrB_Descriptor desc);
bool GrB_Vector_reduce_UDT(GrB_Info& info, void* c, GrB_BinaryOp accum, GrB_Monoid monoid, GrB_Vector u,
                           GrB_Descriptor desc);

bool GrB_Matrix_reduce_Monoid_Scalar(GrB_Info& info, GrB_Scalar c, GrB_BinaryOp accum, GrB_Monoid monoid,
                                     GrB_Matrix A, GrB_Descriptor desc);
bool GrB_Matrix_reduce_UDT(GrB_Info& info, void* c, GrB_BinaryOp accum, GrB_Monoid monoid, GrB_Matrix A,
                           GrB_Descriptor desc);

// ---- reduce the rows of a matrix ----

bool GrB_Matrix_reduce_Monoid(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                              GrB_Monoid monoid, GrB_Matrix A, GrB_Descriptor desc);
bool GrB_Matrix_reduce_BinaryOp(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,
                                GrB_BinaryOp op, GrB_Matrix A, GrB_Descriptor desc);

// ---- single elements, metadata ----

bool GrB_Vector_nvals(GrB_Info& info, GrB_Index* nvals, GrB_Vector v);
bool GrB_Vector_clear(GrB_Info& info, GrB_Vector v);
bool GrB_Vector_dup(GrB_Info& info, GrB_Vector* w, GrB_Vector u);
bool GrB_Vector_setElement_UDT(GrB_Info& info, GrB_Vector w, void* x, GrB_Index i);
bool GrB_Vector_setElement_Scalar(GrB_Info& info, GrB_Vector w, GrB_Scalar x, GrB_Index i);
bool GrB_Vector_extractElement_UDT(GrB_Info& info, void* x, GrB_Vector v, GrB_Index i);
bool GrB_Vector_removeElement(GrB_Info& info, GrB_Vector v, GrB_Index i);
/// The variadic argument arrives as both candidates (src/capi/variadic.h).
bool GxB_Vector_Option_set(GrB_Info& info, GrB_Vector v, int field, void* word, double real);
bool GxB_Vector_Option_get(GrB_Info& info, GrB_Vector v, int field, void* word, double real);

bool GrB_Vector_get_INT32(GrB_Info& info, GrB_Vector v, int32_t* value, int field);
bool GrB_Vector_set_INT32(GrB_Info& info, GrB_Vector v, int32_t value, int field);

bool GrB_Matrix_nvals(GrB_Info& info, GrB_Index* nvals, GrB_Matrix A);
bool GrB_Matrix_clear(GrB_Info& info, GrB_Matrix A);
bool GrB_Matrix_dup(GrB_Info& info, GrB_Matrix* C, GrB_Matrix A);
bool GxB_Matrix_Option_set(GrB_Info& info, GrB_Matrix A, int field, void* word, double real);
bool GxB_Matrix_Option_get(GrB_Info& info, GrB_Matrix A, int field, void* word, double real);
bool GrB_Matrix_get_INT32(GrB_Info& info, GrB_Matrix A, int32_t* value, int field);
bool GrB_Matrix_set_INT32(GrB_Info& info, GrB_Matrix A, int32_t value, int field);

// ---- tuples ----

bool GrB_Vector_build_UDT(GrB_Info& info, GrB_Vector w, const GrB_Index* I, const void* X, GrB_Index nvals,
                          GrB_BinaryOp dup);
bool GrB_Matrix_build_UDT(GrB_Info& info, GrB_Matrix C, const GrB_Index* I, const GrB_Index* J, const void* X,
                          GrB_Index nvals, GrB_BinaryOp dup);
bool GxB_Vector_build_Scalar(GrB_Info& info, GrB_Vector w, const GrB_Index* I, GrB_Scalar scalar,
                             GrB_Index nvals);
bool GxB_Matrix_build_Scalar(GrB_Info& info, GrB_Matrix C, const GrB_Index* I, const GrB_Index* J,
                             GrB_Scalar scalar, GrB_Index nvals);
bool GrB_Vector_extractTuples_UDT(GrB_Info& info, GrB_Index* I, void* X, GrB_Index* nvals, GrB_Vector v);
bool GrB_Matrix_extractTuples_UDT(GrB_Info& info, GrB_Index* I, GrB_Index* J, void* X, GrB_Index* nvals,
                                  GrB_Matrix A);

// ---- the typed forms ----

#define CUGRB_TYPE(SUFFIX, ctype, Code)                                                                     \
  bool GrB_Vector_apply_BinaryOp1st_##SUFFIX(GrB_Info& info, GrB_Vector w, GrB_Vector mask,                 \
                                             GrB_BinaryOp accum, GrB_BinaryOp op, ctype x, GrB_Vector u,    \
                                             GrB_Descriptor desc);                                          \
  bool GrB_Vector_apply_BinaryOp2nd_##SUFFIX(GrB_Info& info, GrB_Vector w, GrB_Vector mask,                 \
                                             GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u, ctype y,    \
                                             GrB_Descriptor desc);                                          \
  bool GrB_Vector_apply_IndexOp_##SUFFIX(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, \
                                         GrB_IndexUnaryOp op, GrB_Vector u, ctype y, GrB_Descriptor desc);  \
  bool GrB_Vector_select_##SUFFIX(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,        \
                                  GrB_IndexUnaryOp op, GrB_Vector u, ctype y, GrB_Descriptor desc);         \
  bool GrB_Matrix_apply_BinaryOp1st_##SUFFIX(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask,                 \
                                             GrB_BinaryOp accum, GrB_BinaryOp op, ctype x, GrB_Matrix u,    \
                                             GrB_Descriptor desc);                                          \
  bool GrB_Matrix_apply_BinaryOp2nd_##SUFFIX(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask,                 \
                                             GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix u, ctype y,    \
                                             GrB_Descriptor desc);                                          \
  bool GrB_Matrix_apply_IndexOp_##SUFFIX(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum, \
                                         GrB_IndexUnaryOp op, GrB_Matrix u, ctype y, GrB_Descriptor desc);  \
  bool GrB_Matrix_select_##SUFFIX(GrB_Info& info, GrB_Matrix w, GrB_Matrix mask, GrB_BinaryOp accum,        \
                                  GrB_IndexUnaryOp op, GrB_Matrix u, ctype y, GrB_Descriptor desc);         \
  bool GrB_Matrix_assign_##SUFFIX(GrB_Info& info, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, ctype x,  \
                                  const GrB_Index* I, GrB_Index ni, const GrB_Index* J, GrB_Index nj,       \
                                  GrB_Descriptor desc);                                                     \
  bool GrB_Vector_assign_##SUFFIX(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,        \
                                  ctype x, const GrB_Index* I, GrB_Index ni, GrB_Descriptor desc);          \
  bool GxB_Vector_subassign_##SUFFIX(GrB_Info& info, GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,     \
                                     ctype x, const GrB_Index* I, GrB_Index ni, GrB_Descriptor desc);       \
  bool GrB_Vector_reduce_##SUFFIX(GrB_Info& info, ctype* c, GrB_BinaryOp accum, GrB_Monoid monoid,          \
                                  GrB_Vector u, GrB_Descriptor desc);                                       \
  bool GrB_Matrix_reduce_##SUFFIX(GrB_Info& info, ctype* c, GrB_BinaryOp accum, GrB_Monoid monoid,          \
                                  GrB_Matrix A, GrB_Descriptor desc);                                       \
  bool GrB_Vector_setElement_##SUFFIX(GrB_Info& info, GrB_Vector w, ctype x, GrB_Index i);                  \
  bool GrB_Vector_extractElement_##SUFFIX(GrB_Info& info, ctype* x, GrB_Vector v, GrB_Index i);             \
  bool GrB_Vector_build_##SUFFIX(GrB_Info& info, GrB_Vector w, const GrB_Index* I, const ctype* X,          \
                                 GrB_Index nvals, GrB_BinaryOp dup);                                        \
  bool GrB_Matrix_build_##SUFFIX(GrB_Info& info, GrB_Matrix C, const GrB_Index* I, const GrB_Index* J,      \
                                 const ctype* X, GrB_Index nvals, GrB_BinaryOp dup);                        \
  bool GrB_Vector_extractTuples_##SUFFIX(GrB_Info& info, GrB_Index* I, ctype* X, GrB_Index* nvals,          \
                                         GrB_Vector v);                                                     \
  bool GrB_Matrix_extractTuples_##SUFFIX(GrB_Info& info, GrB_Index* I, GrB_Index* J, ctype* X,              \
                                         GrB_Index* nvals, GrB_Matrix A);
#include "semirings/types.def"
#undef CUGRB_TYPE

}  // namespace cugrb::capi::offload
