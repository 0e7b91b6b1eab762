// Value types in device source: traits, limits and the C API's typecasts (SuiteSparse's: float to integer
// saturates).
#pragma once
#include "cuda/kernels/base.h"

#if defined(CUGRB_EMULATED)
// The C library's own: libstdc++'s math.h brings all of <cmath>, a third of a kernel's compilation.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#endif

namespace cugrb {

// ---- traits, without <type_traits> (NVRTC has none, and it costs 0.6 s to compile)
// -------------------------------

template <class A, class B>
constexpr bool is_same = false;
template <class A>
constexpr bool is_same<A, A> = true;

template <class T>
constexpr bool is_bool = is_same<T, bool>;
template <class T>
constexpr bool is_float = is_same<T, float> || is_same<T, double>;
template <class T>
constexpr bool is_signed =
    is_same<T, int8_t> || is_same<T, int16_t> || is_same<T, int32_t> || is_same<T, int64_t>;
template <class T>
constexpr bool is_unsigned =
    is_same<T, uint8_t> || is_same<T, uint16_t> || is_same<T, uint32_t> || is_same<T, uint64_t>;
template <class T>
constexpr bool is_integer = is_signed<T> || is_unsigned<T>;
template <class T>
constexpr bool is_built_in = is_bool<T> || is_integer<T> || is_float<T>;

template <bool condition, class A, class B>
struct choose_type {
  using type = A;
};
template <class A, class B>
struct choose_type<false, A, B> {
  using type = B;
};
template <bool condition, class A, class B>
using choose = typename choose_type<condition, A, B>::type;

/// A specialisation's argument beside a default of void: it counts where the condition holds.
template <bool condition>
struct only_if_type {};
template <>
struct only_if_type<true> {
  using type = void;
};
template <bool condition>
using only_if = typename only_if_type<condition>::type;

/// Integer arithmetic is done in this unsigned type, so that overflow wraps as on every CPU SuiteSparse runs
/// on, and is defined. Floats stay as they are.
template <class T>
using wrapping = choose<is_float<T>, T, choose<sizeof(T) == 8, uint64_t, uint32_t>>;

// ---- limits
// ------------------------------------------------------------------------------------------------------

/// The float whose bits are these (an infinity or a NaN has no literal that all three compilers take).
template <class T>
CUGRB_DEVICE T float_of_bits(uint64_t double_bits) {
  double value;
  __builtin_memcpy(&value, &double_bits, sizeof(value));
  return T(value);
}
template <class T>
CUGRB_DEVICE T infinity() {
  static_assert(is_float<T>, "infinity: floats only");
  return float_of_bits<T>(0x7ff0000000000000u);
}
template <class T>
CUGRB_DEVICE T not_a_number() {
  static_assert(is_float<T>, "not_a_number: floats only");
  return float_of_bits<T>(0x7ff8000000000000u);
}
/// The largest integer; +infinity for floats.
template <class T>
CUGRB_DEVICE T highest() {
  if constexpr (is_float<T>) {
    return infinity<T>();
  } else if constexpr (is_bool<T>) {
    return true;
  } else if constexpr (is_signed<T>) {
    return T((uint64_t(1) << (8 * sizeof(T) - 1)) - 1);
  } else {
    return T(~uint64_t(0));
  }
}
/// The smallest integer (0 for unsigned ones); -infinity for floats.
template <class T>
CUGRB_DEVICE T lowest() {
  if constexpr (is_float<T>) {
    return -infinity<T>();
  } else if constexpr (is_signed<T>) {
    return T(-int64_t(highest<T>()) - 1);
  } else {
    return T(0);
  }
}

// ---- typecasts
// ---------------------------------------------------------------------------------------------------

/// Value of type `From` as a `To`, by the C API's rules as SuiteSparse has them. Anything to bool is x != 0
/// (NaN is true); float to integer truncates, saturates, and takes NaN to 0; integers wrap; a user type casts
/// to itself only.
template <class To, class From>
CUGRB_DEVICE To cast(const From& from) {
  if constexpr (is_same<To, From>) {
    return from;
  } else {
    static_assert(is_built_in<To> && is_built_in<From>, "cast: user-defined types cast only to themselves");
    if constexpr (is_bool<To>) {
      return from != From(0);
    } else if constexpr (is_integer<To> && is_float<From>) {
      const double x = double(from);
      if (x != x) return To(0);
      if (x <= double(lowest<To>())) return lowest<To>();
      if (x >= double(highest<To>())) return highest<To>();
      return To(x);
    } else {
      return To(from);
    }
  }
}

/// The bytes of a T, as a T.
template <class T>
CUGRB_DEVICE T from_bytes(const unsigned char* bytes) {
  T value;
  __builtin_memcpy(&value, bytes, sizeof(T));
  return value;
}

}  // namespace cugrb
