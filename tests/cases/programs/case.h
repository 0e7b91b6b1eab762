/* What the case programs share: every call's result is printed where it is not the expected one, and objects
 * are printed with all that a program can see of them. */
#pragma once
#include <GraphBLAS.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call)                                                                             \
  do {                                                                                       \
    const GrB_Info info_ = (call);                                                           \
    if (info_ != GrB_SUCCESS) printf("line %d: %s gives %d\n", __LINE__, #call, (int)info_); \
  } while (0)

/* Type, shape, number of entries, and the entries, sorted by position: their order is the library's choice.
 */
static inline void print_matrix(const char* name, GrB_Matrix A) {
  enum { most = 64 };
  GrB_Index rows = 0, columns = 0, nvals = 0, I[most], J[most], count = most;
  char type[GxB_MAX_NAME_LEN] = "";
  double X[most];
  OK(GrB_Matrix_nrows(&rows, A));
  OK(GrB_Matrix_ncols(&columns, A));
  OK(GrB_Matrix_nvals(&nvals, A));
  OK(GxB_Matrix_type_name(type, A));
  printf("%s: %s %" PRIu64 " x %" PRIu64 ", %" PRIu64 " entries:", name, type, rows, columns, nvals);
  if (nvals > most) {
    printf(" many\n");
    return;
  }
  OK(GrB_Matrix_extractTuples_FP64(I, J, X, &count, A));
  for (GrB_Index done = 0; done < count; done++) {
    GrB_Index first = done;
    for (GrB_Index k = done + 1; k < count; k++)
      if (I[k] < I[first] || (I[k] == I[first] && J[k] < J[first])) first = k;
    printf(" (%" PRIu64 ",%" PRIu64 ") %.17g", I[first], J[first], X[first]);
    I[first] = I[done], J[first] = J[done], X[first] = X[done];
  }
  printf("\n");
}

static inline void print_vector(const char* name, GrB_Vector v) { print_matrix(name, (GrB_Matrix)v); }

static inline void print_scalar(const char* name, GrB_Scalar s) {
  GrB_Index nvals = 99;
  double x = -1;
  OK(GrB_Scalar_nvals(&nvals, s));
  const GrB_Info info = GrB_Scalar_extractElement_FP64(&x, s);
  printf("%s: %d entries, extractElement %d, %.17g\n", name, (int)nvals, (int)info, x);
}
