#include "tests/capi/every_function/fixture.h"

#include <dlfcn.h>

#include <vector>

namespace every_function {
namespace {

const char* const kPairDefinition = "typedef struct { int32_t a ; int32_t b ; } Pair ;";

void add_pairs(void* z, const void* x, const void* y) {
  const Pair &p = *static_cast<const Pair*>(x), &q = *static_cast<const Pair*>(y);
  *static_cast<Pair*>(z) = {p.a + q.a, p.b + q.b};
}
void pair_less(void* z, const void* x, const void* y) {
  const Pair &p = *static_cast<const Pair*>(x), &q = *static_cast<const Pair*>(y);
  *static_cast<bool*>(z) = p.a < q.a || (p.a == q.a && p.b < q.b);
}
void negate_pair(void* z, const void* x) {
  const Pair& p = *static_cast<const Pair*>(x);
  *static_cast<Pair*>(z) = {-p.a, -p.b};
}
void pair_after(void* z, const void* x, GrB_Index i, GrB_Index j, const void* y) {
  *static_cast<bool*>(z) = static_cast<const Pair*>(x)->a > static_cast<const Pair*>(y)->a;
}

void make_operators(Fixture& f) {
  if (!f.user_defined) {
    f.type = GrB_FP64, f.accum = GrB_PLUS_FP64, f.binary = GrB_PLUS_FP64, f.less = GrB_LT_FP64;
    f.unary = GrB_AINV_FP64, f.index_unary = GrB_VALUEGT_FP64;
    f.monoid = GrB_PLUS_MONOID_FP64, f.semiring = GrB_PLUS_TIMES_SEMIRING_FP64;
    return;
  }
  const Pair zero{0, 0};
  GxB_Type_new(&f.type, sizeof(Pair), "Pair", kPairDefinition);
  GrB_BinaryOp_new(&f.binary, add_pairs, f.type, f.type, f.type);
  GrB_BinaryOp_new(&f.less, pair_less, GrB_BOOL, f.type, f.type);
  GrB_UnaryOp_new(&f.unary, negate_pair, f.type, f.type);
  GrB_IndexUnaryOp_new(&f.index_unary, pair_after, GrB_BOOL, f.type, f.type);
  GrB_Monoid_new_UDT(&f.monoid, f.binary, const_cast<Pair*>(&zero));
  GrB_Semiring_new(&f.semiring, f.monoid, f.binary);
  f.accum = f.binary;
}

void free_operators(Fixture& f) {
  if (!f.user_defined) return;
  GrB_Semiring_free(&f.semiring);
  GrB_Monoid_free(&f.monoid);
  GrB_IndexUnaryOp_free(&f.index_unary);
  GrB_UnaryOp_free(&f.unary);
  GrB_BinaryOp_free(&f.less);
  GrB_BinaryOp_free(&f.binary);
  GrB_Type_free(&f.type);
}

void set(const Fixture& f, GrB_Matrix matrix, double value, GrB_Index i, GrB_Index j) {
  Pair pair{static_cast<int32_t>(value * 2), static_cast<int32_t>(i + j)};
  f.user_defined ? GrB_Matrix_setElement_UDT(matrix, &pair, i, j)
                 : GrB_Matrix_setElement_FP64(matrix, value, i, j);
}
void set(const Fixture& f, GrB_Vector vector, double value, GrB_Index i) {
  Pair pair{static_cast<int32_t>(value * 2), static_cast<int32_t>(i)};
  f.user_defined ? GrB_Vector_setElement_UDT(vector, &pair, i) : GrB_Vector_setElement_FP64(vector, value, i);
}

/// Entries where (3 i + 5 j + seed) mod 7 < density. Finished: the form of unfinished work is SuiteSparse's
/// own affair, and moving content out finishes it.
GrB_Matrix make_matrix(const Fixture& f, unsigned seed, unsigned density, GrB_Index n = N) {
  GrB_Matrix matrix = nullptr;
  GrB_Matrix_new(&matrix, f.type, n, n);
  for (GrB_Index i = 0; i < n; ++i) {
    for (GrB_Index j = 0; j < n; ++j) {
      const unsigned h = static_cast<unsigned>(3 * i + 5 * j + seed) % 7;
      if (h < density) set(f, matrix, 0.5 * static_cast<double>(h + i) - 1 + seed, i, j);
    }
  }
  GrB_Matrix_wait(matrix, GrB_MATERIALIZE);
  return matrix;
}
GrB_Vector make_vector(const Fixture& f, unsigned seed, unsigned density) {
  GrB_Vector vector = nullptr;
  GrB_Vector_new(&vector, f.type, N);
  for (GrB_Index i = 0; i < N; ++i) {
    const unsigned h = static_cast<unsigned>(5 * i + seed) % 7;
    if (h < density) set(f, vector, 0.5 * static_cast<double>(h) + seed, i);
  }
  GrB_Vector_wait(vector, GrB_MATERIALIZE);
  return vector;
}

}  // namespace

Fixture::Fixture(bool user) : user_defined(user) {
  make_operators(*this);
  A = make_matrix(*this, 1, 3), B = make_matrix(*this, 2, 3), C = make_matrix(*this, 4, 4);
  D = make_matrix(*this, 3, 3), F = make_matrix(*this, 1, 7), K = nullptr;
  GxB_Matrix_Option_set(D, GxB_FORMAT, GxB_BY_COL);
  GrB_Matrix_new(&K, type, N * N, N * N);
  set(*this, K, 2, 1, 1), set(*this, K, 3, 7, 35);
  u = make_vector(*this, 1, 4), v = make_vector(*this, 3, 4), w = make_vector(*this, 4, 5),
  f = make_vector(*this, 2, 7);
  GrB_Matrix_new(&M, GrB_BOOL, N, N);
  GrB_Vector_new(&m, GrB_BOOL, N);
  for (GrB_Index i = 0; i < N; ++i) {
    if (i != 4) GrB_Vector_setElement_BOOL(m, i != 2, i);
    for (GrB_Index j = i % 2; j < N; j += 2) GrB_Matrix_setElement_BOOL(M, i != j, i, j);
  }
  GrB_Matrix_wait(K, GrB_MATERIALIZE), GrB_Matrix_wait(M, GrB_MATERIALIZE),
      GrB_Vector_wait(m, GrB_MATERIALIZE);
  GrB_Scalar_new(&s, type);
  GrB_Scalar_new(&t, type);
  Pair pair{1, 2};
  user ? GrB_Scalar_setElement_UDT(s, &pair) : GrB_Scalar_setElement_FP64(s, 1.0);
  user ? GrB_Scalar_setElement_UDT(t, &pair) : GrB_Scalar_setElement_FP64(t, 5.0);
  GrB_Vector_new(&reversed, GrB_UINT64, N);
  for (GrB_Index i = 0; i < N; ++i) GrB_Vector_setElement_UINT64(reversed, N - 1 - i, i);
  GrB_Vector_wait(reversed, GrB_MATERIALIZE);
}

const cugrb::real::Functions& later() {
  static const cugrb::real::Functions found = [] {
    cugrb::real::Functions functions;
    for (size_t i = 0; i < cugrb::real::function_count; ++i) {
      void* const address = dlsym(RTLD_DEFAULT, cugrb::real::function_names[i]);
      std::memcpy(reinterpret_cast<char*>(&functions) + i * sizeof(void*), &address, sizeof(void*));
    }
    return functions;
  }();
  return found;
}

void weigh_by_place(void* z, const void* x, GrB_Index, GrB_Index jx, const void*, GrB_Index iy, GrB_Index,
                    const void* theta) {
  const auto number = [](const void* value) { return *static_cast<const double*>(value); };
  *static_cast<double*>(z) =
      number(x) + 10 * static_cast<double>(iy) + number(theta) * static_cast<double>(jx);
}

void multiply_by_one(GrB_Scalar scalar) {
  const auto vector = reinterpret_cast<GrB_Vector>(scalar);
  GrB_Vector_apply(vector, nullptr, nullptr, GrB_IDENTITY_INT32, vector, nullptr);
  GrB_Vector_wait(vector, GrB_MATERIALIZE);
}

namespace {

GrB_Matrix make_identity(GrB_Type type, GrB_Index n) {
  GrB_Matrix matrix = nullptr;
  GrB_Matrix_new(&matrix, type, n, n);
  for (GrB_Index i = 0; i < n; ++i) GrB_Matrix_setElement_BOOL(matrix, true, i, i);
  return matrix;
}

/// A<A> = A I: nothing changes, but the device holds the matrix then, and only the device.
void multiply_by_identity(GrB_Matrix matrix, GrB_Semiring semiring, GrB_Matrix identity) {
  GrB_mxm(matrix, matrix, nullptr, semiring, matrix, identity, GrB_DESC_RS);
  GrB_Matrix_wait(matrix, GrB_MATERIALIZE);
}

/// As an operand of calls that can be on the device: SuiteSparse lets a scalar's handle be a vector's or a
/// matrix's.
void use_as_vector_and_matrix(GrB_Scalar scalar) {
  GrB_Vector vector = nullptr;
  GrB_Matrix matrix = nullptr;
  GrB_Vector_new(&vector, GrB_FP64, 1);
  GrB_Matrix_new(&matrix, GrB_FP64, 1, 1);
  GrB_Vector_apply(vector, nullptr, nullptr, GrB_AINV_FP64, reinterpret_cast<GrB_Vector>(scalar), nullptr);
  GrB_Matrix_apply(matrix, nullptr, nullptr, GrB_AINV_FP64, reinterpret_cast<GrB_Matrix>(scalar), nullptr);
  GrB_Vector_free(&vector);
  GrB_Matrix_free(&matrix);
}

}  // namespace

void Fixture::use_on_device() {
  if (user_defined) return;
  GrB_Vector result = nullptr;
  GrB_Vector_new(&result, GrB_FP64, N);
  for (GrB_Matrix matrix : {A, B, C, D, F, M}) {
    GrB_mxv(result, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, matrix, f, nullptr);
  }
  GrB_Vector large = nullptr;
  GrB_Vector_new(&large, GrB_FP64, N * N);
  GrB_mxv(large, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, K, large, nullptr);
  GrB_Vector_free(&large);
  for (GrB_Vector vector : {u, v, w, f, m, reversed})
    GrB_Vector_apply(result, nullptr, nullptr, GrB_AINV_FP64, vector, nullptr);
  GrB_Vector_free(&result);
  for (GrB_Scalar scalar : {s, t}) use_as_vector_and_matrix(scalar);
  if (!only_on_device) return;
  GrB_Matrix numbers = make_identity(GrB_FP64, N), booleans = make_identity(GrB_BOOL, N);
  GrB_Matrix large_numbers = make_identity(GrB_FP64, N * N);
  for (GrB_Matrix matrix : {A, B, C, D, F}) {
    multiply_by_identity(matrix, GrB_PLUS_TIMES_SEMIRING_FP64, numbers);
  }
  multiply_by_identity(M, GrB_LOR_LAND_SEMIRING_BOOL, booleans);
  multiply_by_identity(K, GrB_PLUS_TIMES_SEMIRING_FP64, large_numbers);
  for (GrB_Matrix* matrix : {&numbers, &booleans, &large_numbers}) GrB_Matrix_free(matrix);
  for (GrB_Vector vector : {u, v, w, f}) {
    GrB_Vector_apply(vector, nullptr, nullptr, GrB_IDENTITY_FP64, vector, nullptr);
    GrB_Vector_wait(vector, GrB_MATERIALIZE);
  }
  GrB_Vector_apply(reversed, nullptr, nullptr, GrB_IDENTITY_UINT64, reversed, nullptr);
  GrB_Vector_wait(reversed, GrB_MATERIALIZE);
  const auto vector = reinterpret_cast<GrB_Vector>(s);
  GrB_Vector_apply(vector, nullptr, nullptr, GrB_IDENTITY_FP64, vector, nullptr);
  const auto matrix = reinterpret_cast<GrB_Matrix>(t);
  GrB_Matrix_apply(matrix, nullptr, nullptr, GrB_IDENTITY_FP64, matrix, nullptr);
}

Fixture::~Fixture() {
  for (GrB_Matrix* matrix : {&A, &B, &C, &D, &F, &K, &M}) GrB_Matrix_free(matrix);
  for (GrB_Vector* vector : {&u, &v, &w, &f, &m, &reversed}) GrB_Vector_free(vector);
  GrB_Scalar_free(&s);
  GrB_Scalar_free(&t);
  free_operators(*this);
}

void print_info(GrB_Info info) { std::printf("  info %d\n", static_cast<int>(info)); }

void digest_bytes(const char* name, const void* bytes, size_t count) {
  std::printf("  %s ", name);
  for (size_t i = 0; i < count; ++i) std::printf("%02x", static_cast<const unsigned char*>(bytes)[i]);
  std::printf("\n");
}

namespace {

/// The form is SuiteSparse's free choice, unless the control leaves one only.
int form(int status, int control) { return (control & (control - 1)) == 0 ? status : -1; }

/// Entries of any type, each value as its bytes.
template <class Extract>
void digest_entries(GrB_Index nvals, bool user_defined, const Extract& extract) {
  std::vector<GrB_Index> rows(nvals + 1), columns(nvals + 1);
  std::vector<double> numbers(nvals + 1);
  std::vector<Pair> pairs(nvals + 1);
  const GrB_Info info = extract(rows.data(), columns.data(), numbers.data(), pairs.data(), &nvals);
  if (info != GrB_SUCCESS) std::printf("    extractTuples: %d\n", static_cast<int>(info));
  for (GrB_Index k = 0; k < nvals && info == GrB_SUCCESS; ++k) {
    std::printf("    (%d,%d) ", static_cast<int>(rows[k]), static_cast<int>(columns[k]));
    user_defined ? std::printf("{%d,%d}\n", pairs[k].a, pairs[k].b) : std::printf("%.17g\n", numbers[k]);
  }
}

void print_entries(GrB_Vector vector) {
  GrB_Index nvals = 64;
  GrB_Index indices[64];
  double values[64];
  if (GrB_Vector_extractTuples_FP64(indices, values, &nvals, vector) != GrB_SUCCESS) return;
  for (GrB_Index k = 0; k < nvals; ++k)
    std::printf("    [%d] %.17g\n", static_cast<int>(indices[k]), values[k]);
}

/// The object as the device sees it: the sum of each row. (Everything before this line asks the host.)
void digest_as_operand(GrB_Matrix matrix, GrB_Index nrows, GrB_Index ncols) {
  GrB_Vector ones = nullptr, sums = nullptr;
  GrB_Vector_new(&ones, GrB_FP64, ncols);
  GrB_Vector_new(&sums, GrB_FP64, nrows);
  GrB_Vector_assign_FP64(ones, nullptr, nullptr, 1, GrB_ALL, ncols, nullptr);
  print_info(GrB_mxv(sums, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, matrix, ones, nullptr));
  print_entries(sums);
  GrB_Vector_free(&ones);
  GrB_Vector_free(&sums);
}

/// The same of a vector: its values negated.
void digest_as_operand(GrB_Vector vector, GrB_Index size) {
  GrB_Vector negated = nullptr;
  GrB_Vector_new(&negated, GrB_FP64, size);
  print_info(GrB_Vector_apply(negated, nullptr, nullptr, GrB_AINV_FP64, vector, nullptr));
  print_entries(negated);
  GrB_Vector_free(&negated);
}

}  // namespace

void digest(const char* name, GrB_Matrix matrix) {
  if (matrix == nullptr) {
    std::printf("  %s null\n", name);
    return;
  }
  GrB_Index nrows = 0, ncols = 0, nvals = 0;
  char type[GxB_MAX_NAME_LEN] = "";
  bool iso = false;
  int format = -1, control = -1, status = -1;
  double hyper = -1, bitmap = -1;
  GrB_Matrix_nrows(&nrows, matrix), GrB_Matrix_ncols(&ncols, matrix), GrB_Matrix_nvals(&nvals, matrix);
  GxB_Matrix_type_name(type, matrix), GxB_Matrix_iso(&iso, matrix);
  GxB_Matrix_Option_get(matrix, GxB_FORMAT, &format);
  GxB_Matrix_Option_get(matrix, GxB_SPARSITY_CONTROL, &control);
  GxB_Matrix_Option_get(matrix, GxB_SPARSITY_STATUS, &status);
  GxB_Matrix_Option_get(matrix, GxB_HYPER_SWITCH, &hyper);
  GxB_Matrix_Option_get(matrix, GxB_BITMAP_SWITCH, &bitmap);
  std::printf("  %s %s %d x %d, %d entries, iso %d, format %d, control %d, status %d, switches %g %g\n", name,
              type, static_cast<int>(nrows), static_cast<int>(ncols), static_cast<int>(nvals), iso, format,
              control, form(status, control), hyper, bitmap);
  const bool user = std::strcmp(type, "Pair") == 0;
  digest_entries(nvals, user, [&](GrB_Index* i, GrB_Index* j, double* x, Pair* p, GrB_Index* n) {
    return user ? GrB_Matrix_extractTuples_UDT(i, j, p, n, matrix)
                : GrB_Matrix_extractTuples_FP64(i, j, x, n, matrix);
  });
  if (!user && nrows <= 64 && ncols <= 64) digest_as_operand(matrix, nrows, ncols);
}

void digest(const char* name, GrB_Vector vector) {
  if (vector == nullptr) {
    std::printf("  %s null\n", name);
    return;
  }
  GrB_Index size = 0, nvals = 0;
  char type[GxB_MAX_NAME_LEN] = "";
  bool iso = false;
  int control = -1, status = -1;
  double bitmap = -1;
  GrB_Vector_size(&size, vector), GrB_Vector_nvals(&nvals, vector);
  GxB_Vector_type_name(type, vector), GxB_Vector_iso(&iso, vector);
  GxB_Vector_Option_get(vector, GxB_SPARSITY_CONTROL, &control);
  GxB_Vector_Option_get(vector, GxB_SPARSITY_STATUS, &status);
  GxB_Vector_Option_get(vector, GxB_BITMAP_SWITCH, &bitmap);
  std::printf("  %s %s %d, %d entries, iso %d, control %d, status %d, switch %g\n", name, type,
              static_cast<int>(size), static_cast<int>(nvals), iso, control, form(status, control), bitmap);
  const bool user = std::strcmp(type, "Pair") == 0;
  digest_entries(nvals, user, [&](GrB_Index* i, GrB_Index*, double* x, Pair* p, GrB_Index* n) {
    return user ? GrB_Vector_extractTuples_UDT(i, p, n, vector)
                : GrB_Vector_extractTuples_FP64(i, x, n, vector);
  });
  if (!user && size <= 64) digest_as_operand(vector, size);
}

void digest(const char* name, GrB_Scalar scalar) {
  if (scalar == nullptr) {
    std::printf("  %s null\n", name);
    return;
  }
  double number = 0;
  Pair pair{0, 0};
  GrB_Info info = GrB_Scalar_extractElement_FP64(&number, scalar);
  if (info == GrB_DOMAIN_MISMATCH) info = GrB_Scalar_extractElement_UDT(&pair, scalar);
  std::printf("  %s info %d, %.17g {%d,%d}\n", name, static_cast<int>(info), number, pair.a, pair.b);
  char type[GxB_MAX_NAME_LEN] = "";
  GxB_Scalar_type_name(type, scalar);
  if (std::strcmp(type, "Pair") == 0) return;
  // As what it was used last comes first: a stale device copy is one of that kind.
  digest_as_operand(reinterpret_cast<GrB_Matrix>(scalar), 1, 1);
  digest_as_operand(reinterpret_cast<GrB_Vector>(scalar), 1);
}

}  // namespace every_function
