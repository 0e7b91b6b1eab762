// eWiseAdd, eWiseMult, apply, select, assign, extract and transpose of matrices.
#include "tests/offload/cases.h"

namespace cases {
namespace {

constexpr GrB_Index rows = 21, columns = 26;

struct Exit {
  const char* name;
  bool mask, accum;
  GrB_Descriptor desc;
  bool basic = false;
};
std::vector<Exit> exits() {
  return {{"plain", false, false, nullptr, true},
          {"accum", false, true, nullptr},
          {"valued mask", true, false, nullptr},
          {"structural, accum", true, true, GrB_DESC_S},
          {"structural, replace", true, false, GrB_DESC_RS, true},
          {"complement", true, false, GrB_DESC_C},
          {"structural complement, replace", true, true, GrB_DESC_RSC},
          {"no mask, complement", false, false, GrB_DESC_C}};
}

/// Calls f(C, M, accum, desc) for every way out (or the two basic ones), C by row and by column.
template <class F>
void each_exit(const std::string& name, bool all, F f) {
  for (const Exit& e : exits()) {
    if (!all && !e.basic) continue;
    for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
      Matrix c(GrB_FP64, rows, columns, 3), mask(GrB_BOOL, rows, columns, 5);
      GxB_Matrix_Option_set(c.handle, GxB_FORMAT, format);
      const GrB_Info info =
          f(c.handle, e.mask ? mask.handle : nullptr, e.accum ? GrB_PLUS_FP64 : nullptr, e.desc);
      print(name + " / " + e.name, info, c.handle);
    }
  }
}

void ewise() {
  const Matrix a(GrB_FP64, rows, columns, 31), b(GrB_INT32, rows, columns, 32),
      bt(GrB_INT32, columns, rows, 33);
  each_exit("matrix eWiseAdd", true, [&](auto c, auto m, auto acc, auto d) {
    return GrB_Matrix_eWiseAdd_BinaryOp(c, m, acc, GrB_MINUS_FP64, a.handle, b.handle, d);
  });
  each_exit("matrix eWiseMult", true, [&](auto c, auto m, auto acc, auto d) {
    return GrB_Matrix_eWiseMult_BinaryOp(c, m, acc, GrB_MINUS_FP64, a.handle, b.handle, d);
  });
  Matrix c(GrB_FP64, rows, columns, 34);
  const auto show = [&](const char* name, GrB_Info info) { print(name, info, c.handle); };
  show("matrix add monoid", GrB_Matrix_eWiseAdd_Monoid(c.handle, nullptr, nullptr, GrB_MIN_MONOID_INT32,
                                                       a.handle, b.handle, nullptr));
  show("matrix add semiring",
       GrB_Matrix_eWiseAdd_Semiring(c.handle, nullptr, nullptr, GrB_MAX_PLUS_SEMIRING_FP32, a.handle,
                                    b.handle, nullptr));
  show("matrix mult monoid", GrB_Matrix_eWiseMult_Monoid(c.handle, nullptr, nullptr, GrB_MAX_MONOID_FP64,
                                                         a.handle, b.handle, nullptr));
  show("matrix mult semiring",
       GrB_Matrix_eWiseMult_Semiring(c.handle, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_INT64, a.handle,
                                     b.handle, nullptr));
  show("matrix mult transposed", GrB_Matrix_eWiseMult_BinaryOp(c.handle, nullptr, nullptr, GxB_RDIV_FP64,
                                                               a.handle, bt.handle, GrB_DESC_T1));
  show("matrix add transposed", GrB_Matrix_eWiseAdd_BinaryOp(c.handle, nullptr, nullptr, GrB_FIRST_FP64,
                                                             bt.handle, a.handle, GrB_DESC_T0));
  show("matrix mult comparison",
       GrB_Matrix_eWiseMult_BinaryOp(c.handle, nullptr, nullptr, GrB_LT_FP64, a.handle, b.handle, nullptr));
  show("matrix add comparison",
       GrB_Matrix_eWiseAdd_BinaryOp(c.handle, nullptr, nullptr, GrB_LT_FP64, a.handle, b.handle, nullptr));
  Scalar alpha(GrB_INT8), beta(GrB_FP32), none(GrB_FP64);
  GrB_Scalar_setElement_INT8(alpha.handle, 4);
  GrB_Scalar_setElement_FP32(beta.handle, -2);
  each_exit("matrix eWiseUnion", true, [&](auto c, auto m, auto acc, auto d) {
    return GxB_Matrix_eWiseUnion(c, m, acc, GrB_MINUS_FP64, a.handle, alpha.handle, b.handle, beta.handle, d);
  });
  for (const GrB_BinaryOp op :
       {GrB_LT_FP64, GxB_PAIR_INT32, GrB_SECOND_INT64, GxB_FIRSTI_INT64, GxB_SECONDJ1_INT32}) {
    show("matrix union", GxB_Matrix_eWiseUnion(c.handle, nullptr, nullptr, op, bt.handle, alpha.handle,
                                               a.handle, beta.handle, GrB_DESC_T0));
    show("matrix add by",
         GrB_Matrix_eWiseAdd_BinaryOp(c.handle, nullptr, nullptr, op, a.handle, bt.handle, GrB_DESC_T1));
    show("matrix mult by",
         GrB_Matrix_eWiseMult_BinaryOp(c.handle, nullptr, nullptr, op, a.handle, bt.handle, GrB_DESC_T1));
  }
  show("matrix union, no scalar", GxB_Matrix_eWiseUnion(c.handle, nullptr, nullptr, GrB_PLUS_FP64, a.handle,
                                                        alpha.handle, b.handle, none.handle, nullptr));
  show("matrix mult positional", GrB_Matrix_eWiseMult_BinaryOp(c.handle, nullptr, nullptr, GxB_SECONDJ_INT64,
                                                               a.handle, b.handle, nullptr));
  show("matrix mult of itself",
       GrB_Matrix_eWiseMult_BinaryOp(c.handle, c.handle, GrB_PLUS_FP64, GrB_TIMES_FP64, c.handle, c.handle,
                                     GrB_DESC_S));
  show("matrix add, wrong shape",
       GrB_Matrix_eWiseAdd_BinaryOp(c.handle, nullptr, nullptr, GrB_PLUS_FP64, a.handle, bt.handle, nullptr));
}

void apply() {
  const Matrix a(GrB_FP64, rows, columns, 41), at(GrB_INT16, columns, rows, 42);
  each_exit("matrix apply abs", true, [&](auto c, auto m, auto acc, auto d) {
    return GrB_Matrix_apply(c, m, acc, GrB_ABS_FP64, a.handle, d);
  });
  each_exit("matrix apply colindex", false, [&](auto c, auto m, auto acc, auto d) {
    return GrB_Matrix_apply_IndexOp_INT64(c, m, acc, GrB_COLINDEX_INT64, a.handle, 5, d);
  });
  Matrix c(GrB_INT32, rows, columns, 43);
  const auto show = [&](const std::string& name, GrB_Info info) { print(name, info, c.handle); };
  for (const GrB_UnaryOp op : {GxB_POSITIONI_INT32, GxB_POSITIONJ1_INT64, GxB_ONE_FP32, GrB_AINV_INT32}) {
    show("matrix apply", GrB_Matrix_apply(c.handle, nullptr, nullptr, op, a.handle, nullptr));
    show("matrix apply transposed", GrB_Matrix_apply(c.handle, nullptr, nullptr, op, at.handle, GrB_DESC_T0));
  }
  Scalar x(GrB_INT8);
  GrB_Scalar_setElement_INT8(x.handle, 4);
  for (const GrB_BinaryOp op : {GrB_MINUS_INT32, GrB_DIV_FP32, GxB_FIRSTI1_INT64, GxB_SECONDJ_INT32}) {
    show("matrix bind first scalar",
         GrB_Matrix_apply_BinaryOp1st_Scalar(c.handle, nullptr, nullptr, op, x.handle, a.handle, nullptr));
    show("matrix bind second scalar",
         GrB_Matrix_apply_BinaryOp2nd_Scalar(c.handle, nullptr, nullptr, op, a.handle, x.handle, nullptr));
    show("older first",
         GxB_Matrix_apply_BinaryOp1st(c.handle, nullptr, nullptr, op, x.handle, a.handle, nullptr));
    show("older second",
         GxB_Matrix_apply_BinaryOp2nd(c.handle, nullptr, nullptr, op, a.handle, x.handle, nullptr));
    show("matrix bind first transposed",
         GrB_Matrix_apply_BinaryOp1st_Scalar(c.handle, nullptr, nullptr, op, x.handle, at.handle,
                                             GrB_DESC_T1));
    show("matrix bind second transposed",
         GrB_Matrix_apply_BinaryOp2nd_Scalar(c.handle, nullptr, nullptr, op, at.handle, x.handle,
                                             GrB_DESC_T0));
  }
  show("matrix index scalar", GrB_Matrix_apply_IndexOp_Scalar(c.handle, nullptr, nullptr, GrB_DIAGINDEX_INT32,
                                                              a.handle, x.handle, nullptr));
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                         \
  show("matrix bind first " #SUFFIX,                                                                    \
       PREFIX##_Matrix_apply_BinaryOp1st_##SUFFIX(c.handle, nullptr, nullptr, GrB_PLUS_FP64, ctype(1),  \
                                                  a.handle, nullptr));                                  \
  show("matrix bind second " #SUFFIX,                                                                   \
       PREFIX##_Matrix_apply_BinaryOp2nd_##SUFFIX(c.handle, nullptr, nullptr, GrB_MINUS_FP64, a.handle, \
                                                  ctype(1), nullptr));                                  \
  show("matrix index " #SUFFIX,                                                                         \
       PREFIX##_Matrix_apply_IndexOp_##SUFFIX(c.handle, nullptr, nullptr, GrB_ROWINDEX_INT64, a.handle, \
                                              ctype(1), nullptr));
