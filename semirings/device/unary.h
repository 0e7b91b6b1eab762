// Unary operators as functors, made from semirings/unary_operators.def.
#pragma once
#include "semirings/device/operators.h"

namespace cugrb {

/// z = f(x).
#define CUGRB_UNARY(NAME, stem, TYPES, RESULT, READS_X)                       \
  template <class T>                                                          \
  struct stem {                                                               \
    using x_type = T;                                                         \
    using z_type = CUGRB_RESULT_##RESULT(T);                                  \
    static constexpr bool reads_x = READS_X;                                  \
    static CUGRB_DEVICE z_type apply(x_type x) { return functions::stem(x); } \
  };
#include "semirings/unary_operators.def"
#undef CUGRB_UNARY

}  // namespace cugrb
