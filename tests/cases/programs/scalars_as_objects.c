/* A GrB_Scalar is a 1 x 1 object, and programs cast its handle to a vector's or a matrix's: what is written
 * through one is read through the others, in every order, until it is freed. */
#include "case.h"

static GrB_Vector u, v;
static GrB_Matrix A;

/* The inner product of u and v in s, as a vector or as a matrix. */
static void product_into(GrB_Scalar s, int as_matrix) {
  if (as_matrix) {
    OK(GrB_mxm((GrB_Matrix)s, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, (GrB_Matrix)u, (GrB_Matrix)v,
               GrB_DESC_T0));
  } else {
    OK(GrB_vxm((GrB_Vector)s, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, u, (GrB_Matrix)v, NULL));
  }
}

/* Each function that reads a scalar, on one that was written as another kind just before. */
static void read_in_every_way(int as_matrix) {
  GrB_Scalar s, copy;
  GrB_Vector w;
  GrB_Matrix C;
  OK(GrB_Scalar_new(&s, GrB_FP64));
  OK(GrB_Vector_new(&w, GrB_FP64, 2));
  OK(GrB_Matrix_new(&C, GrB_FP64, 2, 2));
  product_into(s, as_matrix);
  print_scalar("read", s);
  product_into(s, as_matrix);
  OK(GrB_Scalar_dup(&copy, s));
  print_scalar("copied", copy);
  product_into(s, as_matrix);
  OK(GrB_Vector_apply_BinaryOp2nd_Scalar(w, NULL, NULL, GrB_TIMES_FP64, u, s, NULL));
  print_vector("bound second", w);
  product_into(s, as_matrix);
  OK(GrB_Matrix_apply_BinaryOp1st_Scalar(C, NULL, NULL, GrB_MINUS_FP64, s, A, NULL));
  print_matrix("bound first", C);
  product_into(s, as_matrix);
  OK(GrB_Matrix_select_Scalar(C, NULL, NULL, GrB_VALUELT_FP64, A, s, NULL));
  print_matrix("thunk", C);
  product_into(s, as_matrix);
  OK(GrB_Vector_assign_Scalar(w, NULL, GrB_PLUS_FP64, s, GrB_ALL, 2, NULL));
  print_vector("assigned", w);
  product_into(s, as_matrix);
  OK(GxB_Vector_eWiseUnion(w, NULL, NULL, GrB_PLUS_FP64, u, s, v, s, NULL));
  print_vector("union", w);
  product_into(s, as_matrix);
  OK(GrB_Vector_setElement_Scalar(w, s, 1));
  OK(GrB_Matrix_setElement_Scalar(C, s, 0, 1));
  print_vector("element", w);
  print_matrix("element", C);
  OK(GrB_Scalar_free(&s));
  OK(GrB_Scalar_free(&copy));
  OK(GrB_Vector_free(&w));
  OK(GrB_Matrix_free(&C));
}

/* Each function that writes a scalar, on one that lives elsewhere; then it is used as the other kinds. */
static void write_in_every_way(int as_matrix) {
  GrB_Scalar s;
  GrB_Vector w;
  OK(GrB_Scalar_new(&s, GrB_FP64));
  OK(GrB_Vector_new(&w, GrB_FP64, 1));
  for (int way = 0; way < 7; way++) {
    product_into(s, as_matrix);
    switch (way) {
      case 0:
        OK(GrB_Scalar_setElement_FP64(s, 3));
        break;
      case 1:
        OK(GrB_Scalar_clear(s));
        break;
      case 2:
        OK(GrB_Vector_reduce_Monoid_Scalar(s, NULL, GrB_PLUS_MONOID_FP64, u, NULL));
        break;
      case 3:
        OK(GrB_Matrix_reduce_Monoid_Scalar(s, GrB_PLUS_FP64, GrB_PLUS_MONOID_FP64, A, NULL));
        break;
      case 4:
        OK(GrB_Vector_reduce_Monoid_Scalar(s, GrB_TIMES_FP64, GrB_MAX_MONOID_FP64, (GrB_Vector)s, NULL));
        break;
      case 5:
        printf("element %d\n", GrB_Matrix_extractElement_Scalar(s, A, 0, 1));
        break;
      case 6:
        printf("no element %d\n", GrB_Vector_extractElement_Scalar(s, w, 0));
        break;
    }
    OK(GrB_Vector_apply(w, NULL, NULL, GrB_AINV_FP64, (GrB_Vector)s, NULL));
    print_vector("as a vector", w);
    OK(GrB_Matrix_apply((GrB_Matrix)s, NULL, GrB_PLUS_FP64, GrB_AINV_FP64, (GrB_Matrix)s, NULL));
    print_matrix("as a matrix", (GrB_Matrix)s);
    print_scalar("as a scalar", s);
    OK(GrB_Vector_apply_BinaryOp2nd_Scalar((GrB_Vector)s, NULL, NULL, GrB_PLUS_FP64, (GrB_Vector)s, s, NULL) *
       (way != 1 && way != 6));
    print_scalar("of itself", s);
    OK(GrB_Vector_clear(w));
  }
  OK(GrB_Scalar_free(&s));
  OK(GrB_Vector_free(&w));
}

/* A freed scalar's address becomes a vector's or a matrix's: nothing of the scalar may come back. */
static int wrong_afterwards(void) {
  int wrong = 0;
  for (int k = 0; k < 300; k++) {
    GrB_Scalar s;
    OK(GrB_Scalar_new(&s, GrB_FP64));
    product_into(s, k % 2);
    OK(GrB_Scalar_free(&s));
    GrB_Vector w;
    double sum = 0;
    OK(GrB_Vector_new(&w, GrB_FP64, 5));
    OK(GrB_Vector_setElement_FP64(w, k, k % 5));
    OK(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, w, NULL));
    wrong += sum != k;
    OK(GrB_Vector_free(&w));
  }
  return wrong;
}

int main(void) {
  OK(GrB_init(GrB_NONBLOCKING));
  OK(GrB_Vector_new(&u, GrB_FP64, 2));
  OK(GrB_Vector_new(&v, GrB_FP64, 2));
  OK(GrB_Matrix_new(&A, GrB_FP64, 2, 2));
  for (int i = 0; i < 2; i++) {
    OK(GrB_Vector_setElement_FP64(u, 1 + i, i));
    OK(GrB_Vector_setElement_FP64(v, 3 + i, i));
    OK(GrB_Matrix_setElement_FP64(A, 5 + 9 * i, i, 1 - i));
  }
  for (int as_matrix = 0; as_matrix < 2; as_matrix++) {
    read_in_every_way(as_matrix);
    write_in_every_way(as_matrix);
  }
  printf("wrong vectors at freed addresses: %d of 300\n", wrong_afterwards());
  OK(GrB_Vector_free(&u));
  OK(GrB_Vector_free(&v));
  OK(GrB_Matrix_free(&A));
  OK(GrB_finalize());
}
