// Products with ANY, for which SuiteSparse need not read all entries: what the CPU is predicted to need is in
// the trace.
#include <algorithm>
#include <vector>

#include "tests/offload/cases.h"

namespace cases {
namespace {

/// A matrix, square, of these columns of each row: at once, as elements that are set one by one are traced
/// one by one, and on the host, where a matrix that is built is on the device.
GrB_Matrix matrix_of(const std::vector<std::vector<GrB_Index>>& rows) {
  std::vector<GrB_Index> offsets = {0}, columns;
  for (const std::vector<GrB_Index>& row : rows) {
    columns.insert(columns.end(), row.begin(), row.end());
    offsets.push_back(columns.size());
  }
  const std::vector<char> values(columns.size(), 1);
  GrB_Matrix matrix = nullptr;
  GrB_Matrix_import_BOOL(&matrix, GrB_BOOL, rows.size(), rows.size(), offsets.data(), columns.data(),
                         reinterpret_cast<const bool*>(values.data()), offsets.size(), columns.size(),
                         columns.size(), GrB_CSR_FORMAT);
  return matrix;
}

/// Row 0 has all positions, every other row one: what a push reads depends on where it begins.
void pushes_of_few() {
  constexpr GrB_Index n = 4096;
  std::vector<std::vector<GrB_Index>> rows(n);
  for (GrB_Index j = 0; j < n; ++j) rows[0].push_back(j);
  for (GrB_Index i = 1; i < n; ++i) rows[i] = {i};
  const Matrix a(matrix_of(rows));
  const Vector all(GrB_BOOL, n), w(GrB_BOOL, n);
  for (GrB_Index i = 0; i < n; ++i) GrB_Vector_setElement_BOOL(all.handle, true, i);
  const GrB_Semiring any = GxB_ANY_PAIR_BOOL;
  print("push of all", GrB_vxm(w.handle, nullptr, nullptr, any, all.handle, a.handle, nullptr), w.handle);
  for (const GrB_Index first : {GrB_Index(0), GrB_Index(1)}) {  // with the row of all positions, without it
    const Vector few(GrB_BOOL, n);
    for (GrB_Index i = first; i < n; i += 512) GrB_Vector_setElement_BOOL(few.handle, true, i);
    print("push of few", GrB_vxm(w.handle, nullptr, nullptr, any, few.handle, a.handle, nullptr), w.handle);
  }
}

/// The device alone has the masks. Of the second one SuiteSparse would make a bitmap before it reads it.
void masks_that_are_lists() {
  constexpr GrB_Index rows = 4, columns = 65536, step = 1024;
  const auto empty = [](GrB_Type type) {
    GrB_Matrix made = nullptr;
    GrB_Matrix_new(&made, type, rows, columns);
    return made;
  };
  const Matrix a(empty(GrB_FP64));
  for (GrB_Index j = 0; j < columns; j += step) GrB_Matrix_setElement_FP64(a.handle, double(j), j % rows, j);
  for (const int control : {int(GxB_AUTO_SPARSITY), int(GxB_BITMAP)}) {
    const Matrix mask(empty(GrB_FP64)), s(empty(GrB_BOOL));
    GrB_Matrix_apply(mask.handle, nullptr, nullptr, GrB_AINV_FP64, a.handle, nullptr);
    GxB_Matrix_Option_set(mask.handle, GxB_SPARSITY_CONTROL, control);
    print("assign by a list",
          GrB_Matrix_assign_BOOL(s.handle, mask.handle, nullptr, true, GrB_ALL, rows, GrB_ALL, columns,
                                 GrB_DESC_S),
          s.handle);
  }
}

/// Into a matrix with all entries: few of them, all of them, and products of few with all.
void sums_into_full() {
  constexpr GrB_Index rows = 4, columns = 32000;
  const auto empty = [] {
    GrB_Matrix made = nullptr;
    GrB_Matrix_new(&made, GrB_FP64, rows, columns);
    return made;
  };
  const Matrix few(empty()), all(empty()), c(empty());
  for (GrB_Index j = 0; j < columns; j += 1024)
    GrB_Matrix_setElement_FP64(few.handle, double(j), j % rows, j);
  for (const Matrix* full : {&all, &c}) {
    GrB_Matrix_assign_FP64(full->handle, nullptr, nullptr, 1, GrB_ALL, rows, GrB_ALL, columns, nullptr);
    GrB_Matrix_setElement_FP64(full->handle, 2, 0, 0);
    GrB_Matrix_wait(full->handle, GrB_MATERIALIZE);
  }
  for (const Matrix* added : {&few, &all}) {
    const GrB_Info info = GrB_Matrix_assign(c.handle, nullptr, GrB_PLUS_FP64, added->handle, GrB_ALL, rows,
                                            GrB_ALL, columns, nullptr);
    print("sum", info, c.handle);
  }
  for (const Matrix* factor : {&few, &all}) {
    const GrB_Info info = GrB_Matrix_eWiseMult_BinaryOp(c.handle, nullptr, GrB_PLUS_FP64, GrB_TIMES_FP64,
                                                        factor->handle, all.handle, nullptr);
    print("sum of products", info, c.handle);
  }
}

}  // namespace

void first_entries() {
  constexpr GrB_Index n = 4096, entries_of_row = 64;
  const Vector u(GrB_BOOL, n), few(GrB_BOOL, n), w(GrB_BOOL, n);
  for (GrB_Index i = 0; i < n; ++i) GrB_Vector_setElement_BOOL(u.handle, true, i);
  for (GrB_Index i = 0; i < n; i += 32) GrB_Vector_setElement_BOOL(few.handle, true, i);
  std::vector<std::vector<GrB_Index>> rows(n);
  for (GrB_Index i = 0; i < n; ++i) {
    for (GrB_Index k = 0; k < entries_of_row; ++k) rows[i].push_back((i * 97 + k * 61) % n);
    std::sort(rows[i].begin(), rows[i].end());
  }
  const Matrix a(matrix_of(rows));
  const GrB_Semiring any = GxB_ANY_PAIR_BOOL, all = GxB_PLUS_PAIR_INT32;
  print("pull", GrB_mxv(w.handle, nullptr, nullptr, any, a.handle, u.handle, nullptr), w.handle);
  print("pull of few", GrB_mxv(w.handle, nullptr, nullptr, any, a.handle, few.handle, nullptr), w.handle);
  print("push", GrB_vxm(w.handle, nullptr, nullptr, any, u.handle, a.handle, nullptr), w.handle);
  int32_t ones = 0;
  const GrB_Info counted = GrB_Vector_reduce_INT32(&ones, nullptr, GrB_PLUS_MONOID_INT32, w.handle, nullptr);
  print_value("sum of an iso result", counted, &ones);
  print("sums", GrB_mxv(w.handle, nullptr, nullptr, all, a.handle, u.handle, nullptr), w.handle);
  const Vector degrees(GrB_INT32, n);
  const GrB_Monoid plus = GrB_PLUS_MONOID_INT32;
  print("rows", GrB_Matrix_reduce_Monoid(degrees.handle, nullptr, nullptr, plus, a.handle, nullptr),
        degrees.handle);
  print("columns", GrB_Matrix_reduce_Monoid(degrees.handle, nullptr, nullptr, plus, a.handle, GrB_DESC_T0),
        degrees.handle);
  // Most positions are visited: few rows are left to read.
  const Vector visited(GrB_BOOL, n);
  for (GrB_Index i = 0; i < n; ++i) {
    if (i % 64 != 0) GrB_Vector_setElement_BOOL(visited.handle, true, i);
  }
  print("sums of few rows", GrB_mxv(w.handle, visited.handle, nullptr, all, a.handle, u.handle, GrB_DESC_RSC),
        w.handle);
  pushes_of_few();
  masks_that_are_lists();
  sums_into_full();
}

namespace {

/// Four searches of two vertices each: one that has many edges and one that has one, then two with one edge.
void frontiers() {
  constexpr GrB_Index n = 65536, edges_of_hub = 4096, searches = 4;
  std::vector<std::vector<GrB_Index>> rows(n);
  for (GrB_Index i = 0; i < n; ++i) rows[i] = {i};
  for (GrB_Index j = 1; j < edges_of_hub; ++j) rows[0].push_back(j);
  const Matrix graph(matrix_of(rows));
  for (const GrB_Index first : {0, 9}) {
    GrB_Matrix frontier = nullptr;
    GrB_Matrix_new(&frontier, GrB_INT64, searches, n);
    const Matrix owned(frontier);
    for (GrB_Index k = 0; k < searches; ++k) {
      GrB_Matrix_setElement_INT64(frontier, 1, k, first);
      GrB_Matrix_setElement_INT64(frontier, 1, k, 100 + k);
    }
    const GrB_Info info =
        GrB_mxm(frontier, nullptr, nullptr, GxB_PLUS_PAIR_INT64, frontier, graph.handle, nullptr);
    double sum = 0;
    GrB_Matrix_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, frontier, nullptr);
    print_number("products of a frontier", info, sum);
  }
}

}  // namespace

/// By itself, a matrix of which a quarter of the rows name one of eight entries, then one of which all name
/// rows of one entry. Then frontiers().
void hub() {
  constexpr GrB_Index n = 65536, entries_of_hub = 8;
  for (const bool with_hub : {true, false}) {
    std::vector<std::vector<GrB_Index>> rows(n);
    for (GrB_Index i = 0; i < n; ++i) rows[i] = {with_hub && i % 4 == 0 ? 0 : i};
    for (GrB_Index j = 1; with_hub && j < entries_of_hub; ++j) rows[0].push_back(j);
    const Matrix a(matrix_of(rows));
    GrB_Matrix product = nullptr;
    GrB_Matrix_new(&product, GrB_INT64, n, n);
    const Matrix c(product);
    const GrB_Info info =
        GrB_mxm(product, nullptr, nullptr, GxB_PLUS_PAIR_INT64, a.handle, a.handle, nullptr);
    double sum = 0;
    GrB_Matrix_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, product, nullptr);
    print_number("products", info, sum);
  }
  frontiers();
}

}  // namespace cases
