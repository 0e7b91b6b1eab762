// Matrices as outputs and operands: mxm, reductions, and what is asked of a matrix that the device holds.
#include "tests/offload/cases.h"

namespace cases {
namespace {

constexpr GrB_Index rows = 24, inner = 30, columns = 27;

struct Exit {
  const char* name;
  bool mask, accum;
  GrB_Descriptor desc;
};
std::vector<Exit> exits() {
  return {{"plain", false, false, nullptr},
          {"accum", false, true, nullptr},
          {"valued mask", true, false, nullptr},
          {"valued mask, replace", true, false, GrB_DESC_R},
          {"structural, accum", true, true, GrB_DESC_S},
          {"structural, replace", true, false, GrB_DESC_RS},
          {"complement", true, false, GrB_DESC_C},
          {"structural complement, replace", true, true, GrB_DESC_RSC},
          {"no mask, complement, replace", false, false, GrB_DESC_RC},
          {"no mask, complement", false, false, GrB_DESC_C}};
}

void products() {
  const Matrix a(GrB_FP64, rows, inner, 7), b(GrB_INT32, inner, columns, 8), mask(GrB_BOOL, rows, columns, 9);
  for (const Exit& e : exits()) {
    for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
      Matrix c(GrB_INT64, rows, columns, 10);
      GxB_Matrix_Option_set(c.handle, GxB_FORMAT, format);
      const GrB_Info info =
          GrB_mxm(c.handle, e.mask ? mask.handle : nullptr, e.accum ? GrB_PLUS_INT64 : nullptr,
                  GrB_PLUS_TIMES_SEMIRING_INT64, a.handle, b.handle, e.desc);
      int32_t now = -1;
      GxB_Matrix_Option_get(c.handle, GxB_FORMAT, &now);
      print(std::string("mxm / ") + e.name + (now == GxB_BY_ROW ? " / by row" : " / by column"), info,
            c.handle);
    }
  }
  Matrix square(GrB_FP64, rows, rows, 11), other(GrB_FP64, rows, rows, 12), c(GrB_FP64, rows, rows, 13);
  for (const GrB_Descriptor d : {GrB_DESC_ST0, GrB_DESC_ST1, GrB_DESC_ST0T1, GrB_DESC_RST1}) {
    print(
        "mxm transposed",
        GrB_mxm(c.handle, other.handle, nullptr, GrB_MIN_PLUS_SEMIRING_FP64, square.handle, other.handle, d),
        c.handle);
  }
  print("mxm, all the same",
        GrB_mxm(c.handle, c.handle, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, c.handle, c.handle,
                GrB_DESC_S),
        c.handle);
  print("mxm of what the device holds",
        GrB_mxm(other.handle, c.handle, nullptr, GrB_MAX_PLUS_SEMIRING_FP64, c.handle, square.handle,
                GrB_DESC_RS),
        other.handle);
}

/// A product again and again, of a matrix whose rows lose their last entries and get new ones in between: T
/// is full as long as no row is empty, and what is remembered of a matrix ends with its change.
void changing_rows() {
  Matrix a(GrB_FP64, rows, rows, 40);
  for (GrB_Index i = 0; i < rows; ++i) GrB_Matrix_setElement_FP64(a.handle, double(i + 1), i, i);
  Vector u(GrB_FP64, rows), w(GrB_FP64, rows);
  fill(u, 2, 41);
  const auto products = [&](const char* name) {
    for (int use = 0; use < 10; ++use) {
      const GrB_Info info =
          GrB_mxv(w.handle, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, a.handle, u.handle, nullptr);
      if (use % 3 == 0) print(name, info, w.handle);
    }
  };
  products("mxv of full rows");
  for (GrB_Index j = 0; j < rows; ++j) GrB_Matrix_removeElement(a.handle, 5, j);
  products("mxv of a matrix that has lost a row");
  GrB_Matrix_setElement_FP64(a.handle, 3, 5, 2);
  products("mxv of a matrix that has got it back");
  GrB_Vector_removeElement(u.handle, 7);
  products("mxv with a vector that has lost an entry");
}

/// C<L> = L U' under PLUS_PAIR and the sum of C, as LAGraph counts triangles.
void triangles() {
  const Matrix a(GrB_BOOL, rows, rows, 14);
  Matrix l(GrB_BOOL, rows, rows, 1), u(GrB_BOOL, rows, rows, 2), c(GrB_INT64, rows, rows, 3);
  GrB_Matrix_select_INT64(l.handle, nullptr, nullptr, GrB_TRIL, a.handle, -1, nullptr);
  GrB_Matrix_select_INT64(u.handle, nullptr, nullptr, GrB_TRIU, a.handle, 1, nullptr);
  for (const GrB_Descriptor d : {GrB_DESC_ST1, GrB_DESC_S}) {
    GrB_mxm(c.handle, l.handle, nullptr, GxB_PLUS_PAIR_INT64, l.handle, d == GrB_DESC_S ? l.handle : u.handle,
            d);
    int64_t count = -1;
    const GrB_Info info = GrB_Matrix_reduce_INT64(&count, nullptr, GrB_PLUS_MONOID_INT64, c.handle, nullptr);
    print_value("triangles", info, &count);
  }
}

void reductions() {
  for (const unsigned seed : {20u, 21u}) {
    Matrix a(GrB_FP64, seed == 20 ? rows : 0, columns, seed);
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                             \
  {                                                                                                         \
    ctype c = ctype(1);                                                                                     \
    GrB_Info info = PREFIX##_Matrix_reduce_##SUFFIX(&c, nullptr, GrB_PLUS_MONOID_INT32, a.handle, nullptr); \
    print_value("reduce matrix plus " #SUFFIX, info, &c);                                                   \
    info = PREFIX##_Matrix_reduce_##SUFFIX(&c, GrB_PLUS_INT64, GrB_MAX_MONOID_FP64, a.handle, nullptr);     \
    print_value("reduce matrix max, accum " #SUFFIX, info, &c);                                             \
  }
#include "semirings/types.def"
#undef CUGRB_TYPE
    for (const GrB_BinaryOp accum : {GrB_BinaryOp(nullptr), GrB_PLUS_FP64}) {
      for (const bool full : {false, true}) {
        Scalar c(GrB_FP32);
        if (full) GrB_Scalar_setElement_FP32(c.handle, 10);
        const GrB_Info info =
            GrB_Matrix_reduce_Monoid_Scalar(c.handle, accum, GrB_PLUS_MONOID_FP64, a.handle, nullptr);
        float x = -1;
        const GrB_Info got = GrB_Scalar_extractElement_FP32(&x, c.handle);
        print_value("reduce matrix to scalar", info, &x);
        print_value("has a value", got, &x);
      }
    }
    double any = 77;
    print_value("reduce any of a matrix",
                GrB_Matrix_reduce_FP64(&any, nullptr, GxB_ANY_FP64_MONOID, a.handle, nullptr),
                seed == 21 ? &any : nullptr);
  }
  const Matrix a(GrB_FP64, rows, columns, 22);
  Vector w(GrB_FP64, rows), by_column(GrB_INT32, columns), mask(GrB_BOOL, rows);
  fill(w, 1, 3);
  fill(mask, 1, 5);
  const auto monoid = [&](const char* name, GrB_Vector m, GrB_BinaryOp accum, GrB_Monoid op,
                          GrB_Descriptor d) {
    print(name, GrB_Matrix_reduce_Monoid(w.handle, m, accum, op, a.handle, d), w.handle);
  };
  monoid("row sums", nullptr, nullptr, GrB_PLUS_MONOID_FP64, nullptr);
  monoid("row maxima, masked", mask.handle, GrB_PLUS_FP64, GrB_MAX_MONOID_INT32, GrB_DESC_S);
  monoid("row minima, replace", mask.handle, nullptr, GrB_MIN_MONOID_FP64, GrB_DESC_RC);
  monoid("wrong size", nullptr, nullptr, GrB_PLUS_MONOID_FP64, GrB_DESC_T0);
  print("column sums",
        GrB_Matrix_reduce_Monoid(by_column.handle, nullptr, nullptr, GrB_PLUS_MONOID_FP64, a.handle,
                                 GrB_DESC_T0),
        by_column.handle);
  const auto op = [&](const char* name, GrB_BinaryOp f) {
    print(name, GrB_Matrix_reduce_BinaryOp(w.handle, nullptr, nullptr, f, a.handle, nullptr), w.handle);
  };
  op("rows by plus", GrB_PLUS_FP64);
  op("rows by lor", GrB_LOR);
  op("rows by minus", GrB_MINUS_FP64);
  op("rows by a positional operator", GxB_FIRSTI_INT64);
}

/// A masked product with the identity: from here on the device holds the matrix, and only the device.
void move_to_device(const Matrix& c) {
  Matrix identity(GrB_FP64, columns, columns, 1);
  GrB_Matrix_clear(identity.handle);
  for (GrB_Index i = 0; i < columns; ++i) GrB_Matrix_setElement_INT32(identity.handle, 1, i, i);
  GrB_mxm(c.handle, c.handle, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, c.handle, identity.handle, GrB_DESC_RS);
}

void objects() {
  const int orders[] = {GxB_BY_ROW, GxB_BY_COL};
  for (const int order : orders) {
    const std::string form = order == GxB_BY_ROW ? " by row" : " by column";
    Matrix c(GrB_FP64, rows, columns, 30);
    GxB_Matrix_Option_set(c.handle, GxB_FORMAT, order);
    GxB_Matrix_Option_set(c.handle, GxB_BITMAP_SWITCH, 0.25);
    const auto show = [&](const char* name, GrB_Info info) { print(name + form, info, c.handle); };
    move_to_device(c);
    GrB_Index nvals = 0;
    print_value("nvals" + form, GrB_Matrix_nvals(&nvals, c.handle), &nvals);
    GrB_Matrix copy = nullptr;
    GrB_Info info = GrB_Matrix_dup(&copy, c.handle);
    int32_t format = -1, control = -1;
    double bitmap = -1;
    print_value("format" + form, GxB_Matrix_Option_get(copy, GxB_FORMAT, &format), &format);
    print_value("switch" + form, GxB_Matrix_Option_get(copy, GxB_BITMAP_SWITCH, &bitmap), &bitmap);
    print("dup" + form, info, copy);
    move_to_device(c);
    show("hint", GxB_Matrix_Option_set(c.handle, GxB_SPARSITY_CONTROL, GxB_BITMAP));
    print_value("control" + form, GxB_Matrix_Option_get(c.handle, GxB_SPARSITY_CONTROL, &control), &control);
    move_to_device(c);
    show("hint on the device", GxB_Matrix_Option_set(c.handle, GxB_SPARSITY_CONTROL, GxB_SPARSE));
    move_to_device(c);
    GxB_Matrix_Option_set(c.handle, GxB_SPARSITY_CONTROL, GxB_HYPERSPARSE);
    print_value("control" + form, GxB_Matrix_Option_get(c.handle, GxB_SPARSITY_CONTROL, &control), &control);
    int32_t status = -1;
    print_value("status" + form, GxB_Matrix_Option_get(c.handle, GxB_SPARSITY_STATUS, &status), &status);
    move_to_device(c);
    double x = 77;
    print_value("extractElement" + form, GrB_Matrix_extractElement_FP64(&x, c.handle, 3, 4), &x);
    move_to_device(c);
    show("setElement", GrB_Matrix_setElement_FP64(c.handle, 5, 3, 4));
    move_to_device(c);
    show("removeElement", GrB_Matrix_removeElement(c.handle, 3, 4));
    move_to_device(c);
    show("wait", GrB_Matrix_wait(c.handle, GrB_MATERIALIZE));
    move_to_device(c);
    show("resize", GrB_Matrix_resize(c.handle, rows + 1, columns));
    show("resize back", GrB_Matrix_resize(c.handle, rows, columns));
    move_to_device(c);
    show("transpose", GrB_transpose(copy, nullptr, nullptr, c.handle, GrB_DESC_T0));
    print("transposed" + form, GrB_SUCCESS, copy);
    move_to_device(c);
    show("clear", GrB_Matrix_clear(c.handle));
    print("dup is a copy" + form, GrB_SUCCESS, copy);
    GrB_Matrix_free(&copy);
  }
}

/// Calls that SuiteSparse refuses: the code must be its own, and the output untouched.
void refused() {
  Matrix c(GrB_FP64, rows, columns, 40);
  const Matrix a(GrB_FP64, rows, inner, 41), b(GrB_FP64, inner, columns, 42),
      mask(GrB_BOOL, columns, rows, 43);
  const auto show = [&](const char* name, GrB_Matrix m, GrB_BinaryOp accum, GrB_Semiring s, GrB_Matrix left,
                        GrB_Matrix right, GrB_Descriptor d) {
    const GrB_Info info = GrB_mxm(c.handle, m, accum, s, left, right, d);
    const char* text = nullptr;
    GrB_Matrix_error(&text, c.handle);
    std::printf("error text: %s\n", text);
    print(name, info, c.handle);
  };
  const GrB_Semiring s = GrB_PLUS_TIMES_SEMIRING_FP64;
  show("null", nullptr, nullptr, nullptr, a.handle, b.handle, nullptr);
  show("null operand", nullptr, nullptr, s, a.handle, nullptr, nullptr);
  show("inner dimension", nullptr, nullptr, s, a.handle, a.handle, nullptr);
  show("outer dimension", nullptr, nullptr, s, b.handle, a.handle, nullptr);
  show("transposed", nullptr, nullptr, s, a.handle, b.handle, GrB_DESC_T0);
  show("mask", mask.handle, nullptr, s, a.handle, b.handle, nullptr);
  show("accumulator", nullptr, GxB_FIRSTI_INT64, s, a.handle, b.handle, nullptr);
  show("right again", c.handle, nullptr, s, a.handle, b.handle, GrB_DESC_S);
}

}  // namespace

void matrices() {
  products();
  changing_rows();
  triangles();
  reductions();
  objects();
  refused();
}

}  // namespace cases
