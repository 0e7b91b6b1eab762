// GraphBLAS's predefined operators as typed constants: op::plus<float>, op::abs<double>,
// op::value_gt<int32_t>.
//
// They stand in a namespace of their own, so that `using namespace cugrb` does not meet std::plus, ::abs or
// ::div. Names are GraphBLAS's in small letters. Source: GraphBLAS C API 2.0, section 3.5; SuiteSparse user
// guide.
#pragma once
#include "cugrb/detail/builtin_table.hpp"

namespace cugrb::op {

/// @name Unary operators: z = f(x).
/// @{
#define CUGRB_UNARY(SELECT, name, PRE) CUGRB_BUILTIN(GrB_UnaryOp, SELECT, name, PRE, , T, T)
CUGRB_UNARY(ALL, identity, GrB_IDENTITY)  // x
CUGRB_UNARY(ALL, ainv, GrB_AINV)          // -x
CUGRB_UNARY(ALL, minv, GrB_MINV)          // 1/x
CUGRB_UNARY(ALL, abs, GrB_ABS)            // |x|
CUGRB_UNARY(ALL, one, GxB_ONE)            // 1
CUGRB_UNARY(ALL, lnot, GxB_LNOT)          // !(x != 0)
CUGRB_UNARY(INTEGER, bnot, GrB_BNOT)      // ~x
CUGRB_UNARY(FLOAT, sqrt, GxB_SQRT)
CUGRB_UNARY(FLOAT, log, GxB_LOG)
CUGRB_UNARY(FLOAT, log2, GxB_LOG2)
CUGRB_UNARY(FLOAT, log10, GxB_LOG10)
CUGRB_UNARY(FLOAT, log1p, GxB_LOG1P)
CUGRB_UNARY(FLOAT, exp, GxB_EXP)
CUGRB_UNARY(FLOAT, exp2, GxB_EXP2)
CUGRB_UNARY(FLOAT, expm1, GxB_EXPM1)
CUGRB_UNARY(FLOAT, sin, GxB_SIN)
CUGRB_UNARY(FLOAT, cos, GxB_COS)
CUGRB_UNARY(FLOAT, tan, GxB_TAN)
CUGRB_UNARY(FLOAT, asin, GxB_ASIN)
CUGRB_UNARY(FLOAT, acos, GxB_ACOS)
CUGRB_UNARY(FLOAT, atan, GxB_ATAN)
CUGRB_UNARY(FLOAT, sinh, GxB_SINH)
CUGRB_UNARY(FLOAT, cosh, GxB_COSH)
CUGRB_UNARY(FLOAT, tanh, GxB_TANH)
CUGRB_UNARY(FLOAT, ceil, GxB_CEIL)
CUGRB_UNARY(FLOAT, floor, GxB_FLOOR)
CUGRB_UNARY(FLOAT, round, GxB_ROUND)
CUGRB_UNARY(FLOAT, trunc, GxB_TRUNC)
CUGRB_UNARY(FLOAT, signum, GxB_SIGNUM)
CUGRB_UNARY(FLOAT, cbrt, GxB_CBRT)
CUGRB_UNARY(FLOAT, erf, GxB_ERF)
CUGRB_UNARY(FLOAT, erfc, GxB_ERFC)
CUGRB_UNARY(FLOAT, lgamma, GxB_LGAMMA)
CUGRB_UNARY(FLOAT, tgamma, GxB_TGAMMA)
CUGRB_BUILTIN(GrB_UnaryOp, FLOAT, isinf, GxB_ISINF, , bool, T)
CUGRB_BUILTIN(GrB_UnaryOp, FLOAT, isnan, GxB_ISNAN, , bool, T)
CUGRB_BUILTIN(GrB_UnaryOp, FLOAT, isfinite, GxB_ISFINITE, , bool, T)
#undef CUGRB_UNARY
/// @}

/// @name Binary operators: z = f(x, y).
/// @{
#define CUGRB_BINARY(SELECT, name, PRE) CUGRB_BUILTIN(GrB_BinaryOp, SELECT, name, PRE, , T, T, T)
CUGRB_BINARY(ALL, first, GrB_FIRST)    // x
CUGRB_BINARY(ALL, second, GrB_SECOND)  // y
CUGRB_BINARY(ALL, oneb, GrB_ONEB)      // 1
CUGRB_BINARY(ALL, any, GxB_ANY)        // x or y, whichever is handy
CUGRB_BINARY(ALL, min, GrB_MIN)
CUGRB_BINARY(ALL, max, GrB_MAX)
CUGRB_BINARY(ALL, plus, GrB_PLUS)
CUGRB_BINARY(ALL, minus, GrB_MINUS)    // x - y
CUGRB_BINARY(ALL, rminus, GxB_RMINUS)  // y - x
CUGRB_BINARY(ALL, times, GrB_TIMES)
CUGRB_BINARY(ALL, div, GrB_DIV)    // x / y
CUGRB_BINARY(ALL, rdiv, GxB_RDIV)  // y / x
CUGRB_BINARY(ALL, pow, GxB_POW)
CUGRB_BINARY(ALL, iseq, GxB_ISEQ)  // x == y, as a T
CUGRB_BINARY(ALL, isne, GxB_ISNE)
CUGRB_BINARY(ALL, isgt, GxB_ISGT)
CUGRB_BINARY(ALL, islt, GxB_ISLT)
CUGRB_BINARY(ALL, isge, GxB_ISGE)
CUGRB_BINARY(ALL, isle, GxB_ISLE)
CUGRB_BINARY(ALL, lor, GxB_LOR)  // (x != 0) || (y != 0), as a T
CUGRB_BINARY(ALL, land, GxB_LAND)
CUGRB_BINARY(ALL, lxor, GxB_LXOR)
CUGRB_BINARY(INTEGER, bor, GrB_BOR)
CUGRB_BINARY(INTEGER, band, GrB_BAND)
CUGRB_BINARY(INTEGER, bxor, GrB_BXOR)
CUGRB_BINARY(INTEGER, bxnor, GrB_BXNOR)
CUGRB_BINARY(FLOAT, atan2, GxB_ATAN2)
CUGRB_BINARY(FLOAT, hypot, GxB_HYPOT)
CUGRB_BINARY(FLOAT, fmod, GxB_FMOD)
CUGRB_BINARY(FLOAT, copysign, GxB_COPYSIGN)
#undef CUGRB_BINARY
/// Comparisons return bool.
#define CUGRB_COMPARISON(name, PRE) CUGRB_BUILTIN(GrB_BinaryOp, ALL, name, PRE, , bool, T, T)
CUGRB_COMPARISON(eq, GrB_EQ)
CUGRB_COMPARISON(ne, GrB_NE)
CUGRB_COMPARISON(gt, GrB_GT)
CUGRB_COMPARISON(lt, GrB_LT)
CUGRB_COMPARISON(ge, GrB_GE)
CUGRB_COMPARISON(le, GrB_LE)
#undef CUGRB_COMPARISON
/// Positional operators return an index of the entries x = A(i,k), y = B(k,j): i, k or j. T is int32_t or
/// int64_t.
#define CUGRB_POSITIONAL(name, PRE) CUGRB_BUILTIN(GrB_BinaryOp, INDEX, name, PRE, , T, T, T)
CUGRB_POSITIONAL(firsti, GxB_FIRSTI)    // i
CUGRB_POSITIONAL(firstj, GxB_FIRSTJ)    // k
CUGRB_POSITIONAL(secondi, GxB_SECONDI)  // k
CUGRB_POSITIONAL(secondj, GxB_SECONDJ)  // j
#undef CUGRB_POSITIONAL
/// @}

/// @name Index-unary operators: z = f(x, i, j, thunk), for apply and select.
/// @{
/// i + thunk, j + thunk, j - i + thunk. T is int32_t or int64_t.
#define CUGRB_INDEX(name, PRE) CUGRB_BUILTIN(GrB_IndexUnaryOp, INDEX, name, PRE, , T, detail::Unread, T)
CUGRB_INDEX(row_index, GrB_ROWINDEX)
CUGRB_INDEX(col_index, GrB_COLINDEX)
CUGRB_INDEX(diag_index, GrB_DIAGINDEX)
#undef CUGRB_INDEX
/// x == thunk and so on.
#define CUGRB_VALUE(name, PRE) CUGRB_BUILTIN(GrB_IndexUnaryOp, ALL, name, PRE, , bool, T, T)
CUGRB_VALUE(value_eq, GrB_VALUEEQ)
CUGRB_VALUE(value_ne, GrB_VALUENE)
CUGRB_VALUE(value_gt, GrB_VALUEGT)
CUGRB_VALUE(value_lt, GrB_VALUELT)
CUGRB_VALUE(value_ge, GrB_VALUEGE)
CUGRB_VALUE(value_le, GrB_VALUELE)
#undef CUGRB_VALUE
/// Where an entry lies; thunk is an int64_t: j <= i + thunk (tril), j >= i + thunk (triu), j == i + thunk
/// (diag), j != i + thunk (offdiag), i <= thunk (row_le), …
using Where = Builtin<GrB_IndexUnaryOp, bool, detail::Unread, int64_t>;
inline constexpr Where tril{&GrB_TRIL};
inline constexpr Where triu{&GrB_TRIU};
inline constexpr Where diag{&GrB_DIAG};
inline constexpr Where offdiag{&GrB_OFFDIAG};
inline constexpr Where row_le{&GrB_ROWLE};
inline constexpr Where row_gt{&GrB_ROWGT};
inline constexpr Where col_le{&GrB_COLLE};
inline constexpr Where col_gt{&GrB_COLGT};
/// @}

}  // namespace cugrb::op
