// What dot products (mxm_dot.h) for the entries of a mask take, from the lengths of their rows: nothing is
// multiplied.
#pragma once
#include "cuda/kernels/mxm_dot.h"
#include "cuda/kernels/mxm_sample.h"

namespace cugrb {

/// Steps of one dot product. `chain`: loads that its group of lanes does one after the other, of rows nobody
/// else has in cache.
CUGRB_DEVICE DotSteps steps_of_dot(const MxmDotStepsArguments& a, uint64_t left, uint64_t right) {
  const uint64_t shorter = left < right ? left : right, longer = left < right ? right : left;
  if (shorter == 0) return {0, 0, 0};
  const uint64_t depth = binary_logarithm(longer) + 1;
  if (left <= a.dot.longest_searched) return {shorter * depth, 0, (shorter + 7) / 8 * depth};
  const uint64_t parts = (left + a.part - 1) / a.part;
  constexpr uint64_t search_steps = 24;  // as in sum_by_table
  constexpr uint64_t table_loads = 16;   // clearing and filling a part's table
  const uint64_t before = parts * (table_loads + (parts > 1 ? 2 * depth : 0));
  if (left * search_steps < right) return {left * depth, 0, before + (left + 15) / 16 * depth};
  return {0, right, before + (right + 15) / 16};
}

/// steps (zero before) of entries 0, stride, 2 * stride, ... One thread each.
template <class Product, class Select>
CUGRB_KERNEL(256)
void mxm_dot_steps(MxmDotStepsArguments a) {
  DotSteps steps;
  const uint64_t n = global_thread();
  if (n < a.count) {
    const uint64_t p = n * a.stride;
    const auto* offsets = static_cast<const typename Select::Offset*>(a.dot.mask.offsets);
    const uint64_t r = lower_bound(offsets, 0, a.dot.mask.rows, p + 1) - 1;
    const row_pair rows = rows_of_entry<Product, Select>(a.dot, r, p);
    steps = steps_of_dot(a, rows.left_end - rows.left_begin, rows.right_end - rows.right_begin);
  }
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    steps.searched += shuffle_down(full_warp, steps.searched, delta);
    steps.streamed += shuffle_down(full_warp, steps.streamed, delta);
    const uint64_t other = shuffle_down(full_warp, steps.longest_chain, delta);
    if (other > steps.longest_chain) steps.longest_chain = other;
  }
  if (lane_index() != 0) return;
  if (steps.searched > 0) atomic_add(&a.steps->searched, steps.searched);
  if (steps.streamed > 0) atomic_add(&a.steps->streamed, steps.streamed);
  atomic_update(&a.steps->longest_chain, steps.longest_chain,
                [](uint64_t old, uint64_t mine) { return old > mine ? old : mine; });
}

}  // namespace cugrb
