// How a kernel becomes callable by the emulator: an extern "C" function that runs one CUDA thread.
//
//   CUGRB_EMULATED_ENTRY(symbol, (kernel<float, plus<float>>))
//
// defines size_t symbol(const void* arguments). It runs the kernel's body as the CUDA thread that the
// interface table names, with the argument struct that `arguments` points at; with a null pointer it only
// answers that struct's size. Serves shared objects built at run time (which the host binds first) and
// kernels compiled into a test program.
#pragma once
#include "cuda/kernels/base.h"

namespace cugrb::simt {

template <class Arguments>
size_t call_kernel(void (*kernel)(Arguments), const void* arguments) {
  if (arguments != nullptr) kernel(*static_cast<const Arguments*>(arguments));
  return sizeof(Arguments);
}

}  // namespace cugrb::simt

extern "C" __attribute__((used, visibility("default"))) inline void cugrb_emulated_bind(
    cugrb::simt::Interface* table) {
  cugrb::simt::interface_table = table;
}

#define CUGRB_EMULATED_UNPARENTHESISED(...) __VA_ARGS__
#define CUGRB_EMULATED_ENTRY(symbol, template_id)                                              \
  extern "C" __attribute__((visibility("default"))) size_t symbol(const void* arguments) {     \
    using namespace cugrb; /* template-ids use bare names */                                   \
    return ::cugrb::simt::call_kernel(&CUGRB_EMULATED_UNPARENTHESISED template_id, arguments); \
  }
