// Results whose entries all have one value: GxB_Matrix_iso and GxB_Vector_iso say of each what SuiteSparse
// says.
#include "tests/offload/cases.h"

namespace cases {
namespace {

constexpr GrB_Index n = 40;

void print_flag(const std::string& name, GrB_Info info, GrB_Matrix matrix) {
  bool iso = false;
  GxB_Matrix_iso(&iso, matrix);
  print(name + (iso ? ", iso" : ", not iso"), info, matrix);
}
void print_flag(const std::string& name, GrB_Info info, GrB_Vector vector) {
  bool iso = false;
  GxB_Vector_iso(&iso, vector);
  print(name + (iso ? ", iso" : ", not iso"), info, vector);
}

/// A matrix whose entries all are 1, by its own structure.
struct Ones : Matrix {
  explicit Ones(unsigned seed) : Matrix(GrB_FP64, n, n, seed) {
    GrB_Matrix_assign_FP64(handle, handle, nullptr, 1, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S);
  }
};

struct Empty : Matrix {
  Empty() : Matrix(GrB_FP64, n, n, 1) { GrB_Matrix_clear(handle); }
};

void of_matrices() {
  const Matrix a(GrB_FP64, n, n, 3), b(GrB_INT32, n, n, 4);
  const Ones ones(5), others(6);
  print_flag("assign by own structure", GrB_SUCCESS, ones.handle);
  Empty c;
  const auto show = [&](const char* name, GrB_Info info) { print_flag(name, info, c.handle); };
  show("assign by another structure",
       GrB_Matrix_assign_FP64(c.handle, a.handle, nullptr, 7, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S));
  show("assign by own structure again",
       GrB_Matrix_assign_FP64(c.handle, c.handle, nullptr, 9, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S));
  show("ANY_PAIR", GrB_mxm(c.handle, nullptr, nullptr, GxB_ANY_PAIR_FP64, a.handle, b.handle, nullptr));
  show("PLUS_PAIR", GrB_mxm(c.handle, nullptr, nullptr, GxB_PLUS_PAIR_FP64, a.handle, b.handle, nullptr));
  show("MIN_FIRST of ones",
       GrB_mxm(c.handle, nullptr, nullptr, GrB_MIN_FIRST_SEMIRING_FP64, ones.handle, a.handle, nullptr));
  show("MIN_SECOND of ones",
       GrB_mxm(c.handle, nullptr, nullptr, GrB_MIN_SECOND_SEMIRING_FP64, ones.handle, a.handle, nullptr));
  show("MAX_PLUS of ones", GrB_mxm(c.handle, nullptr, nullptr, GrB_MAX_PLUS_SEMIRING_FP64, ones.handle,
                                   others.handle, GrB_DESC_T1));
  show("LOR_LAND of ones, masked", GrB_mxm(c.handle, b.handle, nullptr, GrB_LOR_LAND_SEMIRING_BOOL,
                                           ones.handle, others.handle, GrB_DESC_RS));
  show("ONE", GrB_Matrix_apply(c.handle, nullptr, nullptr, GxB_ONE_FP64, a.handle, nullptr));
  show("AINV of ones", GrB_Matrix_apply(c.handle, nullptr, nullptr, GrB_AINV_FP64, ones.handle, GrB_DESC_T0));
  show("AINV", GrB_Matrix_apply(c.handle, nullptr, nullptr, GrB_AINV_FP64, a.handle, nullptr));
  show("SECOND, bound", GrB_Matrix_apply_BinaryOp2nd_FP64(c.handle, nullptr, nullptr, GrB_SECOND_FP64,
                                                          a.handle, 2.5, nullptr));
  show("VALUEEQ", GrB_Matrix_select_FP64(c.handle, nullptr, nullptr, GrB_VALUEEQ_FP64, a.handle, 2, nullptr));
  show("VALUENE", GrB_Matrix_select_FP64(c.handle, nullptr, nullptr, GrB_VALUENE_FP64, a.handle, 0, nullptr));
  show("VALUENE of ones",
       GrB_Matrix_select_FP64(c.handle, nullptr, nullptr, GrB_VALUENE_FP64, ones.handle, 0, nullptr));
  show("TRIL of ones",
       GrB_Matrix_select_INT64(c.handle, nullptr, nullptr, GrB_TRIL, ones.handle, 0, nullptr));
  show("PAIR",
       GrB_Matrix_eWiseMult_BinaryOp(c.handle, nullptr, nullptr, GxB_PAIR_FP64, a.handle, b.handle, nullptr));
  show("FIRST of ones", GrB_Matrix_eWiseMult_BinaryOp(c.handle, nullptr, nullptr, GrB_FIRST_FP64, ones.handle,
                                                      a.handle, nullptr));
  show("PLUS of ones and ones", GrB_Matrix_eWiseMult_BinaryOp(c.handle, nullptr, nullptr, GrB_PLUS_FP64,
                                                              ones.handle, others.handle, nullptr));
  show("the union of ones by MAX", GrB_Matrix_eWiseAdd_BinaryOp(c.handle, nullptr, nullptr, GrB_MAX_FP64,
                                                                ones.handle, others.handle, nullptr));
  show("the union of ones by PLUS", GrB_Matrix_eWiseAdd_BinaryOp(c.handle, nullptr, nullptr, GrB_PLUS_FP64,
                                                                 ones.handle, others.handle, nullptr));
  show("transpose", GrB_transpose(c.handle, nullptr, nullptr, ones.handle, nullptr));
  GrB_Index rows[n];
  for (GrB_Index i = 0; i < n; ++i) rows[i] = (7 * i + 3) % n;
  show("extract", GrB_Matrix_extract(c.handle, nullptr, nullptr, ones.handle, rows, n, GrB_ALL, n, nullptr));
  GrB_Matrix copy = nullptr;
  print_flag("dup", GrB_Matrix_dup(&copy, c.handle), copy);
  GrB_Matrix_free(&copy);
}

void of_vectors() {
  const Matrix a(GrB_FP64, n, n, 3);
  const Ones ones(5);
  const Vector u(GrB_FP64, n), v(GrB_FP64, n), w(GrB_FP64, n), full(GrB_FP64, n);
  fill(u, 1, 3);
  fill(v, 0, 4);
  GrB_Vector_assign_FP64(full.handle, nullptr, nullptr, 2, GrB_ALL, n, nullptr);
  const auto show = [&](const char* name, GrB_Info info) { print_flag(name, info, w.handle); };
  show("vector by structure", GrB_Vector_assign_FP64(w.handle, u.handle, nullptr, 4, GrB_ALL, n, GrB_DESC_S));
  show("the same value once more",
       GrB_Vector_assign_FP64(w.handle, v.handle, nullptr, 4, GrB_ALL, n, GrB_DESC_S));
  show("another value", GrB_Vector_assign_FP64(w.handle, v.handle, nullptr, 5, GrB_ALL, n, GrB_DESC_S));
  show("by own structure", GrB_Vector_assign_FP64(w.handle, w.handle, nullptr, 6, GrB_ALL, n, GrB_DESC_S));
  show("max with what is there",
       GrB_Vector_assign_FP64(w.handle, nullptr, GrB_MAX_FP64, 6, GrB_ALL, n, nullptr));
  show("ANY_PAIR mxv", GrB_mxv(w.handle, nullptr, nullptr, GxB_ANY_PAIR_FP64, a.handle, u.handle, nullptr));
  show("MIN_SECOND vxm of full",
       GrB_vxm(w.handle, nullptr, nullptr, GrB_MIN_FIRST_SEMIRING_FP64, full.handle, a.handle, nullptr));
  show("MIN_FIRST vxm",
       GrB_vxm(w.handle, nullptr, nullptr, GrB_MIN_FIRST_SEMIRING_FP64, u.handle, ones.handle, nullptr));
  show("PLUS_TIMES mxv of ones",
       GrB_mxv(w.handle, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, ones.handle, full.handle, nullptr));
  show("rows of ones by MAX",
       GrB_Matrix_reduce_Monoid(w.handle, nullptr, nullptr, GrB_MAX_MONOID_FP64, ones.handle, nullptr));
  show("rows of ones by PLUS",
       GrB_Matrix_reduce_Monoid(w.handle, nullptr, nullptr, GrB_PLUS_MONOID_FP64, ones.handle, nullptr));
  show("vector ONE", GrB_Vector_apply(w.handle, nullptr, nullptr, GxB_ONE_FP64, u.handle, nullptr));
  show("vector PAIR",
       GrB_Vector_eWiseMult_BinaryOp(w.handle, nullptr, nullptr, GxB_PAIR_FP64, u.handle, v.handle, nullptr));
  show("vector SECOND of full", GrB_Vector_eWiseMult_BinaryOp(w.handle, nullptr, nullptr, GrB_SECOND_FP64,
                                                              u.handle, full.handle, nullptr));
  show("vector VALUEEQ",
       GrB_Vector_select_FP64(w.handle, nullptr, nullptr, GrB_VALUEEQ_FP64, u.handle, 2, nullptr));
  show("vector ROWLE of full",
       GrB_Vector_select_INT64(w.handle, nullptr, nullptr, GrB_ROWLE, full.handle, 12, nullptr));
  show("vector DIAGINDEX of full",
       GrB_Vector_apply_IndexOp_INT64(w.handle, nullptr, nullptr, GrB_ROWINDEX_INT64, full.handle, 1,
                                      nullptr));
  const Vector some(GrB_FP64, n);
  GrB_Vector_assign_FP64(some.handle, u.handle, nullptr, 3, GrB_ALL, n, GrB_DESC_S);
  GrB_Index shuffled[n];
  for (GrB_Index i = 0; i < n; ++i) shuffled[i] = (7 * i + 3) % n;
  show("some of one value at all places, listed",
       GrB_Vector_assign(w.handle, nullptr, nullptr, some.handle, shuffled, n, nullptr));
}

}  // namespace

void iso() {
  of_matrices();
  of_vectors();
}

}  // namespace cases
