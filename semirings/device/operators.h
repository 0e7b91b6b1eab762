// Binary operators as functors, made from semirings/binary_operators.def and positional_operators.def.
#pragma once
#include "semirings/device/complex.h"

namespace cugrb {

#define CUGRB_RESULT_SAME(T) T
#define CUGRB_RESULT_BOOL(T) bool
#define CUGRB_RESULT_INT8(T) int8_t
#define CUGRB_RESULT_REAL(T) real_of<T>
#define CUGRB_RESULT_COMPLEX(T) complex_of<T>

/// z = f(x, y). reads_x / reads_y false: that operand's value is never used and need not be loaded.
#define CUGRB_BINARY(NAME, stem, TYPES, RESULT, Y, READS_X, READS_Y)                       \
  template <class T>                                                                       \
  struct stem {                                                                            \
    using x_type = T;                                                                      \
    using y_type = CUGRB_RESULT_##Y(T);                                                    \
    using z_type = CUGRB_RESULT_##RESULT(T);                                               \
    static constexpr bool reads_x = READS_X, reads_y = READS_Y;                            \
    static constexpr bool positional = false;                                              \
    static CUGRB_DEVICE z_type apply(x_type x, y_type y) { return functions::stem(x, y); } \
  };
#include "semirings/binary_operators.def"
#undef CUGRB_BINARY

/// z depends on the places only. In mxm's T(i,j) = sum of f(A(i,k), B(k,j)): FIRSTI is i, FIRSTJ = SECONDI is
/// k, SECONDJ is j. For mxv, B is a vector: j = 0. For vxm, A is: i = 0.
#define CUGRB_POSITIONAL(NAME, stem, KIND, INDEX, OFFSET)                  \
  template <class T>                                                       \
  struct stem {                                                            \
    using x_type = T;                                                      \
    using y_type = T;                                                      \
    using z_type = T;                                                      \
    static constexpr bool reads_x = false, reads_y = false;                \
    static constexpr bool positional = true;                               \
    static CUGRB_DEVICE z_type apply(uint64_t i, uint64_t k, uint64_t j) { \
      (void)i, (void)k, (void)j;                                           \
      return T(INDEX + OFFSET);                                            \
    }                                                                      \
  };
#include "semirings/positional_operators.def"
#undef CUGRB_POSITIONAL

/// f(x, y), or f of the places when Op is positional. An operator made of a user's GxB_IndexBinaryOp takes
/// both. Casting to Op's x_type and y_type is the caller's.
///
/// Element-wise operations on vectors pass i = the position, k = i, j = 0. Then FIRSTI and SECONDI are the
/// position and SECONDJ is 0; FIRSTJ, which must be 0 there too, is replaced by SECONDJ on the host
/// (catalogue::elementwise).
template <class Op>
CUGRB_DEVICE typename Op::z_type multiply(typename Op::x_type x, typename Op::y_type y, uint64_t i,
                                          uint64_t k, uint64_t j) {
  if constexpr (Op::positional && (Op::reads_x || Op::reads_y)) {
    return Op::apply(x, y, i, k, j);
  } else if constexpr (Op::positional) {
    (void)x, (void)y;
    return Op::apply(i, k, j);
  } else {
    (void)i, (void)k, (void)j;
    return Op::apply(x, y);
  }
}

}  // namespace cugrb
