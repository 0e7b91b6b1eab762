// The product by rows, which first does at each position what calls before it have put off there
// (src/formats/joined.h): one launch in place of two or more. A row reads the mask at its own position only,
// so the thread that reads it does what is put off there, and nobody else has to be waited for. What the
// product reads at other positions, the operand, is nothing that is put off (the host has seen to it).
#pragma once
#include "cuda/kernels/joined.h"
#include "cuda/kernels/mxv_rows.h"
#include "cuda/views/mxv_rows_joined.h"

namespace cugrb {

/// Write-backs, one after the other.
template <class Stages>
struct stages_before {
  static constexpr bool any = true;
  const WriteBackArguments* arguments;
  CUGRB_DEVICE void visit(uint64_t i) const {
    const Place at[1] = {{i, i}};
    Stages::template visit<1>(arguments, at);
  }
};

/// Launched as mxv_rows.
template <class Product, class Mask, bool full_result, int lanes, class Stages>
CUGRB_KERNEL_RESIDENT(256, 4)
void mxv_rows_joined(MxvRowsJoinedArguments<Stages::count> args) {
  wait_for_earlier_kernels();
  const bool stored =
      sum_rows<Product, Mask, full_result, lanes>(args.rows, stages_before<Stages>{args.stage});
  if constexpr (!full_result) count_stored(args.rows.counted, stored);
}

}  // namespace cugrb
