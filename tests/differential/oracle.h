// The oracle may crash: SuiteSparse 7.4 itself does in some w<M> accum= T with a sparse mask (its method 08n,
// GB_subassign_08n). Such a case has no oracle; it is counted and passed over.
#pragma once
#include <csetjmp>
#include <csignal>

namespace differential {

inline sigjmp_buf before_oracle;

/// Whether `call`, which runs SuiteSparse on its own objects, returns. The handler stands only meanwhile.
template <class Call>
bool survives(const Call& call) {
  struct sigaction action = {}, previous = {};
  action.sa_handler = [](int) { siglongjmp(before_oracle, 1); };
  sigaction(SIGSEGV, &action, &previous);
  const bool lived = sigsetjmp(before_oracle, 1) == 0;
  if (lived) call();
  sigaction(SIGSEGV, &previous, nullptr);
  return lived;
}

}  // namespace differential
