// User-defined operators, monoids, semirings and types: with a definition string on the device, without one
// on the CPU.
#include <cstring>

#include "tests/offload/cases.h"

namespace {

using namespace cases;

#define DEFINE(name, text) text const char* name##_text = #text;

DEFINE(
    twice_plus, void twice_plus(int32_t* z, const int32_t* x, const int32_t* y) { *z = 2 * *x + *y; })
DEFINE(
    clamp, void clamp(double* z, const double* x) { *z = fabs(*x) > 2 ? (*x > 0 ? 2 : -2) : *x; })
DEFINE(
    near_row, void near_row(bool* z, const double* x, GrB_Index i, GrB_Index j, const int64_t* y) {
      *z = (int64_t)i % *y == 0 && *x > -3;
    })
DEFINE(
    larger, void larger(double* z, const double* x, const double* y) { *z = *x > *y ? *x : *y; })

typedef struct {
  int64_t count;
  double sum;
} tally;
const char* tally_text = "typedef struct { int64_t count ; double sum ; } tally ;";
DEFINE(
    tally_of, void tally_of(tally* z, const double* x) {
      z->count = 1;
      z->sum = *x;
    })
DEFINE(
    tally_add, void tally_add(tally* z, const tally* x, const tally* y) {
      z->count = x->count + y->count;
      z->sum = x->sum + y->sum;
    })
DEFINE(
    tally_weigh, void tally_weigh(tally* z, const tally* x, GrB_Index i, GrB_Index j, const tally* y) {
      z->count = y->count + (int64_t)(i + j);
      z->sum = x->sum * (double)y->count;
    })
DEFINE(
    tally_fewer, void tally_fewer(bool* z, const tally* x, GrB_Index i, GrB_Index j, const tally* y) {
      *z = x->sum < y->sum - 99 && (i + j) > 2;
    })
DEFINE(
    tally_mean, void tally_mean(double* z, const tally* x) { *z = x->sum / (double)x->count; })

/// The text says one thing, the function does another: what CUGRB_VERIFY is for.
void add_two(double* z, const double* x) { *z = *x + 2; }
const char* add_two_text = "void add_two (double *z, const double *x) { *z = *x + 3 ; }";

/// A text that no compiler takes: the call runs on the CPU.
void halve(double* z, const double* x) { *z = *x / 2; }
const char* halve_text = "void halve (double *z, const double *x) { *z = *x / two ; }";

void unary(const char* name, GxB_unary_function function, const char* op_name, const char* text) {
  GrB_UnaryOp op = nullptr;
  GxB_UnaryOp_new(&op, function, GrB_FP64, GrB_FP64, op_name, text);
  Vector u(GrB_FP64, size), w(GrB_FP64, size);
  fill(u, 1, 2);
  print(name, GrB_Vector_apply(w.handle, nullptr, nullptr, op, u.handle, nullptr), w.handle);
  GrB_UnaryOp_free(&op);
}

void operators() {
  GrB_BinaryOp op = nullptr, bare = nullptr;
  GxB_BinaryOp_new(&op, reinterpret_cast<GxB_binary_function>(twice_plus), GrB_INT32, GrB_INT32, GrB_INT32,
                   "twice_plus", twice_plus_text);
  GrB_BinaryOp_new(&bare, reinterpret_cast<GxB_binary_function>(twice_plus), GrB_INT32, GrB_INT32, GrB_INT32);
  GrB_UnaryOp unary = nullptr;
  GxB_UnaryOp_new(&unary, reinterpret_cast<GxB_unary_function>(clamp), GrB_FP64, GrB_FP64, "clamp",
                  clamp_text);
  GrB_IndexUnaryOp index = nullptr;
  GxB_IndexUnaryOp_new(&index, reinterpret_cast<GxB_index_unary_function>(near_row), GrB_BOOL, GrB_FP64,
                       GrB_INT64, "near_row", near_row_text);
  Vector u(GrB_FP64, size), v(GrB_INT16, size), w(GrB_INT32, size);
  fill(u, 1, 2);
  fill(v, 2, 3);
  const auto show = [&](const char* name, GrB_Info info) { print(name, info, w.handle); };
  show("user ewise",
       GrB_Vector_eWiseMult_BinaryOp(w.handle, nullptr, nullptr, op, u.handle, v.handle, nullptr));
  show("user ewise, accum",
       GrB_Vector_eWiseAdd_BinaryOp(w.handle, nullptr, op, op, u.handle, v.handle, nullptr));
  show("bare pointer",
       GrB_Vector_eWiseMult_BinaryOp(w.handle, nullptr, nullptr, bare, u.handle, v.handle, nullptr));
  show("user unary", GrB_Vector_apply(w.handle, nullptr, nullptr, unary, u.handle, nullptr));
  show("user select", GrB_Vector_select_INT64(w.handle, nullptr, nullptr, index, u.handle, 3, nullptr));
  GrB_BinaryOp_free(&op);
  GrB_BinaryOp_free(&bare);
  GrB_UnaryOp_free(&unary);
  GrB_IndexUnaryOp_free(&index);
}

void semirings() {
  GrB_BinaryOp op = nullptr;
  GxB_BinaryOp_new(&op, reinterpret_cast<GxB_binary_function>(larger), GrB_FP64, GrB_FP64, GrB_FP64, "larger",
                   larger_text);
  GrB_Monoid monoid = nullptr, or_bool = nullptr;
  GxB_Monoid_terminal_new_FP64(&monoid, op, -1000, 8);  // no sum of two values exceeds 8
  GrB_Monoid_new_BOOL(&or_bool, GrB_PLUS_BOOL, false);  // no built-in monoid, but a built-in operator
  GrB_Semiring user = nullptr, mixed = nullptr, boolean = nullptr;
  GrB_Semiring_new(&user, monoid, GrB_PLUS_FP64);
  GrB_Semiring_new(&mixed, GrB_PLUS_MONOID_FP32, GrB_ONEB_FP32);
  GrB_Semiring_new(&boolean, or_bool, GrB_LAND);
  const Matrix a(GrB_FP64, size, size, 7);
  Vector u(GrB_FP64, size), w(GrB_FP64, size);
  fill(u, 1, 2);
  for (const GrB_Semiring s : {user, mixed, boolean}) {
    print("user mxv", GrB_mxv(w.handle, nullptr, nullptr, s, a.handle, u.handle, nullptr), w.handle);
    print("user vxm", GrB_vxm(w.handle, nullptr, nullptr, s, u.handle, a.handle, nullptr), w.handle);
  }
  double sum = 0;
  print_value("user reduce", GrB_Vector_reduce_FP64(&sum, nullptr, monoid, u.handle, nullptr), &sum);
  print_value("user reduce of nothing",
              (GrB_Vector_clear(u.handle), GrB_Vector_reduce_FP64(&sum, nullptr, monoid, u.handle, nullptr)),
              &sum);
  GrB_Semiring_free(&user);
  GrB_Semiring_free(&mixed);
  GrB_Semiring_free(&boolean);
  GrB_Monoid_free(&monoid);
  GrB_Monoid_free(&or_bool);
  GrB_BinaryOp_free(&op);
}

void add_one(double* z, const double* x) { *z = *x + 1; }
void add_four(double* z, const double* x) { *z = *x + 4; }

/// A freed handle's address comes back as another object: what was known of the first must not be used for
/// the second.
void reused_addresses() {
  const Matrix a(GrB_INT32, size, size, 7);
  Vector u(GrB_INT32, size), w(GrB_INT32, size);
  fill(u, 1, 2);
  const GrB_Monoid monoids[] = {GrB_MIN_MONOID_INT32, GrB_MAX_MONOID_INT32, GrB_PLUS_MONOID_INT32};
  const GrB_BinaryOp ops[] = {GrB_MAX_INT32, GrB_MIN_INT32, GrB_FIRST_INT32};
  for (int n = 0; n < 3; ++n) {
    GrB_Semiring semiring = nullptr;
    GrB_Semiring_new(&semiring, monoids[n], ops[n]);
    print("semiring in turn", GrB_mxv(w.handle, nullptr, nullptr, semiring, a.handle, u.handle, nullptr),
          w.handle);
    GrB_Semiring_free(&semiring);
  }
  unary("first of a name", reinterpret_cast<GxB_unary_function>(add_one), "shift",
        "void shift (double *z, const double *x) { *z = *x + 1 ; }");
  unary("second of a name", reinterpret_cast<GxB_unary_function>(add_four), "shift",
        "void shift (double *z, const double *x) { *z = *x + 4 ; }");
}

void types() {
  GrB_Type type = nullptr;
  GxB_Type_new(&type, sizeof(tally), "tally", tally_text);
  GrB_UnaryOp make = nullptr, mean = nullptr;
  GrB_BinaryOp add = nullptr;
  GxB_UnaryOp_new(&make, reinterpret_cast<GxB_unary_function>(tally_of), type, GrB_FP64, "tally_of",
                  tally_of_text);
  GxB_UnaryOp_new(&mean, reinterpret_cast<GxB_unary_function>(tally_mean), GrB_FP64, type, "tally_mean",
                  tally_mean_text);
  GxB_BinaryOp_new(&add, reinterpret_cast<GxB_binary_function>(tally_add), type, type, type, "tally_add",
                   tally_add_text);
  GrB_IndexUnaryOp weigh = nullptr, fewer = nullptr;
  GxB_IndexUnaryOp_new(&weigh, reinterpret_cast<GxB_index_unary_function>(tally_weigh), type, type, type,
                       "tally_weigh", tally_weigh_text);
  GxB_IndexUnaryOp_new(&fewer, reinterpret_cast<GxB_index_unary_function>(tally_fewer), GrB_BOOL, type, type,
                       "tally_fewer", tally_fewer_text);
  tally zero = {0, 0};
  GrB_Monoid monoid = nullptr;
  GrB_Monoid_new_UDT(&monoid, add, &zero);
  GrB_Semiring semiring = nullptr;
  GrB_Semiring_new(&semiring, monoid, add);
  {
    Vector u(GrB_FP64, size), v(GrB_FP64, size), t(type, size), s(type, size), w(GrB_FP64, size);
    fill(u, 1, 2);
    fill(v, 2, 3);
    const auto show = [&](const char* name, GrB_Info info) {
      GrB_Vector_apply(w.handle, nullptr, nullptr, mean, s.handle, nullptr);
      print(name, info, w.handle);
    };
    show("user type, apply", GrB_Vector_apply(s.handle, nullptr, nullptr, make, u.handle, nullptr));
    GrB_Vector_apply(t.handle, nullptr, nullptr, make, v.handle, nullptr);
    show("user type, ewise",
         GrB_Vector_eWiseAdd_BinaryOp(s.handle, nullptr, nullptr, add, s.handle, t.handle, nullptr));
    show("user type, accum",
         GrB_Vector_eWiseMult_BinaryOp(s.handle, nullptr, add, add, s.handle, t.handle, nullptr));
    tally x = {4, 100};
    show("user type, bind",
         GrB_Vector_apply_BinaryOp1st_UDT(s.handle, nullptr, nullptr, add, &x, t.handle, nullptr));
    show("user type, assign",
         GrB_Vector_assign_UDT(s.handle, u.handle, nullptr, &x, GrB_ALL, size, GrB_DESC_S));
    const GrB_Index some[] = {9, 2, 30};
    const Vector inside(GrB_BOOL, 3);
    fill(inside, 2, 4);
    show("user type, subassign",
         GxB_Vector_subassign_UDT(s.handle, inside.handle, nullptr, &x, some, 3, GrB_DESC_S));
    show("user type, index",
         GrB_Vector_apply_IndexOp_UDT(s.handle, nullptr, nullptr, weigh, t.handle, &x, nullptr));
    show("user type, select by type",
         GrB_Vector_select_UDT(s.handle, nullptr, nullptr, fewer, t.handle, &x, nullptr));
    show("user type, select",
         GrB_Vector_select_INT64(s.handle, nullptr, nullptr, GrB_ROWLE, s.handle, 20, nullptr));
    tally sum = {0, 0};
    print_value("user type, reduce", GrB_Vector_reduce_UDT(&sum, nullptr, monoid, s.handle, nullptr),
                &sum.sum);
    const Matrix numbers(GrB_FP64, 9, 7, 5);
    Matrix tallies(type, 9, 7, 5);
    GrB_Matrix_apply(tallies.handle, nullptr, nullptr, make, numbers.handle, nullptr);
    print_value("user type, reduce matrix",
                GrB_Matrix_reduce_UDT(&sum, nullptr, monoid, tallies.handle, nullptr), &sum.sum);
    const Matrix pattern(GrB_BOOL, 9, 9, 6);
    Matrix product(type, 9, 9, 5);
    GrB_mxm(product.handle, pattern.handle, nullptr, semiring, tallies.handle, tallies.handle, GrB_DESC_ST1);
    print_value("user type, product", GrB_Matrix_reduce_UDT(&sum, nullptr, monoid, product.handle, nullptr),
                &sum.sum);
    const auto show_matrix = [&](const char* name, GrB_Info info) {
      Matrix means(GrB_FP64, 9, 7, 5);
      GrB_Matrix_apply(means.handle, nullptr, nullptr, mean, tallies.handle, nullptr);
      print(name, info, means.handle);
    };
    show_matrix(
        "user type, matrix bind first",
        GrB_Matrix_apply_BinaryOp1st_UDT(tallies.handle, nullptr, nullptr, add, &x, tallies.handle, nullptr));
    show_matrix(
        "user type, matrix bind second",
        GrB_Matrix_apply_BinaryOp2nd_UDT(tallies.handle, nullptr, add, add, tallies.handle, &x, nullptr));
    show_matrix("user type, matrix index", GrB_Matrix_apply_IndexOp_UDT(tallies.handle, nullptr, nullptr,
                                                                        weigh, tallies.handle, &x, nullptr));
    show_matrix("user type, matrix select",
                GrB_Matrix_select_UDT(tallies.handle, nullptr, nullptr, fewer, tallies.handle, &x, nullptr));
    show_matrix("user type, matrix add", GrB_Matrix_eWiseAdd_Monoid(tallies.handle, nullptr, nullptr, monoid,
                                                                    tallies.handle, tallies.handle, nullptr));
    show_matrix("user type, matrix mult",
                GrB_Matrix_eWiseMult_BinaryOp(tallies.handle, nullptr, add, add, tallies.handle,
                                              tallies.handle, nullptr));
    show_matrix("user type, matrix assign", GrB_Matrix_assign_UDT(tallies.handle, numbers.handle, nullptr, &x,
                                                                  GrB_ALL, 9, GrB_ALL, 7, GrB_DESC_S));
    const GrB_Index few[] = {5, 0, 6}, part[] = {2, 3};
    show_matrix("user type, assign to a part",
                GrB_Matrix_assign_UDT(tallies.handle, nullptr, add, &x, few, 3, part, 2, nullptr));
    show_matrix("user type, subassign",
                GxB_Matrix_subassign_UDT(tallies.handle, nullptr, nullptr, &x, part, 2, few, 3, nullptr));
    show_matrix("user type, matrix setElement", GrB_Matrix_setElement_UDT(tallies.handle, &x, 3, 4));
    print_value("user type, matrix extractElement", GrB_Matrix_extractElement_UDT(&sum, tallies.handle, 3, 4),
                &sum.sum);
    show_matrix("user type, kronecker", [&] {
      Matrix one(type, 1, 1, 5), copy(type, 9, 7, 5);
      const GrB_Index first = 0;
      const GrB_Info built = GrB_Matrix_build_UDT(one.handle, &first, &first, &x, 1, nullptr);
      GrB_Matrix_kronecker_BinaryOp(copy.handle, nullptr, nullptr, add, tallies.handle, one.handle, nullptr);
      GrB_Matrix_assign(tallies.handle, nullptr, nullptr, copy.handle, GrB_ALL, 9, GrB_ALL, 7, nullptr);
      return built;
    }());
    show("user type, build", [&] {
      const GrB_Index places[] = {7, 3, 7, 0, 3, 7};
      const tally given[] = {{1, 2}, {2, 8}, {1, 5}, {3, 1}, {4, 4}, {1, 1}};
      GrB_Vector_clear(s.handle);
      return GrB_Vector_build_UDT(s.handle, places, given, 6, add);
    }());
    GrB_Index i[size * size] = {}, j[size * size] = {}, n = size * size;
    std::vector<tally> found(n);
    const auto show_tuples = [&](const char* name, GrB_Info info) {
      for (GrB_Index k = 0; k < n; ++k) print_number(name, info, double(i[k]) * 1000 + found[k].sum);
      n = size * size;
    };
    GrB_Vector_apply_BinaryOp1st_UDT(s.handle, nullptr, nullptr, add, &x, t.handle, nullptr);
    show_tuples("user type, tuples", GrB_Vector_extractTuples_UDT(i, found.data(), &n, s.handle));
    GrB_Matrix_apply_BinaryOp2nd_UDT(tallies.handle, nullptr, nullptr, add, tallies.handle, &x, nullptr);
    show_tuples("user type, matrix tuples",
                GrB_Matrix_extractTuples_UDT(i, j, found.data(), &n, tallies.handle));
    GrB_Vector_apply_BinaryOp1st_UDT(s.handle, nullptr, nullptr, add, &x, t.handle, nullptr);
    show("user type, set", GrB_Vector_setElement_UDT(s.handle, &x, 3));
    GrB_Vector_apply_BinaryOp2nd_UDT(s.handle, nullptr, nullptr, add, t.handle, &x, nullptr);
    print_value("user type, get", GrB_Vector_extractElement_UDT(&sum, s.handle, 3), &sum.sum);
  }
  GrB_Semiring_free(&semiring);
  GrB_Monoid_free(&monoid);
  GrB_UnaryOp_free(&make);
  GrB_UnaryOp_free(&mean);
  GrB_IndexUnaryOp_free(&weigh);
  GrB_IndexUnaryOp_free(&fewer);
  GrB_BinaryOp_free(&add);
  GrB_Type_free(&type);
}

}  // namespace

namespace cases {

void lying_definition() {
  unary("lying definition", reinterpret_cast<GxB_unary_function>(add_two), "add_two", add_two_text);
  GrB_UnaryOp op = nullptr;
  GxB_UnaryOp_new(&op, reinterpret_cast<GxB_unary_function>(add_two), GrB_FP64, GrB_FP64, "add_two",
                  add_two_text);
  const Matrix a(GrB_FP64, 20, 30, 4);
  Matrix c(GrB_FP64, 20, 30, 5);
  print("lying definition, matrix", GrB_Matrix_apply(c.handle, nullptr, nullptr, op, a.handle, nullptr),
        c.handle);
  GrB_UnaryOp_free(&op);
}

void user_defined() {
  operators();
  unary("definition that does not compile", reinterpret_cast<GxB_unary_function>(halve), "halve", halve_text);
  semirings();
  reused_addresses();
  types();
}

}  // namespace cases