#include "semirings/types.def"
#undef CUGRB_TYPE
}

void select() {
  const Matrix a(GrB_FP64, rows, columns, 51), at(GrB_FP64, columns, rows, 52);
  each_exit("matrix select", true, [&](auto c, auto m, auto acc, auto d) {
    return GrB_Matrix_select_FP64(c, m, acc, GrB_VALUEGT_FP64, a.handle, 0.5, d);
  });
  Matrix c(GrB_FP32, rows, columns, 53);
  const auto show = [&](const std::string& name, GrB_Info info) { print(name, info, c.handle); };
  for (const GrB_IndexUnaryOp op : {GrB_TRIL, GrB_TRIU, GrB_DIAG, GrB_OFFDIAG, GrB_ROWLE, GrB_COLGT}) {
    show("matrix select place",
         GrB_Matrix_select_INT64(c.handle, nullptr, nullptr, op, a.handle, 2, nullptr));
    show("matrix select place transposed",
         GrB_Matrix_select_INT64(c.handle, nullptr, nullptr, op, at.handle, -1, GrB_DESC_T0));
  }
  Scalar x(GrB_FP64);
  GrB_Scalar_setElement_FP64(x.handle, 1);
  show("matrix select scalar",
       GrB_Matrix_select_Scalar(c.handle, nullptr, nullptr, GrB_VALUELE_FP64, a.handle, x.handle, nullptr));
  show("matrix select all",
       GrB_Matrix_select_INT64(c.handle, nullptr, nullptr, GrB_VALUEGE_INT64, a.handle, -99, nullptr));
  show("matrix select nothing",
       GrB_Matrix_select_INT64(c.handle, nullptr, nullptr, GrB_VALUEGE_INT64, a.handle, 99, nullptr));
  show("matrix select by name",
       GxB_Matrix_select(c.handle, nullptr, nullptr, GxB_TRIU, a.handle, nullptr, nullptr));
  show("matrix select nonzero",
       GxB_Matrix_select(c.handle, nullptr, nullptr, GxB_NONZERO, a.handle, nullptr, nullptr));
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                          \
  show("matrix select " #SUFFIX,                                                                         \
       PREFIX##_Matrix_select_##SUFFIX(c.handle, nullptr, nullptr, GrB_VALUENE_FP64, a.handle, ctype(1), \
                                       nullptr));
