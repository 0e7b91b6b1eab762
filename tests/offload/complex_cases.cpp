// Complex numbers: every operation on GxB_FC32 and GxB_FC64. Parts are small integers and quarters, so that
// sums and products are exact.
#include "tests/offload/cases.h"

namespace {

using namespace cases;

constexpr GrB_Index rows = 23, columns = 31;

struct Type {
  const char* name;
  GrB_Type handle, part;
  GrB_BinaryOp plus, minus, rminus, times, divide, rdivide, power, eq, ne, iseq, isne, first, second, pair,
      make;
  GrB_UnaryOp minus_one, inverse, one, size, conjugate, re, im, root, sign, floor, round, is_nan;
  GrB_Monoid sum, product, any;
  GrB_Semiring plus_times, plus_first, any_pair, times_plus, plus_divide;
  GrB_IndexUnaryOp value_eq, value_ne;
};

const Type& single() {
  static const Type type = {"FC32",
                            GxB_FC32,
                            GrB_FP32,
                            GxB_PLUS_FC32,
                            GxB_MINUS_FC32,
                            GxB_RMINUS_FC32,
                            GxB_TIMES_FC32,
                            GxB_DIV_FC32,
                            GxB_RDIV_FC32,
                            GxB_POW_FC32,
                            GxB_EQ_FC32,
                            GxB_NE_FC32,
                            GxB_ISEQ_FC32,
                            GxB_ISNE_FC32,
                            GxB_FIRST_FC32,
                            GxB_SECOND_FC32,
                            GxB_PAIR_FC32,
                            GxB_CMPLX_FP32,
                            GxB_AINV_FC32,
                            GxB_MINV_FC32,
                            GxB_ONE_FC32,
                            GxB_ABS_FC32,
                            GxB_CONJ_FC32,
                            GxB_CREAL_FC32,
                            GxB_CIMAG_FC32,
                            GxB_SQRT_FC32,
                            GxB_SIGNUM_FC32,
                            GxB_FLOOR_FC32,
                            GxB_ROUND_FC32,
                            GxB_ISNAN_FC32,
                            GxB_PLUS_FC32_MONOID,
                            GxB_TIMES_FC32_MONOID,
                            GxB_ANY_FC32_MONOID,
                            GxB_PLUS_TIMES_FC32,
                            GxB_PLUS_FIRST_FC32,
                            GxB_ANY_PAIR_FC32,
                            GxB_TIMES_PLUS_FC32,
                            GxB_PLUS_DIV_FC32,
                            GxB_VALUEEQ_FC32,
                            GxB_VALUENE_FC32};
  return type;
}

const Type& twice() {
  static const Type type = {"FC64",
                            GxB_FC64,
                            GrB_FP64,
                            GxB_PLUS_FC64,
                            GxB_MINUS_FC64,
                            GxB_RMINUS_FC64,
                            GxB_TIMES_FC64,
                            GxB_DIV_FC64,
                            GxB_RDIV_FC64,
                            GxB_POW_FC64,
                            GxB_EQ_FC64,
                            GxB_NE_FC64,
                            GxB_ISEQ_FC64,
                            GxB_ISNE_FC64,
                            GxB_FIRST_FC64,
                            GxB_SECOND_FC64,
                            GxB_PAIR_FC64,
                            GxB_CMPLX_FP64,
                            GxB_AINV_FC64,
                            GxB_MINV_FC64,
                            GxB_ONE_FC64,
                            GxB_ABS_FC64,
                            GxB_CONJ_FC64,
                            GxB_CREAL_FC64,
                            GxB_CIMAG_FC64,
                            GxB_SQRT_FC64,
                            GxB_SIGNUM_FC64,
                            GxB_FLOOR_FC64,
                            GxB_ROUND_FC64,
                            GxB_ISNAN_FC64,
                            GxB_PLUS_FC64_MONOID,
                            GxB_TIMES_FC64_MONOID,
                            GxB_ANY_FC64_MONOID,
                            GxB_PLUS_TIMES_FC64,
                            GxB_PLUS_FIRST_FC64,
                            GxB_ANY_PAIR_FC64,
                            GxB_TIMES_PLUS_FC64,
                            GxB_PLUS_DIV_FC64,
                            GxB_VALUEEQ_FC64,
                            GxB_VALUENE_FC64};
  return type;
}

/// A number of small parts.
GxB_FC64_t number(unsigned k) { return {double(int(k * 7 % 11) - 5), double(int(k * 5 % 13) - 6) / 4}; }

void fill_complex(GrB_Vector u, unsigned seed) {
  for (GrB_Index i = 0; i < size; ++i) {
    if ((i * 7 + seed) % 5 < 3) GxB_Vector_setElement_FC64(u, number(unsigned(i) + seed), i);
  }
}

/// Units and twos: their quotients and products are exact.
GxB_FC64_t unit(unsigned n) {
  static const GxB_FC64_t all[] = {{1, 0}, {0, 2}, {-2, 0}, {0, -1}, {2, 0}, {0, 1}};
  return all[n % 6];
}

/// A seventh of the entries, each number_at(i, j).
template <class Number>
void fill_matrix(GrB_Matrix a, unsigned seed, const Number& number_at) {
  GrB_Index m = 0, n = 0;
  GrB_Matrix_nrows(&m, a);
  GrB_Matrix_ncols(&n, a);
  for (GrB_Index i = 0; i < m; ++i) {
    for (GrB_Index j = 0; j < n; ++j) {
      if ((i * 5 + j * 3 + seed) % 7 == 0)
        GxB_Matrix_setElement_FC64(a, number_at(unsigned(i), unsigned(j)), i, j);
    }
  }
}

void fill_complex(GrB_Matrix a, unsigned seed) {
  fill_matrix(a, seed, [&](unsigned i, unsigned j) { return number(i + 2 * j + seed); });
}

void fill_units(GrB_Matrix a, unsigned seed) {
  fill_matrix(a, seed, [](unsigned i, unsigned j) { return unit(2 * i + j); });
}

struct Empty : Matrix {
  Empty(GrB_Type type, GrB_Index m, GrB_Index n) : Matrix(type, 0, 0, 1) { GrB_Matrix_resize(handle, m, n); }
};

void vectors(const Type& t) {
  const std::string name = t.name;
  const Vector u(t.handle, size), v(t.handle, size), mask(GrB_BOOL, size);
  fill_complex(u.handle, 1);
  fill_complex(v.handle, 2);
  fill(mask, 1, 3);
  for (const GrB_Type output : {t.handle, GxB_FC64, GrB_FP32, GrB_INT16, GrB_BOOL}) {
    const Vector w(output, size);
    const auto show = [&](const char* what, GrB_Info info) { print(name + " " + what, info, w.handle); };
    for (const GrB_BinaryOp op : {t.plus, t.minus, t.rminus, t.times, t.divide, t.rdivide, t.eq, t.ne, t.iseq,
                                  t.isne, t.first, t.second, t.pair}) {
      show("eWiseAdd",
           GrB_Vector_eWiseAdd_BinaryOp(w.handle, nullptr, nullptr, op, u.handle, v.handle, nullptr));
      show("eWiseMult",
           GrB_Vector_eWiseMult_BinaryOp(w.handle, mask.handle, t.plus, op, u.handle, v.handle, GrB_DESC_SC));
    }
    for (const GrB_UnaryOp op : {t.minus_one, t.one, t.conjugate, t.re, t.im, t.floor, t.is_nan})
      show("apply", GrB_Vector_apply(w.handle, nullptr, nullptr, op, u.handle, nullptr));
    show("complex mask", GrB_Vector_assign_FP64(w.handle, u.handle, nullptr, 3, GrB_ALL, size, nullptr));
  }
  const Vector w(t.handle, size), parts(t.part, size);
  const auto show = [&](const char* what, GrB_Info info) { print(name + " " + what, info, w.handle); };
  // Of what rounds some digits are looked at.
  const auto show_rounded = [&](const char* what, GrB_Info info) {
    GxB_Vector_apply_BinaryOp2nd_FC64(w.handle, nullptr, nullptr, t.times, w.handle, 1000, nullptr);
    GrB_Vector_apply(w.handle, nullptr, nullptr, t.round, w.handle, nullptr);
    show(what, info);
  };
  for (const GrB_UnaryOp op : {t.inverse, t.size, t.root, t.sign})
    show_rounded("apply", GrB_Vector_apply(w.handle, nullptr, nullptr, op, u.handle, nullptr));
  show_rounded("power", GxB_Vector_apply_BinaryOp2nd_FC64(w.handle, nullptr, nullptr, t.power, u.handle,
                                                          {1, 0.5}, nullptr));
  GrB_Vector_apply(parts.handle, nullptr, nullptr, t.im, u.handle, nullptr);
  show("of parts",
       GrB_Vector_eWiseAdd_BinaryOp(w.handle, nullptr, nullptr, t.make, parts.handle, parts.handle, nullptr));
  show("select",
       GxB_Vector_select_FC64(w.handle, nullptr, nullptr, t.value_eq, u.handle, number(6), nullptr));
  show("select not", GxB_Vector_select_FC32(w.handle, nullptr, t.plus, t.value_ne, u.handle, 1, nullptr));
  show("select nonzero",
       GxB_Vector_select(w.handle, nullptr, nullptr, GxB_NONZERO, u.handle, nullptr, nullptr));
  show("select larger",
       GxB_Vector_select(w.handle, nullptr, nullptr, GxB_GT_ZERO, u.handle, nullptr, nullptr));
  show("no such order",
       GrB_Vector_select_FP64(w.handle, nullptr, nullptr, GrB_VALUEGT_FP64, u.handle, 1, nullptr));
  // Units and twos: every product of them is exact.
  const Vector units(t.handle, size);
  for (GrB_Index i = 0; i < size; i += 3)
    GxB_Vector_setElement_FC64(units.handle, i % 2 == 0 ? GxB_FC64_t(0, 1) : GxB_FC64_t(-2, 0), i);
  for (const GrB_Monoid monoid : {t.sum, t.product}) {
    GxB_FC64_t sum = 7;
    print_value(name + " reduce", GxB_Vector_reduce_FC64(&sum, nullptr, monoid, units.handle, nullptr), &sum);
    GxB_FC32_t single_sum = 7;
    print_value(name + " reduce", GxB_Vector_reduce_FC32(&single_sum, t.plus, t.sum, v.handle, nullptr),
                &single_sum);
    double real_sum = 7;
    print_value(name + " reduce", GrB_Vector_reduce_FP64(&real_sum, nullptr, monoid, units.handle, nullptr),
                &real_sum);
  }
}

void products(const Type& t) {
  const std::string name = t.name;
  const Empty a(t.handle, rows, columns), b(t.handle, columns, rows), mask(GrB_BOOL, rows, rows);
  fill_complex(a.handle, 1);
  fill_complex(b.handle, 4);
  fill_complex(mask.handle, 2);
  const Vector u(t.handle, columns), w(t.handle, rows), real(GrB_FP64, columns);
  fill_complex(u.handle, 3);
  for (GrB_Index i = 0; i < columns; i += 2)
    GrB_Vector_setElement_FP64(real.handle, i % 4 == 0 ? 0.0 : -3.0, i);
  GrB_Vector_apply_BinaryOp2nd_FP64(real.handle, nullptr, nullptr, GrB_PLUS_FP64, real.handle, 1, nullptr);
  // Of quotients and of products of sums only those of units and twos are exact, in whatever order.
  const Empty unit_matrix(t.handle, rows, columns);
  const Vector unit_vector(t.handle, columns);
  fill_units(unit_matrix.handle, 1);
  for (GrB_Index i = 0; i < columns; ++i)
    GxB_Vector_setElement_FC64(unit_vector.handle, unit(unsigned(i)), i);
  for (const GrB_Semiring semiring : {t.plus_times, t.plus_first, t.any_pair, t.times_plus, t.plus_divide}) {
    const bool of_units = semiring == t.plus_divide || semiring == t.times_plus;
    const GrB_Matrix left = of_units ? unit_matrix.handle : a.handle;
    const GrB_Vector right = of_units ? unit_vector.handle : u.handle;
    print(name + " mxv", GrB_mxv(w.handle, nullptr, nullptr, semiring, left, right, nullptr), w.handle);
    print(name + " vxm", GrB_vxm(w.handle, nullptr, t.plus, semiring, right, left, GrB_DESC_T1), w.handle);
    print(name + " mxv real", GrB_mxv(w.handle, nullptr, nullptr, semiring, left, real.handle, nullptr),
          w.handle);
    if (of_units) continue;
    const Empty c(t.handle, rows, rows);
    print(name + " mxm", GrB_mxm(c.handle, nullptr, nullptr, semiring, a.handle, b.handle, nullptr),
          c.handle);
    print(name + " mxm masked",
          GrB_mxm(c.handle, mask.handle, t.plus, semiring, a.handle, a.handle, GrB_DESC_RST1), c.handle);
  }
  print(name + " real semiring",
        GrB_mxv(w.handle, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, a.handle, u.handle, nullptr),
        w.handle);
  GxB_FC64_t sum = 1;
  print_value(name + " reduce matrix", GxB_Matrix_reduce_FC64(&sum, t.plus, t.sum, a.handle, nullptr), &sum);
  GxB_FC32_t single_sum = 1;
  print_value(name + " reduce matrix", GxB_Matrix_reduce_FC32(&single_sum, nullptr, t.sum, a.handle, nullptr),
              &single_sum);
  print(name + " reduce rows", GrB_Matrix_reduce_Monoid(w.handle, nullptr, nullptr, t.sum, a.handle, nullptr),
        w.handle);
}

void whole_matrices(const Type& t) {
  const std::string name = t.name;
  const Empty a(t.handle, rows, columns), b(t.handle, rows, columns), c(t.handle, rows, columns);
  fill_complex(a.handle, 1);
  fill_complex(b.handle, 3);
  const auto show = [&](const char* what, GrB_Info info) { print(name + " matrix " + what, info, c.handle); };
  for (const GrB_BinaryOp op : {t.plus, t.times, t.ne}) {
    show("eWiseAdd",
         GrB_Matrix_eWiseAdd_BinaryOp(c.handle, nullptr, nullptr, op, a.handle, b.handle, nullptr));
    show("eWiseMult",
         GrB_Matrix_eWiseMult_BinaryOp(c.handle, a.handle, t.plus, op, a.handle, b.handle, GrB_DESC_S));
  }
  show("conjugate transpose", GrB_Matrix_apply(c.handle, nullptr, nullptr, t.conjugate,
                                               Empty(t.handle, columns, rows).handle, GrB_DESC_T0));
  show("bound first",
       GxB_Matrix_apply_BinaryOp1st_FC32(c.handle, nullptr, nullptr, t.minus, {1, -2}, a.handle, nullptr));
  show("bound second",
       GxB_Matrix_apply_BinaryOp2nd_FC64(c.handle, nullptr, nullptr, t.times, a.handle, {0, 1}, nullptr));
  show("select",
       GxB_Matrix_select_FC64(c.handle, nullptr, nullptr, t.value_ne, a.handle, number(4), nullptr));
  const GrB_Index some[] = {3, 1, 7, 20}, others[] = {0, 5, 2, 30};
  show("assign", GxB_Matrix_assign_FC64(c.handle, nullptr, t.plus, {1, 1}, some, 4, others, 4, nullptr));
  show("subassign",
       GxB_Matrix_subassign_FC32(c.handle, nullptr, nullptr, {2, -1}, some, 4, others, 4, nullptr));
  const Empty part(t.handle, 4, 4);
  print(name + " extract",
        GrB_Matrix_extract(part.handle, nullptr, nullptr, a.handle, some, 4, others, 4, nullptr),
        part.handle);
  show("assign part",
       GrB_Matrix_assign(c.handle, nullptr, nullptr, part.handle, others, 3, some, 3, nullptr));
  const Empty large(t.handle, 16, 16), small(t.handle, 4, 4);
  fill_complex(small.handle, 5);
  print(name + " kronecker",
        GrB_Matrix_kronecker_BinaryOp(large.handle, nullptr, nullptr, t.times, small.handle, small.handle,
                                      nullptr),
        large.handle);
}

void tuples(const Type& t) {
  const std::string name = t.name;
  const std::vector<GrB_Index> I = {5, 2, 5, 9, 2, 7}, J = {1, 3, 1, 0, 3, 8};
  const std::vector<GxB_FC64_t> x = {{1, 2}, {3, -1}, {0.5, 0}, {0, 4}, {-2, 2}, {1, 1}};
  const std::vector<GxB_FC32_t> y(x.begin(), x.end());
  const Empty a(t.handle, 10, 10);
  print(name + " build", GxB_Matrix_build_FC64(a.handle, I.data(), J.data(), x.data(), x.size(), t.times),
        a.handle);
  const Empty b(t.handle, 10, 10);
  print(name + " build", GxB_Matrix_build_FC32(b.handle, I.data(), J.data(), y.data(), y.size(), t.plus),
        b.handle);
  const Vector v(t.handle, 10), w(t.handle, 10);
  print(name + " build", GxB_Vector_build_FC64(v.handle, I.data(), x.data(), x.size(), t.plus), v.handle);
  print(name + " build", GxB_Vector_build_FC32(w.handle, I.data(), y.data(), y.size(), t.second), w.handle);
  GrB_Vector_apply(v.handle, nullptr, nullptr, t.minus_one, v.handle, nullptr);
  std::vector<GrB_Index> places(10), more(10);
  std::vector<GxB_FC32_t> z(10);
  GrB_Index n = 10;
  GxB_Vector_extractTuples_FC32(places.data(), z.data(), &n, v.handle);
  for (GrB_Index k = 0; k < n; ++k) print_value(name + " tuple", GrB_SUCCESS, &z[k]);
  n = 10;
  GrB_Matrix_apply(a.handle, nullptr, nullptr, t.minus_one, a.handle, nullptr);
  GxB_Matrix_extractTuples_FC32(places.data(), more.data(), z.data(), &n, a.handle);
  for (GrB_Index k = 0; k < n; ++k) print_value(name + " tuple", GrB_SUCCESS, &z[k]);
  Scalar s(t.handle);
  GxB_Scalar_setElement_FC64(s.handle, {3, 4});
  print(name + " assign scalar",
        GrB_Vector_assign_Scalar(w.handle, nullptr, t.plus, s.handle, I.data(), 2, nullptr), w.handle);
  Empty tall(t.handle, 20, 10);
  GrB_Matrix tiles[] = {a.handle, b.handle};
  print(name + " concat", GxB_Matrix_concat(tall.handle, tiles, 2, 1, nullptr), tall.handle);
  const Vector diagonal(t.handle, 10);
  print(name + " diagonal", GxB_Vector_diag(diagonal.handle, a.handle, -4, nullptr), diagonal.handle);
}

}  // namespace

namespace cases {

void complex() {
  for (const Type* type : {&single(), &twice()}) {
    vectors(*type);
    products(*type);
    whole_matrices(*type);
    tuples(*type);
  }
}

}  // namespace cases
