// A kernel object as the JIT makes it, for device_test.cpp.
#include "cuda/emulated/entry.h"
#include "tests/emulated/object_arguments.h"

namespace cugrb {

template <class T>
CUGRB_KERNEL(128)
void scale(ScaleArguments a) {
  T* values = static_cast<T*>(a.values);
  const uint64_t i = global_thread();
  if (i < a.count) values[i] = values[i] * T(a.factor);
  sync_block();
  if (i == 0 && a.overrun != 0) values[a.count] = T(1);
}
CUGRB_KERNEL(128) void diverge(ScaleArguments) {
  if (thread_index() > 0) sync_block();
}

CUGRB_KERNEL(128) void wait(ScaleArguments a) {
  wait_for_earlier_kernels();
  if (global_thread() < a.count) static_cast<double*>(a.values)[global_thread()] *= a.factor;
}

}  // namespace cugrb

CUGRB_EMULATED_ENTRY(scale_double, (scale<double>))
CUGRB_EMULATED_ENTRY(diverges, (diverge))
CUGRB_EMULATED_ENTRY(waits, (wait))
