// Moving a vector from one form to another: scatter, fill, count up, typecast. One element a thread;
// memory-bound.
#pragma once
#include "cuda/kernels/move_element.h"
#include "cuda/views/convert.h"
#include "semirings/device/types.h"

namespace cugrb {

/// sparse -> bitmap: present[indices[p]] = 1, and out[indices[p]] = in[p] unless the values are iso.
template <class Element, class Index, bool iso>
CUGRB_KERNEL(256)
void scatter_entries(ConvertArguments a) {
  const uint64_t p = global_thread();
  if (p >= a.count) return;
  const uint64_t i = static_cast<const Index*>(a.indices)[p];
  a.present[i] = 1;
  if constexpr (!iso) static_cast<Element*>(a.out)[i] = static_cast<const Element*>(a.in)[p];
}

/// out[p] = in[indices[p]]: the values of chosen positions.
template <class Element, class Index>
CUGRB_KERNEL(256)
void gather_elements(ConvertArguments a) {
  const uint64_t p = global_thread();
  if (p >= a.count) return;
  const uint64_t i = static_cast<const Index*>(a.indices)[p];
  static_cast<Element*>(a.out)[p] = static_cast<const Element*>(a.in)[i];
}

/// out[i] = in[0]: an iso value written out.
template <class Element>
CUGRB_KERNEL(256)
void fill_elements(ConvertArguments a) {
  const uint64_t i = global_thread();
  if (i < a.count) static_cast<Element*>(a.out)[i] = static_cast<const Element*>(a.in)[0];
}

/// out[i] = i + shift.
template <class Index>
CUGRB_KERNEL(256)
void count_up(ConvertArguments a) {
  const uint64_t i = global_thread();
  if (i < a.count) static_cast<Index*>(a.out)[i] = static_cast<Index>(i + a.shift);
}

/// out[i] = in[i] + shift, modulo 2^64.
template <class From, class To>
CUGRB_KERNEL(256)
void shift_indices(ConvertArguments a) {
  const uint64_t i = global_thread();
  if (i < a.count) static_cast<To*>(a.out)[i] = To(uint64_t(static_cast<const From*>(a.in)[i]) + a.shift);
}

/// out[i] = in[i], typecast. `present` (may be null) tells where in[i] means something; elsewhere out is not
/// written.
template <class From, class To>
CUGRB_KERNEL(256)
void cast_elements(ConvertArguments a) {
  const uint64_t i = global_thread();
  if (i >= a.count || (a.present != nullptr && a.present[i] == 0)) return;
  static_cast<To*>(a.out)[i] = cast<To>(static_cast<const From*>(a.in)[i]);
}

}  // namespace cugrb
