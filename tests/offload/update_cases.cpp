// Random programs that change matrices, by elements and by batches, and read them in every way between.
#include <random>
#include <vector>

#include "tests/offload/cases.h"

namespace cases {
namespace {

using Random = std::mt19937;

/// Matrices that keep most of their entries, beside which a batch has few.
class Updates {
 public:
  explicit Updates(unsigned seed) : random_(seed) {
    for (GrB_Matrix& matrix : matrices_) matrix = some_content();
    for (GrB_Vector& vector : vectors_) {
      GrB_Vector_new(&vector, below(2) ? GrB_FP64 : GrB_INT32, n);
      for (GrB_Index i = 0; i < n; ++i) {
        if (below(3) != 0) GrB_Vector_setElement_INT32(vector, int(below(5)), i);
      }
    }
  }
  ~Updates() {
    for (GrB_Matrix& matrix : matrices_) GrB_Matrix_free(&matrix);
    for (GrB_Vector& vector : vectors_) GrB_Vector_free(&vector);
  }
  Updates(const Updates&) = delete;
  Updates& operator=(const Updates&) = delete;

  void step() {
    switch (below(15)) {
      case 0:
      case 1:
      case 2:
        return elements();
      case 3:
      case 4:
        return add_batch();
      case 5:
        return assign_batch();
      case 6:
        return below(3) ? assign_part() : assign_line();
      case 7:
        return scalar_to_part();
      case 8:
      case 9:
      case 10:
        return multiply_vector();
      case 11:
        return read();
      case 12:
        return whole();
      case 13:
        return copy();
      default:
        return look_up();
    }
  }
  void print_all() {
    for (const GrB_Matrix matrix : matrices_) print("after all", GrB_SUCCESS, matrix);
    for (const GrB_Vector vector : vectors_) print("after all", GrB_SUCCESS, vector);
  }

 private:
  static constexpr GrB_Index n = 24;
  unsigned below(unsigned bound) { return random_() % bound; }
  GrB_Matrix& some() { return matrices_[below(3)]; }
  GrB_Vector some_vector() { return vectors_[below(2)]; }
  GrB_Type some_type() {
    const GrB_Type types[] = {GrB_INT32, GrB_INT32, GrB_FP64, GrB_BOOL, GrB_INT8};
    return types[below(5)];
  }
  GrB_BinaryOp some_op() {
    const GrB_BinaryOp ops[] = {GrB_PLUS_INT32, GrB_PLUS_FP64,   GrB_MINUS_INT32, GrB_MIN_INT32,
                                GrB_MAX_FP64,   GrB_SECOND_INT8, GrB_FIRST_INT32, GrB_LOR};
    return ops[below(8)];
  }

  GrB_Matrix new_matrix(GrB_Type type) {
    GrB_Matrix matrix = nullptr;
    GrB_Matrix_new(&matrix, type, n, n);
    GxB_Matrix_Option_set(matrix, GxB_FORMAT, below(3) ? GxB_BY_ROW : GxB_BY_COL);
    return matrix;
  }
  /// A row that is full, some that are empty; sometimes one value for all.
  GrB_Matrix some_content() {
    const GrB_Matrix matrix = new_matrix(some_type());
    const bool iso = below(5) == 0;
    for (GrB_Index i = 0; i < n; ++i) {
      if (i % 7 == 5) continue;
      for (GrB_Index j = 0; j < n; ++j) {
        if (i == 3 || below(3) == 0) GrB_Matrix_setElement_INT32(matrix, iso ? 1 : int(below(9)) - 3, i, j);
      }
    }
    if (iso) {
      GrB_Matrix_assign_INT32(matrix, matrix, nullptr, 1, GrB_ALL, n, GrB_ALL, n, GrB_DESC_S);
    }
    return matrix;
  }
  /// Few entries.
  GrB_Matrix batch(GrB_Type type, GrB_Index rows = n, GrB_Index columns = n) {
    GrB_Matrix matrix = nullptr;
    GrB_Matrix_new(&matrix, type, rows, columns);
    GxB_Matrix_Option_set(matrix, GxB_FORMAT, below(2) ? GxB_BY_ROW : GxB_BY_COL);
    const bool iso = below(3) == 0;
    const bool one_row = below(3) == 0;  // as hubs get them
    for (unsigned count = below(20); count > 0; --count) {
      const GrB_Index i = one_row ? 3 % rows : below(unsigned(rows));
      GrB_Matrix_setElement_INT32(matrix, iso ? 1 : int(below(9)) - 3, i, below(unsigned(columns)));
    }
    return matrix;
  }
  GrB_Type type_of(GrB_Matrix matrix) {
    GrB_Type type = nullptr;
    GxB_Matrix_type(&type, matrix);
    return below(6) == 0 ? some_type() : type;
  }

