// Matrices and vectors made of others, of parts and of tuples.
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "tests/offload/cases.h"

namespace cases {
namespace {

void kronecker() {
  const Matrix a(GrB_FP64, 4, 5, 81), b(GrB_INT32, 6, 3, 82), bt(GrB_INT32, 3, 6, 83),
      mask(GrB_BOOL, 24, 15, 84);
  for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
    Matrix c(GrB_FP64, 24, 15, 85);
    GxB_Matrix_Option_set(c.handle, GxB_FORMAT, format);
    const auto show = [&](const char* name, GrB_Info info) { print(name, info, c.handle); };
    show("kronecker", GrB_Matrix_kronecker_BinaryOp(c.handle, nullptr, nullptr, GrB_MINUS_FP64, a.handle,
                                                    b.handle, nullptr));
    show("kronecker monoid",
         GrB_Matrix_kronecker_Monoid(c.handle, mask.handle, GrB_PLUS_FP64, GrB_MIN_MONOID_FP64, a.handle,
                                     b.handle, GrB_DESC_S));
    show("kronecker semiring",
         GrB_Matrix_kronecker_Semiring(c.handle, mask.handle, nullptr, GrB_PLUS_TIMES_SEMIRING_INT32,
                                       a.handle, bt.handle, GrB_DESC_RCT1));
    for (const GrB_BinaryOp op : {GxB_FIRSTI_INT64, GxB_FIRSTJ1_INT32, GxB_SECONDI1_INT64, GxB_SECONDJ_INT32,
                                  GrB_LT_FP64, GxB_PAIR_FP32}) {
      show("kronecker by",
           GrB_Matrix_kronecker_BinaryOp(c.handle, nullptr, nullptr, op, a.handle, b.handle, nullptr));
    }
    show("kron", GxB_kron(c.handle, nullptr, nullptr, GrB_MINUS_FP64, a.handle, b.handle, nullptr));
    show("kronecker, wrong shape", GrB_Matrix_kronecker_BinaryOp(c.handle, nullptr, nullptr, GrB_PLUS_FP64,
                                                                 a.handle, bt.handle, nullptr));
  }
}

void diagonals() {
  const Vector v(GrB_INT32, 15), full(GrB_FP64, 15);
  fill(v, 1, 3);
  fill(full, 2, 4);
  for (const int64_t k : {0, 1, -1, 6, -4}) {
    const auto rows = GrB_Index(15 + std::abs(k));
    for (const Vector* given : {&v, &full}) {
      GrB_Matrix made = nullptr;
      const GrB_Info info = GrB_Matrix_diag(&made, given->handle, k);
      print("diag, a new matrix", info, made);
      GrB_Matrix_free(&made);
      for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
        Matrix c(GrB_INT8, rows, rows, 91);
        GxB_Matrix_Option_set(c.handle, GxB_FORMAT, format);
        print("diag", GxB_Matrix_diag(c.handle, given->handle, k, nullptr), c.handle);
        Vector w(GrB_FP32, 15);
        fill(w, 1, 5);
        print("diagonal of it", GxB_Vector_diag(w.handle, c.handle, k, nullptr), w.handle);
      }
    }
    const Matrix wide(GrB_FP64, 12, 18, 92);
    const int64_t length = k >= 0 ? std::min<int64_t>(12, 18 - k) : 12 + k;
    Vector w(GrB_INT16, GrB_Index(length)), other(GrB_INT16, GrB_Index(length) + 1);
    print("diagonal", GxB_Vector_diag(w.handle, wide.handle, k, nullptr), w.handle);
    print("diagonal, wrong length", GxB_Vector_diag(other.handle, wide.handle, k, nullptr), other.handle);
  }
  Matrix c(GrB_FP64, 15, 15, 93);
  print("diag, wrong shape", GxB_Matrix_diag(c.handle, v.handle, 1, nullptr), c.handle);
  print("diag of nothing", GxB_Matrix_diag(c.handle, nullptr, 0, nullptr), c.handle);
}

/// Places of 60 tuples in 20 rows and 25 columns; `distinct`: none twice.
struct Places {
  std::vector<GrB_Index> i, j;
  Places(bool distinct, bool sorted) {
    std::vector<GrB_Index> place;
    for (GrB_Index n = 0; n < 60; ++n) place.push_back(distinct ? (n * 37 + 11) % 500 : (n * n * 7 + n) % 90);
    if (sorted) std::sort(place.begin(), place.end());
    for (const GrB_Index p : place) i.push_back(p / 25), j.push_back(p % 25);
  }
};

