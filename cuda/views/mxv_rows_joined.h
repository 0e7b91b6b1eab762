// Arguments of cuda/kernels/mxv_rows_joined.h: a product, and write-backs that are done before it.
#pragma once
#include "cuda/views/mxv.h"
#include "cuda/views/write_back.h"

namespace cugrb {

/// Write-backs, at most: their arguments have to fit the 4 KB that a launch takes.
constexpr int most_joined_before = 6;

template <int stages>
struct MxvRowsJoinedArguments {
  MxvRowsArguments rows;
  WriteBackArguments stage[stages];
};
static_assert(sizeof(MxvRowsJoinedArguments<most_joined_before>) <= 4000);

}  // namespace cugrb
