// The random differential test of operations on matrices (see main.cpp for the idea and the options).
// Positions are row * columns + column.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>

#include "tests/differential/objects.h"
#include "tests/differential/oracle.h"
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
                                                  Operation::transpose};

/// How the configuration's flags are read here: `transpose` is that of A, `typed_scalar` that of B; without
/// all_indices, B may be A itself.
bool transposes_b(const Configuration& c) {
  return c.typed_scalar && (c.operation == Operation::mxm || c.operation == Operation::matrix_ewise_add ||
                            c.operation == Operation::matrix_ewise_mult);
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
  GrB_Vector w = nullptr, mask_of_rows = nullptr;
  std::string type_c, type_a, type_b;
  GrB_Index rows = 0, columns = 0;
  int64_t small_integer = 0;  ///< bound operands, assigned scalars
  Thunk thunk;
  std::vector<GrB_Index> row_list, column_list;  ///< of extract: some of A's, as many as C has; none: all

 private:
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

/// As many numbers below n: in any order, some twice or never; sometimes a permutation.
std::vector<GrB_Index> new_list(GrB_Index n, Random& random) {
  std::vector<GrB_Index> list(n);
  const bool permutation = random.chance(30);
  for (GrB_Index k = 0; k < n; ++k) list[k] = permutation ? n - 1 - k : random.below(n);
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

Matrices::Matrices(const Api& chosen, const Configuration& k, uint64_t seed) : api(chosen) {
  Random random(seed);
  static const std::vector<GrB_Index> sizes = {1, 2, 5, 16, 17, 33, 40, 64, 100};
  rows = random.pick(sizes);
  GrB_Index inner = random.pick(sizes);
  columns = k.operation == Operation::mxm || k.operation == Operation::matrix_reduce_rows ? random.pick(sizes)
                                                                                          : inner;
  const bool square = k.aliasing != Aliasing::none || shares_operand(k);
  if (square) inner = columns = rows;
  small_integer = int64_t(random.below(5)) - 1;
  const int form_of_a = k.aliasing == Aliasing::output_is_u ? k.form_w : k.form_u;
  const bool exact = k.operation == Operation::matrix_select && form_of_a == GxB_BITMAP;
  thunk = draw_thunk(k.op, exact, Random(seed + 1));
  type_c = k.type_w;
  c = new_matrix(type_c, rows, columns, k.form_w, random.chance(30), false, random);
  const bool c_is_a = k.aliasing == Aliasing::output_is_u, c_is_b = k.aliasing == Aliasing::output_is_v;
  type_a = c_is_a ? type_c : k.type_u;
  a = c_is_a ? c
             : new_matrix(type_a, k.transpose ? inner : rows, k.transpose ? rows : inner, k.form_u,
                          k.by_column, k.iso_u, random);
  const GrB_Index rows_of_b = k.operation == Operation::mxm ? inner : rows;
  type_b = c_is_b ? type_c : shares_operand(k) ? type_a : k.type_v;
  b = c_is_b ? c
      : shares_operand(k)
          ? a
          : new_matrix(type_b, transposes_b(k) ? columns : rows_of_b, transposes_b(k) ? rows_of_b : columns,
                       k.form_v, random.chance(30), k.iso_matrix, random);
  mask = k.aliasing == Aliasing::mask_is_output ? c
         : k.aliasing == Aliasing::mask_is_u
             ? a
             : new_matrix(k.type_mask, rows, columns, k.form_mask, random.chance(30), false, random);
  // extract takes listed rows, listed columns, or both.
  if (!k.all_indices || seed % 2 == 0) row_list = new_list(rows, random);
  if (!k.all_indices || seed % 2 == 1) column_list = new_list(columns, random);
  w = new_vector(type_c, rows, random);
  mask_of_rows = new_vector(k.type_mask, rows, random);
}

Matrices::~Matrices() {
  if (mask != c && mask != a) api.GrB_Matrix_free(&mask);
  if (b != c && b != a) api.GrB_Matrix_free(&b);
  if (a != c) api.GrB_Matrix_free(&a);
  api.GrB_Matrix_free(&c);
  api.GrB_Vector_free(&w);
  api.GrB_Vector_free(&mask_of_rows);
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
  const bool to_scalar =
      c.operation == Operation::matrix_reduce || c.operation == Operation::matrix_reduce_rows;
  const int rounds = !to_scalar && !any && !own_mask && !c.inexact && c.aliasing != Aliasing::none ? 2 : 1;
  for (int round = 0; round < rounds; ++round) {
    double scalar = 0, oracle_scalar = 0;
    GrB_Info expected = GrB_PANIC;
    if (!survives([&] { expected = run(real(), c, *oracle, oracle_scalar); })) {
      ++oracle_crashes;
      static_cast<void>(oracle.release());  // SuiteSparse left it half written
      return "";
    }
    const GrB_Info info = run(exported(), c, ours, scalar);
    if (info != expected) return "code " + std::to_string(info) + ", SuiteSparse " + std::to_string(expected);
    const char *text = nullptr, *expected_text = nullptr;
    require(exported().GrB_Matrix_error(&text, ours.c), "error");
    require(real().GrB_Matrix_error(&expected_text, oracle->c), "error");
    if (std::strcmp(text, expected_text) != 0)
      return std::string("error text '") + text + "', SuiteSparse '" + expected_text + "'";
    if (!any && !same_scalar(scalar, oracle_scalar, c)) {
      return "scalar " + std::to_string(scalar) + ", SuiteSparse " + std::to_string(oracle_scalar);
    }
  }
  if (c.operation == Operation::matrix_reduce_rows) {
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
