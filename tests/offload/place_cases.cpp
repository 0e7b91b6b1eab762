// Operators on places at the ends of int64, against exact arithmetic in 128 bits: SuiteSparse's own answers
// wrap there, differently by how the operand is stored (docs/decisions.md), so that they are no oracle.
#include <algorithm>
#include <functional>
#include <limits>

#include "tests/offload/cases.h"

namespace cases {
namespace {

__extension__ typedef __int128 Wide;
constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
constexpr GrB_Index longest = GrB_Index(1) << 60;

/// An operator and what it means, of places and thunk as they are.
struct Operator {
  const char* name;
  GrB_IndexUnaryOp handle;
  GrB_Type result;
  Wide (*exact)(Wide i, Wide j, Wide y);
};
#define DEFINE(name, text) text const char* name##_text = #text;
DEFINE(
    in_band, void in_band(bool* z, const void* x, GrB_Index i, GrB_Index j, const int64_t* y) {
      *z = (int64_t)(j - i) <= *y;
    })
GrB_IndexUnaryOp user_defined() {
  GrB_IndexUnaryOp op = nullptr;
  GxB_IndexUnaryOp_new(&op, reinterpret_cast<GxB_index_unary_function>(in_band), GrB_BOOL, GrB_INT64,
                       GrB_INT64, "in_band", in_band_text);
  return op;
}

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all = {
      {"TRIL", GrB_TRIL, GrB_BOOL, [](Wide i, Wide j, Wide y) -> Wide { return j <= i + y; }},
      {"in_band", user_defined(), GrB_BOOL, [](Wide i, Wide j, Wide y) -> Wide { return j <= i + y; }},
      {"TRIU", GrB_TRIU, GrB_BOOL, [](Wide i, Wide j, Wide y) -> Wide { return j >= i + y; }},
      {"DIAG", GrB_DIAG, GrB_BOOL, [](Wide i, Wide j, Wide y) -> Wide { return j == i + y; }},
      {"OFFDIAG", GrB_OFFDIAG, GrB_BOOL, [](Wide i, Wide j, Wide y) -> Wide { return j != i + y; }},
      {"ROWLE", GrB_ROWLE, GrB_BOOL, [](Wide i, Wide, Wide y) -> Wide { return i <= y; }},
      {"ROWGT", GrB_ROWGT, GrB_BOOL, [](Wide i, Wide, Wide y) -> Wide { return i > y; }},
      {"COLLE", GrB_COLLE, GrB_BOOL, [](Wide, Wide j, Wide y) -> Wide { return j <= y; }},
      {"COLGT", GrB_COLGT, GrB_BOOL, [](Wide, Wide j, Wide y) -> Wide { return j > y; }},
      {"ROWINDEX_INT64", GrB_ROWINDEX_INT64, GrB_INT64, [](Wide i, Wide, Wide y) { return i + y; }},
      {"COLINDEX_INT64", GrB_COLINDEX_INT64, GrB_INT64, [](Wide, Wide j, Wide y) { return j + y; }},
      {"DIAGINDEX_INT64", GrB_DIAGINDEX_INT64, GrB_INT64, [](Wide i, Wide j, Wide y) { return j - (i + y); }},
      {"ROWINDEX_INT32", GrB_ROWINDEX_INT32, GrB_INT32, [](Wide i, Wide, Wide y) { return i + y; }},
      {"COLINDEX_INT32", GrB_COLINDEX_INT32, GrB_INT32, [](Wide, Wide j, Wide y) { return j + y; }},
      {"DIAGINDEX_INT32", GrB_DIAGINDEX_INT32, GrB_INT32,
       [](Wide i, Wide j, Wide y) { return j - (i + y); }}};
  return all;
}

// One name for each function of the C API that takes a thunk.
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code)                                                 \
  GrB_Info select(GrB_Matrix c, GrB_IndexUnaryOp op, GrB_Matrix a, ctype y, GrB_Descriptor d) { \
    return PREFIX##_Matrix_select_##SUFFIX(c, nullptr, nullptr, op, a, y, d);                   \
  }                                                                                             \
  GrB_Info apply(GrB_Matrix c, GrB_IndexUnaryOp op, GrB_Matrix a, ctype y, GrB_Descriptor d) {  \
    return PREFIX##_Matrix_apply_IndexOp_##SUFFIX(c, nullptr, nullptr, op, a, y, d);            \
  }                                                                                             \
  GrB_Info select(GrB_Vector c, GrB_IndexUnaryOp op, GrB_Vector a, ctype y, GrB_Descriptor d) { \
    return PREFIX##_Vector_select_##SUFFIX(c, nullptr, nullptr, op, a, y, d);                   \
  }                                                                                             \
  GrB_Info apply(GrB_Vector c, GrB_IndexUnaryOp op, GrB_Vector a, ctype y, GrB_Descriptor d) {  \
    return PREFIX##_Vector_apply_IndexOp_##SUFFIX(c, nullptr, nullptr, op, a, y, d);            \
  }                                                                                             \
  void set(GrB_Scalar scalar, ctype y) { PREFIX##_Scalar_setElement_##SUFFIX(scalar, y); }      \
  GrB_Type type_of(ctype) { return PREFIX##_##SUFFIX; }
#include "semirings/types.def"
#undef CUGRB_TYPE
GrB_Info select(GrB_Matrix c, GrB_IndexUnaryOp op, GrB_Matrix a, GrB_Scalar y, GrB_Descriptor d) {
  return GrB_Matrix_select_Scalar(c, nullptr, nullptr, op, a, y, d);
}
GrB_Info apply(GrB_Matrix c, GrB_IndexUnaryOp op, GrB_Matrix a, GrB_Scalar y, GrB_Descriptor d) {
  return GrB_Matrix_apply_IndexOp_Scalar(c, nullptr, nullptr, op, a, y, d);
}
GrB_Info select(GrB_Vector c, GrB_IndexUnaryOp op, GrB_Vector a, GrB_Scalar y, GrB_Descriptor d) {
  return GrB_Vector_select_Scalar(c, nullptr, nullptr, op, a, y, d);
}
GrB_Info apply(GrB_Vector c, GrB_IndexUnaryOp op, GrB_Vector a, GrB_Scalar y, GrB_Descriptor d) {
  return GrB_Vector_apply_IndexOp_Scalar(c, nullptr, nullptr, op, a, y, d);
}

/// A thunk as it is given, and the int64 that it is for an operator on places.
struct Thunk {
  std::string name;
  int64_t place;
  std::function<GrB_Info(bool selects, GrB_Matrix, GrB_IndexUnaryOp, GrB_Matrix, GrB_Descriptor)> on_matrix;
  std::function<GrB_Info(bool selects, GrB_Vector, GrB_IndexUnaryOp, GrB_Vector, GrB_Descriptor)> on_vector;
};
template <class T>
std::string text_of(T y) {
  if constexpr (std::is_convertible_v<T, double>)
    return std::to_string(y);
  else
    return std::to_string(y.real());
}
template <class T>
Thunk typed(const char* type, T y, int64_t place) {
  const auto call = [y](bool selects, auto c, auto op, auto a, auto d) {
    return selects ? select(c, op, a, y, d) : apply(c, op, a, y, d);
  };
  return {std::string(type) + ' ' + text_of(y), place, call, call};
}
template <class T>
Thunk in_scalar(T y, int64_t place) {
  const auto call = [y](bool selects, auto c, auto op, auto a, auto d) {
    Scalar s(type_of(y));
    set(s.handle, y);
    return selects ? select(c, op, a, s.handle, d) : apply(c, op, a, s.handle, d);
  };
  return {"GrB_Scalar " + text_of(y), place, call, call};
}

const std::vector<Thunk>& thunks() {
  static const std::vector<Thunk> all = [] {
    std::vector<Thunk> list;
    for (const int64_t y :
         {least, least + 1, least + 9, least / 2, -int64_t(longest), int64_t(INT32_MIN) - 1, int64_t(-4),
          int64_t(-1), int64_t(0), int64_t(1), int64_t(3), int64_t(INT32_MAX), int64_t(INT32_MAX) + 1,
          int64_t(1) << 32, int64_t(longest) - 1, most / 2, most - 3, most}) {
      list.push_back(typed("INT64", y, y));
    }
    // As C converts: modulo 2^64. (The C API leaves it open, SuiteSparse has it so.)
    list.push_back(typed("UINT64", uint64_t(most) + 1, least));
    list.push_back(typed("UINT64", ~uint64_t(0), -1));
    list.push_back(typed("UINT64", uint64_t(most) - 3, most - 3));
    constexpr double infinite = std::numeric_limits<double>::infinity(),
                     nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [y, place] :
         std::initializer_list<std::pair<double, int64_t>>{{1e30, most},
                                                           {-1e30, least},
                                                           {infinite, most},
                                                           {-infinite, least},
                                                           {nan, 0},
                                                           {0.9, 0},
                                                           {-0.9, 0},
                                                           {-1.9, -1},
                                                           {0x1p63, most},
                                                           {-0x1p63, least},
                                                           {0x1.fffffffffffffp62, 0x7ffffffffffffc00}}) {
      list.push_back(typed("FP64", y, place));
      list.push_back(in_scalar(y, place));
    }
    list.push_back(typed("FP32", 1e30f, most));
    list.push_back(typed("FP32", -1e30f, least));
#define CUGRB_TYPE(PREFIX, SUFFIX, ctype, Code) \
  list.push_back(typed(#SUFFIX, ctype(1), 1));  \
  list.push_back(in_scalar(ctype(1), 1));
#include "semirings/types.def"
#undef CUGRB_TYPE
    list.push_back(in_scalar(uint64_t(most) + 1, least));
    list.push_back(in_scalar(least + 1, least + 1));
    return list;
  }();
  return all;
}

struct Entry {
  GrB_Index row, column;
  int64_t value;
  auto operator<=>(const Entry&) const = default;
};
using Entries = std::vector<Entry>;

int64_t low_bits(Wide exact, GrB_Type type) {
  const auto low = static_cast<uint64_t>(exact);
  if (type == GrB_BOOL) return exact != 0;
  return type == GrB_INT32 ? static_cast<int32_t>(static_cast<uint32_t>(low)) : static_cast<int64_t>(low);
}

Entries expected(const Operator& op, int64_t thunk, bool selects, const Entries& entries) {
  Entries result;
  for (const Entry& e : entries) {
    const Wide exact = op.exact(e.row, e.column, thunk);
    if (selects && exact == 0) continue;
    result.push_back({e.row, e.column, selects ? e.value : low_bits(exact, op.result)});
  }
  std::sort(result.begin(), result.end());
  return result;
}

Entries entries_of(GrB_Matrix matrix) {
  GrB_Index n = 0;
  GrB_Matrix_nvals(&n, matrix);
  std::vector<GrB_Index> rows(n), columns(n);
  std::vector<int64_t> values(n);
  GrB_Matrix_extractTuples_INT64(rows.data(), columns.data(), values.data(), &n, matrix);
  Entries entries;
  for (GrB_Index k = 0; k < n; ++k) entries.push_back({rows[k], columns[k], values[k]});
  std::sort(entries.begin(), entries.end());
  return entries;
}
Entries entries_of(GrB_Vector vector) {
  GrB_Index n = 0;
  GrB_Vector_nvals(&n, vector);
  std::vector<GrB_Index> places(n);
  std::vector<int64_t> values(n);
  GrB_Vector_extractTuples_INT64(places.data(), values.data(), &n, vector);
  Entries entries;
  for (GrB_Index k = 0; k < n; ++k) entries.push_back({places[k], 0, values[k]});
  std::sort(entries.begin(), entries.end());
  return entries;
}

int compared = 0, differing = 0;
void compare(const std::string& name, GrB_Info info, const Entries& got, const Entries& wanted) {
  ++compared;
  if (info == GrB_SUCCESS && got == wanted) return;
  if (++differing > 20) return;
  std::printf("%s: code %d, %zu entries where %zu are right", name.c_str(), int(info), got.size(),
              wanted.size());
  const auto [g, w] = std::mismatch(got.begin(), got.end(), wanted.begin(), wanted.end());
  if (g != got.end()) std::printf("; got (%" PRIu64 ",%" PRIu64 ") %" PRId64, g->row, g->column, g->value);
  if (w != wanted.end())
    std::printf("; right (%" PRIu64 ",%" PRIu64 ") %" PRId64, w->row, w->column, w->value);
  std::printf("\n");
}

/// f(selects, operator, thunk) for all of them, but for TRIL and TRIU selecting by INT64_MIN: those are
/// SuiteSparse's.
template <class F>
void each_call(F f) {
  for (const Operator& op : operators()) {
    for (const bool selects : {true, false}) {
      const bool negates = selects && (op.handle == GrB_TRIL || op.handle == GrB_TRIU);
      for (const Thunk& thunk : thunks()) {
        if (!negates || thunk.place != least) f(selects, op, thunk);
      }
    }
  }
}
std::string name_of(bool selects, const Operator& op, const Thunk& thunk, const std::string& operand) {
  return std::string(selects ? "select " : "apply ") + op.name + " of " + operand + " with " + thunk.name;
}

/// What of a matrix is stored decides which kernels see it, SuiteSparse's and ours.
struct Shape {
  std::vector<GrB_Index> rows, columns;  ///< of the entries
  GrB_Index row_count, column_count;
  int form;
  bool every;  ///< an entry at each of these, else at some
};

/// Fills `a`; its entries, transposed if asked.
Entries fill(GrB_Matrix a, const Shape& shape, bool iso, bool transposed) {
  Entries entries;
  for (const GrB_Index i : shape.rows) {
    for (const GrB_Index j : shape.columns) {
      if (!shape.every && (i + 2 * j) % 3 == 1) continue;
      const int64_t value = iso ? 5 : int64_t(entries.size()) - 7;
      GrB_Matrix_setElement_INT64(a, value, i, j);
      entries.push_back(transposed ? Entry{j, i, value} : Entry{i, j, value});
    }
  }
  GrB_Matrix_wait(a, GrB_MATERIALIZE);
  // An assign through the matrix's own structure makes the values iso.
  if (iso) {
    GrB_Matrix_assign_INT64(a, a, nullptr, 5, GrB_ALL, shape.row_count, GrB_ALL, shape.column_count,
                            GrB_DESC_S);
  }
  return entries;
}

void on_matrix(const std::string& name, const Shape& shape, int format, bool iso, bool transposed) {
  GrB_Matrix a = nullptr;
  GrB_Matrix_new(&a, GrB_INT64, shape.row_count, shape.column_count);
  GxB_Matrix_Option_set(a, GxB_FORMAT, format);
  GxB_Matrix_Option_set(a, GxB_SPARSITY_CONTROL, shape.form);
  const Entries entries = fill(a, shape, iso, transposed);
  const std::string operand = name + (format == GxB_BY_ROW ? ", by row" : ", by column") +
                              (iso ? ", iso" : "") + (transposed ? ", transposed" : "");
  each_call([&](bool selects, const Operator& op, const Thunk& thunk) {
    GrB_Matrix c = nullptr;
    GrB_Matrix_new(&c, selects ? GrB_INT64 : op.result, transposed ? shape.column_count : shape.row_count,
                   transposed ? shape.row_count : shape.column_count);
    const GrB_Info info = thunk.on_matrix(selects, c, op.handle, a, transposed ? GrB_DESC_T0 : nullptr);
    compare(name_of(selects, op, thunk, operand), info, entries_of(c),
            expected(op, thunk.place, selects, entries));
    GrB_Matrix_free(&c);
  });
  GrB_Matrix_free(&a);
}

void on_vector(const std::string& name, GrB_Index n, int form) {
  Vector u(GrB_INT64, n);
  GxB_Vector_Option_set(u.handle, GxB_SPARSITY_CONTROL, form);
  Entries entries;
  for (GrB_Index i = 0; i < n; ++i) {
    if (form != GxB_FULL && i % 3 == 1) continue;
    GrB_Vector_setElement_INT64(u.handle, int64_t(i) - 4, i);
    entries.push_back({i, 0, int64_t(i) - 4});
  }
  GrB_Vector_wait(u.handle, GrB_MATERIALIZE);
  each_call([&](bool selects, const Operator& op, const Thunk& thunk) {
    const Vector w(selects ? GrB_INT64 : op.result, n);
    const GrB_Info info = thunk.on_vector(selects, w.handle, op.handle, u.handle, nullptr);
    compare(name_of(selects, op, thunk, name), info, entries_of(w.handle),
            expected(op, thunk.place, selects, entries));
  });
}

}  // namespace

void places() {
  const std::vector<GrB_Index> six = {0, 1, 2, 3, 4, 5}, five = {0, 1, 2, 3, 4};
  const std::vector<GrB_Index> far = {0, 1, (1u << 31) - 1, 1u << 31, (GrB_Index(1) << 32) + 3, longest - 1};
  for (const int format : {GxB_BY_ROW, GxB_BY_COL}) {
    for (const bool transposed : {false, true}) {
      for (const bool iso : {false, true}) {
        on_matrix("a sparse matrix", {six, five, 6, 5, GxB_SPARSE, false}, format, iso, transposed);
        on_matrix("a full matrix", {six, five, 6, 5, GxB_FULL, true}, format, iso, transposed);
      }
      on_matrix("a hypersparse matrix", {six, five, 6, 5, GxB_HYPERSPARSE, false}, format, false, transposed);
      on_matrix("a bitmap matrix", {six, five, 6, 5, GxB_BITMAP, false}, format, false, transposed);
    }
  }
  // An output of 2^31 rows or more, by row, would stay on the CPU.
  on_matrix("a wide matrix", {six, far, 6, longest, GxB_SPARSE, false}, GxB_BY_ROW, false, false);
  on_matrix("a tall matrix", {far, six, longest, 6, GxB_SPARSE, false}, GxB_BY_COL, false, true);
  on_vector("a sparse vector", 9, GxB_SPARSE);
  on_vector("a bitmap vector", 9, GxB_BITMAP);
  on_vector("a full vector", 9, GxB_FULL);
  std::printf("places: %d calls, %d differ\n", compared, differing);
}

}  // namespace cases
