/* The real library with another version number: what is not defined here is found in the real one, which this
 * needs. */
#include <GraphBLAS.h>
#include <stdarg.h>

GrB_Info GxB_Global_Option_get(GxB_Option_Field field, ...) {
  va_list list;
  va_start(list, field);
  int* version = va_arg(list, int*);
  va_end(list);
  if (field != GxB_LIBRARY_VERSION) return GrB_INVALID_VALUE;
  version[0] = 99, version[1] = 8, version[2] = 7;
  return GrB_SUCCESS;
}
