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

/// An element on its way, for kernels that load several before they store the first.
template <class Element>
struct element_under_way {
  Element value;
  CUGRB_DEVICE void load(const void* from, uint64_t p) { value = static_cast<const Element*>(from)[p]; }
  CUGRB_DEVICE void store(void* to, uint64_t q) const { static_cast<Element*>(to)[q] = value; }
};
/// One of unusual size is loaded when it is stored: held in registers, several of them would spill.
template <class Word, unsigned count>
struct element_under_way<packed<Word, count>> {
  const packed<Word, count>* place;
  CUGRB_DEVICE void load(const void* from, uint64_t p) {
    place = static_cast<const packed<Word, count>*>(from) + p;
  }
  CUGRB_DEVICE void store(void* to, uint64_t q) const { static_cast<packed<Word, count>*>(to)[q] = *place; }
};
template <>
struct element_under_way<void> {
  CUGRB_DEVICE void load(const void*, uint64_t) {}
  CUGRB_DEVICE void store(void*, uint64_t) const {}
};

}  // namespace cugrb
