// Rows of a matrix dealt to several devices, and results that come back from them.
//
// Source: X. Yang, S. Parthasarathy, P. Sadayappan, "Fast Sparse Matrix-Vector Multiplication on GPUs:
// Implications for Graph Mining", PVLDB 4(4), 2011, section 3.2: bitonic partitioning.
#pragma once
#include "cuda/kernels/move_element.h"
#include "cuda/kernels/mxm_operands.h"
#include "cuda/views/row_parts.h"

namespace cugrb {

/// One thread a row.
template <class Rows>
CUGRB_KERNEL(256)
void row_parts_keys(RowPartsDealArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.matrix.rows) return;
  a.keys[i] = ~(row_begin<Rows>(a.matrix, i + 1) - row_begin<Rows>(a.matrix, i));
  a.ordinals[i] = i;
}

/// Rows go round by round, one to each part; who got the longest of a round gets the shortest of the next.
/// One thread a row.
CUGRB_KERNEL(256)
void row_parts_deal(RowPartsDealArguments a) {
  const uint64_t k = global_thread();
  if (k >= a.matrix.rows) return;
  const uint64_t turn = k % a.parts, part = k / a.parts % 2 == 0 ? turn : a.parts - 1 - turn;
  a.flags[part * a.matrix.rows + a.order[k]] = 1;
}

/// One thread a row of the part.
template <class Rows, class Row>
CUGRB_KERNEL(256)
void row_part_lengths(RowPartLengthsArguments a) {
  using Offset = typename Rows::Offset;
  const uint64_t n = global_thread();
  if (n >= a.count) return;
  const uint64_t i = uint64_t(static_cast<const Row*>(a.list)[n]), begin = row_begin<Rows>(a.from, i);
  static_cast<Offset*>(a.offsets)[n] = Offset(row_begin<Rows>(a.from, i + 1) - begin);
  static_cast<Offset*>(a.begins)[n] = Offset(begin);
}

/// One thread a row of the part.
template <class Element, class Row>
CUGRB_KERNEL(256)
void row_part_scatter(RowPartScatterArguments a) {
  const uint64_t n = global_thread();
  if (n >= a.count) return;
  const uint64_t i = uint64_t(static_cast<const Row*>(a.list)[n]);
  const bool is_there = a.present == nullptr || a.present[n] != 0;
  if (a.out_present != nullptr) a.out_present[i] = is_there ? 1 : 0;
  if (is_there) move_element<Element>(a.out_values, i, a.values, n);
}

}  // namespace cugrb
