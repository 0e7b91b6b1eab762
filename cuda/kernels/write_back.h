// The one write-back: C<M, replace> accum= T, for every operation whose result is a vector.
//
// For each position i (GraphBLAS C API 2.0, section 3.2 of the spec's mathematics):
//     Z(i) = T(i)                          without accumulator
//     Z(i) = C(i) accum T(i)               where both have an entry, else the one that has
//     C(i) = Z(i)                          where the mask allows
//     C(i) = nothing, or C(i) as it was    elsewhere, with or without `replace`
// T is an expression (cuda/kernels/expressions.h), evaluated where the mask allows and nowhere else.
//
// Two launches cover everything: over all positions (write_back_all), or over the positions of one sparse
// operand (write_back_listed), when the host has shown that nothing happens elsewhere. Element i reads
// position i of C only, and a thread reads all that it needs before it writes: C may be updated in place and
// may be an input or the mask, too.
#pragma once
#include "cuda/kernels/expressions.h"
#include "cuda/kernels/mask.h"
#include "cuda/views/write_back.h"

namespace cugrb {

/// What becomes of one position. `changed` false: it stays as it is in memory.
template <class C>
struct NewEntry {
  C value;
  bool present = false;
  bool changed = true;
};

/// Where the result goes: to every position of a full vector,
template <class C, bool in_place_>
struct into_full {
  using type = C;
  static constexpr bool in_place = in_place_;
  static CUGRB_DEVICE void store(const WriteBackArguments& a, Place at, const NewEntry<C>& entry) {
    if (entry.changed) static_cast<C*>(a.values)[at.i] = entry.value;
  }
};
/// to a bitmap (iso: one value, which is there already, stands for all entries),
template <class C, bool in_place_, bool iso = false>
struct into_bitmap {
  using type = C;
  static constexpr bool in_place = in_place_;
  static CUGRB_DEVICE void store(const WriteBackArguments& a, Place at, const NewEntry<C>& entry) {
    if (!entry.changed) return;
    a.present[at.i] = entry.present;
    if constexpr (!iso) {
      if (entry.present) static_cast<C*>(a.values)[at.i] = entry.value;
    }
  }
};
/// or by ordinal of the list; with flags that tell what to keep, unless every place surely has an entry.
template <class C, bool flagged, bool iso = false>
struct into_list {
  using type = C;
  static constexpr bool in_place = false;
  static CUGRB_DEVICE void store(const WriteBackArguments& a, Place at, const NewEntry<C>& entry) {
    if constexpr (flagged) a.present[at.p] = entry.present;
    if constexpr (!iso) {
      if (entry.present) static_cast<C*>(a.values)[at.p] = entry.value;
    }
  }
};

/// C(i), as the result's entry: unchanged when the result is made in place.
template <class Old, class New>
CUGRB_DEVICE NewEntry<typename New::type> old_entry(const VectorView& old_output, Place at, bool has_old) {
  NewEntry<typename New::type> entry;
  if constexpr (New::in_place) {
    entry.changed = false;
  } else {
    entry.present = has_old;
    if (has_old) entry.value = Old::load(old_output, at);
  }
  return entry;
}

/// Z = T.
struct no_accumulate {
  template <class Old, class New, class T>
  static CUGRB_DEVICE NewEntry<typename New::type> merge(const VectorView&, Place, bool, bool has,
                                                         const T& t) {
    NewEntry<typename New::type> entry;
    entry.present = has;
    if (has) entry.value = cast<typename New::type>(t);
    return entry;
  }
};

/// Z = C accum T: z = op(x, y) with C's value as x and T's as y, typecast to C's type; an entry of T alone is
/// typecast to C's type directly.
template <class Op>
struct accumulate {
  template <class Old, class New, class T>
  static CUGRB_DEVICE NewEntry<typename New::type> merge(const VectorView& old_output, Place at, bool has_old,
                                                         bool has, const T& t) {
    if (!has) return old_entry<Old, New>(old_output, at, has_old);
    using C = typename New::type;
    NewEntry<C> entry;
    entry.present = true;
    if (has_old) {
      const C c = Old::load(old_output, at);
      entry.value = cast<C>(Op::apply(cast<typename Op::x_type>(c), cast<typename Op::y_type>(t)));
    } else {
      entry.value = cast<C>(t);
    }
    return entry;
  }
};

/// The rule on top of this file, for one place: T(at) is t if `has`.
template <class Accumulate, bool replace, class Old, class New, class T>
CUGRB_DEVICE NewEntry<typename New::type> new_entry(const VectorView& old_output, Place at, bool allowed,
                                                    bool has_old, bool has, const T& t) {
  if (allowed) return Accumulate::template merge<Old, New>(old_output, at, has_old, has, t);
  if constexpr (replace) {
    return NewEntry<typename New::type>{};
  } else {
    return old_entry<Old, New>(old_output, at, has_old);
  }
}

/// One place, from the mask to the store.
template <class Expression, class Mask, class Accumulate, bool replace, class Old, class New>
CUGRB_DEVICE void write_one(const WriteBackArguments& a, Place at) {
  typename Expression::type t;
  const bool allowed = Mask::allows(a.mask, at.i, at.p);
  const bool has =
      allowed && Expression::reaches(a.expression, at) && Expression::evaluate(a.expression, at, t);
  const bool has_old = Old::has(a.old_output, at);
  New::store(a, at, new_entry<Accumulate, replace, Old, New>(a.old_output, at, allowed, has_old, has, t));
}

/// The same for several places, which a thread takes through each step together, so that their loads are in
/// flight at once: first mask and patterns, then T's values, then C's, then the stores.
template <int items, class Expression, class Mask, class Accumulate, bool replace, class Old, class New>
CUGRB_DEVICE void write_several(const WriteBackArguments& a, const Place (&at)[items]) {
  bool allowed[items], has[items], has_old[items];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    allowed[k] = Mask::allows(a.mask, at[k].i, at[k].p);
    has[k] = allowed[k] & Expression::reaches(a.expression, at[k]);
    has_old[k] = Old::has(a.old_output, at[k]);
  }
  typename Expression::type t[items];
#pragma unroll
  for (int k = 0; k < items; ++k) has[k] = has[k] && Expression::evaluate(a.expression, at[k], t[k]);
  NewEntry<typename New::type> entries[items];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    entries[k] =
        new_entry<Accumulate, replace, Old, New>(a.old_output, at[k], allowed[k], has_old[k], has[k], t[k]);
  }
