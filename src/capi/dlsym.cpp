// dlsym: a program that asks for GraphBLAS's functions by the handle of the real library (ctypes, Julia's
// ccall, a plugin beside a program that is linked) gets the interposer's, as linked calls do. A call past it
// would find hollow objects.
//
// The loader's search for RTLD_NEXT and RTLD_DEFAULT depends on who calls. So dlsym itself is a few
// instructions that leave the return address alone when glibc's own is to answer. On other processors
// programs that use dlsym need the drop-in folder (docs/interposer.md). Sanitizers call dlsym before anything
// that they compile may run, so their builds have none.
#include <dlfcn.h>  // defines __GLIBC__

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(CUGRB_SANITIZE)

#include <cstring>
#include <string_view>
#include <unordered_map>

#include "src/capi/gate.h"

namespace {

using Dlsym = void* (*)(void*, const char*);

Dlsym find_dlsym_of_glibc() {
  for (const char* version : {"GLIBC_2.34", "GLIBC_2.2.5"}) {
    if (void* const found = dlvsym(RTLD_NEXT, "dlsym", version)) return reinterpret_cast<Dlsym>(found);
  }
  return nullptr;
}

}  // namespace

extern "C" {
/// glibc's own; set before it is jumped to.
__attribute__((visibility("hidden"))) Dlsym cugrb_glibc_dlsym = nullptr;
/// What dlsym(handle, name) answers in place of glibc's answer, when `caller` asks; null: glibc's.
__attribute__((visibility("hidden"))) void* cugrb_answer_dlsym(void* handle, const char* name,
                                                               const void* caller) noexcept;
}

namespace cugrb::capi {
namespace {

bool may_be_of_graphblas(const char* name) {
  return name != nullptr && (std::strncmp(name, "GrB_", 4) == 0 || std::strncmp(name, "GxB_", 4) == 0 ||
                             std::strncmp(name, "GB_", 3) == 0);
}

/// The real library's function of this name; null when there is none.
const void* real_function(const char* name) {
  static const auto* const positions = [] {
    auto* const made = new std::unordered_map<std::string_view, size_t>;
    for (size_t i = 0; i < real::function_count; ++i) made->emplace(real::function_names[i], i);
    return made;
  }();
  const auto found = positions->find(name);
  return found == positions->end() ? nullptr : real::function_at(found->second);
}

/// cuGrB's own function of this name.
void* own_function(const char* name) {
  static void* const self = [] {
    Dl_info info{};
    const auto* const here = reinterpret_cast<const void*>(&own_function);
    return dladdr(here, &info) != 0 ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD) : nullptr;
  }();
  return self != nullptr ? cugrb_glibc_dlsym(self, name) : nullptr;
}

void* answer(void* handle, const char* name, const void* caller) {
  if (!may_be_of_graphblas(name) || handle == RTLD_NEXT || handle == RTLD_DEFAULT) return nullptr;
  static const real::CodeRange own_code = real::code_around(reinterpret_cast<const void*>(&own_function));
  if (own_code.holds(caller)) return nullptr;
  const void* const found = cugrb_glibc_dlsym(handle, name);
  if (found == nullptr || own_code.holds(found)) return nullptr;
  if (!gate_open.load(std::memory_order_acquire)) open_gate(caller);
  // Another copy of GraphBLAS is left alone, and so is a library that calls are only passed on to.
  if (real::forward_only() || found != real_function(name)) return nullptr;
  return own_function(name);
}

}  // namespace
}  // namespace cugrb::capi

void* cugrb_answer_dlsym(void* handle, const char* name, const void* caller) noexcept {
  if (cugrb_glibc_dlsym == nullptr) cugrb_glibc_dlsym = find_dlsym_of_glibc();
  try {
    return cugrb::capi::answer(handle, name, caller);
  } catch (...) {
    return nullptr;
  }
}

// void* dlsym(void* handle, const char* name)
asm(R"(
  .text
  .globl dlsym
  .type dlsym, @function
dlsym:
  .cfi_startproc
  endbr64
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  movq 24(%rsp), %rdx
  call cugrb_answer_dlsym
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  testq %rax, %rax
  jne 1f
  jmpq *cugrb_glibc_dlsym(%rip)
1:
  ret
  .cfi_endproc
  .size dlsym, .-dlsym
)");

#endif