  void elements() {
    const GrB_Matrix a = some();
    for (unsigned times = 1 + below(8); times > 0; --times) {
      const GrB_Index i = below(n), j = below(n);
      GrB_Info info = GrB_SUCCESS;
      switch (below(3)) {
        case 0:
          info = GrB_Matrix_removeElement(a, i, j);
          break;
        case 1:
          info = GrB_Matrix_setElement_FP64(a, int(below(9)), i, j);
          break;
        default:
          info = GrB_Matrix_setElement_INT32(a, 1, i, j);
      }
      if (info != GrB_SUCCESS) print_number("element", info, 0);
    }
  }
  /// C = C op B, with the output as first operand, as second, or as both.
  void add_batch() {
    const GrB_Matrix c = some();
    GrB_Matrix b = batch(type_of(c));
    const GrB_Descriptor descriptor = below(4) == 0 ? GrB_DESC_T1 : nullptr;
    const GrB_BinaryOp op = some_op(), accumulate = below(5) == 0 ? some_op() : nullptr;
    GrB_Info info = GrB_SUCCESS;
    switch (below(6)) {
      case 0:
        info = GrB_Matrix_eWiseAdd_BinaryOp(c, nullptr, accumulate, op, b, c, nullptr);
        break;
      case 1:
        info = GrB_Matrix_eWiseAdd_BinaryOp(c, nullptr, accumulate, op, c, c, descriptor);
        break;
      case 2:
        info = GrB_Matrix_eWiseAdd_Monoid(c, below(3) ? nullptr : some(), accumulate, GrB_MAX_MONOID_INT32, c,
                                          b, descriptor);
        break;
      default:
        info = GrB_Matrix_eWiseAdd_BinaryOp(c, nullptr, accumulate, op, c, b, descriptor);
    }
    if (info != GrB_SUCCESS) print_number("eWiseAdd", info, 0);
    GrB_Matrix_free(&b);
  }
  /// C<M> accum= B, by assign, apply and transpose.
  void assign_batch() {
    const GrB_Matrix c = some(), mask = below(4) == 0 ? some() : nullptr;
    GrB_Matrix b = batch(type_of(c));
    const GrB_BinaryOp accumulate = below(6) == 0 ? nullptr : some_op();
    const GrB_Descriptor descriptor = below(3) == 0 ? GrB_DESC_RS : nullptr;
    GrB_Info info = GrB_SUCCESS;
    switch (below(4)) {
      case 0:
        info = GrB_Matrix_apply(c, mask, accumulate, GrB_AINV_INT32, b, descriptor);
        break;
      case 1:
        info = GrB_transpose(c, mask, accumulate, b, descriptor);
        break;
      case 2:
        info = GxB_Matrix_subassign(c, mask, accumulate, b, GrB_ALL, n, GrB_ALL, n, descriptor);
        break;
      default:
        info = GrB_Matrix_assign(c, mask, accumulate, b, GrB_ALL, n, GrB_ALL, n, descriptor);
    }
    if (info != GrB_SUCCESS) print_number("assign", info, 0);
    GrB_Matrix_free(&b);
  }
  /// C(i,:) = u, or C(:,i).
  void assign_line() {
    const GrB_Matrix c = some();
    const GrB_Vector u = some_vector(), mask = below(4) == 0 ? some_vector() : nullptr;
    const GrB_BinaryOp accumulate = below(3) == 0 ? some_op() : nullptr;
    const GrB_Index line = below(n);
    const GrB_Info info =
        below(2) ? GrB_Row_assign(c, mask, accumulate, u, line, GrB_ALL, n, below(4) ? nullptr : GrB_DESC_R)
                 : GrB_Col_assign(c, mask, accumulate, u, GrB_ALL, n, line, nullptr);
    if (info != GrB_SUCCESS) print_number("assign a line", info, 0);
  }
  /// Distinct indices in random order.
  std::vector<GrB_Index> indices(size_t count) {
    std::vector<GrB_Index> list;
    const unsigned start = below(n), stride = below(2) ? 5 : 1;  // 5 and 24 have no common factor
    for (unsigned k = 0; k < count; ++k) list.push_back((start + k * stride) % n);
    return list;
  }
  void assign_part() {
    const GrB_Matrix c = some();
    const auto rows = indices(1 + below(4)), columns = indices(1 + below(6));
    GrB_Matrix b = batch(type_of(c), rows.size(), columns.size());
    const GrB_BinaryOp accumulate = below(4) == 0 ? nullptr : some_op();
    const GrB_Matrix mask = below(3) == 0 ? some() : nullptr;
    const GrB_Descriptor descriptor = below(3) == 0 ? GrB_DESC_SC : nullptr;
    const bool sub = below(2) == 0;
    const GrB_Info info = sub ? GxB_Matrix_subassign(c, nullptr, accumulate, b, rows.data(), rows.size(),
                                                     columns.data(), columns.size(), nullptr)
                              : GrB_Matrix_assign(c, mask, accumulate, b, rows.data(), rows.size(),
                                                  columns.data(), columns.size(), descriptor);
    if (info != GrB_SUCCESS) print_number("assign to a part", info, 0);
    GrB_Matrix_free(&b);
  }
  void scalar_to_part() {
    const GrB_Matrix c = some(), mask = below(4) == 0 ? some() : nullptr;
    const auto rows = indices(1 + below(3)), columns = indices(1 + below(5));
    const GrB_BinaryOp accumulate = below(2) ? nullptr : some_op();
    const GrB_Info info =
        below(2) ? GrB_Matrix_assign_INT32(c, mask, accumulate, int(below(4)), rows.data(), rows.size(),
                                           columns.data(), columns.size(), nullptr)
                 : GxB_Matrix_subassign_INT8(c, nullptr, accumulate, int8_t(below(4)), rows.data(),
                                             rows.size(), columns.data(), columns.size(), nullptr);
    if (info != GrB_SUCCESS) print_number("scalar to a part", info, 0);
  }
  void multiply_vector() {
    const GrB_Matrix a = some();
    const GrB_Vector w = some_vector(), u = some_vector(), mask = below(4) == 0 ? some_vector() : nullptr;
    const GrB_Semiring semirings[] = {GrB_PLUS_TIMES_SEMIRING_INT32, GrB_MIN_PLUS_SEMIRING_INT32,
                                      GrB_MAX_SECOND_SEMIRING_INT32, GrB_LOR_LAND_SEMIRING_BOOL,
                                      GrB_PLUS_TIMES_SEMIRING_FP64,  GxB_PLUS_PAIR_INT64};
    const GrB_Semiring semiring = semirings[below(6)];
    const GrB_BinaryOp accumulate = below(3) == 0 ? GrB_MIN_INT32 : nullptr;
    const GrB_Descriptor descriptors[] = {nullptr, GrB_DESC_T0, GrB_DESC_T1, GrB_DESC_RS};
    const GrB_Descriptor descriptor = descriptors[below(4)];
    const GrB_Info info = below(2) ? GrB_mxv(w, mask, accumulate, semiring, a, u, descriptor)
                                   : GrB_vxm(w, mask, accumulate, semiring, u, a, descriptor);
    print("times a vector", info, w);
    // Small again: sums of many products stay exact in every order.
    GrB_Vector_apply_BinaryOp2nd_INT32(w, nullptr, nullptr, GrB_MIN_INT32, w, 50, nullptr);
    GrB_Vector_apply_BinaryOp2nd_INT32(w, nullptr, nullptr, GrB_MAX_INT32, w, -50, nullptr);
  }
  void read() {
    const GrB_Matrix a = some();
    switch (below(6)) {
      case 0:
        return print("read", GrB_SUCCESS, a);
      case 5:
        return extract_part(a);
      case 1: {
        double sum = 0;
        const GrB_Info info = GrB_Matrix_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, a, nullptr);
        return print_number("sum", info, sum);
      }
      case 2: {
        const GrB_Vector w = some_vector();
        const GrB_Info info = GrB_Matrix_reduce_Monoid(w, nullptr, nullptr, GrB_MAX_MONOID_INT32, a,
                                                       below(2) ? GrB_DESC_T0 : nullptr);
        return print("rows", info, w);
      }
      case 3: {
        const GrB_Vector w = some_vector();
        const GrB_Info info =
            GrB_Col_extract(w, nullptr, nullptr, a, GrB_ALL, n, below(n), below(2) ? GrB_DESC_T0 : nullptr);
        return print("column", info, w);
      }
      default: {
        GrB_Index entries = 0;
        const GrB_Info info = GrB_Matrix_nvals(&entries, a);
        return print_number("nvals", info, double(entries));
      }
    }
  }
  /// Few rows of A, few columns, or both.
  void extract_part(GrB_Matrix a) {
    const auto rows = indices(1 + below(3)), columns = indices(1 + below(3));
    const unsigned lists = below(3);
    const GrB_Index *I = lists == 1 ? GrB_ALL : rows.data(), *J = lists == 2 ? GrB_ALL : columns.data();
    GrB_Matrix c = nullptr;
    GrB_Matrix_new(&c, some_type(), lists == 1 ? n : rows.size(), lists == 2 ? n : columns.size());
    const GrB_Info info =
        GrB_Matrix_extract(c, nullptr, nullptr, a, I, lists == 1 ? n : rows.size(), J,
                           lists == 2 ? n : columns.size(), below(2) ? GrB_DESC_T0 : nullptr);
    print("part", info, c);
    GrB_Matrix_free(&c);
  }
  /// What reads or writes all of a matrix.
  void whole() {
    const GrB_Matrix c = some(), a = some(), b = some();
    GrB_Info info = GrB_SUCCESS;
    switch (below(8)) {
      case 0:
        info = GrB_mxm(c, nullptr, nullptr, GrB_MAX_SECOND_SEMIRING_INT32, a, b,
                       below(2) ? GrB_DESC_T0 : nullptr);
        break;
      case 1:
        info =
            GrB_mxm(c, a, below(2) ? GrB_MIN_INT32 : nullptr, GrB_MIN_MAX_SEMIRING_INT32, a, b, GrB_DESC_S);
        break;
      case 2:
        info = GrB_Matrix_select_INT32(c, nullptr, nullptr, GrB_VALUENE_INT32, a, int(below(3)), nullptr);
        break;
      case 3:
        info = GrB_Matrix_eWiseMult_BinaryOp(c, nullptr, some_op(), GrB_MAX_INT32, a, b, nullptr);
        break;
      case 4:
        GrB_Matrix_resize(c, n - 4, n - 3);
        info = GrB_Matrix_resize(c, n, n);
        break;
      case 5:
        info = GrB_Matrix_wait(c, GrB_MATERIALIZE);
        break;
      case 6: {
        GrB_Matrix fresh = some_content();
        info = GrB_Matrix_assign(c, nullptr, nullptr, fresh, GrB_ALL, n, GrB_ALL, n, nullptr);
        GrB_Matrix_free(&fresh);
        break;
      }
      default:
        info =
            below(4) ? GrB_Matrix_apply(c, nullptr, nullptr, GrB_ABS_INT32, a, nullptr) : GrB_Matrix_clear(c);
    }
    print_number("whole", info, 0);
  }
  /// The old one goes on beside its copy.
  void copy() {
    GrB_Matrix &to = some(), &from = some();
    if (to == from) return;
    GrB_Matrix_free(&to);
    print_number("dup", GrB_Matrix_dup(&to, from), 0);
  }
  void look_up() {
    const GrB_Matrix a = some();
    for (unsigned times = 1 + below(3); times > 0; --times) {
      double x = 0;
      const GrB_Info info = GrB_Matrix_extractElement_FP64(&x, a, below(n), below(n));
      print_number("look up", info, info == GrB_SUCCESS ? x : 0);
    }
  }

  Random random_;
  GrB_Matrix matrices_[3] = {};
  GrB_Vector vectors_[2] = {};
};

}  // namespace

void updates(unsigned first, unsigned count) {
  for (unsigned seed = first; seed < first + count; ++seed) {
    std::printf("program %u\n", seed);
    Updates program(seed);
    for (int step = 0; step < 30; ++step) program.step();
    program.print_all();
  }
}

}  // namespace cases
