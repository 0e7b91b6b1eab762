// Arguments of cuda/kernels/matrix_elementwise.h, where nothing is merged.
#pragma once
#include "cuda/views/csr.h"
#include "cuda/views/scalar.h"

namespace cugrb {

struct MatrixElementwiseArguments {
  CsrView a;
  ScalarView thunk;
  uint8_t* has = nullptr;  ///< a.entries
  void* values = nullptr;  ///< a.entries
};

/// matrix_accumulate_meetings: the entries of `few` are searched for in `many`.
struct MatrixMeetingsArguments {
  CsrView few, many;
  void* values = nullptr;  ///< of C, which has all entries
};

/// words_differ: two arrays of 32-bit words that begin at a multiple of four.
struct WordsDifferArguments {
  const uint32_t* a = nullptr;
  const uint32_t* b = nullptr;
  uint64_t count = 0;
  uint32_t* differ = nullptr;  ///< zero before
};

}  // namespace cugrb
