// Functions from vertices to vertices as matrices, so that gathering and scattering are products.
//
// A function f is the matrix F with one entry in each row i where f is defined: F(i, f(i)) = f(i). Then
//
//     F x       over (any, second)     gathers:   x(f(i)) at i
//     Fᵀ x      over (min, second)     scatters:  the least x(i) of those i with f(i) = j, at j
//     F G       over (any, second)     composes:  g(f(i)) at i, again with the column as the value
//
// No list of indices goes to the host. A matrix whose entries have their columns as values is a relation; a
// function is chosen out of it by a vector of columns. Columns have 32 bits, so that 64 bits hold another key
// above them.
#pragma once
#include <cstdint>

#include "graph.hpp"

/// Whether an entry stands in the column that the lower half of its value names.
CUGRB_INDEX_UNARY_OP(cugrb_names_its_column, bool, uint64_t, bool, z = (x & UINT32_MAX) == j)

/// Whether an entry of a vector stands where the lower half of its value says.
CUGRB_INDEX_UNARY_OP(cugrb_names_its_place, bool, uint64_t, bool, z = (x & UINT32_MAX) == i)

/// i with a random number above it, another one for every i and again for every thunk: a permutation of 32
/// bits (C. Wellons, "Prospecting for hash functions", 2018).
CUGRB_INDEX_UNARY_OP(cugrb_random_key, uint64_t, bool, uint64_t, uint32_t h = (uint32_t)(i ^ thunk);
                     h = (h ^ (h >> 16)) * 0x7feb352du; h = (h ^ (h >> 15)) * 0x846ca68bu; h = h ^ (h >> 16);
                     z = ((uint64_t)h << 32) | i)

namespace cugrb::detail {

/// 0, 1, … n - 1.
inline Vector<uint64_t> numbers(Index n) {
  const Vector<bool> every(n, true);
  return apply(every, op::row_index<int64_t>, 0);
}

/// Different numbers in random order, whose lower halves are 0, 1, … n - 1.
inline Vector<uint64_t> random_keys(Index n, uint64_t seed) {
  const Vector<bool> every(n, true);
  return apply(every, cugrb_random_key, seed);
}

/// Of each row i of A the entry in the column that the lower half of v(i) names, with v(i) as its value.
/// No entry where v(i) is none, or A(i, v(i)) is none. Two passes over A.
template <class T>
Matrix<uint64_t> choose(const Vector<uint64_t>& v, const Matrix<T>& a) {
  const Matrix<uint64_t> everywhere = mxm(diagonal(v), a, any_first<uint64_t>);
  return select(everywhere, cugrb_names_its_column, false);
}

/// Throws Error unless 32 bits number the vertices.
inline void check_32_bits(Index n, const char* algorithm) {
  if (n <= (Index{1} << 32)) return;
  throw Error(GrB_INVALID_VALUE, algorithm, "the graph has more than 2^32 vertices");
}

}  // namespace cugrb::detail
