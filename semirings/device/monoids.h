// Monoids as types, made from semirings/monoids.def. A user's own identity or terminal comes as a struct in
// the preamble (catalogue::make_monoid writes it).
#pragma once
#include "semirings/device/operators.h"

namespace cugrb {

// The words of monoids.def.
template <class T>
CUGRB_DEVICE T word_ZERO() {
  return T(0);
}
template <class T>
CUGRB_DEVICE T word_ONE() {
  return T(1);
}
template <class T>
CUGRB_DEVICE T word_LOWEST() {
  return lowest<T>();
}
template <class T>
CUGRB_DEVICE T word_HIGHEST() {
  return highest<T>();
}
template <class T>
CUGRB_DEVICE T word_ALL_ONES() {
  return T(~uint64_t(0));
}
template <class T>
CUGRB_DEVICE T word_NONE() {
  return T(0);
}
constexpr bool terminal_ZERO = true, terminal_ONE = true, terminal_LOWEST = true, terminal_HIGHEST = true,
               terminal_ALL_ONES = true, terminal_NONE = false;

/// A monoid over Op's type. Defined for the table's (operator, type) pairs:
///   identity()      combine(identity(), a) == a; not to be used when !has_identity (ANY)
///   is_terminal(a)  combine(a, b) == a for every b, so a reduction may stop; always false without
///   has_terminal is_any          any of the values is a right answer, so the first one ends a reduction
template <class Op, class Defined = void>
struct monoid;

// One template for a line of the table: a specialisation for each type would be compiled in every kernel.
#define CUGRB_MONOID(NAME, stem, TYPES, IDENTITY, TERMINAL)                                            \
  template <class T>                                                                                   \
  struct monoid<stem<T>, only_if<CUGRB_IS_##TYPES(T)>> {                                               \
    using op = stem<T>;                                                                                \
    using type = T;                                                                                    \
    static constexpr bool has_identity = true, has_terminal = terminal_##TERMINAL, is_any = false;     \
    static CUGRB_DEVICE type identity() { return word_##IDENTITY<T>(); }                               \
    static CUGRB_DEVICE bool is_terminal(type a) { return has_terminal && a == word_##TERMINAL<T>(); } \
    static CUGRB_DEVICE type combine(type a, type b) { return op::apply(a, b); }                       \
  };
#define CUGRB_IS_BOOLEAN(T) is_bool<T>
#define CUGRB_IS_UNSIGNED(T) is_unsigned<T>
#define CUGRB_IS_INTEGER(T) is_integer<T>
#define CUGRB_IS_FLOAT(T) is_float<T>
#define CUGRB_IS_COMPLEX(T) is_complex<T>
#define CUGRB_IS_NUMBER(T) is_integer<T> || is_float<T>
#include "semirings/monoids.def"
#undef CUGRB_MONOID
#undef CUGRB_IS_BOOLEAN
#undef CUGRB_IS_UNSIGNED
#undef CUGRB_IS_INTEGER
#undef CUGRB_IS_FLOAT
#undef CUGRB_IS_COMPLEX
#undef CUGRB_IS_NUMBER

/// ANY: whichever value comes first. It has no identity: reductions carry a "has" flag.
template <class T>
struct monoid<any_value<T>> {
  using op = any_value<T>;
  using type = T;
  static constexpr bool has_identity = false, has_terminal = true, is_any = true;
  static CUGRB_DEVICE type identity() { return type(); }
  static CUGRB_DEVICE bool is_terminal(const type&) { return true; }
  static CUGRB_DEVICE type combine(const type& a, const type&) { return a; }
};

/// True when a and b have the same bytes: how a terminal of a user-defined type is recognised.
template <class T>
CUGRB_DEVICE bool same_bytes(const T& a, const unsigned char* bytes) {
  unsigned char own[sizeof(T)];
  __builtin_memcpy(own, &a, sizeof(T));
  for (unsigned n = 0; n < sizeof(T); ++n) {
    if (own[n] != bytes[n]) return false;
  }
  return true;
}

}  // namespace cugrb
