// Levels of a breadth-first search on the hypercube of 2^8 vertices, by one masked product a level.
// Run: gcc examples/bfs.c -lgraphblas && cugrb exec ./a.out
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>

static void check(GrB_Info info) {
  if (info != GrB_SUCCESS) exit(fprintf(stderr, "GraphBLAS error %d\n", info));
}

int main(void) {
  const GrB_Index dimensions = 8, n = (GrB_Index)1 << dimensions;
  GrB_Matrix A;
  GrB_Vector levels, frontier;
  check(GrB_init(GrB_NONBLOCKING));
  check(GrB_Matrix_new(&A, GrB_BOOL, n, n));
  check(GrB_Vector_new(&levels, GrB_INT32, n));
  check(GrB_Vector_new(&frontier, GrB_BOOL, n));
  for (GrB_Index i = 0; i < n; i++) {
    for (GrB_Index bit = 1; bit < n; bit *= 2) check(GrB_Matrix_setElement_BOOL(A, true, i, i ^ bit));
  }
  check(GrB_Vector_setElement_BOOL(frontier, true, 0));
  GrB_Index reached = 1;
  int32_t depth = 0;
  for (; reached > 0; depth++) {
    // levels<frontier> = depth, then frontier<!levels, replace> = frontier * A.
    check(GrB_Vector_assign_INT32(levels, frontier, NULL, depth, GrB_ALL, n, GrB_DESC_S));
    check(GrB_vxm(frontier, levels, NULL, GxB_ANY_PAIR_BOOL, frontier, A, GrB_DESC_RSC));
    check(GrB_Vector_nvals(&reached, frontier));
  }
  int32_t sum = 0;
  check(GrB_Vector_nvals(&reached, levels));
  check(GrB_Vector_reduce_INT32(&sum, NULL, GrB_PLUS_MONOID_INT32, levels, NULL));
  printf("%d vertices in %d levels, levels add up to %d\n", (int)reached, depth, sum);
  check(GrB_Matrix_free(&A));
  check(GrB_Vector_free(&levels));
  check(GrB_Vector_free(&frontier));
  return GrB_finalize();
}
