// The random differential test of operations on matrices (see main.cpp for the idea and the options).
// Positions are row * columns + column.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>

#include "tests/differential/objects.h"
#include "tests/differential/program.h"

namespace differential {
namespace {

const std::vector<Operation> matrix_operations = {Operation::mxm,
                                                  Operation::mxm,
                                                  Operation::mxm,
                                                  Operation::mxm,
                                                  Operation::mxm,
                                                  Operation::mxm,
                                                  Operation::matrix_reduce,
                                                  Operation::matrix_reduce_rows,
                                                  Operation::matrix_ewise_add,
                                                  Operation::matrix_ewise_mult,
                                                  Operation::matrix_apply,
                                                  Operation::matrix_apply_first,
                                                  Operation::matrix_apply_second,
                                                  Operation::matrix_apply_index,
                                                  Operation::matrix_select,
                                                  Operation::matrix_assign,
                                                  Operation::matrix_assign_scalar,
                                                  Operation::matrix_extract,
                                                  Operation::transpose,
                                                  Operation::kronecker,
                                                  Operation::matrix_ewise_union,
                                                  Operation::matrix_diag,
                                                  Operation::vector_diag,
                                                  Operation::matrix_build,
                                                  Operation::vector_build,
                                                  Operation::row_assign,
                                                  Operation::column_assign,
                                                  Operation::concat,
                                                  Operation::matrix_resize,
                                                  Operation::vector_resize,
                                                  Operation::matrix_assign_part,
                                                  Operation::matrix_assign_part_scalar,
                                                  Operation::matrix_subassign,
                                                  Operation::matrix_subassign_scalar,
                                                  Operation::row_subassign,
                                                  Operation::column_subassign,
                                                  Operation::matrix_sort,
                                                  Operation::vector_sort,
                                                  Operation::matrix_reshape};

bool makes_vector(const Configuration& c) {
  return c.operation == Operation::matrix_reduce_rows || c.operation == Operation::vector_diag ||
         c.operation == Operation::vector_build || c.operation == Operation::vector_resize ||
         c.operation == Operation::vector_sort;
}
/// Assignments through lists of rows and of columns; those whose mask is of the part's shape.
bool writes_part(const Configuration& c) {
  return c.operation == Operation::matrix_assign_part ||
         c.operation == Operation::matrix_assign_part_scalar || c.operation == Operation::matrix_subassign ||
         c.operation == Operation::matrix_subassign_scalar;
}
bool masks_part(const Configuration& c) {
  return c.operation == Operation::matrix_subassign || c.operation == Operation::matrix_subassign_scalar;
}
bool along_row(const Configuration& c) {
  return c.operation == Operation::row_assign || c.operation == Operation::row_subassign;
}
bool along_column(const Configuration& c) {
  return c.operation == Operation::column_assign || c.operation == Operation::column_subassign;
}
/// How the configuration's flags are read here: `transpose` is that of A, `typed_scalar` that of B; without
/// all_indices, B may be A itself.
bool transposes_a(const Configuration& c) {
  return c.transpose && c.operation != Operation::concat && c.operation != Operation::matrix_sort;
}
bool shares_operand(const Configuration& c) { return !c.all_indices && c.iso_u; }

struct Matrices {
  /// The data depend on `seed` alone, forms and types on the configuration.
  Matrices(const Api& api, const Configuration& c, uint64_t seed);
  ~Matrices();
  Matrices(const Matrices&) = delete;
  Matrices& operator=(const Matrices&) = delete;

  const Api& api;
  GrB_Matrix c = nullptr, a = nullptr, b = nullptr, mask = nullptr;
  GrB_Vector w = nullptr, mask_of_rows = nullptr, u = nullptr;
  GrB_Scalar alpha = nullptr, beta = nullptr;
  std::string type_c, type_a, type_b;
  GrB_Index rows = 0, columns = 0;
  int64_t small_integer = 0;  ///< bound operands, assigned scalars
  Thunk thunk;
  int64_t diagonal = 0;
  GrB_Index line = 0;                ///< a row or a column to assign to
  std::vector<GrB_Index> line_list;  ///< its positions, backwards
  GrB_Index new_rows = 0, new_columns = 0;
  std::vector<GrB_Index> tuple_rows, tuple_columns;  ///< of build
  std::vector<int64_t> tuple_integers;
  std::vector<double> tuple_reals;
  std::vector<GrB_Index> row_list, column_list;  ///< of extract: some of A's, as many as C has; none: all

