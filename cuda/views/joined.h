// Arguments of cuda/kernels/joined.h: several write-backs over the same places, and a reduction of what comes
// out.
#pragma once
#include "cuda/views/reduce.h"
#include "cuda/views/write_back.h"

namespace cugrb {

/// Write-backs of a launch, at most: their arguments have to fit the 4 KB that a launch takes.
constexpr int most_joined = 7;

template <int stages>
struct JoinedArguments {
  const void* places = nullptr;  ///< a list of positions, or null: all
  uint64_t count = 0;            ///< of places
  ReduceArguments last;          ///< of the places too; nothing where there is no reduction
  WriteBackArguments stage[stages];
};
static_assert(sizeof(JoinedArguments<most_joined>) <= 4000);

}  // namespace cugrb
