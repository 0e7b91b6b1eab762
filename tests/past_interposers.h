// The real library's functions in a program that libcugrb.so stands in front of. There dlsym itself is
// libcugrb's, and answers with cuGrB's functions: what asks for an oracle has to ask the C library's own.
#pragma once
#include <dlfcn.h>

namespace cugrb::test {

/// What the C library's own dlsym answers; null when the library has no such symbol, or there is no such
/// dlsym.
inline void* symbol_past_interposers(void* library, const char* name) {
  using Dlsym = void* (*)(void*, const char*);
  static const Dlsym of_libc = [] {
    void* const libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    void* found = libc == nullptr ? nullptr : dlvsym(libc, "dlsym", "GLIBC_2.34");
    if (libc != nullptr && found == nullptr) found = dlvsym(libc, "dlsym", "GLIBC_2.2.5");
    return reinterpret_cast<Dlsym>(found);
  }();
  return of_libc == nullptr ? nullptr : of_libc(library, name);
}

}  // namespace cugrb::test
