// Macros that map a C++ type to one of GraphBLAS's predefined objects. CUGRB_SELECT_*(prefix, suffix) is the
// body of a constexpr function. It returns the address of <prefix>_<TYPE><suffix>.
#pragma once
#include "cugrb/operator_base.hpp"

#define CUGRB_CASE(TYPE, OBJECT)         \
  if constexpr (std::is_same_v<T, TYPE>) \
    return &OBJECT;                      \
  else
#define CUGRB_CASES_SIGNED(PRE, POST)    \
  CUGRB_CASE(int8_t, PRE##_INT8##POST)   \
  CUGRB_CASE(int16_t, PRE##_INT16##POST) \
  CUGRB_CASE(int32_t, PRE##_INT32##POST) \
  CUGRB_CASE(int64_t, PRE##_INT64##POST)
#define CUGRB_CASES_UNSIGNED(PRE, POST)    \
  CUGRB_CASE(uint8_t, PRE##_UINT8##POST)   \
  CUGRB_CASE(uint16_t, PRE##_UINT16##POST) \
  CUGRB_CASE(uint32_t, PRE##_UINT32##POST) \
  CUGRB_CASE(uint64_t, PRE##_UINT64##POST)
#define CUGRB_CASES_FLOAT(PRE, POST)  \
  CUGRB_CASE(float, PRE##_FP32##POST) \
  CUGRB_CASE(double, PRE##_FP64##POST)
#define CUGRB_CASES_INDEX(PRE, POST)     \
  CUGRB_CASE(int32_t, PRE##_INT32##POST) \
  CUGRB_CASE(int64_t, PRE##_INT64##POST)
#define CUGRB_NO_CASE \
  static_assert(detail::always_false<T>, "GraphBLAS predefines no such object for this type");

#define CUGRB_SELECT_NUMBER(PRE, POST) \
  CUGRB_CASES_SIGNED(PRE, POST) CUGRB_CASES_UNSIGNED(PRE, POST) CUGRB_CASES_FLOAT(PRE, POST) CUGRB_NO_CASE
#define CUGRB_SELECT_ALL(PRE, POST) CUGRB_CASE(bool, PRE##_BOOL##POST) CUGRB_SELECT_NUMBER(PRE, POST)
#define CUGRB_SELECT_INTEGER(PRE, POST) \
  CUGRB_CASES_SIGNED(PRE, POST) CUGRB_CASES_UNSIGNED(PRE, POST) CUGRB_NO_CASE
#define CUGRB_SELECT_UNSIGNED(PRE, POST) CUGRB_CASES_UNSIGNED(PRE, POST) CUGRB_NO_CASE
#define CUGRB_SELECT_FLOAT(PRE, POST) CUGRB_CASES_FLOAT(PRE, POST) CUGRB_NO_CASE
#define CUGRB_SELECT_INDEX(PRE, POST) CUGRB_CASES_INDEX(PRE, POST) CUGRB_NO_CASE
#define CUGRB_SELECT_BOOL(PRE, POST) CUGRB_CASE(bool, PRE##_BOOL##POST) CUGRB_NO_CASE

/// Defines `name<T>`: a constant of class Builtin<Handle, SIGNATURE...> for the types that SELECT lists.
#define CUGRB_BUILTIN(Handle, SELECT, name, PRE, POST, ...) \
  namespace table {                                         \
  template <class T>                                        \
  constexpr const Handle* name() {                          \
    CUGRB_SELECT_##SELECT(PRE, POST)                        \
  }                                                         \
  }                                                         \
  template <class T>                                        \
  inline constexpr Builtin<Handle, __VA_ARGS__> name{table::name<T>()};
