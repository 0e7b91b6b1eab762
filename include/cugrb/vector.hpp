// Vector<T>: a GrB_Vector that owns its handle.
#pragma once
#include <optional>
#include <utility>

#include "cugrb/array.hpp"
#include "cugrb/detail/options.hpp"
#include "cugrb/expression.hpp"

namespace cugrb {

/// How a vector or matrix may be stored; a hint that changes no result. `automatic` lets GraphBLAS choose.
enum class Storage {
  automatic = GxB_AUTO_SPARSITY,
  sparse = GxB_SPARSE,
  bitmap = GxB_BITMAP,
  full = GxB_FULL,
  bitmap_or_full = GxB_BITMAP + GxB_FULL,
  hypersparse = GxB_HYPERSPARSE
};

/// The entries of a vector: values[k] stands at indices[k].
template <class T>
struct VectorEntries {
  Array<Index> indices;
  Array<T> values;
};

/// A vector of n positions, each with an entry of type T or none.
/// Copying copies the entries (GrB_Vector_dup); moving moves the handle. Methods throw Error with GraphBLAS's
/// code. Source: GraphBLAS C API 2.0, section 4.2.4.
template <class T>
class Vector {
  static_assert(type_traits<T>::is_known,
                "T is neither a built-in GraphBLAS type nor declared with CUGRB_TYPE");

 public:
  using value_type = T;
  using handle_type = GrB_Vector;

  /// n positions, no entries. O(1). Errors: GrB_OUT_OF_MEMORY, GrB_INVALID_VALUE (n too large).
  explicit Vector(Index n) {
    detail::check(GrB_Vector_new(&handle_, type_traits<T>::handle(), n), "GrB_Vector_new");
  }
  /// n positions, every one with the value x.
  Vector(Index n, const T& x) : Vector(n) { *this = x; }
  /// The result of an operation, in a vector of the right size.
  template <class E, std::enable_if_t<detail::is_expression<E, GrB_Vector>::value, int> = 0>
  Vector(const E& e) : Vector(e.shape().rows) {
    *this = e;
  }
  /// Takes over a handle made through the C API; its type must be T's.
  static Vector adopt(GrB_Vector handle) { return Vector(handle); }

  Vector(const Vector& other) { detail::check(GrB_Vector_dup(&handle_, other.handle_), "GrB_Vector_dup"); }
  Vector(Vector&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Vector& operator=(const Vector& other) {
    if (this != &other) swap(*this, Vector(other));
    return *this;
  }
  Vector& operator=(Vector&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Vector() {
    if (handle_ != nullptr) GrB_Vector_free(&handle_);
  }

  /// @name Assignment of results: see expression.hpp and mask.hpp.
  /// @{
  template <class... Option>
  auto operator()(const Option&... option) {
    return detail::target<Vector>(handle_, option...);
  }
  template <class E, std::enable_if_t<detail::is_expression<E, GrB_Vector>::value, int> = 0>
  Vector& operator=(const E& e) {
    (*this)() = e;
    return *this;
  }
  /// Every position gets the value x.
  Vector& operator=(const T& x) {
    (*this)() = x;
    return *this;
  }
  template <class Right>
  Vector& operator+=(const Right& right) {
    (*this)() += right;
    return *this;
  }
  template <class Right>
  Vector& operator-=(const Right& right) {
    (*this)() -= right;
    return *this;
  }
  template <class Right>
  Vector& operator*=(const Right& right) {
    (*this)() *= right;
    return *this;
  }
  /// @}

  /// The number of positions.
  Index size() const {
    Index n = 0;
    detail::check(GrB_Vector_size(&n, handle_), "GrB_Vector_size");
    return n;
  }
  /// The number of entries. Finishes pending work.
  Index nvals() const {
    Index n = 0;
    detail::check(GrB_Vector_nvals(&n, handle_), "GrB_Vector_nvals", handle_);
    return n;
  }
  /// Removes every entry.
  void clear() { detail::check(GrB_Vector_clear(handle_), "GrB_Vector_clear", handle_); }
  /// Changes the number of positions; entries beyond the new end are dropped.
  void resize(Index n) { detail::check(GrB_Vector_resize(handle_, n), "GrB_Vector_resize", handle_); }

  /// w(i) = x. Errors: GrB_INVALID_INDEX.
  void set(Index i, const T& x) {
    detail::check(detail::set_element(handle_, x, i), "GrB_Vector_setElement", handle_);
  }
  /// The value at i; nothing where there is no entry. Errors: GrB_INVALID_INDEX.
  std::optional<T> get(Index i) const {
    T x;
    const GrB_Info info = detail::extract_element(&x, handle_, i);
    if (info == GrB_NO_VALUE) return std::nullopt;
    detail::check(info, "GrB_Vector_extractElement", handle_);
    return x;
  }
  /// Deletes the entry at i, if there is one. Errors: GrB_INVALID_INDEX.
  void remove(Index i) {
    detail::check(GrB_Vector_removeElement(handle_, i), "GrB_Vector_removeElement", handle_);
  }

  /// w(indices[k]) = values[k]; equal indices are combined by dup. The vector must be empty.
  /// Errors: GrB_OUTPUT_NOT_EMPTY, GrB_INDEX_OUT_OF_BOUNDS.
  template <class Op>
  void build(const Index* indices, const T* values, Index count, const Op& dup) {
    static_assert(detail::is_binary_op<Op>, "build takes a binary operator for duplicates");
    if (count == 0) return build_nothing(dup.handle());
    detail::check(detail::build(handle_, indices, values, count, dup.handle()), "GrB_Vector_build", handle_);
  }
  /// All entries, sorted by index. O(nvals).
  VectorEntries<T> entries() const {
    Index n = nvals();
    VectorEntries<T> result{Array<Index>(n), Array<T>(n)};
    detail::check(detail::extract_tuples(result.indices.data(), result.values.data(), &n, handle_),
                  "GrB_Vector_extractTuples", handle_);
    return result;
  }

  /// Finishes pending work (GrB_wait with GrB_MATERIALIZE): several threads may then read the vector.
  void wait() { detail::check(GrB_Vector_wait(handle_, GrB_MATERIALIZE), "GrB_Vector_wait", handle_); }
  /// A hint how the vector should be stored; it changes no result.
  void prefer(Storage storage) {
    detail::check(GxB_Vector_Option_set(handle_, detail::sparsity_control_field(), static_cast<int>(storage)),
                  "GxB_Vector_Option_set");
  }

  /// The C handle, still owned by this object.
  GrB_Vector handle() const { return handle_; }
  /// The C handle, now yours to free; this object may then only be assigned to or destroyed.
  GrB_Vector release() { return std::exchange(handle_, nullptr); }

  friend void swap(Vector& a, Vector& b) noexcept { std::swap(a.handle_, b.handle_); }
  friend void swap(Vector& a, Vector&& b) noexcept { std::swap(a.handle_, b.handle_); }

 private:
  /// An empty std::vector has no address, which the C API refuses.
  void build_nothing(GrB_BinaryOp dup) {
    const Index none = 0;
    const T nothing{};
    detail::check(detail::build(handle_, &none, &nothing, 0, dup), "GrB_Vector_build", handle_);
  }
  explicit Vector(GrB_Vector handle) : handle_(handle) {}
  GrB_Vector handle_ = nullptr;
};

}  // namespace cugrb