template <class T>
std::vector<T> values() {
  std::vector<T> list;
  for (int n = 0; n < 60; ++n) list.push_back(T((n * 5 + 3) % 7));
  return list;
}

#define CUGRB_BUILDS(SUFFIX, ctype, Code)                                                                   \
  void builds_##SUFFIX(GrB_BinaryOp plus, const Places& places, const char* name) {                         \
    const std::vector<ctype> given = values<ctype>();                                                       \
    const auto x = std::make_unique<ctype[]>(60);                                                           \
    std::copy(given.begin(), given.end(), x.get());                                                         \
    for (const GrB_BinaryOp dup : {plus, GrB_BinaryOp(nullptr)}) {                                          \
      GrB_Matrix c = nullptr;                                                                               \
      GrB_Vector w = nullptr;                                                                               \
      GrB_Matrix_new(&c, GrB_##SUFFIX, 20, 25);                                                             \
      GrB_Vector_new(&w, GrB_FP64, 25);                                                                     \
      print(name, GrB_Matrix_build_##SUFFIX(c, places.i.data(), places.j.data(), x.get(), 60, dup), c);     \
      print(name, GrB_Vector_build_##SUFFIX(w, places.j.data(), x.get(), 60, dup), w);                      \
      GrB_Index i[100] = {}, j[100] = {}, n = 100;                                                          \
      ctype back[100] = {};                                                                                 \
      GrB_Info info = GrB_Matrix_extractTuples_##SUFFIX(i, j, back, &n, c);                                 \
      for (GrB_Index k = 0; k < n; ++k)                                                                     \
        print_number("tuple", info, double(i[k] * 1000 + j[k]) + double(back[k]));                          \
      n = 100;                                                                                              \
      info = GrB_Vector_extractTuples_##SUFFIX(i, back, &n, w);                                             \
      for (GrB_Index k = 0; k < n; ++k) print_number("tuple", info, double(i[k] * 1000) + double(back[k])); \
      GrB_Matrix_free(&c);                                                                                  \
      GrB_Vector_free(&w);                                                                                  \
    }                                                                                                       \
  }
CUGRB_BUILDS(BOOL, bool, Bool)
CUGRB_BUILDS(INT8, int8_t, Int8)
CUGRB_BUILDS(INT16, int16_t, Int16)
CUGRB_BUILDS(INT32, int32_t, Int32)
CUGRB_BUILDS(INT64, int64_t, Int64)
CUGRB_BUILDS(UINT8, uint8_t, UInt8)
CUGRB_BUILDS(UINT16, uint16_t, UInt16)
CUGRB_BUILDS(UINT32, uint32_t, UInt32)
CUGRB_BUILDS(UINT64, uint64_t, UInt64)
CUGRB_BUILDS(FP32, float, Fp32)
CUGRB_BUILDS(FP64, double, Fp64)
#undef CUGRB_BUILDS

void build() {
  for (const bool distinct : {false, true}) {
    for (const bool sorted : {false, true}) {
      const Places places(distinct, sorted);
      builds_BOOL(GrB_LXOR, places, "build BOOL");
      builds_INT8(GrB_PLUS_INT8, places, "build INT8");
      builds_INT16(GrB_PLUS_INT32, places, "build INT16");
      builds_INT32(GrB_MIN_INT32, places, "build INT32");
      builds_INT64(GrB_SECOND_INT64, places, "build INT64");
      builds_UINT8(GrB_FIRST_UINT8, places, "build UINT8");
      builds_UINT16(GrB_PLUS_FP32, places, "build UINT16");
      builds_UINT32(GrB_TIMES_UINT32, places, "build UINT32");
      builds_UINT64(GrB_MAX_UINT64, places, "build UINT64");
      builds_FP32(GrB_PLUS_FP32, places, "build FP32");
      builds_FP64(GrB_PLUS_FP64, places, "build FP64");
      Scalar x(GrB_INT16);
      GrB_Scalar_setElement_INT16(x.handle, 7);
      GrB_Matrix c = nullptr;
      GrB_Vector w = nullptr;
      GrB_Matrix_new(&c, GrB_FP32, 20, 25);
      GrB_Vector_new(&w, GrB_INT16, 25);
      print("build scalar", GxB_Matrix_build_Scalar(c, places.i.data(), places.j.data(), x.handle, 60), c);
      print("build scalar", GxB_Vector_build_Scalar(w, places.j.data(), x.handle, 60), w);
      print("build, not empty", GxB_Vector_build_Scalar(w, places.j.data(), x.handle, 60), w);
      GrB_Vector_clear(w);
      const std::vector<double> reals = values<double>();
      print("build, ignoring", GrB_Vector_build_FP64(w, places.j.data(), reals.data(), 60, GxB_IGNORE_DUP),
            w);
      GrB_Vector_clear(w);
      print("build, outside", GrB_Vector_build_FP64(w, places.i.data() + 1, reals.data(), 59, GrB_PLUS_FP64),
            w);
      GrB_Vector_clear(w);
      std::vector<GrB_Index> outside = places.j;
      outside[40] = 25;
      print("build, outside", GrB_Vector_build_FP64(w, outside.data(), reals.data(), 60, GrB_PLUS_FP64), w);
      print("build of none", GrB_Vector_build_FP64(w, outside.data(), reals.data(), 0, GrB_PLUS_FP64), w);
      print("build, another type", GrB_Vector_build_FP64(w, places.j.data(), reals.data(), 60, GrB_LT_FP64),
            w);
      GrB_Matrix_free(&c);
      GrB_Vector_free(&w);
    }
  }
}

void tuples() {
  Matrix c(GrB_FP64, 9, 11, 95);
  const Matrix a(GrB_INT32, 9, 11, 96);
  Vector w(GrB_FP64, 30), full(GrB_FP64, 30);
  for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
    GxB_Matrix_Option_set(c.handle, GxB_FORMAT, format);
    for (const bool iso : {false, true}) {
      GrB_Matrix_apply(c.handle, nullptr, nullptr, iso ? GxB_ONE_INT32 : GrB_AINV_INT32, a.handle, nullptr);
      fill(w, 1, 7);
      GrB_Vector_apply(w.handle, nullptr, nullptr, iso ? GxB_ONE_FP64 : GrB_AINV_FP64, w.handle, nullptr);
      GrB_Vector_assign_FP64(full.handle, nullptr, nullptr, 3, GrB_ALL, 30, nullptr);
      if (!iso) GrB_Vector_apply(full.handle, nullptr, nullptr, GxB_POSITIONI_INT64, full.handle, nullptr);
      std::vector<GrB_Index> i(99), j(99);
      std::vector<float> x(99);
      GrB_Index n = 99;
      GrB_Info info = GrB_Matrix_extractTuples_FP32(i.data(), nullptr, nullptr, &n, c.handle);
      for (GrB_Index k = 0; k < n; ++k) print_number("row", info, double(i[k]));
      n = 99;
      info = GrB_Matrix_extractTuples_FP32(nullptr, j.data(), x.data(), &n, c.handle);
      for (GrB_Index k = 0; k < n; ++k) print_number("column", info, double(j[k]) + 100 * double(x[k]));
      n = 99;
      info = GrB_Vector_extractTuples_FP32(i.data(), x.data(), &n, w.handle);
      for (GrB_Index k = 0; k < n; ++k) print_number("place", info, double(i[k]) + 100 * double(x[k]));
      n = 99;
      info = GrB_Vector_extractTuples_FP32(i.data(), x.data(), &n, full.handle);
      for (GrB_Index k = 0; k < n; ++k) print_number("place of all", info, double(i[k]) + 100 * double(x[k]));
      GrB_Matrix_apply(c.handle, nullptr, nullptr, GrB_AINV_INT32, a.handle, nullptr);
      n = 3;
      print_number("too few", GrB_Matrix_extractTuples_FP32(i.data(), j.data(), x.data(), &n, c.handle),
                   double(n));
      print_number("no count", GrB_Vector_extractTuples_FP32(i.data(), x.data(), nullptr, w.handle), 0);
    }
  }
}

void parts() {
  const Matrix a(GrB_FP64, 6, 7, 101), b(GrB_INT32, 6, 4, 102), c(GrB_INT8, 9, 7, 103),
      d(GrB_FP64, 9, 4, 104);
  const GrB_Matrix tiles[] = {a.handle, b.handle, c.handle, d.handle};
  const GrB_Index heights[] = {6, 1, 8}, widths[] = {4, 0, 7}, wrong[] = {6, 1, 9};
  for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
    Matrix whole(GrB_FP32, 15, 11, 105);
    GxB_Matrix_Option_set(whole.handle, GxB_FORMAT, format);
    // SuiteSparse 7.4 puts tiles into a bitmap beside its old entries, which it does not count.
    GxB_Matrix_Option_set(whole.handle, GxB_SPARSITY_CONTROL, GxB_SPARSE);
    print("concat", GxB_Matrix_concat(whole.handle, const_cast<GrB_Matrix*>(tiles), 2, 2, nullptr),
          whole.handle);
    print("concat, wrong", GxB_Matrix_concat(whole.handle, const_cast<GrB_Matrix*>(tiles), 1, 4, nullptr),
          whole.handle);
    GrB_Matrix parts[9] = {};
    const GrB_Info info = GxB_Matrix_split(parts, 3, 3, heights, widths, whole.handle, nullptr);
    for (GrB_Matrix& part : parts) {
      int32_t orientation = 0;
      GxB_Matrix_Option_get(part, GxB_FORMAT, &orientation);
      print_number("orientation of a tile", info, orientation);
      print("tile", info, part);
      GrB_Matrix_free(&part);
    }
    print("split, wrong", GxB_Matrix_split(parts, 3, 3, wrong, widths, whole.handle, nullptr), whole.handle);
    for (const auto& [rows, columns] : {std::pair<GrB_Index, GrB_Index>{9, 30}, {40, 5}, {40, 50}, {3, 2}}) {
      print("on the device",
            GrB_Matrix_apply(whole.handle, nullptr, nullptr, GrB_AINV_FP32, whole.handle, nullptr),
            whole.handle);
      GrB_Matrix_apply(whole.handle, nullptr, nullptr, GrB_AINV_FP32, whole.handle, nullptr);
      print("resized", GrB_Matrix_resize(whole.handle, rows, columns), whole.handle);
      print("resized by the older name", GxB_Matrix_resize(whole.handle, rows + 1, columns), whole.handle);
      GrB_Index n = 0, m = 0;
      GrB_Matrix_nrows(&n, whole.handle);
      GrB_Matrix_ncols(&m, whole.handle);
      print_number("size", GrB_SUCCESS, double(n * 1000 + m));
    }
  }
  for (const int filling : {0, 1, 2}) {
    Vector w(GrB_FP64, 30);
    fill(w, filling, 8);
    for (const GrB_Index length : {20, 50, 21}) {
      GrB_Vector_apply(w.handle, nullptr, nullptr, GrB_AINV_FP64, w.handle, nullptr);
      print("vector resized", GrB_Vector_resize(w.handle, length), w.handle);
      print("vector resized by the older name", GxB_Vector_resize(w.handle, length + 1), w.handle);
    }
  }
}

