/* Calls the operation that the recipe has added: its result is right, it ran on the device, and what it
 * cannot do is SuiteSparse's. */
#include <GraphBLAS.h>
#include <stdio.h>

#include "include/cugrb/cugrb.h"

#define CHECK(condition)                                           \
  do {                                                             \
    if (!(condition)) {                                            \
      printf("line %d: %s does not hold\n", __LINE__, #condition); \
      return 1;                                                    \
    }                                                              \
  } while (0)

static uint64_t calls_gpu(void) {
  cugrb_statistics statistics;
  cugrb_get_statistics(&statistics);
  return statistics.calls_gpu;
}

/* w(0) and w(2) are 10 - u(0) and 10 - u(2), typecast; w(1) has no entry. */
static int check_result(GrB_Vector w) {
  GrB_Index entries = 0;
  int32_t first = 0, third = 0, second = 0;
  CHECK(GrB_Vector_nvals(&entries, w) == GrB_SUCCESS && entries == 2);
  CHECK(GrB_Vector_extractElement_INT32(&first, w, 0) == GrB_SUCCESS && first == 7);
  CHECK(GrB_Vector_extractElement_INT32(&second, w, 1) == GrB_NO_VALUE);
  CHECK(GrB_Vector_extractElement_INT32(&third, w, 2) == GrB_SUCCESS && third == 14);
  return 0;
}

int main(void) {
  GrB_Vector u = NULL, w = NULL, longer = NULL;
  GrB_Scalar x = NULL, imaginary = NULL;
  uint64_t before = 0;
  CHECK(GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS);
  CHECK(GrB_Vector_new(&u, GrB_INT32, 3) == GrB_SUCCESS && GrB_Vector_new(&w, GrB_INT32, 3) == GrB_SUCCESS);
  CHECK(GrB_Vector_new(&longer, GrB_INT32, 4) == GrB_SUCCESS);
  CHECK(GrB_Vector_setElement_INT32(u, 3, 0) == GrB_SUCCESS &&
        GrB_Vector_setElement_INT32(u, -4, 2) == GrB_SUCCESS);

  CHECK(GrB_Scalar_new(&x, GrB_FP64) == GrB_SUCCESS && GrB_Scalar_new(&imaginary, GxB_FC64) == GrB_SUCCESS);
  CHECK(GrB_Scalar_setElement_FP64(x, 10) == GrB_SUCCESS);
  CHECK(GxB_Scalar_setElement_FC64(imaginary, GxB_CMPLX(10, 1)) == GrB_SUCCESS);

  before = calls_gpu();
  CHECK(GxB_Vector_apply_BinaryOp1st(w, NULL, NULL, GrB_MINUS_INT32, x, u, NULL) == GrB_SUCCESS);
  CHECK(calls_gpu() == before + 1);
  CHECK(check_result(w) == 0);

  before = calls_gpu();
  CHECK(GxB_Vector_apply_BinaryOp1st(longer, NULL, NULL, GrB_MINUS_INT32, x, u, NULL) ==
        GrB_DIMENSION_MISMATCH);
  CHECK(GxB_Vector_apply_BinaryOp1st(w, NULL, NULL, GrB_FIRST_INT32, x, u, NULL) == GrB_SUCCESS);
  CHECK(GxB_Vector_apply_BinaryOp1st(w, NULL, NULL, GrB_MINUS_INT32, imaginary, u, NULL) == GrB_SUCCESS);
  CHECK(calls_gpu() == before);

  GrB_Scalar_free(&imaginary);
  GrB_Scalar_free(&x);
  GrB_Vector_free(&longer);
  GrB_Vector_free(&w);
  GrB_Vector_free(&u);
  return GrB_finalize() == GrB_SUCCESS ? 0 : 1;
}
