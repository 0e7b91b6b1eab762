/* Chains of calls on the results of matrix products, drawn at random: on several devices these results stay
 * in parts. */
#include "case.h"

enum { n = 40, pool = 5, steps = 90 };

static uint64_t state = 88172645463325252u;
static uint64_t below(uint64_t bound) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % bound;
}

static void fill(GrB_Matrix A) {
  OK(GrB_Matrix_clear(A));
  for (int k = 0; k < 4 * n; k++)
    OK(GrB_Matrix_setElement_INT64(A, (int64_t)below(19) - 9, below(n), below(n)));
}

static void report(int step, const char* what, GrB_Matrix A) {
  GrB_Index entries;
  int64_t sum = 0, most = 0;
  OK(GrB_Matrix_nvals(&entries, A));
  OK(GrB_Matrix_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, A, NULL));
  OK(GrB_Matrix_reduce_INT64(&most, NULL, GrB_MAX_MONOID_INT64, A, NULL));
  printf("%d %s: %llu entries, sum %lld, most %lld\n", step, what, (unsigned long long)entries,
         (long long)sum, (long long)(entries ? most : 0));
}

/* Every entry, in order. */
static void print_all(GrB_Matrix A) {
  GrB_Index entries = n * n, *I = malloc(n * n * sizeof *I), *J = malloc(n * n * sizeof *J);
  int64_t* X = malloc(n * n * sizeof *X);
  OK(GrB_Matrix_extractTuples_INT64(I, J, X, &entries, A));
  int64_t* all = calloc(n * n, sizeof *all);
  for (GrB_Index k = 0; k < entries; k++) all[I[k] * n + J[k]] = X[k] * 2 + 1;
  for (int k = 0; k < n * n; k++) printf("%lld%c", (long long)all[k], k % n == n - 1 ? '\n' : ' ');
  free(I);
  free(J);
  free(X);
  free(all);
}

int main(void) {
  OK(GrB_init(GrB_NONBLOCKING));
  GrB_Matrix M[pool];
  GrB_Descriptor T0, RC, S;
  OK(GrB_Descriptor_new(&T0));
  OK(GrB_Descriptor_set(T0, GrB_INP0, GrB_TRAN));
  OK(GrB_Descriptor_new(&RC));
  OK(GrB_Descriptor_set(RC, GrB_OUTP, GrB_REPLACE));
  OK(GrB_Descriptor_set(RC, GrB_MASK, GrB_COMP));
  OK(GrB_Descriptor_new(&S));
  OK(GrB_Descriptor_set(S, GrB_MASK, GrB_STRUCTURE));
  for (int k = 0; k < pool; k++) {
    OK(GrB_Matrix_new(&M[k], GrB_INT64, n, n));
    fill(M[k]);
  }
  GrB_Matrix P;
  OK(GrB_Matrix_new(&P, GrB_INT64, n, n));
  for (int step = 0; step < steps; step++) {
    GrB_Matrix A = M[below(pool)], B = M[below(pool)], C = M[below(pool)], D = M[below(pool)];
    if (step % 3 == 0) { /* most of the others work on its result */
      OK(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, B, NULL));
      OK(GrB_Matrix_apply_BinaryOp2nd_INT64(C, NULL, NULL, GrB_BAND_INT64, C, 63, NULL));
      if (below(2)) A = C;
      if (below(3) == 0) B = C;
    }
    switch (below(14)) {
      case 0:
        OK(GrB_Matrix_eWiseAdd_BinaryOp(D, NULL, NULL, GrB_MINUS_INT64, A, B, NULL));
        break;
      case 1:
        OK(GrB_Matrix_eWiseMult_BinaryOp(D, NULL, GrB_PLUS_INT64, GrB_MAX_INT64, A, B, NULL));
        break;
      case 2:
        OK(GrB_Matrix_eWiseAdd_BinaryOp(D, A, GrB_MIN_INT64, GrB_PLUS_INT64, C, B, RC));
        break;
      case 3:
        OK(GrB_Matrix_apply(D, C, NULL, GrB_AINV_INT64, A, S));
        break;
      case 4:
        OK(GrB_Matrix_select_INT64(D, NULL, NULL, GrB_VALUEGT_INT64, A, 3, NULL));
        break;
      case 5:
        OK(GrB_Matrix_select_INT64(D, NULL, NULL, GrB_TRIL, A, 2, NULL));
        break;
      case 6:
        OK(GrB_transpose(D, NULL, below(2) ? GrB_PLUS_INT64 : NULL, A, NULL));
        break;
      case 7:
        OK(GrB_Matrix_eWiseAdd_BinaryOp(D, NULL, NULL, GrB_PLUS_INT64, A, B, T0));
        break;
      case 8: {
        GrB_Index rows[n], columns[n];
        for (int k = 0; k < n; k++) {
          rows[k] = below(n);
          columns[k] = below(n);
        }
        const uint64_t which = below(3);
        OK(GrB_Matrix_extract(D, below(2) ? C : NULL, NULL, A, which == 0 ? GrB_ALL : rows, n,
                              which == 1 ? GrB_ALL : columns, n, NULL));
        break;
      }
      case 9:
        OK(GrB_Matrix_free(&P));
        OK(GrB_Matrix_dup(&P, A));
        OK(GrB_Matrix_eWiseMult_BinaryOp(D, NULL, NULL, GrB_TIMES_INT64, P, C, NULL));
        break;
      case 10:
        OK(GrB_Matrix_setElement_INT64(C, 7, below(n), below(n)));
        OK(GrB_Matrix_removeElement(C, below(n), below(n)));
        break;
      case 11: {
        GrB_Vector u, w;
        int64_t sum = 0;
        OK(GrB_Vector_new(&u, GrB_INT64, n));
        OK(GrB_Vector_new(&w, GrB_INT64, n));
        for (int k = 0; k < 9; k++) OK(GrB_Vector_setElement_INT64(u, k - 4, below(n)));
        OK(GrB_vxm(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, u, C, NULL));
        OK(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, w, NULL));
        printf("%d vxm %lld\n", step, (long long)sum);
        OK(GrB_Vector_free(&u));
        OK(GrB_Vector_free(&w));
        break;
      }
      case 12: {
        int64_t x = 0;
        const GrB_Info info = GrB_Matrix_extractElement_INT64(&x, C, below(n), below(n));
        printf("%d element %d %lld\n", step, (int)info, (long long)x);
        break;
      }
      default:
        OK(GrB_Matrix_assign(D, below(2) ? C : NULL, GrB_PLUS_INT64, A, GrB_ALL, n, GrB_ALL, n, S));
    }
    OK(GrB_Matrix_apply_BinaryOp2nd_INT64(D, NULL, NULL, GrB_BAND_INT64, D, 63, NULL));
    report(step, "D", D);
    if (step % 17 == 16) fill(M[below(pool)]);
    if (step % 10 == 9) print_all(C);
  }
  for (int k = 0; k < pool; k++) {
    report(steps, "last", M[k]);
    print_all(M[k]);
    OK(GrB_Matrix_free(&M[k]));
  }
  OK(GrB_Matrix_free(&P));
  OK(GrB_Descriptor_free(&T0));
  OK(GrB_Descriptor_free(&RC));
  OK(GrB_Descriptor_free(&S));
  OK(GrB_finalize());
  return 0;
}
