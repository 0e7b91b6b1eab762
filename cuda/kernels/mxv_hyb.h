// Pull from HYB storage: the first entries of every row from slices (cuda/kernels/mxv_ell.h), then the rest,
// a list of entries, is added to T. After N. Bell, M. Garland, SC09, section 4.6.
#pragma once
#include "cuda/kernels/mxv_coo.h"

namespace cugrb {

/// T = T + the list's sums. Grid: one block of 256 threads a tile of 256 * items entries.
template <class Product, class Mask, bool full_result, int items>
CUGRB_KERNEL(256)
void mxv_hyb(MxvCooArguments args) {
  sum_coo_tile<Product, Mask, full_result, true, items>(args);
}

/// Grid: one warp a tile.
template <class Product, bool full_result, int items>
CUGRB_KERNEL(256)
void mxv_hyb_carries(MxvCooArguments args) {
  add_coo_carries<Product, full_result, true, items>(args);
}

}  // namespace cugrb
