// Products of a matrix that does not fit the device with vectors that do: w = A u, w += A' u, a masked one.
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 500, EACH = 24 };

static int64_t a[N][N], u[N], wanted[N];

static void check(GrB_Info info, const char* what) {
  if (info != GrB_SUCCESS) {
    printf("%s failed: %d\n", what, (int)info);
    exit(1);
  }
}

/// wanted(i) += sum over j of A(i,j) u(j), or of A(j,i) u(j), where `step` divides i.
static void multiply(int transposed, int step) {
  for (int i = 0; i < N; i += step) {
    for (int j = 0; j < N; j++) wanted[i] += (transposed ? a[j][i] : a[i][j]) * u[j];
  }
}

static void compare(GrB_Vector w, const char* what) {
  for (int i = 0; i < N; i++) {
    int64_t value = 0;
    GrB_Info info = GrB_Vector_extractElement_INT64(&value, w, (GrB_Index)i);
    if (info != GrB_NO_VALUE) check(info, "extractElement");
    if (value == wanted[i]) continue;
    printf("%s: w(%d) is %ld, not %ld\n", what, i, (long)value, (long)wanted[i]);
    exit(1);
  }
}

int main(void) {
  check(GrB_init(GrB_NONBLOCKING), "init");
  GrB_Matrix A = NULL;
  GrB_Vector x = NULL, w = NULL, mask = NULL;
  check(GrB_Matrix_new(&A, GrB_INT64, N, N), "new");
  check(GrB_Vector_new(&x, GrB_INT64, N), "new");
  check(GrB_Vector_new(&w, GrB_INT64, N), "new");
  check(GrB_Vector_new(&mask, GrB_BOOL, N), "new");
  for (int i = 0; i < N; i++) {
    u[i] = i % 11 - 5;
    check(GrB_Vector_setElement_INT64(x, u[i], (GrB_Index)i), "setElement");
    if (i % 3 == 0) check(GrB_Vector_setElement_BOOL(mask, 1, (GrB_Index)i), "setElement");
    for (int k = 0; k < EACH; k++) {
      int j = (i * 37 + k * k * 13 + k) % N;
      a[i][j] = k + 1;
      check(GrB_Matrix_setElement_INT64(A, a[i][j], (GrB_Index)i, (GrB_Index)j), "setElement");
    }
  }
  check(GrB_Matrix_wait(A, GrB_MATERIALIZE), "wait");
  check(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, x, NULL), "mxv");
  multiply(0, 1);
  compare(w, "w = A u");
  check(GrB_vxm(w, NULL, GrB_PLUS_INT64, GrB_PLUS_TIMES_SEMIRING_INT64, x, A, NULL), "vxm");
  multiply(1, 1);
  compare(w, "w += A' u");
  check(GrB_mxv(w, mask, GrB_PLUS_INT64, GrB_PLUS_TIMES_SEMIRING_INT64, A, x, GrB_DESC_S), "mxv");
  multiply(0, 3);
  compare(w, "w<mask> += A u");
  GrB_Matrix_free(&A);
  GrB_Vector_free(&x);
  GrB_Vector_free(&w);
  GrB_Vector_free(&mask);
  check(GrB_finalize(), "finalize");
  printf("all is right\n");
  return 0;
}
