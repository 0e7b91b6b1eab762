/* A program that calls GraphBLAS as linked and through dlsym on the library's own handle: both see one
 * content. */
#include <dlfcn.h>

#include "case.h"

typedef GrB_Info (*Nvals)(GrB_Index*, GrB_Matrix);
typedef GrB_Info (*Reduce)(double*, GrB_BinaryOp, GrB_Monoid, GrB_Matrix, GrB_Descriptor);
typedef GrB_Info (*Set)(GrB_Matrix, double, GrB_Index, GrB_Index);
typedef GrB_Info (*Free)(GrB_Matrix*);

int main(void) {
  void* library = NULL;
  for (int major = 7; major < 16 && library == NULL; major++) {
    char name[32];
    snprintf(name, sizeof name, "libgraphblas.so.%d", major);
    library = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
  }
  printf("loaded %d, unknown name %d\n", library != NULL, dlsym(library, "GrB_no_such_function") != NULL);
  OK(GrB_init(GrB_NONBLOCKING));
  GrB_Matrix A, C;
  OK(GrB_Matrix_new(&A, GrB_FP64, 3, 3));
  OK(GrB_Matrix_new(&C, GrB_FP64, 3, 3));
  for (int i = 0; i < 3; i++) OK(GrB_Matrix_setElement_FP64(A, i + 1, i, i));
  OK(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
  GrB_Index nvals = 0;
  double sum = 0;
  OK(((Nvals)dlsym(library, "GrB_Matrix_nvals"))(&nvals, C));
  OK(((Reduce)dlsym(library, "GrB_Matrix_reduce_FP64"))(&sum, NULL, GrB_PLUS_MONOID_FP64, C, NULL));
  printf("nvals %d, sum %g\n", (int)nvals, sum);
  OK(((Set)dlsym(library, "GrB_Matrix_setElement_FP64"))(A, 10, 0, 0));
  OK(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
  print_matrix("C", C);
  OK(((Free)dlsym(library, "GrB_Matrix_free"))(&C));
  OK(GrB_Matrix_new(&C, GrB_FP64, 3, 3));
  print_matrix("new", C);
  OK(GrB_Matrix_free(&A));
  OK(GrB_Matrix_free(&C));
  OK(GrB_finalize());
}