#include "semirings/types.def"
#undef CUGRB_TYPE
}

void assign() {
  const Matrix a(GrB_INT32, rows, columns, 61), at(GrB_INT32, columns, rows, 62);
  each_exit("matrix assign", true, [&](auto c, auto m, auto acc, auto d) {
    return GrB_Matrix_assign(c, m, acc, a.handle, GrB_ALL, rows, GrB_ALL, columns, d);
  });
  each_exit("matrix assign scalar", true, [&](auto c, auto m, auto acc, auto d) {
    return GrB_Matrix_assign_FP64(c, m, acc, 7, GrB_ALL, rows, GrB_ALL, columns, d);
  });
  each_exit("matrix transpose", true,
            [&](auto c, auto m, auto acc, auto d) { return GrB_transpose(c, m, acc, at.handle, d); });
  Matrix c(GrB_FP32, rows, columns, 63), mask(GrB_INT32, rows, columns, 64);
  const auto show = [&](const std::string& name, GrB_Info info) { print(name, info, c.handle); };
  show("matrix assign transposed", GrB_Matrix_assign(c.handle, nullptr, nullptr, at.handle, GrB_ALL, rows,
                                                     GrB_ALL, columns, GrB_DESC_T0));
  show("matrix transpose twice", GrB_transpose(c.handle, mask.handle, nullptr, a.handle, GrB_DESC_T0));
  const GrB_Index few[] = {3, 1};
  show("matrix assign to some",
       GrB_Matrix_assign_FP64(c.handle, nullptr, nullptr, 2, few, 2, GrB_ALL, columns, nullptr));
  Scalar x(GrB_FP64);
  show("matrix assign empty scalar", GrB_Matrix_assign_Scalar(c.handle, mask.handle, nullptr, x.handle,
                                                              GrB_ALL, rows, GrB_ALL, columns, nullptr));
  GrB_Scalar_setElement_FP64(x.handle, 3);
  show("matrix assign a GrB_Scalar", GrB_Matrix_assign_Scalar(c.handle, mask.handle, nullptr, x.handle,
                                                              GrB_ALL, rows, GrB_ALL, columns, nullptr));
  show("matrix assign through itself", GrB_Matrix_assign_BOOL(c.handle, c.handle, nullptr, true, GrB_ALL,
                                                              rows, GrB_ALL, columns, GrB_DESC_S));
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                       \
  show("matrix assign " #SUFFIX,                                                                      \
       PREFIX##_Matrix_assign_##SUFFIX(c.handle, mask.handle, GrB_PLUS_FP32, ctype(1), GrB_ALL, rows, \
                                       GrB_ALL, columns, nullptr));
