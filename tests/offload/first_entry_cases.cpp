// Products with ANY, for which SuiteSparse need not read all entries: what the CPU is predicted to need is in
// the trace.
#include "tests/offload/cases.h"

namespace cases {
namespace {

/// Row 0 has all positions, every other row one: what a push reads depends on where it begins.
void pushes_of_few() {
  constexpr GrB_Index n = 4096;
  const Matrix a(GrB_BOOL, n, n, 0);
  GrB_Matrix_clear(a.handle);
  for (GrB_Index j = 0; j < n; ++j) GrB_Matrix_setElement_BOOL(a.handle, true, 0, j);
  for (GrB_Index i = 1; i < n; ++i) GrB_Matrix_setElement_BOOL(a.handle, true, i, i);
  const Vector all(GrB_BOOL, n), w(GrB_BOOL, n);
  for (GrB_Index i = 0; i < n; ++i) GrB_Vector_setElement_BOOL(all.handle, true, i);
  const GrB_Semiring any = GxB_ANY_PAIR_BOOL;
  print("push of all", GrB_vxm(w.handle, nullptr, nullptr, any, all.handle, a.handle, nullptr), w.handle);
  for (const GrB_Index first : {GrB_Index(0), GrB_Index(1)}) {  // with the row of all positions, without it
    const Vector few(GrB_BOOL, n);
    for (GrB_Index i = first; i < n; i += 512) GrB_Vector_setElement_BOOL(few.handle, true, i);
    print("push of few", GrB_vxm(w.handle, nullptr, nullptr, any, few.handle, a.handle, nullptr), w.handle);
  }
}

}  // namespace

void first_entries() {
  constexpr GrB_Index n = 4096, entries_of_row = 64;
  const Vector u(GrB_BOOL, n), few(GrB_BOOL, n), w(GrB_BOOL, n);
  for (GrB_Index i = 0; i < n; ++i) GrB_Vector_setElement_BOOL(u.handle, true, i);
  for (GrB_Index i = 0; i < n; i += 32) GrB_Vector_setElement_BOOL(few.handle, true, i);
  const Matrix a(GrB_BOOL, n, n, 0);
  GrB_Matrix_clear(a.handle);
  for (GrB_Index i = 0; i < n; ++i) {
    for (GrB_Index k = 0; k < entries_of_row; ++k)
      GrB_Matrix_setElement_BOOL(a.handle, true, i, (i * 97 + k * 61) % n);
  }
  const GrB_Semiring any = GxB_ANY_PAIR_BOOL, all = GxB_PLUS_PAIR_INT32;
  print("pull", GrB_mxv(w.handle, nullptr, nullptr, any, a.handle, u.handle, nullptr), w.handle);
  print("pull of few", GrB_mxv(w.handle, nullptr, nullptr, any, a.handle, few.handle, nullptr), w.handle);
  print("push", GrB_vxm(w.handle, nullptr, nullptr, any, u.handle, a.handle, nullptr), w.handle);
  int32_t ones = 0;
  const GrB_Info counted = GrB_Vector_reduce_INT32(&ones, nullptr, GrB_PLUS_MONOID_INT32, w.handle, nullptr);
  print_value("sum of an iso result", counted, &ones);
  print("sums", GrB_mxv(w.handle, nullptr, nullptr, all, a.handle, u.handle, nullptr), w.handle);
  const Vector degrees(GrB_INT32, n);
  const GrB_Monoid plus = GrB_PLUS_MONOID_INT32;
  print("rows", GrB_Matrix_reduce_Monoid(degrees.handle, nullptr, nullptr, plus, a.handle, nullptr),
        degrees.handle);
  print("columns", GrB_Matrix_reduce_Monoid(degrees.handle, nullptr, nullptr, plus, a.handle, GrB_DESC_T0),
        degrees.handle);
  // Most positions are visited: few rows are left to read.
  const Vector visited(GrB_BOOL, n);
  for (GrB_Index i = 0; i < n; ++i) {
    if (i % 64 != 0) GrB_Vector_setElement_BOOL(visited.handle, true, i);
  }
  print("sums of few rows", GrB_mxv(w.handle, visited.handle, nullptr, all, a.handle, u.handle, GrB_DESC_RSC),
        w.handle);
  pushes_of_few();
}

}  // namespace cases
