// Where SuiteSparse errs (docs/decisions.md) the specification says what is right: calls with their right
// results.
#include "tests/offload/cases.h"

namespace cases {
namespace {

int compared = 0, differing = 0;

void check(const std::string& name, GrB_Info info, GrB_Index entries, GrB_Index right) {
  ++compared;
  if (info == GrB_SUCCESS && entries == right) return;
  ++differing;
  std::printf("%s: code %d, %" PRIu64 " entries where %" PRIu64 " are right\n", name.c_str(), int(info),
              uint64_t(entries), uint64_t(right));
}
GrB_Index count(GrB_Vector vector) {
  GrB_Index n = 0;
  GrB_Vector_nvals(&n, vector);
  return n;
}
GrB_Index count(GrB_Matrix matrix) {
  GrB_Index n = 0;
  GrB_Matrix_nvals(&n, matrix);
  return n;
}

struct Empty {
  GrB_Matrix handle = nullptr;
  Empty(GrB_Type type, GrB_Index rows, GrB_Index columns) { GrB_Matrix_new(&handle, type, rows, columns); }
  ~Empty() { GrB_Matrix_free(&handle); }
  Empty(const Empty&) = delete;
  Empty& operator=(const Empty&) = delete;
};

/// -0.0 as bool is false.
void masks_of_minus_zero() {
  for (const GrB_Type type : {GrB_FP32, GrB_FP64}) {
    for (const int form : {GxB_SPARSE, GxB_BITMAP, GxB_FULL}) {
      const Vector mask(type, 4), u(GrB_INT32, 4), w(GrB_INT32, 4);
      const Empty square(type, 4, 4), c(GrB_INT32, 4, 4), a(GrB_INT32, 4, 4);
      GxB_Vector_Option_set(mask.handle, GxB_SPARSITY_CONTROL, form);
      GxB_Matrix_Option_set(square.handle, GxB_SPARSITY_CONTROL, form);
      for (GrB_Index i = 0; i < 4; ++i) {
        const double value = i == 0 ? 0.0 : i == 1 ? -0.0 : double(i);
        GrB_Vector_setElement_FP64(mask.handle, value, i);
        GrB_Vector_setElement_INT32(u.handle, 1, i);
        for (GrB_Index j = 0; j < 4; ++j) GrB_Matrix_setElement_FP64(square.handle, value, i, j);
        for (GrB_Index j = 0; j < 4; ++j) GrB_Matrix_setElement_INT32(a.handle, 1, i, j);
      }
      const std::string name = "a mask with -0.0, form " + std::to_string(form) + ", ";
      GrB_Info info = GrB_Vector_assign_INT32(w.handle, mask.handle, nullptr, 7, GrB_ALL, 4, nullptr);
      check(name + "assign", info, count(w.handle), 2);
      info = GrB_Vector_assign_INT32(w.handle, mask.handle, nullptr, 7, GrB_ALL, 4, GrB_DESC_RC);
      check(name + "complement", info, count(w.handle), 2);
      info = GrB_mxv(w.handle, mask.handle, nullptr, GrB_PLUS_TIMES_SEMIRING_INT32, a.handle, u.handle,
                     GrB_DESC_R);
      check(name + "mxv", info, count(w.handle), 2);
      info = GrB_Matrix_apply(c.handle, square.handle, nullptr, GrB_AINV_INT32, a.handle, nullptr);
      check(name + "apply", info, count(c.handle), 8);
      info = GrB_mxm(c.handle, square.handle, nullptr, GrB_PLUS_TIMES_SEMIRING_INT32, a.handle, a.handle,
                     GrB_DESC_R);
      check(name + "mxm", info, count(c.handle), 8);
    }
  }
}

/// A sum of nothing has no entry: w<mask> += A u leaves a full w as it is.
void products_of_nothing() {
  const Empty a(GrB_INT64, 3, 0), b(GrB_INT64, 0, 4), square(GrB_BOOL, 3, 4), c(GrB_INT64, 3, 4);
  const Vector u(GrB_INT64, 0), w(GrB_INT64, 3), mask(GrB_BOOL, 3);
  for (GrB_Index i = 0; i < 3; ++i) {
    GrB_Vector_setElement_INT64(w.handle, 9, i);
    GrB_Vector_setElement_BOOL(mask.handle, i != 1, i);
    GrB_Matrix_setElement_BOOL(square.handle, i != 1, i, i);
    for (GrB_Index j = 0; j < 4; ++j) GrB_Matrix_setElement_INT64(c.handle, 9, i, j);
  }
  for (const GrB_Descriptor d : {GrB_Descriptor(nullptr), GrB_DESC_S, GrB_DESC_C}) {
    GrB_Info info =
        GrB_mxv(w.handle, mask.handle, GrB_PLUS_INT64, GrB_PLUS_TIMES_SEMIRING_INT64, a.handle, u.handle, d);
    check("a product of nothing, mxv", info, count(w.handle), 3);
    info =
        GrB_mxm(c.handle, square.handle, GrB_MIN_INT64, GrB_MIN_PLUS_SEMIRING_INT64, a.handle, b.handle, d);
    check("a product of nothing, mxm", info, count(c.handle), 12);
  }
  const GrB_Info info = GrB_vxm(w.handle, mask.handle, GrB_MAX_INT64, GrB_MAX_PLUS_SEMIRING_INT64, u.handle,
                                a.handle, GrB_DESC_T1);
  check("a product of nothing, vxm", info, count(w.handle), 3);
}

}  // namespace

void decided() {
  masks_of_minus_zero();
  products_of_nothing();
  std::printf("decided: %d calls, %d differ\n", compared, differing);
}

}  // namespace cases
