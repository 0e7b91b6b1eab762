/* The real library with objects of another layout: iterators say that there is one vector more than there is.
 */
#define _GNU_SOURCE
#include <GraphBLAS.h>
#include <dlfcn.h>

GrB_Info GB_Iterator_attach(GxB_Iterator iterator, GrB_Matrix A, GxB_Format_Value format,
                            GrB_Descriptor desc) {
  GrB_Info (*attach)(GxB_Iterator, GrB_Matrix, GxB_Format_Value, GrB_Descriptor) = (GrB_Info(*)(
      GxB_Iterator, GrB_Matrix, GxB_Format_Value, GrB_Descriptor))dlsym(RTLD_NEXT, "GB_Iterator_attach");
  GrB_Info info = attach(iterator, A, format, desc);
  iterator->avdim++;
  return info;
}
