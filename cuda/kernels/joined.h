// Several write-backs in one launch, and a reduction of what comes out: element-wise calls that follow each
// other at the same places (src/formats/joined.h decides which).
//
// The thread that visits a place does there what the calls do, one after the other. It reads what it has
// written itself, so nothing has to be waited for; who reads another thread's place is not joined. Values go
// through memory from one call to the next, in the types of the objects: rounding is that of separate calls.
#pragma once
#include "cuda/kernels/reduce.h"
#include "cuda/kernels/write_back.h"
#include "cuda/views/joined.h"

namespace cugrb {

/// Every position.
struct places_all {
  static CUGRB_DEVICE Place at(const void*, uint64_t p) { return {p, p}; }
};
/// The positions of a list.
template <class Index>
struct places_listed {
  static CUGRB_DEVICE Place at(const void* list, uint64_t p) {
    return {uint64_t(static_cast<const Index*>(list)[p]), p};
  }
};

/// A write-back, as write_back_all and write_back_listed do it.
template <class Expression, class Mask, class Accumulate, bool replace, class Old, class New>
struct stage {
  static constexpr bool wide = sizeof(typename New::type) > WriteBackTile::widest_bytes;
  template <int items>
  static CUGRB_DEVICE void visit(const WriteBackArguments& a, const Place (&at)[items]) {
    write_several<items, Expression, Mask, Accumulate, replace, Old, New>(a, at);
  }
};

/// One after the other. The compiler keeps no value in a register from one to the next: what is an object's
/// content has been rounded to the object's type.
template <class... Stages>
struct stages {
  static constexpr int count = int(sizeof...(Stages));
  static constexpr bool wide = (Stages::wide || ...);
  template <int items>
  static CUGRB_DEVICE void visit(const WriteBackArguments* a, const Place (&at)[items]) {
    ((Stages::template visit<items>(*a++, at), keep_memory_order()), ...);
  }
  static CUGRB_DEVICE void keep_memory_order() { asm volatile("" ::: "memory"); }
};

/// No reduction.
struct nothing_last {
  template <int items>
  CUGRB_DEVICE void take(const ReduceArguments&, const Place (&)[items]) {}
  CUGRB_DEVICE void end(const ReduceArguments&) {}
};

/// As reduce_vector, whose order of combination it has: over the ordinals of the places.
template <class Monoid, class Input>
struct reduce_last {
  Running<typename Monoid::type> mine;
  template <int items>
  CUGRB_DEVICE void take(const ReduceArguments& a, const Place (&at)[items]) {
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const Place ordinal{at[k].p, at[k].p};
      if (Input::has(a.input, ordinal))
        join<Monoid>(mine, cast<typename Monoid::type>(Input::load(a.input, ordinal)));
    }
  }
  CUGRB_DEVICE void end(const ReduceArguments& a) { reduce_shares<Monoid>(a, mine); }
};

/// Launch: blocks of 256; any number of them, that of ReduceShape::blocks where there is a reduction. Without
/// a number of blocks that a multiprocessor is to hold, ptxas spills a register or two of some.
template <class Places, class Stages, class Last>
CUGRB_KERNEL_RESIDENT(256, 2)
void joined(JoinedArguments<Stages::count> a) {
  constexpr int items = Stages::wide ? 1 : WriteBackTile::positions;
  Last last;
  const uint64_t stride = global_threads();
  for (uint64_t first = global_thread(); first < a.count; first += items * stride) {
    if (first + (items - 1) * stride < a.count) {
      Place at[items];
#pragma unroll
      for (int k = 0; k < items; ++k) at[k] = Places::at(a.places, first + k * stride);
      Stages::template visit<items>(a.stage, at);
      last.take(a.last, at);
    } else {
      for (uint64_t p = first; p < a.count; p += stride) {
        const Place at[1] = {Places::at(a.places, p)};
        Stages::template visit<1>(a.stage, at);
        last.take(a.last, at);
      }
    }
  }
  last.end(a.last);
}

}  // namespace cugrb
