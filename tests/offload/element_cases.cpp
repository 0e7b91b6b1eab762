// Single elements of matrices of which the device has a copy: each type, errors, and random programs that mix
// them with whatever reads, copies, empties, resizes or overwrites the matrix.
#include <random>
#include <utility>

#include "tests/offload/cases.h"

namespace cases {
namespace {

/// A content that the device has, where there is one: T = A.
void onto_device(GrB_Matrix a) { GrB_Matrix_apply(a, nullptr, nullptr, GrB_IDENTITY_INT32, a, nullptr); }

template <class T>
void print_element(const std::string& name, GrB_Info info, const T& value) {
  const T none = 0;
  print_value(name, info, info == GrB_SUCCESS ? &value : &none);
}

/// The scalar's value afterwards, -77 when it has none.
void print_scalar_element(const std::string& name, GrB_Info info, GrB_Scalar s) {
  double x = -77;
  const GrB_Info got = GrB_Scalar_extractElement_FP64(&x, s);
  print_number(name + " gives " + std::to_string(int(got)), info, x);
}

void each_type() {
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                             \
  {                                                                                                         \
    Matrix a(GrB_FP64, size, size, 71);                                                                     \
    onto_device(a.handle);                                                                                  \
    print("matrix setElement " #SUFFIX, PREFIX##_Matrix_setElement_##SUFFIX(a.handle, ctype(3), 6, 7),      \
          a.handle);                                                                                        \
    ctype x = 0;                                                                                            \
    print_element("matrix extractElement " #SUFFIX,                                                         \
                  PREFIX##_Matrix_extractElement_##SUFFIX(&x, a.handle, 6, 7), x);                          \
    PREFIX##_Matrix_setElement_##SUFFIX(a.handle, ctype(1), 6, 7);                                          \
    print_element("of the queue " #SUFFIX, PREFIX##_Matrix_extractElement_##SUFFIX(&x, a.handle, 6, 7), x); \
    print_element("no such entry " #SUFFIX, PREFIX##_Matrix_extractElement_##SUFFIX(&x, a.handle, 39, 39),  \
                  x);                                                                                       \
    Scalar s(PREFIX##_##SUFFIX);                                                                            \
    print_scalar_element("into a scalar " #SUFFIX,                                                          \
                         GrB_Matrix_extractElement_Scalar(s.handle, a.handle, 6, 7), s.handle);             \
  }
#include "semirings/types.def"
#undef CUGRB_TYPE
}

/// Places with an entry and without one, in the device's copy and among changes that wait, and outside.
void stored_elements(GrB_Matrix a, GrB_Scalar s) {
  const std::pair<GrB_Index, GrB_Index> places[] = {{0, 1},        {1, 2},    {9, 9},
                                                    {size - 1, 0}, {size, 0}, {0, size}};
  for (const bool changes_wait : {false, true}) {
    onto_device(a);
    if (changes_wait) {
      GrB_Matrix_setElement_INT32(a, 5, 0, 1);
      GrB_Matrix_removeElement(a, 1, 2);
    }
    for (const auto& [i, j] : places) {
      print_scalar_element("extract to a scalar", GrB_Matrix_extractElement_Scalar(s, a, i, j), s);
      print_number("is stored", GxB_Matrix_isStoredElement(a, i, j), 0);
    }
  }
  print_number("extract to no scalar", GrB_Matrix_extractElement_Scalar(nullptr, a, 0, 1), 0);
  print_scalar_element("extract of no matrix", GrB_Matrix_extractElement_Scalar(s, nullptr, 0, 1), s);
  print_number("no matrix is stored", GxB_Matrix_isStoredElement(nullptr, 0, 1), 0);
}

void errors_and_scalars() {
  Matrix a(GrB_INT8, size, size, 72);
  onto_device(a.handle);
  print("set beyond the rows", GrB_Matrix_setElement_INT32(a.handle, 3, size, 0), a.handle);
  onto_device(a.handle);
  print("set beyond the columns", GrB_Matrix_setElement_INT32(a.handle, 3, 0, size), a.handle);
  onto_device(a.handle);
  print("remove beyond the columns", GrB_Matrix_removeElement(a.handle, 0, size), a.handle);
  onto_device(a.handle);
  int32_t x = 0;
  print_element("extract beyond the rows", GrB_Matrix_extractElement_INT32(&x, a.handle, size, 0), x);
  print("set null", GrB_Matrix_setElement_INT32(nullptr, 3, 0, 0), GrB_Matrix(nullptr));
  onto_device(a.handle);
  Scalar s(GrB_FP64);
  print("set an empty scalar", GrB_Matrix_setElement_Scalar(a.handle, s.handle, 9, 9), a.handle);
  GrB_Scalar_setElement_FP64(s.handle, 300.75);  // beyond INT8
  print("set a scalar", GrB_Matrix_setElement_Scalar(a.handle, s.handle, 9, 9), a.handle);
  stored_elements(a.handle, s.handle);
  print("remove", GrB_Matrix_removeElement(a.handle, 9, 9), a.handle);
  print("remove again", GrB_Matrix_removeElement(a.handle, 9, 9), a.handle);
}

using Random = std::mt19937;

/// Matrices of small numbers, and one step after the other with them.
class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {
    const GrB_Type types[] = {GrB_INT32, GrB_FP64, GrB_BOOL, GrB_UINT8};
    for (GrB_Matrix& matrix : matrices_) {
      GrB_Matrix_new(&matrix, types[below(4)], n, n);
      GxB_Matrix_Option_set(matrix, GxB_FORMAT, below(2) ? GxB_BY_ROW : GxB_BY_COL);
      if (below(4) == 0)
        GrB_Matrix_assign_INT32(matrix, nullptr, nullptr, 3, GrB_ALL, n, GrB_ALL, n, nullptr);
    }
  }
  ~Program() {
    for (GrB_Matrix& matrix : matrices_) GrB_Matrix_free(&matrix);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void step() {
    switch (below(16)) {
      case 0:
        return multiply();
      case 1:
        return add();
      case 2:
        return copy();
      case 3:
        return settings();
      case 4:
        return read();
      case 5:
      case 6:
      case 7:
        return get();
      default:
        return change();
    }
  }
  void print_all() {
    for (GrB_Matrix matrix : matrices_) print("after all", GrB_SUCCESS, matrix);
  }

 private:
  static constexpr GrB_Index n = 12;
  unsigned below(unsigned bound) { return random_() % bound; }
  GrB_Matrix& some() { return matrices_[below(3)]; }

  /// Few places: they are met again. Some are out of range.
  GrB_Index place() { return below(40) == 0 ? n : below(7); }
  void change() {
    const GrB_Matrix a = some();
    for (unsigned times = 1 + below(5); times > 0; --times) {
      const GrB_Index i = place(), j = place();
      const int value = below(3) == 0 ? 3 : int(below(90)) - 20;
      GrB_Info info = GrB_SUCCESS;
      switch (below(4)) {
        case 0:
          info = GrB_Matrix_removeElement(a, i, j);
          break;
        case 1:
          info = GrB_Matrix_setElement_FP64(a, value + 0.5, i, j);
          break;
        case 2:
          info = GrB_Matrix_setElement_INT8(a, int8_t(value), i, j);
          break;
        default:
          info = GrB_Matrix_setElement_INT32(a, value, i, j);
      }
      if (info != GrB_SUCCESS) print_number("change", info, 0);
    }
  }
  void get() {
    const GrB_Matrix a = some();
    for (unsigned times = 1 + below(4); times > 0; --times) {
      const GrB_Index i = place(), j = place();
      double x = 0;
      switch (below(4)) {
        case 0:
          print_scalar_element("element", GrB_Matrix_extractElement_Scalar(scalar_.handle, a, i, j),
                               scalar_.handle);
          break;
        case 1:
          print_number("stored", GxB_Matrix_isStoredElement(a, i, j), 0);
          break;
        default:
          const GrB_Info info = GrB_Matrix_extractElement_FP64(&x, a, i, j);
          print_element("element", info, x);
      }
    }
  }
  void multiply() {
    const GrB_Matrix c = some(), a = some(), b = some(), mask = below(3) == 0 ? some() : nullptr;
    const GrB_Info info = GrB_mxm(c, mask, below(2) ? GrB_MIN_INT32 : nullptr, GrB_MIN_PLUS_SEMIRING_INT32, a,
                                  b, below(2) ? GrB_DESC_S : GrB_DESC_T0);
    print_number("mxm", info, 0);
  }
  void add() {
    const GrB_Matrix c = some(), a = some(), b = some();
    const GrB_Info info = GrB_Matrix_eWiseAdd_BinaryOp(c, nullptr, nullptr, GrB_MAX_INT32, a, b, nullptr);
    print_number("eWiseAdd", info, 0);
  }
  void copy() {
    GrB_Matrix &to = some(), &from = some();
    if (to == from) return;
    GrB_Matrix_free(&to);
    print_number("dup", GrB_Matrix_dup(&to, from), 0);
  }
  void settings() {
    const GrB_Matrix a = some();
    const int controls[] = {GxB_AUTO_SPARSITY, GxB_SPARSE, GxB_BITMAP, GxB_HYPERSPARSE};
    switch (below(6)) {
      case 0:
        return print_number("clear", GrB_Matrix_clear(a), 0);
      case 1:
        return print_number("control", GxB_Matrix_Option_set(a, GxB_SPARSITY_CONTROL, controls[below(4)]), 0);
      case 2:
        GrB_Matrix_resize(a, n - 5, n - 6);  // away with entries that may wait
        return print_number("resize", GrB_Matrix_resize(a, n, n), 0);
      case 3:
        return print_number("wait", GrB_Matrix_wait(a, GrB_MATERIALIZE), 0);
      case 4:
        return print_number(
            "assign",
            GrB_Matrix_assign_INT32(a, nullptr, nullptr, int(below(4)), GrB_ALL, n, GrB_ALL, n, nullptr), 0);
      default:
        return print_number("assign where there is none",
                            GrB_Matrix_assign_INT32(a, a, nullptr, 5, GrB_ALL, n, GrB_ALL, n, GrB_DESC_SC),
                            0);
    }
  }
  void read() {
    const GrB_Matrix a = some();
    GrB_Index entries = 0;
    double sum = 0;
    switch (below(4)) {
      case 0:
        return print("read", GrB_SUCCESS, a);
      case 1: {
        const GrB_Info info = GrB_Matrix_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, a, nullptr);
        return print_number("sum", info, sum);
      }
      default: {
        const GrB_Info info = GrB_Matrix_nvals(&entries, a);
        return print_number("nvals", info, double(entries));
      }
    }
  }

  Random random_;
  GrB_Matrix matrices_[3] = {};
  Scalar scalar_{GrB_FP32};
};

}  // namespace

void matrix_elements() {
  each_type();
  errors_and_scalars();
  for (unsigned seed = 0; seed < 60; ++seed) {
    Program program(seed);
    for (int step = 0; step < 40; ++step) program.step();
    program.print_all();
  }
}

}  // namespace cases
