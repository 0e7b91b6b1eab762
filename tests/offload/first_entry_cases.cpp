// Products with ANY, for which SuiteSparse need not read all entries: what the CPU is predicted to need is in
// the trace.
#include "tests/offload/cases.h"

namespace cases {

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
  // Most positions are visited: few rows are left to read.
  const Vector visited(GrB_BOOL, n);
  for (GrB_Index i = 0; i < n; ++i) {
    if (i % 64 != 0) GrB_Vector_setElement_BOOL(visited.handle, true, i);
  }
  print("sums of few rows", GrB_mxv(w.handle, visited.handle, nullptr, all, a.handle, u.handle, GrB_DESC_RSC),
        w.handle);
}

}  // namespace cases
