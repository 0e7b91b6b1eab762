// Matrix<T>: a GrB_Matrix that owns its handle.
#pragma once
#include <optional>
#include <utility>

#include "cugrb/vector.hpp"

namespace cugrb {

/// The entries of a matrix: values[k] stands at (rows[k], columns[k]).
template <class T>
struct MatrixEntries {
  Array<Index> rows, columns;
  Array<T> values;
};

/// A matrix of nrows × ncols positions, each with an entry of type T or none.
/// Copying copies the entries (GrB_Matrix_dup); moving moves the handle. Methods throw Error with GraphBLAS's
/// code. Source: GraphBLAS C API 2.0, section 4.2.5.
template <class T>
class Matrix {
  static_assert(type_traits<T>::is_known,
                "T is neither a built-in GraphBLAS type nor declared with CUGRB_TYPE");

 public:
  using value_type = T;
  using handle_type = GrB_Matrix;

  /// nrows × ncols positions, no entries. Errors: GrB_OUT_OF_MEMORY, GrB_INVALID_VALUE (too large).
  Matrix(Index nrows, Index ncols) {
    detail::check(GrB_Matrix_new(&handle_, type_traits<T>::handle(), nrows, ncols), "GrB_Matrix_new");
  }
  /// The result of an operation, in a matrix of the right size.
  template <class E, std::enable_if_t<detail::is_expression<E, GrB_Matrix>::value, int> = 0>
  Matrix(const E& e) : Matrix(e.shape().rows, e.shape().columns) {
    *this = e;
  }
  /// Takes over a handle made through the C API; its type must be T's.
  static Matrix adopt(GrB_Matrix handle) { return Matrix(handle); }

