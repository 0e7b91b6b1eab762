// Makes its operators as most programs do: by GrB_*Op_new, which keeps no definition.
#include <GraphBLAS.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

void twice_plus(int32_t* z, const int32_t* x, const int32_t* y) { *z = 2 * *x + *y; }
static void clamp(double* z, const double* x) { *z = fabs(*x) > 2 ? (*x > 0 ? 2 : -2) : *x; }
static void near_place(bool* z, const int32_t* x, GrB_Index i, GrB_Index j, const int64_t* y) {
  *z = *x + (int64_t)i > *y && j == 0;
}

#define TRY(...)                                                               \
  do {                                                                         \
    GrB_Info info = __VA_ARGS__;                                               \
    if (info != GrB_SUCCESS) return printf("%s: %d\n", #__VA_ARGS__, info), 1; \
  } while (0)

static int print(const char* name, GrB_Vector vector) {
  double values[40];
  GrB_Index places[40], n = 40;
  TRY(GrB_Vector_extractTuples_FP64(places, values, &n, vector));
  printf("%s:", name);
  for (GrB_Index k = 0; k < n; ++k) printf(" %d=%g", (int)places[k], values[k]);
  printf("\n");
  return 0;
}

int main(void) {
  TRY(GrB_init(GrB_NONBLOCKING));
  GrB_BinaryOp binary;
  GrB_UnaryOp unary;
  GrB_IndexUnaryOp index;
  TRY(GrB_BinaryOp_new(&binary, (GxB_binary_function)twice_plus, GrB_INT32, GrB_INT32, GrB_INT32));
  TRY(GrB_UnaryOp_new(&unary, (GxB_unary_function)clamp, GrB_FP64, GrB_FP64));
  TRY(GrB_IndexUnaryOp_new(&index, (GxB_index_unary_function)near_place, GrB_BOOL, GrB_INT32, GrB_INT64));
  GrB_Vector u, v, w;
  TRY(GrB_Vector_new(&u, GrB_INT32, 40));
  TRY(GrB_Vector_new(&v, GrB_FP64, 40));
  TRY(GrB_Vector_new(&w, GrB_INT32, 40));
  for (int k = 0; k < 40; k += 3) {
    TRY(GrB_Vector_setElement_INT32(u, k - 11, k));
    TRY(GrB_Vector_setElement_FP64(v, 0.25 * k - 3, k));
  }
  TRY(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, binary, u, u, NULL));
  if (print("twice_plus", w) != 0) return 1;
  TRY(GrB_Vector_apply(v, NULL, NULL, unary, v, NULL));
  if (print("clamp", v) != 0) return 1;
  TRY(GrB_Vector_select_INT64(w, NULL, NULL, index, u, 9, NULL));
  if (print("near_place", w) != 0) return 1;
  TRY(GrB_finalize());
  return 0;
}
