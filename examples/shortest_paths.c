// Shortest paths on a 20 by 20 street grid by Bellman and Ford: d = min(d, d min.+ A) until it is still.
// Run: gcc examples/shortest_paths.c -lgraphblas && cugrb exec ./a.out
#include <GraphBLAS.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static void check(GrB_Info info) {
  if (info != GrB_SUCCESS) exit(fprintf(stderr, "GraphBLAS error %d\n", info));
}

int main(void) {
  const GrB_Index side = 20, n = side * side;
  GrB_Matrix A;
  GrB_Vector distance, next;
  check(GrB_init(GrB_NONBLOCKING));
  check(GrB_Matrix_new(&A, GrB_INT32, n, n));
  check(GrB_Vector_new(&distance, GrB_INT32, n));
  for (GrB_Index y = 0; y < side; y++) {
    for (GrB_Index x = 0; x < side; x++) {  // a step east costs 1, a step south 3; all streets are one-way
      if (x + 1 < side) check(GrB_Matrix_setElement_INT32(A, 1, y * side + x, y * side + x + 1));
      if (y + 1 < side) check(GrB_Matrix_setElement_INT32(A, 3, y * side + x, (y + 1) * side + x));
    }
  }
  check(GrB_Vector_setElement_INT32(distance, 0, 0));
  bool same = false;
  for (int round = 0; !same; round++) {
    GrB_Index before, after;
    int32_t old_sum = 0, sum = 0;
    check(GrB_Vector_dup(&next, distance));
    check(GrB_vxm(next, NULL, GrB_MIN_INT32, GrB_MIN_PLUS_SEMIRING_INT32, distance, A, NULL));
    check(GrB_Vector_nvals(&before, distance));
    check(GrB_Vector_nvals(&after, next));
    check(GrB_Vector_reduce_INT32(&old_sum, NULL, GrB_PLUS_MONOID_INT32, distance, NULL));
    check(GrB_Vector_reduce_INT32(&sum, NULL, GrB_PLUS_MONOID_INT32, next, NULL));
    same = before == after && old_sum == sum;  // distances only fall
    check(GrB_Vector_free(&distance));
    distance = next;
  }
  int32_t corner = 0;
  check(GrB_Vector_extractElement_INT32(&corner, distance, n - 1));
  printf("the opposite corner is %d away\n", corner);
  check(GrB_Matrix_free(&A));
  check(GrB_Vector_free(&distance));
  return GrB_finalize();
}
