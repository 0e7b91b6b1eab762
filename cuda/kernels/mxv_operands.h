// What the matrix-vector kernels share: how operands are read, what one term is, how terms are summed.
//
//     T(i) = sum over k of  multiply(A(i,k), u(k))      (mxv)
//     T(i) = sum over k of  multiply(u(k), A(i,k))      (vxm with the transpose's rows: `vector_first`)
//
// Positional operators see mxm's indices. In mxv u is a k-by-1 matrix: (i, k, 0). In vxm u is a 1-by-k matrix
// and T(i) belongs to its column i: (0, k, i).
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/views/mxv.h"
#include "semirings/device/semirings.h"

namespace cugrb {

// ---- stored values
// -----------------------------------------------------------------------------------------------
// at<To, streaming>(values, p, policy): the p-th value as a To; `streaming` when it is read only once, by the
// policy for L2.
// from_position(values, p): what at(..., 0) reads the p-th value from.
// in_shared<To>(values, n): the n-th of values in shared memory.
// Array: the type of values that are an array, else void.

/// The multiply operator does not look at them: nothing is loaded.
struct values_none {
  using Array = void;
  template <class To, bool streaming>
  static CUGRB_DEVICE To at(const void*, uint64_t, uint64_t /*policy*/ = l2_evict_first) {
    return To();
  }
  static CUGRB_DEVICE const void* from_position(const void* values, uint64_t) { return values; }
};
/// Iso: one value stands for all.
template <class T>
struct values_iso {
  using Array = void;
  template <class To, bool streaming>
  static CUGRB_DEVICE To at(const void* values, uint64_t, uint64_t /*policy*/ = l2_evict_first) {
    return cast<To>(read_only(static_cast<const T*>(values)));
  }
  static CUGRB_DEVICE const void* from_position(const void* values, uint64_t) { return values; }
};
template <class T>
struct values_array {
  using Array = T;
  template <class To>
  static CUGRB_DEVICE To in_shared(const void* values, unsigned n) {
    return cast<To>(static_cast<const T*>(values)[n]);
  }
  template <class To, bool streaming>
  static CUGRB_DEVICE To at(const void* values, uint64_t p, uint64_t policy = l2_evict_first) {
    if constexpr (streaming) return cast<To>(read_streaming(static_cast<const T*>(values) + p, policy));
    return cast<To>(read_only(static_cast<const T*>(values) + p));
  }
  static CUGRB_DEVICE const void* from_position(const void* values, uint64_t p) {
    return static_cast<const T*>(values) + p;
  }
};

// ---- operands
// ----------------------------------------------------------------------------------------------------

/// A CsrView's types.
template <class OffsetType, class ColumnType, class ValuesType>
struct csr_rows {
  using Offset = OffsetType;
  using Column = ColumnType;
  using Values = ValuesType;
  static constexpr bool has_gaps = false;
  /// Of row i, for kernels that go from entries of u to rows: its length, and where its entry n lies.
  template <class Arguments>
  static CUGRB_DEVICE Offset length(const Arguments& args, uint64_t i) {
    const Offset* offsets = static_cast<const Offset*>(args.operands.matrix.offsets);
    return offsets[i + 1] - offsets[i];
  }
  template <class Arguments>
  static CUGRB_DEVICE uint64_t position(const Arguments& args, uint64_t i, uint64_t n) {
    return uint64_t(static_cast<const Offset*>(args.operands.matrix.offsets)[i]) + n;
  }
};

/// Of rows with positions to spare behind their entries, which have the column `gap`.
template <class OffsetType, class ColumnType, class ValuesType>
struct csr_rows_with_gaps : csr_rows<OffsetType, ColumnType, ValuesType> {
  static constexpr bool has_gaps = true;
  static constexpr ColumnType gap = ColumnType(~ColumnType(0));
};

/// A vector that can be asked at any position k; `always`: it has an entry there.
template <class ValuesType>
struct operand_full {
  using Values = ValuesType;
  static constexpr bool always = true;
  static CUGRB_DEVICE bool has(const VectorView&, uint64_t) { return true; }
};
template <class ValuesType>
struct operand_bitmap {
  using Values = ValuesType;
  static constexpr bool always = false;
  static CUGRB_DEVICE bool has(const VectorView& vector, uint64_t k) {
    return read_only(vector.present + k) != 0;
  }
};
/// A vector whose entries drive the launch, with positions of type Index.
template <class IndexType, class ValuesType>
struct operand_listed {
  using Index = IndexType;
  using Values = ValuesType;
};

template <bool first, class A, class B>
struct either {
  using type = A;
};
template <class A, class B>
struct either<false, A, B> {
  using type = B;
};

/// All types of one product.
template <class Semiring, class MatrixType, class OperandType, bool vector_first>
struct matrix_vector {
  using Add = typename Semiring::add;
  using Multiply = typename Semiring::multiply;
  using Matrix = MatrixType;
  using Operand = OperandType;
  using Offset = typename Matrix::Offset;
  using Column = typename Matrix::Column;
  using type = typename Add::type;

