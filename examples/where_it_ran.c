// Asks cuGrB where calls ran and what was moved; on plain SuiteSparse:GraphBLAS nobody answers.
// Run: gcc examples/where_it_ran.c -Iinclude -lgraphblas -ldl && cugrb exec ./a.out
#define _GNU_SOURCE
#include <GraphBLAS.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "cugrb/cugrb.h"

static void check(GrB_Info info) {
  if (info != GrB_SUCCESS) exit(fprintf(stderr, "GraphBLAS error %d\n", info));
}

int main(void) {
  const GrB_Index n = 1000;
  GrB_Vector u, w;
  check(GrB_init(GrB_NONBLOCKING));
  check(GrB_Vector_new(&u, GrB_FP32, n));
  check(GrB_Vector_new(&w, GrB_FP32, n));
  for (GrB_Index i = 0; i < n; i++) check(GrB_Vector_setElement_FP32(u, (float)i, i));
  check(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GrB_PLUS_FP32, u, u, NULL));
  check(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GrB_PLUS_FP32, w, u, NULL));
  // libcugrb.so may or may not be there, so its functions are looked up.
  void (*get)(cugrb_statistics*) = (void (*)(cugrb_statistics*))dlsym(RTLD_DEFAULT, "cugrb_get_statistics");
  if (get == NULL) {
    printf("plain SuiteSparse:GraphBLAS\n");
  } else {
    cugrb_statistics s;
    get(&s);
    printf("%d calls on the device, %d objects uploaded, %d downloaded\n", (int)s.calls_gpu, (int)s.uploads,
           (int)s.downloads);
  }
  check(GrB_Vector_free(&u));
  check(GrB_Vector_free(&w));
  return GrB_finalize();
}
