// The sanitizers' own interfaces, as calls that vanish when the sanitizer is off. The emulator itself is
// never compiled with -fsanitize=thread (its bookkeeping would be taken for the kernel's), so the build says
// which one is on.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(CUGRB_EMULATED_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(CUGRB_EMULATED_TSAN)
#include <sanitizer/tsan_interface.h>
extern "C" {
void __tsan_java_init(uintptr_t heap_begin, uintptr_t heap_size);
void __tsan_java_alloc(uintptr_t begin, uintptr_t size);
}
#endif

namespace cugrb::simt {

#if defined(CUGRB_EMULATED_ASAN)
constexpr bool with_asan = true;
inline void forbid(const void* begin, size_t bytes) { __asan_poison_memory_region(begin, bytes); }
inline void allow(const void* begin, size_t bytes) { __asan_unpoison_memory_region(begin, bytes); }
#else
constexpr bool with_asan = false;
inline void forbid(const void*, size_t) {}
inline void allow(const void*, size_t) {}
#endif

#if defined(CUGRB_EMULATED_TSAN)
constexpr bool with_tsan = true;
inline void order_release(void* object) { __tsan_release(object); }
inline void order_acquire(void* object) { __tsan_acquire(object); }
#else
constexpr bool with_tsan = false;
inline void order_release(void*) {}
inline void order_acquire(void*) {}
#endif

/// memset and memcpy that TSan does not see (it intercepts the C library's even in code that is not
/// instrumented).
inline void quiet_fill(void* to, unsigned char byte, size_t bytes) {
  if constexpr (with_tsan) {
    auto* t = static_cast<volatile unsigned char*>(to);
    for (size_t i = 0; i < bytes; ++i) t[i] = byte;
  } else {
    std::memset(to, byte, bytes);
  }
}
inline void quiet_copy(void* to, const void* from, size_t bytes) {
  if constexpr (with_tsan) {
    auto* t = static_cast<volatile unsigned char*>(to);
    const auto* f = static_cast<const volatile unsigned char*>(from);
    for (size_t i = 0; i < bytes; ++i) t[i] = f[i];
  } else {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace cugrb::simt