#include "semirings/types.def"
#undef CUGRB_TYPE
}

void extract() {
  const Matrix a(GrB_INT32, rows, columns, 71), at(GrB_FP64, columns, rows, 72);
  std::vector<GrB_Index> some_rows, some_columns;
  for (GrB_Index k = 0; k < rows; ++k) some_rows.push_back(k * 8 % rows);
  for (GrB_Index k = 0; k < columns; ++k) some_columns.push_back(k * k % columns);
  const auto taken = [&](auto c, auto m, auto acc, auto from, auto d) {
    return GrB_Matrix_extract(c, m, acc, from, some_rows.data(), rows, some_columns.data(), columns, d);
  };
  each_exit("matrix extract", true,
            [&](auto c, auto m, auto acc, auto d) { return taken(c, m, acc, a.handle, d); });
  Matrix c(GrB_FP32, rows, columns, 73);
  const auto show = [&](const char* name, GrB_Info info) { print(name, info, c.handle); };
  show("matrix extract transposed", taken(c.handle, nullptr, nullptr, at.handle, GrB_DESC_T0));
  show("matrix extract all",
       GrB_Matrix_extract(c.handle, nullptr, nullptr, a.handle, GrB_ALL, rows, GrB_ALL, columns, nullptr));
  show("matrix extract all rows", GrB_Matrix_extract(c.handle, nullptr, nullptr, a.handle, GrB_ALL, rows,
                                                     some_columns.data(), columns, nullptr));
  const GrB_Index range[] = {rows - 1, 0, 1};
  show("matrix extract backwards", GrB_Matrix_extract(c.handle, nullptr, nullptr, a.handle, range,
                                                      GxB_BACKWARDS, GrB_ALL, columns, nullptr));
  show("matrix extract from itself", taken(c.handle, c.handle, nullptr, c.handle, GrB_DESC_S));
  Matrix one(GrB_INT64, 1, 2, 74);
  const GrB_Index twice[] = {3, 3};
  print("matrix extract with a count of 1",
        GrB_Matrix_extract(one.handle, nullptr, nullptr, a.handle, GrB_ALL, 1, twice, 2, nullptr),
        one.handle);
  show("matrix extract, wrong shape",
       GrB_Matrix_extract(c.handle, nullptr, nullptr, a.handle, GrB_ALL, rows, twice, 2, nullptr));
  some_rows[3] = rows;
  show("matrix extract, outside", taken(c.handle, nullptr, nullptr, a.handle, nullptr));
}

