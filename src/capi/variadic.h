// GxB_*_Option_set and friends take one variadic argument, of a type that the field decides and that each
// SuiteSparse version extends: an int, a pointer or a double. On x86-64 and AArch64 (System V and AAPCS64)
// integers and pointers travel in one register file and doubles in another. So both candidates can be read
// and both be handed on: the real function takes the one it wants, whatever the field.
#pragma once
#include <cstdarg>
#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "the forwarding of variadic options is known to be right on x86-64 and AArch64 only"
#endif

namespace cugrb::capi {

struct Variadic {
  void* word;   ///< the argument if it is an int or a pointer
  double real;  ///< the argument if it is a double

  static Variadic read(va_list list) {
    va_list copy;
    va_copy(copy, list);
    Variadic argument{va_arg(list, void*), va_arg(copy, double)};
    va_end(copy);
    return argument;
  }
  int integer() const { return static_cast<int>(reinterpret_cast<intptr_t>(word)); }
};

}  // namespace cugrb::capi
