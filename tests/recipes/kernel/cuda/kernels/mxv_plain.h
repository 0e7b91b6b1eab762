// Pull: T(i) from row i of a CSR matrix, by one thread that adds a term after the other.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_operands.h"
#include "cuda/views/plain.h"

namespace cugrb {

/// One thread a row. O(entries of the rows that the mask allows).
template <class Product, class Mask, bool full_result>
CUGRB_KERNEL(256)
void mxv_plain(MxvPlainArguments args) {
  wait_for_earlier_kernels();
  using Offset = typename Product::Offset;
  const MxvOperands& a = args.operands;
  const uint64_t i = global_thread();
  if (i >= a.matrix.rows) return;
  partial<typename Product::type> sum = no_terms<typename Product::type>();
  if (Mask::allows(a.mask, i)) {
    const Offset end = read_only(Product::offsets(a) + i + 1);
    for (Offset p = read_only(Product::offsets(a) + i); p < end; ++p)
      add_terms<Product, 1, false>(sum, a, i, at_their_numbers(), p, end, 1);
  }
  store_result<full_result>(a, i, sum);
}

}  // namespace cugrb
