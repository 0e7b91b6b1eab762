/* A program that writes numbers with a comma: what cuGrB writes, compiles and reads does not follow it. */
#include "tests/comma_locale.h"
#include "case.h"

int main(void) {
  enum { n = 20 };
  GrB_Matrix A;
  GrB_Vector x, y;
  double sum = 0;
  printf("%s, half is %g\n", set_comma_locale() == 0 ? "comma" : "no such locale", 0.5);
  OK(GrB_init(GrB_NONBLOCKING));
  OK(GrB_Matrix_new(&A, GrB_FP64, n, n));
  OK(GrB_Vector_new(&x, GrB_FP64, n));
  OK(GrB_Vector_new(&y, GrB_FP64, n));
  for (int i = 0; i < n; i++) {
    OK(GrB_Matrix_setElement_FP64(A, i + 0.25, i, (i * 7 + 1) % n));
    OK(GrB_Vector_setElement_FP64(x, i + 0.5, i));
  }
  OK(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, NULL));
  OK(GrB_Vector_apply_BinaryOp2nd_FP64(y, NULL, NULL, GrB_TIMES_FP64, y, 1.125, NULL));
  OK(GrB_Vector_select_FP64(y, NULL, NULL, GrB_VALUEGT_FP64, y, 10.5, NULL));
  OK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, y, NULL));
  print_vector("y", y);
  printf("sum %g\n", sum);
  OK(GrB_Vector_free(&x));
  OK(GrB_Vector_free(&y));
  OK(GrB_Matrix_free(&A));
  OK(GrB_finalize());
  return 0;
}
