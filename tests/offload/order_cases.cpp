// Sorted and reshaped objects, and scalars that vectors give.
#include "tests/offload/cases.h"

namespace cases {
namespace {

void sorts() {
  const Matrix a(GrB_FP64, 12, 30, 211), whole(GrB_INT32, 30, 12, 212);
  // SuiteSparse 7.4 sorts without the entries that it has not yet put in their places.
  GrB_Matrix_wait(a.handle, GrB_MATERIALIZE);
  GrB_Matrix_wait(whole.handle, GrB_MATERIALIZE);
  for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
    Matrix c(GrB_FP64, 12, 30, 213), p(GrB_INT64, 12, 30, 214), w(GrB_INT32, 30, 12, 215),
        q(GrB_UINT64, 30, 12, 216);
    GxB_Matrix_Option_set(c.handle, GxB_FORMAT, format);
    GxB_Matrix_Option_set(w.handle, GxB_FORMAT, format);
    for (const GrB_Descriptor d : {GrB_Descriptor(nullptr), GrB_DESC_T0}) {
      for (const GrB_BinaryOp op : {GrB_LT_FP64, GrB_GT_FP64, GrB_LT_INT8}) {
        const GrB_Info info = GxB_Matrix_sort(c.handle, p.handle, op, a.handle, d);
        print("sort", info, c.handle);
        print("sort, places", info, p.handle);
      }
      print("sort, no places", GxB_Matrix_sort(w.handle, nullptr, GrB_GT_INT32, whole.handle, d), w.handle);
      print("sort, places alone", GxB_Matrix_sort(nullptr, q.handle, GrB_LT_INT32, whole.handle, d),
            q.handle);
      print("sort in place", GxB_Matrix_sort(w.handle, q.handle, GrB_LT_INT32, w.handle, d), w.handle);
    }
    print("sort, no output", GxB_Matrix_sort(nullptr, nullptr, GrB_LT_FP64, a.handle, nullptr), a.handle);
    print("sort, no comparison", GxB_Matrix_sort(c.handle, nullptr, GrB_PLUS_FP64, a.handle, nullptr),
          c.handle);
    print("sort, another type", GxB_Matrix_sort(w.handle, nullptr, GrB_LT_FP64, a.handle, nullptr), w.handle);
    print("sort, places of floats", GxB_Matrix_sort(c.handle, c.handle, GrB_LT_FP64, a.handle, nullptr),
          c.handle);
  }
  for (const int filling : {0, 1, 2, 3}) {
    Vector u(GrB_FP32, size), w(GrB_FP32, size), p(GrB_INT64, size);
    fill(u, filling, 5);
    fill(w, 1, 6);
    GrB_Vector_wait(u.handle, GrB_MATERIALIZE);
    print("vector sort", GxB_Vector_sort(w.handle, p.handle, GrB_LT_FP32, u.handle, nullptr), w.handle);
    print("vector sort, places", GxB_Vector_sort(nullptr, p.handle, GrB_GT_FP32, u.handle, nullptr),
          p.handle);
    print("vector sort in place", GxB_Vector_sort(u.handle, nullptr, GrB_LT_INT32, u.handle, nullptr),
          u.handle);
  }
}

void reshapes() {
  for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
    for (const bool by_column : {false, true}) {
      Matrix c(GrB_FP32, 12, 10, 221);
      GxB_Matrix_Option_set(c.handle, GxB_FORMAT, format);
      for (const auto& [rows, columns] : {std::pair<GrB_Index, GrB_Index>{24, 5}, {120, 1}, {2, 60}}) {
        print("on the device", GrB_Matrix_apply(c.handle, nullptr, nullptr, GrB_AINV_FP32, c.handle, nullptr),
              c.handle);
        GrB_Matrix_apply(c.handle, nullptr, nullptr, GrB_AINV_FP32, c.handle, nullptr);
        print("reshaped", GxB_Matrix_reshape(c.handle, by_column, rows, columns, nullptr), c.handle);
        GrB_Index n = 0, m = 0;
        GrB_Matrix_nrows(&n, c.handle);
        GrB_Matrix_ncols(&m, c.handle);
        print_number("shape", GrB_SUCCESS, double(n * 1000 + m));
        GrB_Matrix copy = nullptr;
        const GrB_Info info = GxB_Matrix_reshapeDup(&copy, c.handle, by_column, columns, rows, nullptr);
        print("reshaped copy", info, copy);
        int32_t orientation = 0;
        GxB_Matrix_Option_get(copy, GxB_FORMAT, &orientation);
        print_number("its orientation", info, orientation);
        GrB_Matrix_free(&copy);
      }
      print("reshaped, wrong", GxB_Matrix_reshape(c.handle, by_column, 7, 17, nullptr), c.handle);
      GrB_Matrix none = nullptr;
      print_number("reshaped copy, wrong", GxB_Matrix_reshapeDup(&none, c.handle, by_column, 7, 17, nullptr),
                   0);
    }
  }
}

/// The scalar's code and value.
void show(const char* name, GrB_Info info, const Scalar& scalar) {
  double x = -77;
  const GrB_Info got = GrB_Scalar_extractElement_FP64(&x, scalar.handle);
  print_number(std::string(name) + " gives " + std::to_string(int(got)), info, x);
}

void scalars() {
  const Matrix a(GrB_INT32, 9, 11, 231);
  Vector w(GrB_FP32, size), empty(GrB_FP64, size);
  Scalar x(GrB_INT64), y(GrB_FP64);
  fill(w, 1, 9);
  for (const GrB_BinaryOp accum : {GrB_BinaryOp(nullptr), GrB_MINUS_FP64}) {
    for (const GrB_BinaryOp op : {GrB_PLUS_FP32, GrB_MAX_INT32, GrB_TIMES_FP64, GrB_LOR}) {
      show("reduce by an operator", GrB_Vector_reduce_BinaryOp_Scalar(x.handle, accum, op, w.handle, nullptr),
           x);
      show("reduce a matrix by an operator",
           GrB_Matrix_reduce_BinaryOp_Scalar(y.handle, accum, op, a.handle, nullptr), y);
    }
    show("reduce nothing",
         GrB_Vector_reduce_BinaryOp_Scalar(x.handle, accum, GrB_PLUS_FP64, empty.handle, nullptr), x);
  }
  show("reduce by no monoid's operator",
       GrB_Vector_reduce_BinaryOp_Scalar(x.handle, nullptr, GrB_MINUS_FP32, w.handle, nullptr), x);
  GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_FP32, w.handle, nullptr);
  for (GrB_Index i = 0; i < 6; ++i) {
    show("extractElement to a scalar", GrB_Vector_extractElement_Scalar(x.handle, w.handle, i), x);
    print_number("isStoredElement", GxB_Vector_isStoredElement(w.handle, i), 0);
    GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_FP32, w.handle, nullptr);
  }
  show("extractElement, outside", GrB_Vector_extractElement_Scalar(x.handle, w.handle, size), x);
  print_number("isStoredElement, outside", GxB_Vector_isStoredElement(w.handle, size), 0);
}

}  // namespace

void order() {
  sorts();
  reshapes();
  scalars();
}

}  // namespace cases
