// Sparse times dense: T where one factor has few rows (or columns), which are taken as vectors, all of them
// in one pass over the other factor.
//
//     T(i,r) = sum over k of  multiply(A(i,k), U(k,r))      (columns of the right factor)
//     T(r,i) = sum over k of  multiply(U(r,k), A(k,i))      (rows of the left factor: `vector_first`, and A'
//     by rows)
//
// The vectors' values at one position lie side by side: place k * vectors + r. An entry (i,k) of A is read
// once for all vectors, and one gather of some neighbouring sectors brings all that it meets. Vectors, mask
// and result are bitmaps (or full) of positions * vectors places, so that everything of
// cuda/kernels/mxv_operands.h and mask.h holds for them.
//
// Pull, here: a group of lanes for each row, entry_lanes times vector_lanes: lane e * vector_lanes + r has
// every entry_lanes-th entry, and the vectors r, r + vector_lanes, ... Rows of many entries get a block each,
// like those of cuda/kernels/mxv_rows.h. The mask is asked before any entry is read; a row that it forbids to
// all vectors is not read. Push: cuda/kernels/mxm_dense_push.h.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/matrix_write_back.h"
#include "cuda/kernels/move_element.h"
#include "cuda/views/mxm_dense.h"

namespace cugrb {

/// matrix_vector (mxv_operands.h) for several vectors: the term of the matrix's entry p, at (i,k), and U's
/// value at position k of vector r.
template <class Semiring, class MatrixType, class OperandType, bool vector_first>
struct matrix_vectors : matrix_vector<Semiring, MatrixType, OperandType, vector_first> {
  using one = matrix_vector<Semiring, MatrixType, OperandType, vector_first>;
  template <bool streaming>
  static CUGRB_DEVICE typename one::type term(const MxmDenseArguments& a, uint64_t p, uint64_t i, uint64_t k,
                                              uint64_t r) {
    const auto matrix = one::template matrix_value<streaming>(a.operands, p);
    const auto vector = one::vector_value(a.operands, k * a.vectors + r);
    if constexpr (vector_first) {
      return multiply<typename one::Multiply>(vector, matrix, r, k, i);
    } else {
      return multiply<typename one::Multiply>(matrix, vector, i, k, r);
    }
  }
};

// ---- moving matrices in and out

/// Calls at_place(p, place) for the entries p of the block's tile. `by_vectors`: the matrix's rows are the
/// few.
template <class Rows, bool by_vectors, class AtPlace>
CUGRB_DEVICE void for_places_of_tile(const MxmDensePackArguments& a, AtPlace at_place) {
  for_entries_of_tile<Rows>(a.matrix, [&](uint64_t p, uint64_t i, uint64_t j) {
    at_place(p, by_vectors ? j * a.vectors + i : i * a.vectors + j);
  });
}

/// Grid: a block of 256 for each tile of the matrix's entries.
template <class Rows, class Element, bool has_values, bool has_present, bool by_vectors>
CUGRB_KERNEL(256)
void mxm_dense_pack(MxmDensePackArguments a) {
  for_places_of_tile<Rows, by_vectors>(a, [&](uint64_t p, uint64_t place) {
    if constexpr (has_present) a.present[place] = 1;
    if constexpr (has_values)
      static_cast<Element*>(a.values)[place] = static_cast<const Element*>(a.matrix.values)[p];
  });
}

/// The entries that `Select` (mxm_operands.h) holds for. The same grid.
template <class Select, bool by_vectors>
CUGRB_KERNEL(256)
void mxm_dense_pack_mask(MxmDensePackArguments a) {
  for_places_of_tile<Select, by_vectors>(
      a, [&](uint64_t p, uint64_t place) { a.present[place] = Select::holds(a.matrix, p) ? 1 : 0; });
}

/// One thread a place.
template <class Element, bool has_present>
CUGRB_KERNEL(256)
void mxm_dense_turn(MxmDenseTurnArguments a) {
  const uint64_t place = global_thread();
  if (place >= a.positions * a.vectors) return;
  const uint64_t i = place / a.vectors, turned = (place - i * a.vectors) * a.positions + i;
  if constexpr (has_present) {
    a.turned_present[turned] = a.present[place];
    if (a.present[place] == 0) return;
  }
  static_cast<Element*>(a.turned_values)[turned] = static_cast<const Element*>(a.values)[place];
}

/// One thread for each of rows + 1 and of the entries.
template <class Index, class Offset, class Column>
CUGRB_KERNEL(256)
void mxm_dense_rows(MxmDenseRowsArguments a) {
  const Index* places = static_cast<const Index*>(a.places);
  const uint64_t n = global_thread();
  if (n <= a.rows)
    static_cast<Offset*>(a.offsets)[n] = Offset(lower_bound(places, 0, a.entries, n * a.columns_count));
  if (n < a.entries) static_cast<Column*>(a.columns)[n] = Column(uint64_t(places[n]) % a.columns_count);
}

// ---- pull

/// Gathers for one vector that a thread keeps in flight.
constexpr int dense_unroll = 4;

/// The sums of one lane at one row: those of the vectors r = lane % vector_lanes, r + vector_lanes, ...
template <class Product, int vector_lanes, int per_lane>
struct lane_sums {
  using Add = typename Product::Add;
  using Offset = typename Product::Offset;
  using Operand = typename Product::Operand;
  using T = typename Product::type;

