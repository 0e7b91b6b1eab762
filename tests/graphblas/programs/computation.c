#define _GNU_SOURCE
#include "computation.h"

#include <GraphBLAS.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 50
#define TRY(call)                                   \
  do {                                              \
    GrB_Info info = (call);                         \
    if (info != GrB_SUCCESS) {                      \
      printf("failed: %s: %d\n", #call, (int)info); \
      return 1;                                     \
    }                                               \
  } while (0)

/* What the interposer says; absent on plain SuiteSparse. The functions are looked up in the global scope. */
static void print_interposer(void) {
  const char* (*version)(void) = (const char* (*)(void))dlsym(RTLD_DEFAULT, "cugrb_version");
  const char* (*reason)(void) = (const char* (*)(void))dlsym(RTLD_DEFAULT, "cugrb_forward_only_reason");
  const char* (*path)(void) = (const char* (*)(void))dlsym(RTLD_DEFAULT, "cugrb_graphblas_path");
  void (*statistics)(uint64_t*) = (void (*)(uint64_t*))dlsym(RTLD_DEFAULT, "cugrb_get_statistics");
  uint64_t counts[16] = {0}; /* longer than the struct: calls_gpu and calls_cpu come first */
  if (version == NULL) return;
  statistics(counts);
  printf("interposer %s\nreal %s\nforward only: %s\ngpu %d\ncpu %d\n", version(), path(), reason(),
         counts[0] > 0, counts[1] > 0);
}

/* A ring with shortcuts: A(i, i+1) = 1 + i, A(i, 7i) = 0.5. */
static int build(GrB_Matrix* A, GrB_Vector* x) {
  TRY(GrB_Matrix_new(A, GrB_FP64, N, N));
  TRY(GrB_Vector_new(x, GrB_FP64, N));
  for (GrB_Index i = 0; i < N; i++) {
    TRY(GrB_Matrix_setElement_FP64(*A, 1.0 + (double)i, i, (i + 1) % N));
    TRY(GrB_Matrix_setElement_FP64(*A, 0.5, i, (7 * i) % N));
    TRY(GrB_Vector_setElement_FP64(*x, 1.0, i));
  }
  return 0;
}

static int iterate(GrB_Matrix A, GrB_Vector x, int times) {
  for (int k = 0; k < times; k++) {
    TRY(GrB_mxv(x, NULL, NULL, GrB_MIN_PLUS_SEMIRING_FP64, A, x, NULL));
    TRY(GrB_Vector_apply_BinaryOp2nd_FP64(x, NULL, NULL, GrB_TIMES_FP64, x, 1.25, NULL));
  }
  return 0;
}

static int report(const char* who, GrB_Vector x) {
  double sum = 0, first = 0;
  GrB_Index nvals = 0;
  TRY(GrB_Vector_nvals(&nvals, x));
  TRY(GrB_Vector_extractElement_FP64(&first, x, 0));
  TRY(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, x, NULL));
  printf("%s %d entries, first %.17g, sum %.17g\n", who, (int)nvals, first, sum);
  fflush(stdout);
  return 0;
}

/* The child continues from what is on the host, or, when the vector is only on the device, is told so. */
static int in_child(GrB_Matrix A, GrB_Vector x) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int failed = iterate(A, x, 2) || report("child", x);
    fflush(stdout);
    _exit(failed);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) printf("child ended with %d\n", status);
  return 0;
}

int run_computation(int fork_in_the_middle) {
  GrB_Matrix A = NULL;
  GrB_Vector x = NULL;
  TRY(GrB_init(GrB_NONBLOCKING));
  if (build(&A, &x) || iterate(A, x, 3)) return 1;
  if (fork_in_the_middle) {
    if (report("before the fork", x)) return 1;
    /* A call that is not on the device brings x to the host: the child can go on from there. */
    TRY(GxB_Vector_fprint(x, "x", GxB_SILENT, NULL));
    if (in_child(A, x)) return 1;
  }
  if (iterate(A, x, 2) || report("parent", x)) return 1;
  print_interposer();
  TRY(GrB_Matrix_free(&A));
  TRY(GrB_Vector_free(&x));
  TRY(GrB_finalize());
  return 0;
}