void lines() {
  const Vector u(GrB_INT32, 26), few(GrB_FP64, 5), mask(GrB_BOOL, 26), down(GrB_FP64, 21),
      mask_down(GrB_INT8, 21);
  fill(u, 1, 3);
  fill(few, 1, 4);
  fill(mask, 1, 5);
  fill(down, 2, 6);
  fill(mask_down, 1, 7);
  const GrB_Index some[] = {25, 3, 0, 7, 12}, twice[] = {1, 2, 2, 4, 5};
  for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
    Matrix c(GrB_FP64, 21, 26, 111);
    GxB_Matrix_Option_set(c.handle, GxB_FORMAT, format);
    const auto show = [&](const char* name, GrB_Info info) { print(name, info, c.handle); };
    show("row", GrB_Row_assign(c.handle, nullptr, nullptr, u.handle, 4, GrB_ALL, 26, nullptr));
    show("row, listed", GrB_Row_assign(c.handle, nullptr, GrB_PLUS_FP64, few.handle, 0, some, 5, nullptr));
    show("row, masked",
         GrB_Row_assign(c.handle, mask.handle, nullptr, u.handle, 20, GrB_ALL, 26, GrB_DESC_R));
    show("row, listed, masked",
         GrB_Row_assign(c.handle, mask.handle, GrB_MINUS_FP64, few.handle, 4, some, 5, GrB_DESC_RSC));
    show("row, no mask, complemented",
         GrB_Row_assign(c.handle, nullptr, nullptr, u.handle, 3, GrB_ALL, 26, GrB_DESC_RC));
    show("column", GrB_Col_assign(c.handle, nullptr, nullptr, down.handle, GrB_ALL, 21, 9, nullptr));
    show("column, listed", GrB_Col_assign(c.handle, nullptr, nullptr, few.handle, some + 1, 4, 9, nullptr));
    show("column, masked",
         GrB_Col_assign(c.handle, mask_down.handle, GrB_TIMES_FP64, down.handle, GrB_ALL, 21, 0, GrB_DESC_S));
    show("row, twice", GrB_Row_assign(c.handle, nullptr, nullptr, few.handle, 2, twice, 5, nullptr));
    show("row, outside", GrB_Row_assign(c.handle, nullptr, nullptr, u.handle, 21, GrB_ALL, 26, nullptr));
    show("row, wrong mask",
         GrB_Row_assign(c.handle, mask_down.handle, nullptr, u.handle, 2, GrB_ALL, 26, nullptr));
  }
}

