// Errors: every GraphBLAS failure becomes one exception that carries the GrB_Info, the operation with its
// shapes, and GraphBLAS's own text.
#pragma once
#include <stdexcept>
#include <string>

#include "cugrb/detail/c_api.hpp"

namespace cugrb {

/// The name of a GrB_Info: "GrB_DIMENSION_MISMATCH".
inline const char* info_name(GrB_Info info) {
  switch (info) {
    case GrB_SUCCESS:
      return "GrB_SUCCESS";
    case GrB_NO_VALUE:
      return "GrB_NO_VALUE";
    case GrB_UNINITIALIZED_OBJECT:
      return "GrB_UNINITIALIZED_OBJECT";
    case GrB_NULL_POINTER:
      return "GrB_NULL_POINTER";
    case GrB_INVALID_VALUE:
      return "GrB_INVALID_VALUE";
    case GrB_INVALID_INDEX:
      return "GrB_INVALID_INDEX";
    case GrB_DOMAIN_MISMATCH:
      return "GrB_DOMAIN_MISMATCH";
    case GrB_DIMENSION_MISMATCH:
      return "GrB_DIMENSION_MISMATCH";
    case GrB_OUTPUT_NOT_EMPTY:
      return "GrB_OUTPUT_NOT_EMPTY";
    case GrB_NOT_IMPLEMENTED:
      return "GrB_NOT_IMPLEMENTED";
    case GrB_PANIC:
      return "GrB_PANIC";
    case GrB_OUT_OF_MEMORY:
      return "GrB_OUT_OF_MEMORY";
    case GrB_INSUFFICIENT_SPACE:
      return "GrB_INSUFFICIENT_SPACE";
    case GrB_INVALID_OBJECT:
      return "GrB_INVALID_OBJECT";
    case GrB_INDEX_OUT_OF_BOUNDS:
      return "GrB_INDEX_OUT_OF_BOUNDS";
    case GrB_EMPTY_OBJECT:
      return "GrB_EMPTY_OBJECT";
    default:
      return "unknown GrB_Info";
  }
}

/// What every function of this API throws. what() reads like
/// "GrB_mxv (w: 10, A: 10x20, u: 30): GrB_DIMENSION_MISMATCH: <the library's text>".
class Error : public std::runtime_error {
 public:
  Error(GrB_Info info, const std::string& operation, const std::string& text)
      : std::runtime_error(operation + ": " + info_name(info) + (text.empty() ? "" : ": " + text)),
        info_(info) {}
  /// GraphBLAS's code.
  GrB_Info info() const { return info_; }

 private:
  GrB_Info info_;
};

namespace detail {

/// GrB_error's text for an object; empty when there is none.
inline std::string error_text(GrB_Vector w) {
  const char* text = nullptr;
  return w != nullptr && GrB_Vector_error(&text, w) == GrB_SUCCESS && text != nullptr ? text : "";
}
inline std::string error_text(GrB_Matrix c) {
  const char* text = nullptr;
  return c != nullptr && GrB_Matrix_error(&text, c) == GrB_SUCCESS && text != nullptr ? text : "";
}
inline std::string error_text(GrB_Scalar s) {
  const char* text = nullptr;
  return s != nullptr && GrB_Scalar_error(&text, s) == GrB_SUCCESS && text != nullptr ? text : "";
}

/// Throws Error unless `info` is GrB_SUCCESS.
inline void check(GrB_Info info, const char* operation) {
  if (info != GrB_SUCCESS) throw Error(info, operation, "");
}
/// The same, with the text that GraphBLAS keeps in `object`.
template <class Handle>
void check(GrB_Info info, const char* operation, Handle object) {
  if (info != GrB_SUCCESS) throw Error(info, operation, error_text(object));
}

}  // namespace detail
}  // namespace cugrb