 private:
  void draw_tuples(const Configuration& k, Random& random);
  GrB_Matrix new_matrix(const std::string& type, GrB_Index rows, GrB_Index columns, int form, bool by_column,
                        bool iso, Random& random);
  GrB_Vector new_vector(const std::string& type, GrB_Index n, Random& random);
};

GrB_Matrix Matrices::new_matrix(const std::string& type, GrB_Index rows, GrB_Index columns, int form,
                                bool by_column, bool iso, Random& random) {
  GrB_Matrix made = nullptr;
  require(api.GrB_Matrix_new(&made, static_cast<GrB_Type>(predefined("GrB_" + type)), rows, columns),
          "Matrix_new");
  require(api.GxB_Matrix_Option_set(made, GxB_FORMAT, by_column ? GxB_BY_COL : GxB_BY_ROW), "Option_set");
  if (form != 0) require(api.GxB_Matrix_Option_set(made, GxB_SPARSITY_CONTROL, form), "Option_set");
  static const std::vector<int> densities = {0, 2, 8, 8, 25, 25, 60, 100};
  const int density = random.pick(densities);
  const int64_t one_value = draw_integer(type, random);
  const GrB_Index long_row = random.chance(30) ? random.below(rows) : rows;
  bool empty = true;
  for (GrB_Index i = 0; i < rows; ++i) {
    if (i != long_row && density < 100 && random.chance(15)) continue;
    for (GrB_Index j = 0; j < columns; ++j) {
      if (i != long_row && !random.chance(density)) continue;
      const int64_t value = iso ? one_value : draw_integer(type, random);
      empty = false;
      require(is_real(type) ? api.GrB_Matrix_setElement_FP64(made, double(value), i, j)
                            : api.GrB_Matrix_setElement_INT64(made, value, i, j),
              "setElement");
    }
  }
  if (random.chance(70)) require(api.GrB_Matrix_wait(made, GrB_MATERIALIZE), "wait");
  // An assign through the matrix's own structure makes the values iso. (An empty iso bitmap matrix is not the
  // sum of nothing to SuiteSparse 7.4: it reduces to the value that it has nowhere.)
  if (iso && !empty) {
    require(api.GrB_Matrix_assign_FP64(made, made, nullptr, double(one_value), GrB_ALL, rows, GrB_ALL,
                                       columns, GrB_DESC_S),
            "assign");
  }
  return made;
}

/// So many numbers below `limit`, which is no less: in any order, some twice or never; sometimes each once,
/// backwards or (of a part) ascending.
std::vector<GrB_Index> new_list(GrB_Index n, GrB_Index limit, Random& random) {
  std::vector<GrB_Index> list(n);
  const bool distinct = random.chance(30), ascending = limit > n && random.chance(50);
  for (GrB_Index k = 0; k < n; ++k)
    list[k] = !distinct ? random.below(limit) : ascending ? limit - n + k : limit - 1 - k;
  return list;
}

GrB_Vector Matrices::new_vector(const std::string& type, GrB_Index n, Random& random) {
  GrB_Vector made = nullptr;
  require(api.GrB_Vector_new(&made, static_cast<GrB_Type>(predefined("GrB_" + type)), n), "Vector_new");
  const int density = int(random.below(101));
  for (GrB_Index i = 0; i < n; ++i) {
    if (!random.chance(density)) continue;
    require(api.GrB_Vector_setElement_INT64(made, draw_integer(type, random), i), "setElement");
  }
  return made;
}

/// In any order or sorted, with places that repeat or without.
void Matrices::draw_tuples(const Configuration& k, Random& random) {
  const bool is_vector = k.operation == Operation::vector_build;
  const GrB_Index places = is_vector ? rows : rows * columns;
  const bool distinct = random.chance(40), sorted = random.chance(40);
  std::vector<GrB_Index> list;
  if (distinct) {
    for (GrB_Index p = 0; p < places; ++p) {
      if (random.chance(30)) list.push_back(p);
    }
    for (size_t n = list.size(); n > 1; --n) std::swap(list[n - 1], list[random.below(n)]);
  } else {
    const GrB_Index few = 1 + random.below(places);
    for (GrB_Index n = random.below(200); n > 0; --n) list.push_back(random.below(few));
  }
  if (sorted) std::sort(list.begin(), list.end());
  for (const GrB_Index p : list) {
    tuple_rows.push_back(is_vector ? p : p / columns);
    tuple_columns.push_back(is_vector ? 0 : p % columns);
    tuple_integers.push_back(draw_integer(k.type_u, random));
    tuple_reals.push_back(double(tuple_integers.back()));
  }
}

/// Rows and columns of A and of B, as they are after their transposition; C's follow from them.
struct Shapes {
  GrB_Index rows_a, columns_a, rows_b, columns_b;
};
Shapes draw_shapes(const Configuration& k, Random& random) {
  const bool square =
      k.aliasing != Aliasing::none || shares_operand(k) || k.operation == Operation::matrix_diag;
  if (k.operation == Operation::kronecker) {
    static const std::vector<GrB_Index> sizes = {1, 2, 3, 5, 8, 11};
    const bool c_is_operand = k.aliasing != Aliasing::none && k.aliasing != Aliasing::mask_is_output;
    const GrB_Index n = shares_operand(k) && c_is_operand ? 1 : random.pick(sizes);
    if (shares_operand(k)) return {n, n, n, n};
    if (k.aliasing == Aliasing::output_is_v) return {1, 1, n, n};
    if (c_is_operand) return {n, n, 1, 1};
    return {n, random.pick(sizes), random.pick(sizes), random.pick(sizes)};
  }
  static const std::vector<GrB_Index> sizes = {1, 2, 5, 16, 17, 33, 40, 64, 100};
  const GrB_Index rows = random.pick(sizes), inner = random.pick(sizes), columns = random.pick(sizes);
  if (square) return {rows, rows, rows, rows};
  if (k.operation == Operation::mxm) return {rows, inner, inner, columns};
  if (k.operation == Operation::concat) return {rows, inner, rows, columns};
  return {rows, inner, rows, inner};
}

Matrices::Matrices(const Api& chosen, const Configuration& k, uint64_t seed) : api(chosen) {
  Random random(seed);
  const Shapes shape = draw_shapes(k, random);
  const bool multiplies_shapes = k.operation == Operation::kronecker;
  rows = multiplies_shapes ? shape.rows_a * shape.rows_b : shape.rows_a;
  columns = multiplies_shapes                  ? shape.columns_a * shape.columns_b
            : k.operation == Operation::concat ? shape.columns_a + shape.columns_b
                                               : shape.columns_b;
  const GrB_Index part_rows = rows, part_columns = columns;
  if (writes_part(k) && k.aliasing == Aliasing::none && !shares_operand(k)) {
    rows += random.below(20);
    columns += random.below(20);
  }
  small_integer = int64_t(random.below(5)) - 1;
  const int form_of_a = k.aliasing == Aliasing::output_is_u ? k.form_w : k.form_u;
  const bool exact = k.operation == Operation::matrix_select && form_of_a == GxB_BITMAP;
  thunk = draw_thunk(k.op, exact, Random(seed + 1));
  type_c = k.type_w;
  c = new_matrix(type_c, rows, columns, k.form_w, random.chance(30), false, random);
  const bool c_is_a = k.aliasing == Aliasing::output_is_u, c_is_b = k.aliasing == Aliasing::output_is_v;
  type_a = c_is_a ? type_c : k.type_u;
  a = c_is_a ? c
             : new_matrix(type_a, transposes_a(k) ? shape.columns_a : shape.rows_a,
                          transposes_a(k) ? shape.rows_a : shape.columns_a, k.form_u, k.by_column, k.iso_u,
                          random);
  type_b = c_is_b ? type_c : shares_operand(k) ? type_a : k.type_v;
  b = c_is_b              ? c
      : shares_operand(k) ? a
                          : new_matrix(type_b, transposes_b(k) ? shape.columns_b : shape.rows_b,
                                       transposes_b(k) ? shape.rows_b : shape.columns_b, k.form_v,
                                       random.chance(30), k.iso_matrix, random);
  mask = k.aliasing == Aliasing::mask_is_output ? c
         : k.aliasing == Aliasing::mask_is_u    ? a
                                                : new_matrix(k.type_mask, masks_part(k) ? part_rows : rows,
                                                          masks_part(k) ? part_columns : columns, k.form_mask,
                                                             random.chance(30), false, random);
  // extract and assign take listed rows, listed columns, or both.
  if (!k.all_indices || seed % 2 == 0 || rows > part_rows) row_list = new_list(part_rows, rows, random);
  if (!k.all_indices || seed % 2 == 1 || columns > part_columns)
    column_list = new_list(part_columns, columns, random);
  const GrB_Index rows_of_a = transposes_a(k) ? shape.columns_a : shape.rows_a,
                  columns_of_a = transposes_a(k) ? shape.rows_a : shape.columns_a;
  diagonal = int64_t(random.below(5)) - 2;
  const auto length = [&] {
    return diagonal >= 0 ? std::min(int64_t(rows_of_a), int64_t(columns_of_a) - diagonal)
                         : std::min(int64_t(rows_of_a) + diagonal, int64_t(columns_of_a));
  };
  if (length() <= 0) diagonal = 0;
  w = new_vector(type_c, k.operation == Operation::vector_diag ? GrB_Index(length()) : rows, random);
  if (GrB_Index(std::abs(diagonal)) >= rows) diagonal = 0;
  const GrB_Index diagonal_rows = rows - GrB_Index(std::abs(diagonal));
  const GrB_Index line_length = along_row(k) ? columns : rows;
  const bool half = !k.all_indices &&
                    (k.operation == Operation::row_subassign || k.operation == Operation::column_subassign);
  const GrB_Index listed = half ? (line_length + 1) / 2 : line_length;
  u = new_vector(k.type_u,
                 along_row(k) || along_column(k)         ? listed
                 : k.operation == Operation::vector_sort ? rows
                                                         : diagonal_rows,
                 random);
  line = random.below(along_row(k) ? rows : columns);
  new_rows = 1 + random.below(2 * rows);
  new_columns = 1 + random.below(2 * columns);
  for (GrB_Index p = 0; p < listed; ++p) line_list.push_back(line_length - 1 - p);
  for (GrB_Scalar* scalar : {&alpha, &beta}) {
    require(api.GrB_Scalar_new(scalar, static_cast<GrB_Type>(predefined("GrB_" + k.type_v))), "Scalar_new");
    require(api.GrB_Scalar_setElement_INT64(*scalar, draw_integer(k.type_v, random)), "setElement");
  }
  if (k.operation == Operation::matrix_build || k.operation == Operation::vector_build)
    draw_tuples(k, random);
  mask_of_rows = new_vector(k.type_mask, listed, random);
}

Matrices::~Matrices() {
  if (mask != c && mask != a) api.GrB_Matrix_free(&mask);
  if (b != c && b != a) api.GrB_Matrix_free(&b);
  if (a != c) api.GrB_Matrix_free(&a);
  api.GrB_Matrix_free(&c);
  api.GrB_Vector_free(&w);
  api.GrB_Vector_free(&mask_of_rows);
  api.GrB_Vector_free(&u);
  api.GrB_Scalar_free(&alpha);
  api.GrB_Scalar_free(&beta);
}

Entries entries_of(const Api& api, GrB_Matrix matrix, const std::string& type) {
  GrB_Index n = 0, columns = 0;
  require(api.GrB_Matrix_nvals(&n, matrix), "nvals");
  require(api.GrB_Matrix_ncols(&columns, matrix), "ncols");
  const GrB_Index reported = n;
  std::vector<GrB_Index> i(n + 1), j(n + 1);
  std::vector<double> reals(n + 1);
  std::vector<int64_t> integers(n + 1);
  std::vector<uint64_t> naturals(n + 1);
  if (is_real(type)) {
    require(api.GrB_Matrix_extractTuples_FP64(i.data(), j.data(), reals.data(), &n, matrix), "extractTuples");
  } else if (type == "UINT64") {
    require(api.GrB_Matrix_extractTuples_UINT64(i.data(), j.data(), naturals.data(), &n, matrix),
            "extractTuples");
    std::copy(naturals.begin(), naturals.end(), integers.begin());
  } else {
    require(api.GrB_Matrix_extractTuples_INT64(i.data(), j.data(), integers.data(), &n, matrix),
            "extractTuples");
  }
  if (n != reported)
    throw std::runtime_error("nvals says " + std::to_string(reported) + ", extractTuples gives " +
                             std::to_string(n));
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t(0));
  const auto place = [&](size_t k) { return i[k] * columns + j[k]; };
  std::sort(order.begin(), order.end(), [&](size_t x, size_t y) { return place(x) < place(y); });
  Entries e;
  for (size_t k : order) {
    e.positions.push_back(place(k));
    e.reals.push_back(reals[k]);
    e.integers.push_back(integers[k]);
  }
  return e;
}

GrB_Descriptor descriptor(const Configuration& c) {
  std::string name = std::string(c.replace ? "R" : "") + (c.mask == MaskKind::structural ? "S" : "") +
                     (c.complement ? "C" : "");
  // The matrix is the second input where the first one is bound. transpose transposes what it is asked not
  // to.
  if (c.transpose != (c.operation == Operation::transpose)) {
    name += c.operation == Operation::matrix_apply_first ? "T1" : "T0";
  }
  if (transposes_b(c)) name += "T1";
  return name.empty() ? nullptr : static_cast<GrB_Descriptor>(predefined("GrB_DESC_" + name));
}

GrB_Info run_mxm(const Api& f, const Configuration& c, Matrices& o, GrB_BinaryOp accum) {
  GrB_Semiring semiring = nullptr;
  if (c.op.empty()) {
    require(f.GrB_Semiring_new(&semiring, static_cast<GrB_Monoid>(predefined(c.add)),
                               static_cast<GrB_BinaryOp>(predefined(c.multiply))),
            "Semiring_new");
  } else {
    semiring = static_cast<GrB_Semiring>(predefined(c.op));
  }
  const GrB_Matrix mask = c.mask == MaskKind::none ? nullptr : o.mask;
  const GrB_Info info = f.GrB_mxm(o.c, mask, accum, semiring, o.a, o.b, descriptor(c));
  if (c.op.empty()) f.GrB_Semiring_free(&semiring);
  return info;
}

/// The scalar as a real.
GrB_Info run_reduce(const Api& f, const Configuration& c, GrB_Matrix matrix, double& result) {
  const GrB_Monoid monoid = static_cast<GrB_Monoid>(predefined(c.op));
  if (c.op.find("BOOL") != std::string::npos) {
    bool value = c.replace;
    const GrB_Info info = f.GrB_Matrix_reduce_BOOL(&value, nullptr, monoid, matrix, nullptr);
    result = value;
    return info;
  }
  if (c.typed_scalar) {
    int64_t value = 3;
    const GrB_Info info =
        f.GrB_Matrix_reduce_INT64(&value, c.replace ? GrB_PLUS_INT64 : nullptr, monoid, matrix, nullptr);
    result = double(value);
    return info;
  }
  result = 3;
  return f.GrB_Matrix_reduce_FP64(&result, c.replace ? GrB_PLUS_FP64 : nullptr, monoid, matrix, nullptr);
}

GrB_Info run_extract(const Api& f, Matrices& o, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Descriptor d) {
  const auto listed = [](const std::vector<GrB_Index>& list) { return list.empty() ? GrB_ALL : list.data(); };
  return f.GrB_Matrix_extract(o.c, mask, accum, o.a, listed(o.row_list), o.rows, listed(o.column_list),
                              o.columns, d);
}

GrB_Info run_build(const Api& f, const Configuration& c, Matrices& o) {
  const auto dup = c.op.empty() ? nullptr : static_cast<GrB_BinaryOp>(predefined(c.op));
  const GrB_Index* const i = o.tuple_rows.data();
  const GrB_Index* const j = o.tuple_columns.data();
  const GrB_Index n = o.tuple_rows.size();
  if (c.operation == Operation::vector_build) {
    if (!c.replace) require(f.GrB_Vector_clear(o.w), "clear");  // else it has entries: an error, mostly
    return c.typed_scalar ? f.GrB_Vector_build_INT64(o.w, i, o.tuple_integers.data(), n, dup)
                          : f.GrB_Vector_build_FP64(o.w, i, o.tuple_reals.data(), n, dup);
  }
  if (!c.replace) require(f.GrB_Matrix_clear(o.c), "clear");
  if (c.iso_matrix) return f.GxB_Matrix_build_Scalar(o.c, i, j, o.alpha, n);
  return c.typed_scalar ? f.GrB_Matrix_build_INT64(o.c, i, j, o.tuple_integers.data(), n, dup)
                        : f.GrB_Matrix_build_FP64(o.c, i, j, o.tuple_reals.data(), n, dup);
}

GrB_Info run_line_assign(const Api& f, const Configuration& c, Matrices& o, GrB_BinaryOp accum,
                         GrB_Descriptor d) {
  const GrB_Vector mask = c.mask == MaskKind::none ? nullptr : o.mask_of_rows;
  const GrB_Index* const list = c.all_indices ? GrB_ALL : o.line_list.data();
  const GrB_Index count = o.line_list.size();
  switch (c.operation) {
    case Operation::row_assign:
      return f.GrB_Row_assign(o.c, mask, accum, o.u, o.line, list, count, d);
    case Operation::column_assign:
      return f.GrB_Col_assign(o.c, mask, accum, o.u, list, count, o.line, d);
    case Operation::row_subassign:
      return f.GxB_Row_subassign(o.c, mask, accum, o.u, o.line, list, count, d);
    default:
      return f.GxB_Col_subassign(o.c, mask, accum, o.u, list, count, o.line, d);
  }
}

GrB_Info run_part_assign(const Api& f, const Configuration& c, Matrices& o, GrB_Matrix m, GrB_BinaryOp accum,
                         GrB_Descriptor d) {
  const bool all_rows = o.row_list.empty(), all_columns = o.column_list.empty();
  const GrB_Index* const i = all_rows ? GrB_ALL : o.row_list.data();
  const GrB_Index* const j = all_columns ? GrB_ALL : o.column_list.data();
  const GrB_Index ni = all_rows ? o.rows : o.row_list.size(),
                  nj = all_columns ? o.columns : o.column_list.size();
  const double x = double(o.small_integer);
  switch (c.operation) {
    case Operation::matrix_assign_part:
      return f.GrB_Matrix_assign(o.c, m, accum, o.a, i, ni, j, nj, d);
    case Operation::matrix_subassign:
      return f.GxB_Matrix_subassign(o.c, m, accum, o.a, i, ni, j, nj, d);
    case Operation::matrix_assign_part_scalar:
      return c.typed_scalar ? f.GrB_Matrix_assign_FP64(o.c, m, accum, x, i, ni, j, nj, d)
                            : f.GrB_Matrix_assign_Scalar(o.c, m, accum, o.alpha, i, ni, j, nj, d);
    default:
      return c.typed_scalar ? f.GxB_Matrix_subassign_FP64(o.c, m, accum, x, i, ni, j, nj, d)
                            : f.GxB_Matrix_subassign_Scalar(o.c, m, accum, o.alpha, i, ni, j, nj, d);
  }
}

GrB_Info run_concat(const Api& f, Matrices& o) {
  // SuiteSparse 7.4 puts tiles into a bitmap beside its old entries, which it does not count.
  require(f.GxB_Matrix_Option_set(o.c, GxB_SPARSITY_CONTROL, GxB_SPARSE), "Option_set");
  GrB_Matrix tiles[] = {o.a, o.b};
  return f.GxB_Matrix_concat(o.c, tiles, 1, 2, nullptr);
}

/// The values, or where they come from. SuiteSparse 7.4 sorts without entries that are not yet in their
/// places.
GrB_Info run_sort(const Api& f, const Configuration& c, Matrices& o, GrB_BinaryOp before, GrB_Descriptor d) {
  if (c.operation == Operation::vector_sort) {
    require(f.GrB_Vector_wait(o.u, GrB_MATERIALIZE), "wait");
    return c.typed_scalar ? f.GxB_Vector_sort(o.w, nullptr, before, o.u, d)
                          : f.GxB_Vector_sort(nullptr, o.w, before, o.u, d);
  }
  require(f.GrB_Matrix_wait(o.a, GrB_MATERIALIZE), "wait");
  return c.typed_scalar || o.a == o.c ? f.GxB_Matrix_sort(o.c, nullptr, before, o.a, d)
                                      : f.GxB_Matrix_sort(nullptr, o.c, before, o.a, d);
}

GrB_Info run_reshape(const Api& f, const Configuration& c, Matrices& o) {
  // Now the device has it.
  require(f.GrB_transpose(o.c, nullptr, nullptr, o.c, GrB_DESC_T0), "transpose");
  GrB_Index rows = o.new_rows;
  while (o.rows * o.columns % rows != 0) --rows;
  return f.GxB_Matrix_reshape(o.c, c.transpose, rows, o.rows * o.columns / rows, nullptr);
}

GrB_Info run(const Api& f, const Configuration& c, Matrices& o, double& scalar) {
  const GrB_Matrix m = c.mask == MaskKind::none ? nullptr : o.mask;
  const GrB_Descriptor d = descriptor(c);
  const int64_t k = o.small_integer;
  const auto binary = [&] { return static_cast<GrB_BinaryOp>(predefined(c.op)); };
  const auto indexed = [&] { return static_cast<GrB_IndexUnaryOp>(predefined(c.op)); };
  const GrB_BinaryOp accum =
      c.accumulate.empty() ? nullptr : static_cast<GrB_BinaryOp>(predefined(c.accumulate));
  switch (c.operation) {
    case Operation::mxm:
      return run_mxm(f, c, o, accum);
    case Operation::matrix_reduce:
      return run_reduce(f, c, o.a, scalar);
    case Operation::matrix_reduce_rows:
      return f.GrB_Matrix_reduce_Monoid(o.w, c.mask == MaskKind::none ? nullptr : o.mask_of_rows, accum,
                                        static_cast<GrB_Monoid>(predefined(c.op)), o.a, descriptor(c));
    case Operation::matrix_ewise_add:
      return f.GrB_Matrix_eWiseAdd_BinaryOp(o.c, m, accum, binary(), o.a, o.b, d);
    case Operation::matrix_ewise_mult:
      return f.GrB_Matrix_eWiseMult_BinaryOp(o.c, m, accum, binary(), o.a, o.b, d);
    case Operation::matrix_apply:
      return f.GrB_Matrix_apply(o.c, m, accum, static_cast<GrB_UnaryOp>(predefined(c.op)), o.a, d);
    case Operation::matrix_apply_first:
      return f.GrB_Matrix_apply_BinaryOp1st_FP64(o.c, m, accum, binary(), double(k), o.a, d);
    case Operation::matrix_apply_second:
      return f.GrB_Matrix_apply_BinaryOp2nd_INT64(o.c, m, accum, binary(), o.a, k, d);
    case Operation::matrix_apply_index:
      return f.GrB_Matrix_apply_IndexOp_INT64(o.c, m, accum, indexed(), o.a, o.thunk.integer, d);
    case Operation::matrix_select:
      return c.typed_scalar ? f.GrB_Matrix_select_INT64(o.c, m, accum, indexed(), o.a, o.thunk.integer, d)
                            : f.GrB_Matrix_select_FP64(o.c, m, accum, indexed(), o.a, o.thunk.real, d);
    case Operation::matrix_assign:
      return f.GrB_Matrix_assign(o.c, m, accum, o.a, GrB_ALL, o.rows, GrB_ALL, o.columns, d);
    case Operation::matrix_assign_scalar:
      return c.iso_matrix
                 ? f.GrB_Matrix_assign_INT64(o.c, m, accum, k, GrB_ALL, o.rows, GrB_ALL, o.columns, d)
                 : f.GrB_Matrix_assign_FP64(o.c, m, accum, double(k), GrB_ALL, o.rows, GrB_ALL, o.columns, d);
    case Operation::matrix_extract:
      return run_extract(f, o, m, accum, d);
    case Operation::transpose:
      return f.GrB_transpose(o.c, m, accum, o.a, d);
    case Operation::matrix_ewise_union:
      return f.GxB_Matrix_eWiseUnion(o.c, m, accum, binary(), o.a, o.alpha, o.b, o.beta, d);
    case Operation::matrix_diag:
      return f.GxB_Matrix_diag(o.c, o.u, o.diagonal, nullptr);
    case Operation::vector_diag:
      return f.GxB_Vector_diag(o.w, o.a, o.diagonal, nullptr);
    case Operation::matrix_build:
    case Operation::vector_build:
      return run_build(f, c, o);
    case Operation::row_assign:
    case Operation::column_assign:
    case Operation::row_subassign:
    case Operation::column_subassign:
      return run_line_assign(f, c, o, accum, d);
    case Operation::matrix_assign_part:
    case Operation::matrix_assign_part_scalar:
    case Operation::matrix_subassign:
    case Operation::matrix_subassign_scalar:
      return run_part_assign(f, c, o, m, accum, d);
    case Operation::concat:
      return run_concat(f, o);
    case Operation::matrix_resize:
      require(f.GrB_transpose(o.c, nullptr, nullptr, o.c, GrB_DESC_T0),
              "transpose");  // now the device has it
      return f.GrB_Matrix_resize(o.c, o.new_rows, o.new_columns);
    case Operation::vector_resize:
      require(f.GrB_Vector_apply(o.w, nullptr, nullptr,
                                 static_cast<GrB_UnaryOp>(predefined("IDENTITY_" + o.type_c)), o.w, nullptr),
              "apply");
      return f.GrB_Vector_resize(o.w, o.new_rows);
    case Operation::matrix_sort:
    case Operation::vector_sort:
      return run_sort(f, c, o, binary(), d);
    case Operation::matrix_reshape:
      return run_reshape(f, c, o);
    case Operation::kronecker:
      return f.GrB_Matrix_kronecker_BinaryOp(o.c, m, accum, binary(), o.a, o.b, d);
    default:
      return GrB_PANIC;
  }
}

bool same_scalar(double a, double b, const Configuration& c) {
  if (a == b || (a != a && b != b)) return true;
  return c.inexact && std::abs(a - b) <= 1e-4 * std::max(1.0, std::abs(b));
}

/// Runs a case through both; empty when they agree.
std::string run_case(const Configuration& drawn, uint64_t seed) {
  Configuration c = drawn;
  c.inexact = c.inexact || (c.op + c.add).find("TIMES") != std::string::npos;
  // ANY may give any of the terms: only patterns are equal.
  const bool any =
      (c.op + " " + c.add + " " + c.multiply + " " + c.accumulate).find("ANY_") != std::string::npos;
  Matrices ours(exported(), c, seed);
  auto oracle = std::make_unique<Matrices>(real(), c, seed);
  // A second round feeds the first one's result back in: operands that only the device has. (Not what is
  // inexact: differences of roundings grow.)
  const bool own_mask = c.aliasing == Aliasing::mask_is_output && c.mask == MaskKind::valued;
  const bool makes_matrix = c.operation != Operation::matrix_reduce && !makes_vector(c);
  const int rounds = makes_matrix && !any && !own_mask && !c.inexact && c.aliasing != Aliasing::none ? 2 : 1;
  for (int round = 0; round < rounds; ++round) {
    double scalar = 0, oracle_scalar = 0;
    GrB_Info expected = GrB_PANIC;
    if (!oracle_survives([&] { expected = run(real(), c, *oracle, oracle_scalar); })) {
      ++oracle_crashes;
      static_cast<void>(oracle.release());  // SuiteSparse left it half written
      return "";
    }
    const GrB_Info info = run(exported(), c, ours, scalar);
    if (info != expected) return "code " + std::to_string(info) + ", SuiteSparse " + std::to_string(expected);
    if (info == GrB_INVALID_VALUE) return "";  // of build: SuiteSparse leaves an object that is none
    const char *text = nullptr, *expected_text = nullptr;
    require(exported().GrB_Matrix_error(&text, ours.c), "error");
    require(real().GrB_Matrix_error(&expected_text, oracle->c), "error");
    if (std::strcmp(text, expected_text) != 0)
      return std::string("error text '") + text + "', SuiteSparse '" + expected_text + "'";
    if (!any && !same_scalar(scalar, oracle_scalar, c)) {
      return "scalar " + std::to_string(scalar) + ", SuiteSparse " + std::to_string(oracle_scalar);
    }
  }
  if (makes_vector(c)) {
    return difference(differential::entries_of(exported(), ours.w, c.type_w),
                      differential::entries_of(real(), oracle->w, c.type_w), c, c.type_w, any, {});
  }
  const Entries expected_c = entries_of(real(), oracle->c, c.type_w);
  std::string d = difference(entries_of(exported(), ours.c, c.type_w), expected_c, c, c.type_w, any, {});
  bool iso = false, expected_iso = false;
  require(exported().GxB_Matrix_iso(&iso, ours.c), "iso");
  require(real().GxB_Matrix_iso(&expected_iso, oracle->c), "iso");
  note_iso(c, iso, expected_iso, expected_c.positions.size());
  const auto compare_input = [&](const char* name, GrB_Matrix mine, GrB_Matrix theirs,
                                 const std::string& type) {
    if (!d.empty() || mine == ours.c) return;
    d = difference(entries_of(exported(), mine, type), entries_of(real(), theirs, type), c, type, false, {});
    if (!d.empty()) d = std::string("input ") + name + " changed: " + d;
  };
  compare_input("A", ours.a, oracle->a, ours.type_a);
  compare_input("B", ours.b, oracle->b, ours.type_b);
  return d;
}

}  // namespace
}  // namespace differential

int main(int argc, char** argv) {
  return differential::run_program(argc, argv, differential::matrix_operations, differential::run_case);
}
