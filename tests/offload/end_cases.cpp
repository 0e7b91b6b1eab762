// Values, thunks, ranges and places at the ends of their types, where SuiteSparse's answers are the same
// however its operands are stored.
#include <limits>

#include "tests/offload/cases.h"

namespace cases {
namespace {

constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr GrB_Index longest = GrB_Index(1) << 60;

/// Operators on values: the thunk takes the operator's type, however far it is from it.
void thunks_of_values() {
  Vector u(GrB_INT64, size), w(GrB_INT64, size);
  const int64_t values[] = {least, least + 1, -129, -1, 0, 1, 127, 128, 255, 65535, most / 2, most - 1, most};
  GrB_Index place = 0;
  for (const int64_t x : values) GrB_Vector_setElement_INT64(u.handle, x, place += 3);
  const GrB_IndexUnaryOp operators[] = {
      GrB_VALUEGT_INT64, GrB_VALUELE_INT64,  GrB_VALUEEQ_UINT64, GrB_VALUEGE_UINT64, GrB_VALUENE_INT8,
      GrB_VALUELT_INT32, GrB_VALUELE_UINT16, GrB_VALUEGT_FP32,   GrB_VALUEGE_FP64,   GrB_VALUENE_BOOL};
  int number = 0;
  for (const GrB_IndexUnaryOp op : operators) {
    const std::string name = "select by value " + std::to_string(number++) + ", thunk ";
    for (const int64_t y : {least, least + 1, int64_t(-1), int64_t(0), int64_t(300), most - 1, most}) {
      print(name + std::to_string(y),
            GrB_Vector_select_INT64(w.handle, nullptr, nullptr, op, u.handle, y, nullptr), w.handle);
    }
    for (const uint64_t y : {uint64_t(most) + 1, ~uint64_t(0)}) {
      print(name + std::to_string(y),
            GrB_Vector_select_UINT64(w.handle, nullptr, nullptr, op, u.handle, y, nullptr), w.handle);
    }
    for (const double y :
         {1e30, -1e30, infinite, -infinite, std::numeric_limits<double>::quiet_NaN(), 0.9, -0.9}) {
      print(name + std::to_string(y),
            GrB_Vector_select_FP64(w.handle, nullptr, nullptr, op, u.handle, y, nullptr), w.handle);
      print(name + std::to_string(y) + " in FP32",
            GrB_Vector_select_FP32(w.handle, nullptr, nullptr, op, u.handle, float(y), nullptr), w.handle);
    }
  }
}

/// The older select operators, on a bitmap: there SuiteSparse's TRIL and TRIU do not wrap.
void thunks_of_select_ops() {
  Matrix a(GrB_INT64, 9, 8, 61), c(GrB_INT64, 9, 8, 62);
  GxB_Matrix_Option_set(a.handle, GxB_SPARSITY_CONTROL, GxB_BITMAP);
  int number = 0;
  for (const GxB_SelectOp op : {GxB_TRIL, GxB_TRIU, GxB_DIAG, GxB_OFFDIAG, GxB_GT_THUNK, GxB_LE_THUNK}) {
    const std::string name = "select operator " + std::to_string(number++) + ", thunk ";
    for (const int64_t y : {least, least + 1, most - 3, most}) {
      Scalar thunk(GrB_INT64);
      GrB_Scalar_setElement_INT64(thunk.handle, y);
      print(name + std::to_string(y),
            GxB_Matrix_select(c.handle, nullptr, nullptr, op, a.handle, thunk.handle, nullptr), c.handle);
    }
    for (const double y : {1e30, -1e30, infinite, 0.9}) {
      Scalar thunk(GrB_FP64);
      GrB_Scalar_setElement_FP64(thunk.handle, y);
      print(name + std::to_string(y),
            GxB_Matrix_select(c.handle, nullptr, nullptr, op, a.handle, thunk.handle, nullptr), c.handle);
    }
  }
}

/// GxB_RANGE, GxB_STRIDE and GxB_BACKWARDS of a vector of n, and what SuiteSparse says to those that leave
/// it.
void ranges() {
  struct Range {
    const char* name;
    GrB_Index kind, begin, end, step;
  };
  const GrB_Index n = size, all = ~GrB_Index(0), far = GrB_Index(most);
  const Range ranges[] = {{"range", GxB_RANGE, 0, n - 1, 0},
                          {"range", GxB_RANGE, n - 1, n - 1, 0},
                          {"range", GxB_RANGE, n - 1, n, 0},
                          {"range", GxB_RANGE, 3, 2, 0},
                          {"range", GxB_RANGE, 0, all, 0},
                          {"range", GxB_RANGE, 0, all - 1, 0},
                          {"range", GxB_RANGE, 1, all, 0},
                          {"range", GxB_RANGE, 0, far, 0},
                          {"range", GxB_RANGE, far, far, 0},
                          {"range", GxB_RANGE, all, all, 0},
                          {"range", GxB_RANGE, all, 0, 0},
                          {"range", GxB_RANGE, 0, longest - 1, 0},
                          {"stride", GxB_STRIDE, n - 5, n - 1, 2},
                          {"stride", GxB_STRIDE, n - 5, n + 90, 100},
                          {"stride", GxB_STRIDE, 0, n - 1, 1},
                          {"stride", GxB_STRIDE, 0, n - 1, 0},
                          {"stride", GxB_STRIDE, 0, all, 1},
                          {"stride", GxB_STRIDE, 0, all, all},
                          {"stride", GxB_STRIDE, 1, all, all},
                          {"stride", GxB_STRIDE, 1, far, far},
                          {"stride", GxB_STRIDE, 0, all - 1, all},
                          {"stride", GxB_STRIDE, 1, all, far + 1},
                          {"stride", GxB_STRIDE, 0, longest, longest},
                          {"stride", GxB_STRIDE, n - 1, longest, longest},
                          {"backwards", GxB_BACKWARDS, n - 1, 0, 1},
                          {"backwards", GxB_BACKWARDS, n - 1, 0, 7},
                          {"backwards", GxB_BACKWARDS, n - 1, 0, all},
                          {"backwards", GxB_BACKWARDS, n - 1, 0, far},
                          {"backwards", GxB_BACKWARDS, n, 0, 1},
                          {"backwards", GxB_BACKWARDS, all, 0, all},
                          {"backwards", GxB_BACKWARDS, all, 0, 1},
                          {"backwards", GxB_BACKWARDS, 0, all, 1},
                          {"backwards", GxB_BACKWARDS, 0, 0, 1}};
  for (const Range& r : ranges) {
    const std::string name = std::string(r.name) + " " + std::to_string(r.begin) + " " +
                             std::to_string(r.end) + " " + std::to_string(r.step);
    const GrB_Index list[] = {r.begin, r.end, r.step};
    Vector w(GrB_FP64, n), u(GrB_FP64, n);
    fill(u, 2, 9);
    print("assign to " + name, GrB_Vector_assign_FP64(w.handle, nullptr, nullptr, 8, list, r.kind, nullptr),
          w.handle);
    for (const GrB_Index length : {GrB_Index(1), GrB_Index(6), n}) {
      Vector part(GrB_FP64, length);
      print("extract of " + name,
            GrB_Vector_extract(part.handle, nullptr, nullptr, u.handle, list, r.kind, nullptr), part.handle);
      fill(part, 2, 4);
      print("assign of a vector to " + name,
            GrB_Vector_assign(w.handle, nullptr, nullptr, part.handle, list, r.kind, nullptr), w.handle);
    }
  }
}

/// Where even a short answer comes from more positions than any memory holds.
void long_ranges() {
  for (const GrB_Index n : {GrB_Index(1) << 40, longest}) {
    Vector u(GrB_INT64, n), w(GrB_INT64, n), rest(GrB_INT64, n - 1), two(GrB_INT64, 2);
    for (const GrB_Index i : {GrB_Index(0), GrB_Index(1) << 31, n - 2, n - 1}) {
      GrB_Vector_setElement_INT64(u.handle, int64_t(i % 97), i);
    }
    const auto extract = [&](const char* name, const Vector& out, std::initializer_list<GrB_Index> list,
                             GrB_Index kind) {
      print(name, GrB_Vector_extract(out.handle, nullptr, nullptr, u.handle, list.begin(), kind, nullptr),
            out.handle);
    };
    extract("extract of all by a range", w, {0, n - 1}, GxB_RANGE);
    extract("extract of all but the first", rest, {1, n - 1}, GxB_RANGE);
    extract("extract of the last two", two, {n - 2, n - 1}, GxB_RANGE);
    extract("extract of the first and the last", two, {0, n - 1, n - 1}, GxB_STRIDE);
    extract("extract of the last two backwards", two, {n - 1, n - 2, 1}, GxB_BACKWARDS);
    extract("extract of one too many", two, {n - 1, n}, GxB_RANGE);
  }
}

/// Positional operators where the places need more than 32 bits.
void places_beyond_int32() {
  GrB_Matrix a = nullptr, c = nullptr, b = nullptr, product = nullptr;
  GrB_Matrix_new(&a, GrB_INT64, 3, longest);
  GrB_Matrix_new(&b, GrB_INT64, 3, 3);
  GrB_Matrix_new(&c, GrB_INT64, 3, longest);
  GrB_Matrix_new(&product, GrB_INT64, 3, longest);
  const GrB_Index columns[] = {0, 1u << 31, GrB_Index(1) << 32, longest - 1};
  for (GrB_Index k = 0; k < 4; ++k) GrB_Matrix_setElement_INT64(a, int64_t(k), k % 3, columns[k]);
  for (GrB_Index k = 0; k < 3; ++k) GrB_Matrix_setElement_INT64(b, 1, k, 2 - k);
  for (const GrB_UnaryOp op :
       {GxB_POSITIONJ_INT32, GxB_POSITIONJ1_INT32, GxB_POSITIONJ_INT64, GxB_POSITIONJ1_INT64}) {
    print("positions in a wide matrix", GrB_Matrix_apply(c, nullptr, nullptr, op, a, nullptr), c);
  }
  for (const GrB_BinaryOp op : {GxB_FIRSTJ_INT32, GxB_SECONDJ1_INT64, GxB_SECONDI1_INT32}) {
    print("bound positions in a wide matrix",
          GrB_Matrix_apply_BinaryOp2nd_INT64(c, nullptr, nullptr, op, a, 1, nullptr), c);
  }
  for (const GrB_Semiring semiring : {GxB_MIN_SECONDJ_INT32, GxB_MAX_SECONDJ1_INT64, GxB_MIN_FIRSTI1_INT32}) {
    print("places in a wide product", GrB_mxm(product, nullptr, nullptr, semiring, b, a, nullptr), product);
  }
  GrB_Matrix_free(&a);
  GrB_Matrix_free(&b);
  GrB_Matrix_free(&c);
  GrB_Matrix_free(&product);
}

}  // namespace

void ends() {
  thunks_of_values();
  thunks_of_select_ops();
  ranges();
  long_ranges();
  places_beyond_int32();
}

}  // namespace cases
