// Scalar<T>: a GrB_Scalar that owns its handle: one value or none, for calls of the C API that take one.
#pragma once
#include <optional>
#include <utility>

#include "cugrb/detail/calls.hpp"

namespace cugrb {

/// A value of type T or none. Source: GraphBLAS C API 2.0, section 4.2.3 (GrB_Scalar).
template <class T>
class Scalar {
  static_assert(type_traits<T>::is_known,
                "T is neither a built-in GraphBLAS type nor declared with CUGRB_TYPE");

 public:
  using value_type = T;
  using handle_type = GrB_Scalar;

  /// No value. Errors: GrB_OUT_OF_MEMORY.
  Scalar() { detail::check(GrB_Scalar_new(&handle_, type_traits<T>::handle()), "GrB_Scalar_new"); }
  explicit Scalar(const T& x) : Scalar() { set(x); }
  Scalar(const Scalar& other) { detail::check(GrB_Scalar_dup(&handle_, other.handle_), "GrB_Scalar_dup"); }
  Scalar(Scalar&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Scalar& operator=(Scalar other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Scalar() {
    if (handle_ != nullptr) GrB_Scalar_free(&handle_);
  }

  void set(const T& x) { detail::check(detail::set_element(handle_, x), "GrB_Scalar_setElement", handle_); }
  void clear() { detail::check(GrB_Scalar_clear(handle_), "GrB_Scalar_clear", handle_); }
  /// The value; nothing when there is none.
  std::optional<T> get() const {
    T x;
    const GrB_Info info = detail::extract_element(&x, handle_);
    if (info == GrB_NO_VALUE) return std::nullopt;
    detail::check(info, "GrB_Scalar_extractElement", handle_);
    return x;
  }
  GrB_Scalar handle() const { return handle_; }

 private:
  GrB_Scalar handle_ = nullptr;
};

}  // namespace cugrb
