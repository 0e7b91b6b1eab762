// C++ value types and GraphBLAS types: which C++ type is which GrB_Type.
//
// The eleven built-in types are bool, int8_t … int64_t, uint8_t … uint64_t, float and double. A struct of
// your own becomes a value type with CUGRB_TYPE (user_defined.hpp).
#pragma once
#include <cstdint>
#include <type_traits>

#include "cugrb/detail/c_api.hpp"

namespace cugrb {

/// A row, column or position: 0 … GrB_INDEX_MAX.
using Index = GrB_Index;

/// CUGRB_FOR_EACH_TYPE(X) expands X(C++ type, GraphBLAS suffix) for every built-in type.
#define CUGRB_FOR_EACH_TYPE(X) X(bool, BOOL) CUGRB_FOR_EACH_NUMBER(X)
#define CUGRB_FOR_EACH_NUMBER(X) \
  CUGRB_FOR_EACH_SIGNED(X) CUGRB_FOR_EACH_UNSIGNED(X) X(float, FP32) X(double, FP64)
#define CUGRB_FOR_EACH_SIGNED(X) X(int8_t, INT8) X(int16_t, INT16) X(int32_t, INT32) X(int64_t, INT64)
#define CUGRB_FOR_EACH_UNSIGNED(X) \
  X(uint8_t, UINT8) X(uint16_t, UINT16) X(uint32_t, UINT32) X(uint64_t, UINT64)

/// type_traits<T>::handle() is the GrB_Type of T. Undefined for a type that is neither built-in nor
/// CUGRB_TYPE's.
template <class T>
struct type_traits {
  static constexpr bool is_known = false;
  static constexpr bool is_builtin = false;
};

#define CUGRB_TYPE_TRAITS(T, SUFFIX)                   \
  template <>                                          \
  struct type_traits<T> {                              \
    static constexpr bool is_known = true;             \
    static constexpr bool is_builtin = true;           \
    static GrB_Type handle() { return GrB_##SUFFIX; }  \
    static constexpr const char* name() { return #T; } \
  };
CUGRB_FOR_EACH_TYPE(CUGRB_TYPE_TRAITS)
#undef CUGRB_TYPE_TRAITS

template <class T>
inline constexpr bool is_builtin = type_traits<T>::is_builtin;

/// True when GraphBLAS can convert From into To: both built-in (any of them into any other: a float becomes
/// an integer by truncation with saturation, NaN becomes 0, anything becomes bool by x != 0), or the same
/// user-defined type.
template <class From, class To>
inline constexpr bool is_castable = std::is_same_v<From, To> || (is_builtin<From> && is_builtin<To>);

}  // namespace cugrb
