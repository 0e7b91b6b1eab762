// The C API's one-function-a-type families as overloads: set_element(w, x, i) is GrB_Vector_setElement_<type
// of x>. User-defined types go to the _UDT forms, which take addresses.
#pragma once
#include <functional>
#include <memory>

#include "cugrb/error.hpp"
#include "cugrb/types.hpp"

namespace cugrb::detail {

#define CUGRB_CALLS(T, S)                                                                                   \
  inline GrB_Info set_element(GrB_Scalar s, T x) { return GrB_Scalar_setElement_##S(s, x); }                \
  inline GrB_Info set_element(GrB_Vector w, T x, Index i) { return GrB_Vector_setElement_##S(w, x, i); }    \
  inline GrB_Info set_element(GrB_Matrix c, T x, Index i, Index j) {                                        \
    return GrB_Matrix_setElement_##S(c, x, i, j);                                                           \
  }                                                                                                         \
  inline GrB_Info extract_element(T* x, GrB_Scalar s) { return GrB_Scalar_extractElement_##S(x, s); }       \
  inline GrB_Info extract_element(T* x, GrB_Vector u, Index i) {                                            \
    return GrB_Vector_extractElement_##S(x, u, i);                                                          \
  }                                                                                                         \
  inline GrB_Info extract_element(T* x, GrB_Matrix a, Index i, Index j) {                                   \
    return GrB_Matrix_extractElement_##S(x, a, i, j);                                                       \
  }                                                                                                         \
  inline GrB_Info build(GrB_Vector w, const Index* i, const T* x, Index n, GrB_BinaryOp dup) {              \
    return GrB_Vector_build_##S(w, i, x, n, dup);                                                           \
  }                                                                                                         \
  inline GrB_Info build(GrB_Matrix c, const Index* i, const Index* j, const T* x, Index n,                  \
                        GrB_BinaryOp dup) {                                                                 \
    return GrB_Matrix_build_##S(c, i, j, x, n, dup);                                                        \
  }                                                                                                         \
  inline GrB_Info extract_tuples(Index* i, T* x, Index* n, GrB_Vector u) {                                  \
    return GrB_Vector_extractTuples_##S(i, x, n, u);                                                        \
  }                                                                                                         \
  inline GrB_Info extract_tuples(Index* i, Index* j, T* x, Index* n, GrB_Matrix a) {                        \
    return GrB_Matrix_extractTuples_##S(i, j, x, n, a);                                                     \
  }                                                                                                         \
  inline GrB_Info assign(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, T x, const Index* i, Index ni,     \
                         GrB_Descriptor d) {                                                                \
    return GrB_Vector_assign_##S(w, m, accum, x, i, ni, d);                                                 \
  }                                                                                                         \
  inline GrB_Info assign(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, T x, const Index* i, Index ni,     \
                         const Index* j, Index nj, GrB_Descriptor d) {                                      \
    return GrB_Matrix_assign_##S(c, m, accum, x, i, ni, j, nj, d);                                          \
  }                                                                                                         \
  inline GrB_Info apply_first(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_BinaryOp op, T x,         \
                              GrB_Vector u, GrB_Descriptor d) {                                             \
    return GrB_Vector_apply_BinaryOp1st_##S(w, m, accum, op, x, u, d);                                      \
  }                                                                                                         \
  inline GrB_Info apply_first(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_BinaryOp op, T x,         \
                              GrB_Matrix a, GrB_Descriptor d) {                                             \
    return GrB_Matrix_apply_BinaryOp1st_##S(c, m, accum, op, x, a, d);                                      \
  }                                                                                                         \
  inline GrB_Info apply_second(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_BinaryOp op,             \
                               GrB_Vector u, T y, GrB_Descriptor d) {                                       \
    return GrB_Vector_apply_BinaryOp2nd_##S(w, m, accum, op, u, y, d);                                      \
  }                                                                                                         \
  inline GrB_Info apply_second(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_BinaryOp op,             \
                               GrB_Matrix a, T y, GrB_Descriptor d) {                                       \
    return GrB_Matrix_apply_BinaryOp2nd_##S(c, m, accum, op, a, y, d);                                      \
  }                                                                                                         \
  inline GrB_Info apply_index(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_IndexUnaryOp op,          \
                              GrB_Vector u, T y, GrB_Descriptor d) {                                        \
    return GrB_Vector_apply_IndexOp_##S(w, m, accum, op, u, y, d);                                          \
  }                                                                                                         \
  inline GrB_Info apply_index(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_IndexUnaryOp op,          \
                              GrB_Matrix a, T y, GrB_Descriptor d) {                                        \
    return GrB_Matrix_apply_IndexOp_##S(c, m, accum, op, a, y, d);                                          \
  }                                                                                                         \
  inline GrB_Info select(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_IndexUnaryOp op, GrB_Vector u, \
                         T y, GrB_Descriptor d) {                                                           \
    return GrB_Vector_select_##S(w, m, accum, op, u, y, d);                                                 \
  }                                                                                                         \
  inline GrB_Info select(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_IndexUnaryOp op, GrB_Matrix a, \
                         T y, GrB_Descriptor d) {                                                           \
    return GrB_Matrix_select_##S(c, m, accum, op, a, y, d);                                                 \
  }                                                                                                         \
  inline GrB_Info reduce(T* x, GrB_Monoid monoid, GrB_Vector u) {                                           \
    return GrB_Vector_reduce_##S(x, nullptr, monoid, u, nullptr);                                           \
  }                                                                                                         \
  inline GrB_Info reduce(T* x, GrB_Monoid monoid, GrB_Matrix a) {                                           \
    return GrB_Matrix_reduce_##S(x, nullptr, monoid, a, nullptr);                                           \
  }                                                                                                         \
  inline GrB_Info monoid_new(GrB_Monoid* made, GrB_BinaryOp op, T identity) {                               \
    return GrB_Monoid_new_##S(made, op, identity);                                                          \
  }
CUGRB_FOR_EACH_TYPE(CUGRB_CALLS)
#undef CUGRB_CALLS

/// The same for user-defined types.
#define CUGRB_USER_TYPE class T, std::enable_if_t<!is_builtin<T>, int> = 0
template <CUGRB_USER_TYPE>
GrB_Info set_element(GrB_Scalar s, const T& x) {
  return GrB_Scalar_setElement_UDT(s, const_cast<T*>(&x));
}
template <CUGRB_USER_TYPE>
GrB_Info set_element(GrB_Vector w, const T& x, Index i) {
  return GrB_Vector_setElement_UDT(w, const_cast<T*>(&x), i);
}
template <CUGRB_USER_TYPE>
GrB_Info set_element(GrB_Matrix c, const T& x, Index i, Index j) {
  return GrB_Matrix_setElement_UDT(c, const_cast<T*>(&x), i, j);
}
template <CUGRB_USER_TYPE>
GrB_Info extract_element(T* x, GrB_Scalar s) {
  return GrB_Scalar_extractElement_UDT(x, s);
}
template <CUGRB_USER_TYPE>
GrB_Info extract_element(T* x, GrB_Vector u, Index i) {
  return GrB_Vector_extractElement_UDT(x, u, i);
}
template <CUGRB_USER_TYPE>
GrB_Info extract_element(T* x, GrB_Matrix a, Index i, Index j) {
  return GrB_Matrix_extractElement_UDT(x, a, i, j);
}
template <CUGRB_USER_TYPE>
GrB_Info build(GrB_Vector w, const Index* i, const T* x, Index n, GrB_BinaryOp dup) {
  return GrB_Vector_build_UDT(w, i, x, n, dup);
}
template <CUGRB_USER_TYPE>
GrB_Info build(GrB_Matrix c, const Index* i, const Index* j, const T* x, Index n, GrB_BinaryOp dup) {
  return GrB_Matrix_build_UDT(c, i, j, x, n, dup);
}
template <CUGRB_USER_TYPE>
GrB_Info extract_tuples(Index* i, T* x, Index* n, GrB_Vector u) {
  return GrB_Vector_extractTuples_UDT(i, x, n, u);
}
template <CUGRB_USER_TYPE>
GrB_Info extract_tuples(Index* i, Index* j, T* x, Index* n, GrB_Matrix a) {
  return GrB_Matrix_extractTuples_UDT(i, j, x, n, a);
}
template <CUGRB_USER_TYPE>
GrB_Info assign(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, const T& x, const Index* i, Index ni,
                GrB_Descriptor d) {
  return GrB_Vector_assign_UDT(w, m, accum, const_cast<T*>(&x), i, ni, d);
}
template <CUGRB_USER_TYPE>
GrB_Info assign(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, const T& x, const Index* i, Index ni,
                const Index* j, Index nj, GrB_Descriptor d) {
  return GrB_Matrix_assign_UDT(c, m, accum, const_cast<T*>(&x), i, ni, j, nj, d);
}
template <CUGRB_USER_TYPE>
GrB_Info apply_first(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_BinaryOp op, const T& x,
                     GrB_Vector u, GrB_Descriptor d) {
  return GrB_Vector_apply_BinaryOp1st_UDT(w, m, accum, op, &x, u, d);
}
template <CUGRB_USER_TYPE>
GrB_Info apply_first(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_BinaryOp op, const T& x,
                     GrB_Matrix a, GrB_Descriptor d) {
  return GrB_Matrix_apply_BinaryOp1st_UDT(c, m, accum, op, &x, a, d);
}
template <CUGRB_USER_TYPE>
GrB_Info apply_second(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                      const T& y, GrB_Descriptor d) {
  return GrB_Vector_apply_BinaryOp2nd_UDT(w, m, accum, op, u, &y, d);
}
template <CUGRB_USER_TYPE>
GrB_Info apply_second(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix a,
                      const T& y, GrB_Descriptor d) {
  return GrB_Matrix_apply_BinaryOp2nd_UDT(c, m, accum, op, a, &y, d);
}
template <CUGRB_USER_TYPE>
GrB_Info apply_index(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_IndexUnaryOp op, GrB_Vector u,
                     const T& y, GrB_Descriptor d) {
  return GrB_Vector_apply_IndexOp_UDT(w, m, accum, op, u, &y, d);
}
template <CUGRB_USER_TYPE>
GrB_Info apply_index(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_IndexUnaryOp op, GrB_Matrix a,
                     const T& y, GrB_Descriptor d) {
  return GrB_Matrix_apply_IndexOp_UDT(c, m, accum, op, a, &y, d);
}
template <CUGRB_USER_TYPE>
GrB_Info select(GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_IndexUnaryOp op, GrB_Vector u, const T& y,
                GrB_Descriptor d) {
  return GrB_Vector_select_UDT(w, m, accum, op, u, &y, d);
}
template <CUGRB_USER_TYPE>
GrB_Info select(GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp accum, GrB_IndexUnaryOp op, GrB_Matrix a, const T& y,
                GrB_Descriptor d) {
  return GrB_Matrix_select_UDT(c, m, accum, op, a, &y, d);
}
template <CUGRB_USER_TYPE>
GrB_Info reduce(T* x, GrB_Monoid monoid, GrB_Vector u) {
  return GrB_Vector_reduce_UDT(x, nullptr, monoid, u, nullptr);
}
template <CUGRB_USER_TYPE>
GrB_Info reduce(T* x, GrB_Monoid monoid, GrB_Matrix a) {
  return GrB_Matrix_reduce_UDT(x, nullptr, monoid, a, nullptr);
}
template <CUGRB_USER_TYPE>
GrB_Info monoid_new(GrB_Monoid* made, GrB_BinaryOp op, const T& identity) {
  return GrB_Monoid_new_UDT(made, op, const_cast<T*>(&identity));
}
#undef CUGRB_USER_TYPE

}  // namespace cugrb::detail
