/* A forked child sees every value of its parent, however the parent made it and whether or not it was waited
 * for; it computes, it may finalize or not, and the parent goes on. */
#include <sys/wait.h>
#include <unistd.h>

#include "case.h"

static GrB_Matrix A, B;
static GrB_Vector v;
static GrB_Scalar s;

static void child(int round) {
  GrB_Index nvals = 0;
  const GrB_Info info = GrB_Matrix_nvals(&nvals, B);
  const char* text = "";
  if (info != GrB_SUCCESS) GrB_Matrix_error(&text, B);
  printf("child %d: nvals %d, %d %s\n", round, (int)info, (int)nvals, text);
  void* blob = NULL;
  GrB_Index bytes = 0;
  OK(GxB_Matrix_serialize(&blob, &bytes, B, NULL));
  free(blob);
  print_matrix("child B", B);
  print_vector("child v", v);
  print_scalar("child s", s);
  GrB_Matrix C;
  OK(GrB_Matrix_new(&C, GrB_FP64, 5, 5));
  OK(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL));
  print_matrix("child's own", C);
  OK(GrB_Matrix_setElement_FP64(B, -1, 0, 0));
  if (round == 2) OK(GrB_finalize());
  fflush(stdout);
  round % 2 == 0 ? exit(3) : _exit(3);
}

int main(void) {
  OK(GrB_init(GrB_NONBLOCKING));
  OK(GrB_Matrix_new(&A, GrB_FP64, 5, 5));
  OK(GrB_Matrix_new(&B, GrB_FP64, 5, 5));
  OK(GrB_Vector_new(&v, GrB_FP64, 5));
  OK(GrB_Scalar_new(&s, GrB_FP64));
  for (int i = 0; i < 9; i++) OK(GrB_Matrix_setElement_FP64(A, i + 1, i % 5, i * 3 % 5));
  for (int round = 0; round < 4; round++) {
    OK(GrB_mxm(B, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    OK(GrB_Matrix_reduce_Monoid(v, NULL, NULL, GrB_PLUS_MONOID_FP64, B, NULL));
    OK(GrB_Vector_apply((GrB_Vector)s, NULL, NULL, GrB_IDENTITY_FP64, (GrB_Vector)s, NULL));
    OK(GrB_Vector_assign_FP64((GrB_Vector)s, NULL, NULL, round, GrB_ALL, 1, NULL));
    if (round % 2) OK(GrB_Matrix_wait(B, GrB_MATERIALIZE));
    fflush(stdout);
    const pid_t process = fork();
    if (process == 0) child(round);
    int status = 0;
    waitpid(process, &status, 0);
    printf("status %d\n", status);
    print_matrix("parent B", B);
    OK(GrB_mxm(B, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL));
    print_matrix("parent A B", B);
  }
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&B));
  OK(GrB_Vector_free(&v));
  OK(GrB_Scalar_free(&s));
  OK(GrB_finalize());
}