#pragma unroll
  for (int k = 0; k < items; ++k) New::store(a, at[k], entries[k]);
}

/// Over all positions [0, count). Launch: 256 * WriteBackTile::positions positions a block (256 for wide
/// values).
template <class Expression, class Mask, class Accumulate, bool replace, class Old, class New>
CUGRB_KERNEL(256)
void write_back_all(WriteBackArguments a) {
  using C = typename New::type;
  constexpr int items = sizeof(C) <= WriteBackTile::widest_bytes ? WriteBackTile::positions : 1;
  const uint64_t first = uint64_t(block_index()) * 256 * items;
  const uint64_t mine = first + thread_index();
  if (first + 256 * items > a.count) {  // the last tile: position by position
    for (uint64_t i = mine; i < a.count; i += 256) {
      write_one<Expression, Mask, Accumulate, replace, Old, New>(a, Place{i, i});
    }
    return;
  }
  Place at[items];
#pragma unroll
  for (int k = 0; k < items; ++k) at[k] = Place{mine + 256 * k, mine + 256 * k};
  write_several<items, Expression, Mask, Accumulate, replace, Old, New>(a, at);
}

/// Over the `count` positions of a list. One a thread.
template <class Index, class Expression, class Mask, class Accumulate, bool replace, class Old, class New>
CUGRB_KERNEL(256)
void write_back_listed(WriteBackArguments a) {
  const uint64_t p = global_thread();
  if (p >= a.count) return;
  const Place at{uint64_t(static_cast<const Index*>(a.places)[p]), p};
  write_one<Expression, Mask, Accumulate, replace, Old, New>(a, at);
}

}  // namespace cugrb
