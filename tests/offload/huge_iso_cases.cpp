// Iso objects of up to 2^60 positions, which cost SuiteSparse one value: every call must cost no more here.
#include "tests/offload/cases.h"

namespace cases {
namespace {

/// Of an iso full vector: the number of entries and one of them.
void print_iso(const std::string& name, GrB_Info info, const Vector& vector) {
  GrB_Index n = 0, entries = 0;
  GrB_Vector_size(&n, vector.handle);
  GrB_Vector_nvals(&entries, vector.handle);
  double value = 0;
  const GrB_Info found = GrB_Vector_extractElement_FP64(&value, vector.handle, n / 2);
  std::printf("%s: %d, %" PRIu64 " entries, %d %.9g\n", name.c_str(), int(info), uint64_t(entries),
              int(found), value);
}

void fill_iso(const Vector& vector, double value) {
  GrB_Index n = 0;
  GrB_Vector_size(&n, vector.handle);
  GrB_Vector_assign_FP64(vector.handle, nullptr, nullptr, value, GrB_ALL, n, nullptr);
}

void sums(GrB_Index n) {
  const Vector ints(GrB_INT64, n), bytes(GrB_INT8, n), floats(GrB_FP32, n), truths(GrB_BOOL, n);
  fill_iso(ints, 3);
  fill_iso(bytes, 5);
  fill_iso(floats, 0.1);
  fill_iso(truths, 1);
  int64_t whole = 0;
  double real = 0;
  bool truth = true;
  for (const GrB_Monoid monoid :
       {GrB_PLUS_MONOID_INT64, GrB_TIMES_MONOID_INT64, GrB_MIN_MONOID_INT64, GxB_ANY_INT64_MONOID,
        GxB_BXOR_UINT64_MONOID, GxB_BXNOR_UINT64_MONOID, GrB_PLUS_MONOID_INT8, GrB_MAX_MONOID_FP64}) {
    print_value("huge sum", GrB_Vector_reduce_INT64(&whole, nullptr, monoid, ints.handle, nullptr), &whole);
    print_value("huge sum, added",
                GrB_Vector_reduce_INT64(&whole, GrB_PLUS_INT64, monoid, bytes.handle, nullptr), &whole);
  }
  for (const GrB_Monoid monoid : {GrB_PLUS_MONOID_FP32, GrB_PLUS_MONOID_FP64, GrB_TIMES_MONOID_FP32}) {
    print_value("huge sum", GrB_Vector_reduce_FP64(&real, nullptr, monoid, floats.handle, nullptr), &real);
  }
  for (const GrB_Monoid monoid : {GrB_LXOR_MONOID_BOOL, GrB_LXNOR_MONOID_BOOL, GrB_LAND_MONOID_BOOL}) {
    print_value("huge sum", GrB_Vector_reduce_BOOL(&truth, nullptr, monoid, truths.handle, nullptr), &truth);
  }
  const Scalar sum(GrB_INT64);
  GrB_Info info =
      GrB_Vector_reduce_Monoid_Scalar(sum.handle, nullptr, GrB_PLUS_MONOID_INT64, ints.handle, nullptr);
  GrB_Scalar_extractElement_INT64(&whole, sum.handle);
  print_value("huge sum to a scalar", info, &whole);
}

void values(GrB_Index n) {
  const Vector u(GrB_INT64, n), v(GrB_INT64, n), w(GrB_INT64, n), mask(GrB_BOOL, n);
  fill_iso(u, 3);
  fill_iso(v, 5);
  const auto show = [&](const char* name, GrB_Info info) { print_iso(name, info, w); };
  show("huge apply", GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_INT64, u.handle, nullptr));
  show("huge bound",
       GrB_Vector_apply_BinaryOp1st_INT64(w.handle, nullptr, nullptr, GrB_MINUS_INT64, 9, u.handle, nullptr));
  show("huge add", GrB_Vector_eWiseAdd_BinaryOp(w.handle, nullptr, nullptr, GrB_TIMES_INT64, u.handle,
                                                w.handle, nullptr));
  show("huge mult", GrB_Vector_eWiseMult_BinaryOp(w.handle, nullptr, nullptr, GrB_MINUS_INT64, w.handle,
                                                  v.handle, nullptr));
  const Scalar one(GrB_INT64);
  GrB_Scalar_setElement_INT64(one.handle, 1);
  show("huge union", GxB_Vector_eWiseUnion(w.handle, nullptr, nullptr, GrB_MINUS_INT64, u.handle, one.handle,
                                           v.handle, one.handle, nullptr));
  show("huge select",
       GrB_Vector_select_INT64(w.handle, nullptr, nullptr, GrB_VALUEGE_INT64, u.handle, 3, nullptr));
  show("huge select of nothing",
       GrB_Vector_select_INT64(w.handle, nullptr, nullptr, GrB_VALUEGT_INT64, u.handle, 3, nullptr));
  show("huge assign", GrB_Vector_assign(w.handle, nullptr, nullptr, u.handle, GrB_ALL, n, nullptr));
  fill_iso(mask, 1);
  show("huge mask", GrB_Vector_assign_INT64(w.handle, mask.handle, nullptr, 3, GrB_ALL, n, GrB_DESC_S));
  show("huge mask, complement, replace",
       GrB_Vector_apply(w.handle, mask.handle, nullptr, GrB_AINV_INT64, u.handle, GrB_DESC_RSC));
  GrB_Vector copy = nullptr;
  GrB_Index entries = 0;
  GrB_Vector_dup(&copy, u.handle);
  const GrB_Info info = GrB_Vector_nvals(&entries, copy);
  print_value("huge dup", info, &entries);
  GrB_Vector_free(&copy);
  const GrB_Index range[] = {n / 4, n / 4 + 9};
  const Vector few(GrB_INT64, 10);
  print("huge extract", GrB_Vector_extract(few.handle, nullptr, nullptr, u.handle, range, GxB_RANGE, nullptr),
        few.handle);
}

void lists(GrB_Index n) {
  const Vector u(GrB_INT64, n), s(GrB_INT64, n);
  fill_iso(u, 3);
  for (GrB_Index k = 0; k < 5; ++k) GrB_Vector_setElement_INT64(s.handle, int64_t(k), (n - 1) / (k + 1));
  const auto show = [&](const char* name, GrB_Info info) { print(name, info, s.handle); };
  show("huge times few", GrB_Vector_eWiseMult_BinaryOp(s.handle, nullptr, nullptr, GrB_PLUS_INT64, s.handle,
                                                       u.handle, nullptr));
  show("few from huge",
       GrB_Vector_apply(s.handle, s.handle, GrB_PLUS_INT64, GrB_AINV_INT64, u.handle, GrB_DESC_RS));
  GrB_Matrix a = nullptr;
  GrB_Matrix_new(&a, GrB_INT64, n, n);
  for (GrB_Index k = 0; k < 5; ++k)
    GrB_Matrix_setElement_INT64(a, int64_t(k) + 1, (n - 1) / (k + 1), n - 1 - k);
  show("huge mxv", GrB_mxv(s.handle, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_INT64, a, u.handle, nullptr));
  show("huge vxm",
       GrB_vxm(s.handle, nullptr, GrB_PLUS_INT64, GrB_PLUS_TIMES_SEMIRING_INT64, u.handle, a, nullptr));
  show("huge mask of mxv",
       GrB_mxv(s.handle, u.handle, nullptr, GrB_PLUS_TIMES_SEMIRING_INT64, a, u.handle, GrB_DESC_RSC));
  show("huge reduce",
       GrB_Matrix_reduce_Monoid(s.handle, nullptr, nullptr, GrB_MAX_MONOID_INT64, a, GrB_DESC_T0));
  print("huge mxm", GrB_mxm(a, nullptr, nullptr, GxB_PLUS_PAIR_INT64, a, a, GrB_DESC_T1), a);
  print("huge select", GrB_Matrix_select_INT64(a, nullptr, nullptr, GrB_TRIL, a, -1, nullptr), a);
  GrB_Matrix_free(&a);
}

/// Of 2^30 rows and columns at most: SuiteSparse counts no more than 2^60 positions.
void full_matrix(GrB_Index n) {
  GrB_Matrix a = nullptr;
  GrB_Matrix_new(&a, GrB_FP32, n, n);
  double sum = 0;
  GrB_Index entries = 0;
  GrB_Info info = GrB_Matrix_assign_FP32(a, nullptr, nullptr, 1.5F, GrB_ALL, n, GrB_ALL, n, nullptr);
  print_value("huge matrix", info, &sum);
  info = GrB_Matrix_apply(a, nullptr, nullptr, GrB_AINV_FP32, a, GrB_DESC_T0);
  print_value("huge matrix, apply", info, &sum);
  info = GrB_Matrix_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, a, nullptr);
  print_value("huge matrix, sum", info, &sum);
  info = GrB_Matrix_nvals(&entries, a);
  print_value("huge matrix, entries", info, &entries);
  GrB_Matrix_free(&a);
}

}  // namespace

void huge_iso() {
  for (const int bits : {20, 30, 40, 50, 60}) {
    const GrB_Index n = GrB_Index(1) << bits;
    std::printf("2^%d\n", bits);
    sums(n);
    values(n);
    lists(n);
    if (bits <= 30) full_matrix(n);
  }
}

}  // namespace cases
