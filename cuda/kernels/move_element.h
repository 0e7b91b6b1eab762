// Moving one stored value between arrays, of a type that is never looked at.
#pragma once
#include "cuda/kernels/base.h"

namespace cugrb {

/// An element of `count` words: how kernels that only move values see a type of unusual size.
template <class Word, unsigned count>
struct packed {
  Word words[count];
};

template <class Element>
CUGRB_DEVICE void move_element(void* to, uint64_t q, const void* from, uint64_t p) {
  static_cast<Element*>(to)[q] = static_cast<const Element*>(from)[p];
}
/// Iso and pattern-only matrices: nothing moves.
template <>
CUGRB_DEVICE void move_element<void>(void*, uint64_t, const void*, uint64_t) {}

}  // namespace cugrb
