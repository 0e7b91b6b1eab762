// What the C API answers where a function of this library has thrown.
#pragma once
#include <new>

#include "src/graphblas/types.h"

namespace cugrb::real {

/// What `work` returns: GrB_OUT_OF_MEMORY where host memory is missing, GrB_PANIC after any other exception.
template <class Work>
GrB_Info info_of(const Work& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return GrB_OUT_OF_MEMORY;
  } catch (...) {
    return GrB_PANIC;
  }
}

}  // namespace cugrb::real