  partial<T> sums[per_lane];
  bool wanted[per_lane];  ///< that vector exists, and the mask allows it

  static CUGRB_DEVICE uint64_t vector_of(int m) { return thread_index() % vector_lanes + m * vector_lanes; }

  template <class Mask>
  CUGRB_DEVICE void begin(const MxmDenseArguments& a, uint64_t i) {
#pragma unroll
    for (int m = 0; m < per_lane; ++m) {
      const uint64_t r = vector_of(m);
      sums[m] = no_terms<T>();
      wanted[m] = r < a.vectors && Mask::allows(a.operands.mask, i * a.vectors + r);
    }
  }
  CUGRB_DEVICE bool wants_any() const {
    bool any = false;
#pragma unroll
    for (int m = 0; m < per_lane; ++m) any = any || wanted[m];
    return any;
  }
  CUGRB_DEVICE bool is_done() const {
    bool done = true;
#pragma unroll
    for (int m = 0; m < per_lane; ++m) done = done && (!wanted[m] || is_final<Add>(sums[m]));
    return done;
  }

  /// The terms of row i at entries first, first + stride, ..., up to dense_unroll of them below `end`; at
  /// least one entry is. As add_terms of mxv_operands.h: all loads before the first use.
  template <bool streaming>
  CUGRB_DEVICE void add(const MxmDenseArguments& a, uint64_t i, Offset first, Offset end, unsigned stride) {
    constexpr int unroll = dense_unroll;
    uint64_t k[unroll];
#pragma unroll
    for (int n = 0; n < unroll; ++n) {
      const Offset p = first + Offset(n) * stride;
      k[n] = Product::template column<streaming>(a.operands, p < end ? p : end - 1);
    }
#pragma unroll
    for (int m = 0; m < per_lane; ++m) {
      const uint64_t r = vector_of(m);
      bool use[unroll];
#pragma unroll
      for (int n = 0; n < unroll; ++n) {
        use[n] = wanted[m] && first + Offset(n) * stride < end;
        if constexpr (!Operand::always)
          use[n] = use[n] && Operand::has(a.operands.vector, k[n] * a.vectors + r);
      }
      T terms[unroll];
#pragma unroll
      for (int n = 0; n < unroll; ++n) {
        terms[n] = T();  // not left undefined, although nobody looks at it: see add_ell_terms
        if (use[n]) terms[n] = Product::template term<streaming>(a, first + Offset(n) * stride, i, k[n], r);
      }
#pragma unroll
      for (int n = 0; n < unroll; ++n) {
        if (use[n]) add_term<Add>(sums[m], terms[n]);
      }
    }
  }