  using MatrixValue =
      typename either<vector_first, typename Multiply::y_type, typename Multiply::x_type>::type;
  using VectorValue =
      typename either<vector_first, typename Multiply::x_type, typename Multiply::y_type>::type;

  /// Matrix entry p and the vector's stored value q, as multiply takes them.
  template <bool streaming>
  static CUGRB_DEVICE MatrixValue matrix_value(const MxvOperands& a, uint64_t p) {
    return Matrix::Values::template at<MatrixValue, streaming>(a.matrix.values, p, a.policy);
  }
  static CUGRB_DEVICE VectorValue vector_value(const MxvOperands& a, uint64_t q) {
    return Operand::Values::template at<VectorValue, false>(a.vector.values, q);
  }
  /// Their term in T(i), the vector's value being u(k).
  static CUGRB_DEVICE type term_of(const MatrixValue& matrix, const VectorValue& vector, uint64_t i,
                                   uint64_t k) {
    if constexpr (vector_first) {
      return multiply<Multiply>(vector, matrix, 0, k, i);
    } else {
      return multiply<Multiply>(matrix, vector, i, k, 0);
    }
  }
  /// The term of matrix entry p and the vector's stored value q, which is u(k), in T(i).
  template <bool streaming>
  static CUGRB_DEVICE type term(const MxvOperands& a, uint64_t p, uint64_t q, uint64_t i, uint64_t k) {
    return term_of(matrix_value<streaming>(a, p), vector_value(a, q), i, k);
  }

