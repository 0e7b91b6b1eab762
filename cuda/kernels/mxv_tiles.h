// What the kernels that keep a tile of operands in shared memory have in common: one term, four stored values
// at once, and how a tile gets there.
#pragma once
#include "cuda/kernels/mxv_operands.h"

namespace cugrb {

/// A product over tiles: the matrix's stored values, the operand's type in shared memory.
template <class Semiring, class ValuesType, bool vector_first>
struct tile_product {
  using Add = typename Semiring::add;
  using Multiply = typename Semiring::multiply;
  using Values = ValuesType;
  using type = typename Add::type;
  using MatrixOperand = choose<vector_first, typename Multiply::y_type, typename Multiply::x_type>;
  using VectorOperand = choose<vector_first, typename Multiply::x_type, typename Multiply::y_type>;

  static CUGRB_DEVICE type term(const MatrixOperand& a, const VectorOperand& u) {
    if constexpr (vector_first) {
      return multiply<Multiply>(u, a, 0, 0, 0);
    } else {
      return multiply<Multiply>(a, u, 0, 0, 0);
    }
  }
};

/// Four consecutive stored values, cast to To.
template <class Values>
struct values_by_four;
template <>
struct values_by_four<values_none> {
  template <class To>
  static CUGRB_DEVICE void read(const void*, uint64_t, To (&)[4], uint64_t /*policy*/ = l2_evict_first) {}
};
template <class T>
struct values_by_four<values_iso<T>> {
  template <class To>
  static CUGRB_DEVICE void read(const void* values, uint64_t, To (&to)[4],
                                uint64_t /*policy*/ = l2_evict_first) {
    const To value = values_iso<T>::template at<To, false>(values, 0);
#pragma unroll
    for (int j = 0; j < 4; ++j) to[j] = value;
  }
};
template <class T>
struct values_by_four<values_array<T>> {
  template <class To>
  static CUGRB_DEVICE void read(const void* values, uint64_t first, To (&to)[4],
                                uint64_t policy = l2_evict_first) {
    T stored[4];
    read_streaming_four(static_cast<const T*>(values) + first, stored, policy);
#pragma unroll
    for (int j = 0; j < 4; ++j) to[j] = cast<To>(stored[j]);
  }
};

/// Copies `count` operands from position `first` of a full vector on, a multiple of four, to shared memory,
/// cast to the operand's type: four a thread.
template <class Values, class Operand>
CUGRB_DEVICE void load_tile(Operand* tile, const void* values, uint64_t first, uint32_t count) {
  const uint32_t whole = count / 4 * 4;
#pragma unroll 4
  for (uint32_t k = thread_index() * 4; k < whole; k += block_threads() * 4) {
    Operand four[4];
    values_by_four<Values>::read(values, first + k, four);
    write_together(tile + k, four);
  }
  for (uint32_t k = whole + thread_index(); k < count; k += block_threads()) {
    tile[k] = Values::template at<Operand, false>(values, first + k);
  }
}

}  // namespace cugrb
