// HYB storage back to CSR: what its list of entries adds to rows that its slices have written.
#pragma once
#include "cuda/kernels/convert.h"
#include "cuda/views/coo.h"

namespace cugrb {

/// lengths[i] += entries of row i in the list. One thread a row.
template <class Offset>
CUGRB_KERNEL(256)
void add_list_lengths(CooBuildArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.csr.rows) return;
  const Offset* starts = static_cast<const Offset*>(a.starts);
  static_cast<Offset*>(a.lengths)[i] += starts[i + 1] - starts[i];
}

/// Entry q of the list goes to its place at the end of its row in `csr`. One thread an entry.
template <class Offset, class Row, class Column, class Element>
CUGRB_KERNEL(256)
void append_list(CooBuildArguments a) {
  const uint64_t q = global_thread();
  if (q >= a.entries) return;
  const uint64_t row = static_cast<const Row*>(a.rows)[q];
  const uint64_t left = uint64_t(static_cast<const Offset*>(a.starts)[row + 1]) - q;
  const uint64_t p = uint64_t(static_cast<const Offset*>(a.csr.offsets)[row + 1]) - left;
  static_cast<Column*>(const_cast<void*>(a.csr.columns))[p] = static_cast<const Column*>(a.columns)[q];
  if constexpr (!is_same<Element, void>) {
    static_cast<Element*>(const_cast<void*>(a.csr.values))[p] = static_cast<const Element*>(a.values)[q];
  }
}

}  // namespace cugrb
