// Numbers of options in the library that is loaded, which may be another version than the header's: 7.4
// numbers them in another way than 8.0 and later.
#pragma once
#include <dlfcn.h>

#include "cugrb/detail/c_api.hpp"

namespace cugrb::detail {

/// Whether SuiteSparse:GraphBLAS 8.0 or later is loaded; contexts came with it.
inline bool is_later_than_seven() {
  static const bool later = dlsym(RTLD_DEFAULT, "GxB_Context_new") != nullptr;
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
