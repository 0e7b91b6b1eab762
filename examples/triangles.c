// Triangles of the complete graph of 100 vertices: the sum of C<L> = L * L' over (plus, pair).
// Run: gcc examples/triangles.c -lgraphblas && cugrb exec ./a.out
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>

static void check(GrB_Info info) {
  if (info != GrB_SUCCESS) exit(fprintf(stderr, "GraphBLAS error %d\n", info));
}

int main(void) {
  const GrB_Index n = 100;
  GrB_Matrix A, L, C;
  check(GrB_init(GrB_NONBLOCKING));
  check(GrB_Matrix_new(&A, GrB_BOOL, n, n));
  check(GrB_Matrix_new(&L, GrB_BOOL, n, n));
  check(GrB_Matrix_new(&C, GrB_INT64, n, n));
  for (GrB_Index i = 0; i < n; i++) {
    for (GrB_Index j = 0; j < n; j++) {
      if (i != j) check(GrB_Matrix_setElement_BOOL(A, true, i, j));
    }
  }
  check(GrB_Matrix_select_INT64(L, NULL, NULL, GrB_TRIL, A, -1, NULL));
  // The mask names the edges, so only they get a dot product: how many neighbours both ends have in common.
  check(GrB_mxm(C, L, NULL, GxB_PLUS_PAIR_INT64, L, L, GrB_DESC_ST1));
  int64_t triangles = 0;
  check(GrB_Matrix_reduce_INT64(&triangles, NULL, GrB_PLUS_MONOID_INT64, C, NULL));
  printf("%lld triangles\n", (long long)triangles);
  check(GrB_Matrix_free(&A));
  check(GrB_Matrix_free(&L));
  check(GrB_Matrix_free(&C));
  return GrB_finalize();
}