  /// Into the first vector_lanes of `lanes` lanes, always in the same order. `mask` names the lanes.
  template <int lanes>
  CUGRB_DEVICE void sum_over_group(unsigned mask) {
#pragma unroll
    for (int m = 0; m < per_lane; ++m) {
#pragma unroll
      for (unsigned delta = lanes / 2; delta >= vector_lanes; delta /= 2)
        add_other_lane<Add>(mask, sums[m], delta, lanes);
    }
  }
  template <bool full_result>
  CUGRB_DEVICE void store(const MxmDenseArguments& a, uint64_t i) const {
#pragma unroll
    for (int m = 0; m < per_lane; ++m) {
      if (vector_of(m) < a.vectors)
        store_result<full_result>(a.operands, i * a.vectors + vector_of(m), sums[m]);
    }
  }
};

/// Whether each vector's sum is final in one of the group's lanes that have it.
template <int vector_lanes, int lanes>
CUGRB_DEVICE bool all_vectors_done(unsigned mask, bool done) {
  unsigned bits = (ballot(mask, done) & mask) >> (lane_index() / lanes * lanes);
#pragma unroll
  for (int delta = lanes / 2; delta >= vector_lanes; delta /= 2) bits |= bits >> delta;
  constexpr unsigned every = vector_lanes == 32 ? full_warp : (1u << (vector_lanes % 32)) - 1u;
  return (bits & every) == every;
}

/// T(i,.) by the calling block of 256 threads.
template <class Product, class Mask, bool full_result, int vector_lanes, int per_lane>
CUGRB_DEVICE void dense_row_by_block(const MxmDenseArguments& a, uint64_t i) {
  using Add = typename Product::Add;
  using Offset = typename Product::Offset;
  using T = typename Product::type;
  constexpr unsigned stride = 256 / vector_lanes;
  const Offset begin = read_only(Product::offsets(a.operands) + i),
               end = read_only(Product::offsets(a.operands) + i + 1);
  lane_sums<Product, vector_lanes, per_lane> row;
  row.template begin<Mask>(a, i);
  if (any_lane(full_warp, row.wants_any())) {  // every warp has all vectors
    for (Offset base = begin; base < end; base += dense_unroll * stride) {
      row.template add<(stride >= 8)>(a, i, base + thread_index() / vector_lanes, end, stride);
      if constexpr (stops_early<Add>) {
        if (sync_block_count(row.is_done()) == 256) break;
      }
    }
  }
  row.template sum_over_group<32>(full_warp);
  CUGRB_SHARED(partial<T>, warp_sums, 8 * vector_lanes);
#pragma unroll
  for (int m = 0; m < per_lane; ++m) {
    sync_block();
    if (lane_index() < vector_lanes)
      warp_sums[thread_index() / 32 * vector_lanes + lane_index()] = row.sums[m];
    sync_block();
    if (thread_index() < vector_lanes) {
      for (int w = 1; w < 8; ++w) add_partial<Add>(row.sums[m], warp_sums[w * vector_lanes + thread_index()]);
    }
  }
  if (thread_index() < vector_lanes) row.template store<full_result>(a, i);
}

/// Blocks that a multiprocessor holds. With registers for 2048 threads sums of eight bytes would spill, two
/// of them a lane with those for 1280.
template <class T, int per_lane>
constexpr int dense_resident = per_lane == 1 && sizeof(T) <= 8 ? 5 : 4;

/// Grid: long_count blocks, then one group of lanes for each row. Launched with 256 threads.
/// T(i,.) for all rows; O(entries of the rows that the mask allows to some vector).
template <class Product, class Mask, bool full_result, int vector_lanes, int per_lane, int entry_lanes>
CUGRB_KERNEL_RESIDENT(256, (dense_resident<typename Product::type, per_lane>))
void mxm_dense(MxmDenseArguments a) {
  using Add = typename Product::Add;
  using Offset = typename Product::Offset;
  constexpr int lanes = vector_lanes * entry_lanes;
  if (block_index() < a.long_count) {
    dense_row_by_block<Product, Mask, full_result, vector_lanes, per_lane>(a, a.long_rows[block_index()]);
    return;
  }
  const uint64_t i = (global_thread() - a.long_count * 256) / lanes;
  if (i >= a.operands.matrix.rows) return;
  const unsigned group = group_lanes<lanes>();
  const Offset begin = read_only(Product::offsets(a.operands) + i),
               end = read_only(Product::offsets(a.operands) + i + 1);
  if (a.long_count > 0 && end - begin > a.longest_short) return;  // a block has it
  lane_sums<Product, vector_lanes, per_lane> row;
  row.template begin<Mask>(a, i);
  if (any_lane(group, row.wants_any())) {
    for (Offset base = begin; base < end; base += dense_unroll * entry_lanes) {
      row.template add<(entry_lanes >= 8)>(a, i, base + lane_index() % lanes / vector_lanes, end,
                                           entry_lanes);
      if constexpr (stops_early<Add>) {
        if (all_vectors_done<vector_lanes, lanes>(group, row.is_done())) break;
      }
    }
  }
  row.template sum_over_group<lanes>(group);
  if (lane_index() % lanes < vector_lanes) row.template store<full_result>(a, i);
}

}  // namespace cugrb