  Matrix(const Matrix& other) { detail::check(GrB_Matrix_dup(&handle_, other.handle_), "GrB_Matrix_dup"); }
  Matrix(Matrix&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Matrix& operator=(const Matrix& other) {
    if (this != &other) {
      Matrix copy(other);
      std::swap(handle_, copy.handle_);
    }
    return *this;
  }
  Matrix& operator=(Matrix&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Matrix() {
    if (handle_ != nullptr) GrB_Matrix_free(&handle_);
  }

  /// @name Assignment of results: see expression.hpp and mask.hpp.
  /// @{
  template <class... Option>
  auto operator()(const Option&... option) {
    return detail::target<Matrix>(handle_, option...);
  }
  template <class E, std::enable_if_t<detail::is_expression<E, GrB_Matrix>::value, int> = 0>
  Matrix& operator=(const E& e) {
    (*this)() = e;
    return *this;
  }
  template <class Right>
  Matrix& operator+=(const Right& right) {
    (*this)() += right;
    return *this;
  }
  /// @}

  Index nrows() const {
    Index n = 0;
    detail::check(GrB_Matrix_nrows(&n, handle_), "GrB_Matrix_nrows");
    return n;
  }
  Index ncols() const {
    Index n = 0;
    detail::check(GrB_Matrix_ncols(&n, handle_), "GrB_Matrix_ncols");
    return n;
  }
  /// The number of entries. Finishes pending work.
  Index nvals() const {
    Index n = 0;
    detail::check(GrB_Matrix_nvals(&n, handle_), "GrB_Matrix_nvals", handle_);
    return n;
  }
  /// Removes every entry.
  void clear() { detail::check(GrB_Matrix_clear(handle_), "GrB_Matrix_clear", handle_); }
  /// Changes the shape; entries outside the new one are dropped.
  void resize(Index nrows, Index ncols) {
    detail::check(GrB_Matrix_resize(handle_, nrows, ncols), "GrB_Matrix_resize", handle_);
  }

  /// C(i,j) = x. Errors: GrB_INVALID_INDEX.
  void set(Index i, Index j, const T& x) {
    detail::check(detail::set_element(handle_, x, i, j), "GrB_Matrix_setElement", handle_);
  }
  /// The value at (i,j); nothing where there is no entry. Errors: GrB_INVALID_INDEX.
  std::optional<T> get(Index i, Index j) const {
    T x;
    const GrB_Info info = detail::extract_element(&x, handle_, i, j);
    if (info == GrB_NO_VALUE) return std::nullopt;
    detail::check(info, "GrB_Matrix_extractElement", handle_);
    return x;
  }
  /// Deletes the entry at (i,j), if there is one. Errors: GrB_INVALID_INDEX.
  void remove(Index i, Index j) {
    detail::check(GrB_Matrix_removeElement(handle_, i, j), "GrB_Matrix_removeElement", handle_);
  }

  /// C(rows[k], columns[k]) = values[k]; equal positions are combined by dup. The matrix must be empty.
  /// Errors: GrB_OUTPUT_NOT_EMPTY, GrB_INDEX_OUT_OF_BOUNDS.
  template <class Op>
  void build(const Index* rows, const Index* columns, const T* values, Index count, const Op& dup) {
    static_assert(detail::is_binary_op<Op>, "build takes a binary operator for duplicates");
    if (count == 0) return build_nothing(dup.handle());
    detail::check(detail::build(handle_, rows, columns, values, count, dup.handle()), "GrB_Matrix_build",
                  handle_);
  }
  /// All entries. O(nvals).
  MatrixEntries<T> entries() const {
    Index n = nvals();
    MatrixEntries<T> result{Array<Index>(n), Array<Index>(n), Array<T>(n)};
    detail::check(
        detail::extract_tuples(result.rows.data(), result.columns.data(), result.values.data(), &n, handle_),
        "GrB_Matrix_extractTuples", handle_);
    return result;
  }

  /// A matrix by rows from CSR arrays, without copying: row i's columns are columns[offsets[i]] …
  /// columns[offsets[i+1]-1], sorted and without duplicates, with the values at the same places; when `iso`,
  /// values[0] is every entry's value. The arrays must come from malloc (or from GxB_init's allocator); the
  /// matrix owns them afterwards, and the caller still does when this throws. Not checked: the arrays are
  /// trusted. Errors: GrB_OUT_OF_MEMORY, GrB_INVALID_VALUE.
  static Matrix adopt_csr(Index nrows, Index ncols, Index* offsets, Index* columns, T* values, bool iso) {
    Matrix result(nrows, ncols);
    const Index count = offsets[nrows];
    detail::check(GxB_Matrix_pack_CSR(result.handle_, &offsets, &columns, reinterpret_cast<void**>(&values),
                                      (nrows + 1) * sizeof(Index), (count > 0 ? count : 1) * sizeof(Index),
                                      (iso || count == 0 ? 1 : count) * sizeof(T), iso, false, nullptr),
                  "GxB_Matrix_pack_CSR", result.handle_);
    return result;
  }

  /// Finishes pending work (GrB_wait with GrB_MATERIALIZE): several threads may then read the matrix.
  void wait() { detail::check(GrB_Matrix_wait(handle_, GrB_MATERIALIZE), "GrB_Matrix_wait", handle_); }
  /// A hint how the matrix should be stored; it changes no result.
  void prefer(Storage storage) {
    detail::check(GxB_Matrix_Option_set(handle_, detail::sparsity_control_field(), static_cast<int>(storage)),
                  "GxB_Matrix_Option_set");
  }

  /// The C handle, still owned by this object.
  GrB_Matrix handle() const { return handle_; }
  /// The C handle, now yours to free; this object may then only be assigned to or destroyed.
  GrB_Matrix release() { return std::exchange(handle_, nullptr); }

  friend void swap(Matrix& a, Matrix& b) noexcept { std::swap(a.handle_, b.handle_); }

 private:
  /// An empty std::vector has no address, which the C API refuses.
  void build_nothing(GrB_BinaryOp dup) {
    const Index none = 0;
    const T nothing{};
    detail::check(detail::build(handle_, &none, &none, &nothing, 0, dup), "GrB_Matrix_build", handle_);
  }
  explicit Matrix(GrB_Matrix handle) : handle_(handle) {}
  GrB_Matrix handle_ = nullptr;
};

/// A matrix seen transposed, as an operand; assigned to a matrix it is the operation GrB_transpose.
template <class T>
struct Transposed {
  using value_type = T;
  GrB_Matrix matrix;
};

namespace detail {

/// A matrix operand: the handle, and whether it is used transposed.
template <class A>
struct matrix_operand;
template <class T>
struct matrix_operand<Matrix<T>> {
  static constexpr bool is_transposed = false;
  static GrB_Matrix handle(const Matrix<T>& a) { return a.handle(); }
};
template <class T>
struct matrix_operand<Transposed<T>> {
  static constexpr bool is_transposed = true;
  static GrB_Matrix handle(const Transposed<T>& a) { return a.matrix; }
};
template <class A>
GrB_Matrix handle_of(const A& a) {
  return matrix_operand<A>::handle(a);
}
template <class A>
constexpr unsigned first_if_transposed() {
  return matrix_operand<A>::is_transposed ? transpose_first : 0u;
}
template <class A>
constexpr unsigned second_if_transposed() {
  return matrix_operand<A>::is_transposed ? transpose_second : 0u;
}
template <class A, class = void>
struct is_matrix : std::false_type {};
template <class A>
struct is_matrix<A, std::void_t<decltype(matrix_operand<A>::is_transposed)>> : std::true_type {};

/// The shape of a matrix, transposed on demand.
inline Shape shape_of(GrB_Matrix a, bool transposed) {
  Shape shape{0, 0};
  GrB_Matrix_nrows(&shape.rows, a);
  GrB_Matrix_ncols(&shape.columns, a);
  return transposed ? Shape{shape.columns, shape.rows} : shape;
}
inline Shape shape_of(GrB_Vector u) {
  Shape shape{0, 1};
  GrB_Vector_size(&shape.rows, u);
  return shape;
}

}  // namespace detail
}  // namespace cugrb
