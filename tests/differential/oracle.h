// The oracle may crash: SuiteSparse 7.4 itself does in some w<M> accum= T with a sparse mask (its method 08n,
// GB_subassign_08n), and as Ubuntu 24.04 builds it, with checks of buffers, in GxB_Vector_eWiseUnion
// (GB_add_phase2 copies more than it says). Such a case has no oracle; it is counted and passed over.
#pragma once
#include <csetjmp>
#include <csignal>

namespace differential {

inline sigjmp_buf before_oracle;

/// Whether `call`, which runs SuiteSparse on its own objects, returns. The handler stands only meanwhile.
template <class Call>
bool survives(const Call& call) {
  constexpr int signals[] = {SIGSEGV, SIGABRT};
  struct sigaction action = {}, previous[2] = {};
  action.sa_handler = [](int) { siglongjmp(before_oracle, 1); };
  for (int n = 0; n < 2; ++n) sigaction(signals[n], &action, &previous[n]);
  const bool lived = sigsetjmp(before_oracle, 1) == 0;
  if (lived) call();
  for (int n = 0; n < 2; ++n) sigaction(signals[n], &previous[n], nullptr);
  return lived;
}

}  // namespace differential