void extract_column() {
  const Matrix a(GrB_INT32, rows, columns, 71), at(GrB_FP64, columns, rows, 72);
  const GrB_Index some_rows[] = {3, 20, 3, 0, 7};
  const Vector w(GrB_FP32, rows), few(GrB_INT64, 5), mask(GrB_BOOL, rows);
  fill(mask, 1, 5);
  fill(w, 1, 6);
  const auto show = [](const char* name, GrB_Info info, const Vector& v) { print(name, info, v.handle); };
  show("column under a mask",
       GrB_Col_extract(w.handle, mask.handle, GrB_PLUS_FP32, a.handle, GrB_ALL, rows, 2, GrB_DESC_S), w);
  show("column, replace",
       GrB_Col_extract(w.handle, mask.handle, nullptr, a.handle, GrB_ALL, rows, 25, GrB_DESC_RC), w);
  show("column", GrB_Col_extract(w.handle, nullptr, nullptr, a.handle, GrB_ALL, rows, 7, nullptr), w);
  show("column of the transpose",
       GrB_Col_extract(w.handle, nullptr, nullptr, at.handle, GrB_ALL, rows, 4, GrB_DESC_T0), w);
  show("column, listed", GrB_Col_extract(few.handle, nullptr, nullptr, a.handle, some_rows, 5, 1, nullptr),
       few);
  show("column, outside",
       GrB_Col_extract(w.handle, nullptr, nullptr, a.handle, GrB_ALL, rows, columns, nullptr), w);
  show("column, wrong size", GrB_Col_extract(w.handle, nullptr, nullptr, a.handle, some_rows, 5, 1, nullptr),
       w);
  show("column of nothing", GrB_Col_extract(w.handle, nullptr, nullptr, nullptr, GrB_ALL, rows, 1, nullptr),
       w);
}

}  // namespace

void matrix_elementwise() {
  ewise();
  apply();
  select();
  assign();
  extract();
  extract_column();
}

}  // namespace cases
