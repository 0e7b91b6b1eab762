// Arguments of cuda/kernels/write_back.h: an expression's operands, the mask, the old and the new output.
#pragma once
#include "cuda/views/mask.h"
#include "cuda/views/scalar.h"
#include "cuda/views/vector.h"

namespace cugrb {

/// Operands of an expression (cuda/kernels/expressions.h): which of them it reads is its own matter.
struct ExpressionView {
  VectorView u;
  VectorView v;
  ScalarView x;  ///< a bound operand, a thunk, an assigned scalar, or what stands in for a missing u
  ScalarView y;  ///< what stands in for a missing v
  const uint64_t* list = nullptr;  ///< extract: position of T -> position of u
};

struct WriteBackArguments {
  ExpressionView expression;
  MaskView mask;
  VectorView old_output;
  void* values = nullptr;        ///< new values: by position, or by ordinal (into_list)
  uint8_t* present = nullptr;    ///< new presence: by position, or by ordinal (into_list)
  const void* places = nullptr;  ///< write_back_listed: the positions
  uint64_t count = 0;            ///< positions, or entries of the list
};

/// Positions that a thread of write_back_all handles: enough loads in flight to fill the memory system,
/// without spilling values wider than `widest_bytes`. The host sizes the grid by it.
struct WriteBackTile {
  static constexpr int threads = 256;
  static constexpr int positions = 4;
  static constexpr size_t widest_bytes = 8;
};

}  // namespace cugrb