void subassign() {
  const Vector few(GrB_FP64, 5), mask(GrB_BOOL, 5), whole(GrB_INT32, 26), whole_mask(GrB_INT8, 26);
  fill(few, 1, 4);
  fill(mask, 2, 5);
  fill(whole, 1, 3);
  fill(whole_mask, 1, 6);
  const GrB_Index some[] = {25, 3, 0, 7, 12}, twice[] = {1, 2, 2, 4, 5};
  Vector w(GrB_FP32, 26);
  Scalar x(GrB_INT16), none(GrB_FP64);
  GrB_Scalar_setElement_INT16(x.handle, -9);
  const auto show = [&](const std::string& name, GrB_Info info) { print(name, info, w.handle); };
  for (const int filling : {0, 1, 2}) {
    fill(w, filling, 9);
    show("subassign", GxB_Vector_subassign(w.handle, nullptr, nullptr, few.handle, some, 5, nullptr));
    show("subassign, masked",
         GxB_Vector_subassign(w.handle, mask.handle, nullptr, few.handle, some, 5, GrB_DESC_R));
    show("subassign, accum",
         GxB_Vector_subassign(w.handle, mask.handle, GrB_PLUS_FP32, few.handle, some, 5, GrB_DESC_SC));
    show("subassign, all",
         GxB_Vector_subassign(w.handle, whole_mask.handle, nullptr, whole.handle, GrB_ALL, 26, GrB_DESC_RS));
    show("subassign, no mask, complemented",
         GxB_Vector_subassign(w.handle, nullptr, nullptr, few.handle, some, 5, GrB_DESC_RC));
    show("subassign of itself",
         GxB_Vector_subassign(w.handle, w.handle, nullptr, w.handle, GrB_ALL, 26, GrB_DESC_RC));
    show("subassign, twice",
         GxB_Vector_subassign(w.handle, mask.handle, nullptr, few.handle, twice, 5, nullptr));
    show("subassign, wrong mask",
         GxB_Vector_subassign(w.handle, whole_mask.handle, nullptr, few.handle, some, 5, nullptr));
    show("subassign scalar",
         GxB_Vector_subassign_Scalar(w.handle, mask.handle, nullptr, x.handle, some, 5, GrB_DESC_R));
    show("subassign empty scalar",
         GxB_Vector_subassign_Scalar(w.handle, mask.handle, nullptr, none.handle, some, 5, nullptr));
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                       \
  show("subassign " #SUFFIX,                                                                          \
       GxB_Vector_subassign_##SUFFIX(w.handle, mask.handle, nullptr, ctype(1), some, 5, GrB_DESC_C)); \
  show("subassign, accum " #SUFFIX,                                                                   \
       GxB_Vector_subassign_##SUFFIX(w.handle, nullptr, GrB_PLUS_FP32, ctype(2), some, 5, nullptr));
#include "semirings/types.def"
#undef CUGRB_TYPE
  }
}

}  // namespace

void assembly() {
  parts();
  lines();
  subassign();
  kronecker();
  diagonals();
  build();
  tuples();
}

}  // namespace cases
