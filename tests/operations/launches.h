// Launches that calls put off, counted and brought about.
#pragma once
#include <functional>

#include "cuda/runtime/put_off.h"
#include "src/support/trace.h"

namespace cugrb::test {

/// The launches of `work`, and of what waited before it.
inline unsigned launches(const std::function<void()>& work) {
  const unsigned before = trace::current().launches;
  work();
  return trace::current().launches - before;
}
inline void settle() { runtime::PutOff::of(runtime::device().properties().place).settle(); }

}  // namespace cugrb::test
