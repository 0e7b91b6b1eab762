// Numbers of options in the library that is loaded, which may be another version than the header's: 7.4
// numbers them in another way than 8.0 and later.
#pragma once
#include "cugrb/detail/c_api.hpp"

namespace cugrb::detail {

/// Whether SuiteSparse:GraphBLAS 8.0 or later is loaded: 7.4 refuses the number that its version has there.
/// After GrB_init.
inline bool is_later_than_seven() {
  static const bool later = [] {
    int version[3] = {};
    return GxB_Global_Option_get(static_cast<GxB_Option_Field>(7005), version) == GrB_SUCCESS;
  }();
  return later;
}

/// GxB_SPARSITY_CONTROL and GxB_LIBRARY_VERSION.
inline GxB_Option_Field sparsity_control_field() {
  return static_cast<GxB_Option_Field>(is_later_than_seven() ? 7036 : 32);
}
inline GxB_Option_Field library_version_field() {
  return static_cast<GxB_Option_Field>(is_later_than_seven() ? 7005 : 9);
}

}  // namespace cugrb::detail