  static CUGRB_DEVICE const Offset* offsets(const MxvOperands& a) {
    return static_cast<const Offset*>(a.matrix.offsets);
  }
  template <bool streaming>
  static CUGRB_DEVICE Column column(const MxvOperands& a, uint64_t p) {
    const Column* columns = static_cast<const Column*>(a.matrix.columns);
    if constexpr (streaming) return read_streaming(columns + p, a.policy);
    return read_only(columns + p);
  }
};

// ---- sums
// --------------------------------------------------------------------------------------------------------

/// A sum that may have no terms yet: no monoid's identity is relied on, and ANY has none.
template <class T>
struct partial {
  T value;
  bool has;
};

template <class T>
CUGRB_DEVICE partial<T> no_terms() {
  partial<T> none;
  none.value = T();
  none.has = false;
  return none;
}
template <class Monoid, class T>
CUGRB_DEVICE void add_term(partial<T>& sum, const T& term) {
  sum.value = sum.has ? Monoid::combine(sum.value, term) : term;
  sum.has = true;
}
template <class Monoid, class T>
CUGRB_DEVICE void add_partial(partial<T>& sum, const partial<T>& other) {
  if (other.has) add_term<Monoid>(sum, other.value);
}
/// Whether more terms cannot change the sum.
template <class Monoid, class T>
CUGRB_DEVICE bool is_final(const partial<T>& sum) {
  if constexpr (Monoid::has_terminal || Monoid::is_any) {
    return sum.has && (Monoid::is_any || Monoid::is_terminal(sum.value));
  } else {
    (void)sum;
    return false;
  }
}
/// Whether kernels should look for final sums at all, and whether one is likely after a few terms.
template <class Monoid>
constexpr bool stops_early = Monoid::has_terminal || Monoid::is_any;
template <class Monoid>
constexpr bool stops_at_once = Monoid::is_any || (Monoid::has_terminal && is_bool<typename Monoid::type>);

/// Adds what the lane `delta` further on in the group has.
template <class Monoid, class T>
CUGRB_DEVICE void add_other_lane(unsigned mask, partial<T>& sum, unsigned delta, int lanes) {
  partial<T> other;
  other.value = shuffle_down(mask, sum.value, delta, lanes);
  other.has = shuffle_down(mask, sum.has, delta, lanes);
  add_partial<Monoid>(sum, other);
}

/// The sum over groups of `lanes` lanes, in the group's first lane, always combined in the same order.
template <class Monoid, int lanes, class T>
CUGRB_DEVICE partial<T> sum_over_lanes(unsigned mask, partial<T> sum) {
#pragma unroll
  for (unsigned delta = lanes / 2; delta > 0; delta /= 2) add_other_lane<Monoid>(mask, sum, delta, lanes);
  return sum;
}

/// Where entries lie that are numbered by their positions.
struct at_their_numbers {
  template <class Offset>
  CUGRB_DEVICE Offset operator()(Offset n) const {
    return n;
  }
};

/// Adds the terms of row i at entries first, first + stride, ..., up to `unroll` of them below `end`; entry n
/// lies at position place(n). All loads are issued before the first term is used, so that `unroll` gathers
/// are in flight. first < end need not hold, begin < end must (entries past the end read the last one again
/// and drop it).
template <class Product, int unroll, bool streaming, class Place>
CUGRB_DEVICE void add_terms(partial<typename Product::type>& sum, const MxvOperands& a, uint64_t i,
                            const Place& place, typename Product::Offset first, typename Product::Offset end,
                            unsigned stride) {
  using Offset = typename Product::Offset;
  using Operand = typename Product::Operand;
  uint64_t k[unroll];
  bool use[unroll];
#pragma unroll
  for (int n = 0; n < unroll; ++n) {
    const Offset p = first + Offset(n) * stride;
    use[n] = p < end;
    k[n] = Product::template column<streaming>(a, place(use[n] ? p : end - 1));
  }
  if constexpr (!Operand::always) {
#pragma unroll
    for (int n = 0; n < unroll; ++n) use[n] = use[n] && Operand::has(a.vector, k[n]);
  }
  typename Product::type terms[unroll];
#pragma unroll
  for (int n = 0; n < unroll; ++n) {
    const Offset p = first + Offset(n) * stride;
    // What is not in use is not left undefined, although nobody looks at it: see add_ell_terms.
    terms[n] = typename Product::type();
    if (Operand::always || use[n]) {
      terms[n] = Product::template term<streaming>(a, place(p < end ? p : end - 1), k[n], i, k[n]);
    }
  }
#pragma unroll
  for (int n = 0; n < unroll; ++n) {
    if (use[n]) add_term<typename Product::Add>(sum, terms[n]);
  }
}

/// T(i): `full_result` promises that every row has a term.
template <bool full_result, class T>
CUGRB_DEVICE void store_result(const MxvOperands& a, uint64_t i, const partial<T>& sum) {
  if (full_result || sum.has) static_cast<T*>(a.result.values)[i] = sum.value;
  if constexpr (!full_result) a.result.present[i] = sum.has ? 1 : 0;
}

}  // namespace cugrb
