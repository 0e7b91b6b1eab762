// An operator of your own runs on the GPU when it brings its definition as text: distances around a clock.
// Run: gcc examples/user_operator.c -lgraphblas && cugrb exec ./a.out
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>

#define CLOCK                                                               \
  "void around_the_clock(int32_t *z, const int32_t *x, const int32_t *y)\n" \
  "{ int32_t d = *x > *y ? *x - *y : *y - *x; *z = d > 6 ? 12 - d : d; }"

static void around_the_clock(void* z, const void* x, const void* y) {
  const int32_t a = *(const int32_t*)x, b = *(const int32_t*)y, d = a > b ? a - b : b - a;
  *(int32_t*)z = d > 6 ? 12 - d : d;
}
static void check(GrB_Info info) {
  if (info != GrB_SUCCESS) exit(fprintf(stderr, "GraphBLAS error %d\n", info));
}

int main(void) {
  const GrB_Index n = 12;
  GrB_BinaryOp op;
  GrB_Vector hours, noon, distance;
  check(GrB_init(GrB_NONBLOCKING));
  check(GxB_BinaryOp_new(&op, around_the_clock, GrB_INT32, GrB_INT32, GrB_INT32, "around_the_clock", CLOCK));
  check(GrB_Vector_new(&hours, GrB_INT32, n));
  check(GrB_Vector_new(&noon, GrB_INT32, n));
  check(GrB_Vector_new(&distance, GrB_INT32, n));
  for (GrB_Index i = 0; i < n; i++) {
    check(GrB_Vector_setElement_INT32(hours, (int32_t)i, i));
    check(GrB_Vector_setElement_INT32(noon, 0, i));
  }
  check(GrB_Vector_eWiseMult_BinaryOp(distance, NULL, NULL, op, hours, noon, NULL));
  int32_t sum = 0;
  check(GrB_Vector_reduce_INT32(&sum, NULL, GrB_PLUS_MONOID_INT32, distance, NULL));
  printf("all hours together are %d from noon\n", sum);
  check(GrB_Vector_free(&hours));
  check(GrB_Vector_free(&noon));
  check(GrB_Vector_free(&distance));
  check(GrB_BinaryOp_free(&op));
  return GrB_finalize();
}
