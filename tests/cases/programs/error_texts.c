/* GrB_error of an object answers until the object is the output of another call, whatever happens to it and
 * to others in between. */
#include "case.h"

static void print_error(const char* when, GrB_Matrix A) {
  const char* text = NULL;
  OK(GrB_Matrix_error(&text, A));
  printf("%s: %s\n", when, text);
}

int main(void) {
  OK(GrB_init(GrB_NONBLOCKING));
  GrB_Matrix A, C, D;
  OK(GrB_Matrix_new(&A, GrB_FP64, 4, 4));
  OK(GrB_Matrix_new(&C, GrB_FP64, 4, 4));
  OK(GrB_Matrix_new(&D, GrB_FP64, 4, 4));
  for (int i = 0; i < 4; i++) OK(GrB_Matrix_setElement_FP64(A, i + 1, i, (i + 1) % 4));
  for (int round = 0; round < 2; round++) {
    OK(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    print_error("nothing wrong", C);
    printf("%d\n", (int)GrB_Matrix_setElement_FP64(C, 1, 7, 0));
    print_error("at once", C);
    OK(GrB_mxm(D, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, C, A, NULL));
    print_error("after it was an input", C);
    print_matrix("D", D);
    print_matrix("C", C);
    double sum = 0;
    OK(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, C, NULL));
    print_error("after it was read", C);
    OK(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, D, NULL));
    print_error("after it was an output", C);
    printf("%d\n", (int)GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, NULL, NULL));
    printf("%d\n", (int)GrB_Matrix_setElement_FP64(C, 1, 0, 9));
    if (round == 0) OK(GrB_Matrix_wait(C, GrB_MATERIALIZE));
    print_error("after a wait, or none", C);
    OK(GrB_Matrix_clear(C));
    print_error("cleared", C);
  }
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&C));
  OK(GrB_Matrix_free(&D));
  OK(GrB_finalize());
}
