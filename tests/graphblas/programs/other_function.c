/* The real library with a function that no version has. The search for such functions begins where GrB_init
 * is. */
#define _GNU_SOURCE
#include <GraphBLAS.h>
#include <dlfcn.h>

GrB_Info GrB_init(GrB_Mode mode) {
  GrB_Info (*init)(GrB_Mode) = (GrB_Info(*)(GrB_Mode))dlsym(RTLD_NEXT, "GrB_init");
  return init(mode);
}

GrB_Info GxB_Matrix_of_the_future(GrB_Matrix A);
GrB_Info GxB_Matrix_of_the_future(GrB_Matrix A) {
  (void)A;
  return GrB_NOT_IMPLEMENTED;
}
