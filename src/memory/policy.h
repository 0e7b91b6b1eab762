// What happens where device memory does not suffice. runtime::OutOfMemory is caught by runtime::shortage()
// and nowhere else in the library, but where content comes home: whatever fails there of what the device does
// to arrange it is left out (mirror::arranges).
//
// An allocation that fails is tried again when launches that were put off are done and the memory that they
// held is free (cuda/runtime/put_off.h). Then a call goes down these steps until one of them has it done.
// Nothing is tried more than twice: then it is halved, or the next step is taken.
//
// 1. Leave out. What is made for speed is not made: a sample of columns, a format, cuSPARSE's
//    workspace, a part that is brought ahead of its turn. The operation goes on without it, by
//    another kernel where it must. Operations ask by shortage().
// 2. Relieve. An upload has mirror::evict give back as many bytes as it needs, and is tried once
//    more: relieved().
// 3. Evict. A call has mirror::evict give back all that no call is using, and runs once more:
//    with_eviction() in src/capi, by relieved(). The trace says so.
// 4. Slices. The operands stay on the host and pass through the device piece by piece, for
//    operations that can (mxm): OutputCall in src/capi. Of a piece that does not fit, parts that
//    were brought ahead go first; then it is halved: in_halves().
// 5. Decline. OutOfMemory leaves the call, and SuiteSparse does it: attempt() in src/capi. The
//    trace has the text.
//
// mirror::evict (src/mirror/pressure.cpp) frees in this order: copies of what the program has unpacked;
// derived formats and caches, which can be made again; copies that the host has, too; the least recently used
// of the others, which move to host memory. What is known of a pattern stays. The output of a call is as it
// was until a step has succeeded.
//
// A lack of host memory (std::bad_alloc) is not worked around. Where a call of the device meets it, the call
// is declined; where SuiteSparse's object cannot be filled, the program gets GrB_OUT_OF_MEMORY
// (src/graphblas/info_of.h).
#pragma once
#include <optional>
#include <string>

#include "cuda/runtime/shortage.h"

namespace cugrb::memory {

using runtime::relieved;
using runtime::shortage;

/// Does work({first, last}); where memory is missing once more as relieved() does, and then in halves, in
/// ascending order. Throws runtime::OutOfMemory when it does not suffice for one element.
template <class Range, class Work, class Relieve>
void in_halves(const Range& range, const Work& work, const Relieve& relieve) {
  const auto missing = shortage([&] { relieved([&] { work(range); }, relieve); });
  if (!missing) return;
  if (range.length() <= 1) throw runtime::OutOfMemory(*missing);
  const auto middle = range.first + range.length() / 2;
  in_halves(Range{range.first, middle}, work, relieve);
  in_halves(Range{middle, range.last}, work, relieve);
}

}  // namespace cugrb::memory
