// Index-unary operators as functors, made from semirings/index_unary_operators.def.
#pragma once
#include "semirings/device/operators.h"

namespace cugrb {

/// z = f(x, i, j, thunk); for vectors j = 0. With reads_x false the value of x is never used: pass x_type()
/// and do not cast (x may then be of a user-defined type, which casts to nothing).
#define CUGRB_INDEX_UNARY(NAME, stem, TYPES, RESULT, SUFFIX, READS_X)                      \
  template <class T>                                                                       \
  struct stem {                                                                            \
    using x_type = T;                                                                      \
    using thunk_type = T;                                                                  \
    using z_type = CUGRB_RESULT_##RESULT(T);                                               \
    static constexpr bool reads_x = READS_X, reads_thunk = true;                           \
    static CUGRB_DEVICE z_type apply(x_type x, uint64_t i, uint64_t j, thunk_type thunk) { \
      return functions::stem(x, i, j, thunk);                                              \
    }                                                                                      \
  };
#include "semirings/index_unary_operators.def"
#undef CUGRB_INDEX_UNARY

}  // namespace cugrb
