// Pull on compressed sparse blocks: sums in shared memory, operands by neighbouring columns.
//
// A band's sums, one slot a row or more, fit a block's shared memory, and its entries come in the order of
// their columns. So the 32 gathers of a warp name a few neighbouring sectors of u in place of 32 random ones,
// which bound SpMV on matrices without popular columns (L2 serves 150 G random gathers a second on an H200).
// No step asks for a slot twice and a barrier lies between steps, so that a sum is read, added to and stored
// without atomics: any monoid with an identity, and always the same order. (Atomic sums take twice as long in
// FP32, whose addition in shared memory is a loop of compare-and-swap.) The blocks of a cluster share the
// steps of a band and make its rows of T, reading each other's sums (mxv_csb_bands). Where bands are too
// uneven for that, or a device has no clusters, blocks share the steps of all bands, and a second launch adds
// up what the pieces of a band give (mxv_csb, mxv_csb_rows): src/formats/csb_pieces.h. After A. Buluc, J.
// Fineman, M. Frigo, J. Gilbert and C. Leiserson, "Parallel Sparse Matrix-Vector and Matrix-Transpose-Vector
// Multiplication Using Compressed Sparse Blocks", SPAA 2009, with blocks as wide as the matrix.
#pragma once
#include "cuda/kernels/mask.h"
#include "cuda/kernels/mxv_tiles.h"
#include "cuda/kernels/sum_start.h"
#include "cuda/views/csb.h"

namespace cugrb {

/// A thread's four places of a step.
struct csb_places {
  uint32_t entries[4], base;
};
/// What is multiplied there.
template <class Product>
struct csb_factors {
  typename Product::MatrixOperand values[4];
  typename Product::VectorOperand operands[4];
};

CUGRB_DEVICE void load_csb_places(const MxvCsbArguments& a, uint32_t step, csb_places& loaded) {
  const uint64_t four = uint64_t(step) * block_threads() + thread_index();
  read_streaming_four(a.matrix.entries + four * 4, loaded.entries, a.policy);
  loaded.base = read_only(a.matrix.bases + four * 4 / csb_chunk);
}

template <class Product, class VectorValues>
CUGRB_DEVICE void load_csb_factors(const MxvCsbArguments& a, uint32_t step, const csb_places& places,
                                   csb_factors<Product>& loaded) {
  using Operand = typename Product::VectorOperand;
  const uint64_t four = uint64_t(step) * block_threads() + thread_index();
  values_by_four<typename Product::Values>::read(a.matrix.values, four * 4, loaded.values, a.policy);
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const uint64_t column = uint64_t(places.base) + (places.entries[j] & 0xffffu);
    loaded.operands[j] = VectorValues::template at<Operand, false>(a.vector.values, column);
  }
}

/// No two entries of a step have a slot in common: all four are read before one is stored.
template <class Product, class T>
CUGRB_DEVICE void add_csb_terms(const csb_places& places, const csb_factors<Product>& factors, T* slots) {
  T sums[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const uint32_t slot = places.entries[j] >> 16;
    // Not left undefined, although nobody looks at it: see add_ell_terms.
    sums[j] = slot != no_csb_slot ? slots[slot] : T();
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const T term = Product::term(factors.values[j], factors.operands[j]);
    const uint32_t slot = places.entries[j] >> 16;
    if (slot != no_csb_slot) slots[slot] = Product::Add::combine(sums[j], term);
  }
}

/// The places of a piece's first two steps, if it has any.
CUGRB_DEVICE void begin_csb_piece(const MxvCsbArguments& a, const CsbPiece& piece, csb_places& now,
                                  csb_places& next) {
  if (piece.first_step == piece.last_step) return;
  load_csb_places(a, piece.first_step, now);
  load_csb_places(a, piece.first_step + 1 < piece.last_step ? piece.first_step + 1 : piece.first_step, next);
}

/// The sums of a piece, in its band's slots. A step's places are on their way while the step before gathers,
/// and its factors while that adds: nothing is waited for before the barrier.
template <class Product, class VectorValues>
CUGRB_DEVICE void sum_csb_piece(const MxvCsbArguments& a, const CsbPiece& piece, csb_places& now,
                                csb_places& next, typename Product::type* slots) {
  if (piece.first_step == piece.last_step) return;
  const uint32_t last = piece.last_step - 1;
  csb_factors<Product> factors;
  load_csb_factors<Product, VectorValues>(a, piece.first_step, now, factors);
  for (uint32_t step = piece.first_step; step <= last; ++step) {
    csb_places later;
    csb_factors<Product> next_factors;
    load_csb_places(a, last - step >= 2 ? step + 2 : last, later);
    load_csb_factors<Product, VectorValues>(a, step < last ? step + 1 : last, next, next_factors);
    sync_block();  // the step before, or what slots started from
    add_csb_terms<Product>(now, factors, slots);
    now = next;
    next = later;
    factors = next_factors;
  }
}

/// A band's rows of several slots: the list's bounds, and the one of it that the lane begins with. What
/// stands side by side goes to different warps: the longest rows of a graph often do.
struct csb_shared_list {
  uint32_t last, next, word;
  bool any;  ///< for all threads alike

  CUGRB_DEVICE csb_shared_list(const MxvCsbArguments& a, uint32_t band) {
    const uint32_t first = read_only(a.matrix.band_shared + band);
    last = read_only(a.matrix.band_shared + band + 1);
    next = first + lane_index() * (block_threads() / 32) + thread_index() / 32;
    any = first < last;
    load(a);
  }
  CUGRB_DEVICE void load(const MxvCsbArguments& a) {
    word = next < last ? read_only(a.matrix.shared_rows + next) : 0u;
  }
  /// Whether lanes of the warp have rows.
  CUGRB_DEVICE bool has() const { return any_lane(full_warp, next < last); }
  CUGRB_DEVICE void advance(const MxvCsbArguments& a) {
    next += block_threads();
    load(a);
  }
};

/// Adds what rows of several slots have to their first one: a lane a row, a warp one of many slots.
template <class Add, class T>
CUGRB_DEVICE void join_csb_slots(const MxvCsbArguments& a, csb_shared_list& list, T* slots) {
  constexpr uint32_t most_slots = 8;
  for (; list.has(); list.advance(a)) {
    const uint32_t first = list.word & 0xffffu, last = list.word >> 16;
    const bool is_long = last - first > most_slots;
    if (first < last && !is_long) {
      T sum = slots[first];
      for (uint32_t s = first + 1; s < last; ++s) sum = Add::combine(sum, slots[s]);
      slots[first] = sum;
    }
    for (unsigned long_rows = ballot(full_warp, is_long); long_rows != 0; long_rows &= long_rows - 1) {
      const int lane = lowest_bit(long_rows);
      const uint32_t from = shuffle(full_warp, first, lane), to = shuffle(full_warp, last, lane);
      partial<T> sum = no_terms<T>();
      for (uint32_t s = from + lane_index(); s < to; s += 32) add_term<Add>(sum, slots[s]);
      sum = sum_over_lanes<Add, 32>(full_warp, sum);
      if (lane_index() == 0) slots[from] = sum.value;
    }
  }
}

/// Sums that a thread moves at once: 16 bytes, so that a warp's stores fill whole sectors.
template <class T>
constexpr int csb_moved = sizeof(T) < 8    ? 4
                          : sizeof(T) < 16 ? 2
                                           : 1;

/// The slots before any term is added.
template <class Add, class T>
CUGRB_DEVICE void clear_csb_slots(const MxvCsbArguments& a, T* slots) {
  constexpr int moved = csb_moved<T>;
  T starts[moved];
#pragma unroll
  for (int j = 0; j < moved; ++j) starts[j] = start_of_sum<Add>();
  for (uint32_t s = thread_index() * moved; s < a.slots; s += block_threads() * moved)
    write_together(slots + s, starts);
}

/// Stores a piece's sums.
template <class T>
CUGRB_DEVICE void store_csb_slots(const MxvCsbArguments& a, uint64_t piece, const T* slots) {
  constexpr int moved = csb_moved<T>;
  T* const sums = static_cast<T*>(a.sums) + piece * a.slots;
#pragma unroll 2
  for (uint32_t s = thread_index() * moved; s < a.slots; s += block_threads() * moved) {
    T some[moved];
    read_together(slots + s, some);
    write_together(sums + s, some);
  }
}

/// Rows of a band, and where their sums are.
struct csb_band_rows {
  uint64_t first_row;  ///< of the band
  const uint16_t* slots;

  CUGRB_DEVICE csb_band_rows(const MxvCsbArguments& a, uint32_t band) {
    first_row = uint64_t(band) * a.matrix.band_rows;
    slots = a.matrix.row_slots + first_row + band;
  }
  /// Whether row r of the band gets a value: the mask allows it and it has entries, whose first slot is
  /// `slot`. (No branch before the loads: several rows' are in flight.)
  template <class Mask>
  CUGRB_DEVICE bool has(const MxvCsbArguments& a, uint32_t r, uint32_t& slot) const {
    const uint32_t known = r < a.matrix.band_rows ? r : a.matrix.band_rows - 1;
    slot = read_only(slots + known);
    const uint32_t next = read_only(slots + known + 1);
    return known == r && first_row + r < a.matrix.rows && slot != next && Mask::allows(a.mask, first_row + r);
  }
  template <bool full_result, class T>
  CUGRB_DEVICE void store(const MxvCsbArguments& a, uint32_t r, const T& sum) const {
    static_cast<T*>(a.result.values)[first_row + r] = sum;
    if constexpr (!full_result) a.result.present[first_row + r] = 1;
  }
};

/// T's rows of a band from the slots of the blocks of a cluster: each block makes a share of the rows, and
/// adds up the blocks' sums in their order.
template <class Add, class Mask, bool full_result, int cluster, class T>
CUGRB_DEVICE void store_csb_rows(const MxvCsbArguments& a, uint32_t band, const T* slots) {
  constexpr uint32_t rounds = 4;  // rows of a thread, whose loads are in flight together
  const uint32_t share = (a.matrix.band_rows + cluster - 1) / cluster;
  const uint32_t first = block_index() % cluster * share;
  const uint32_t end = first + share < a.matrix.band_rows ? first + share : a.matrix.band_rows;
  const csb_band_rows rows(a, band);
  const T* of_block[cluster];
#pragma unroll
  for (int b = 0; b < cluster; ++b) of_block[b] = cluster > 1 ? shared_of_block(slots, b) : slots;
  for (uint32_t row = first + thread_index(); row < end; row += rounds * block_threads()) {
    bool has[rounds];
    uint32_t places[rounds];
#pragma unroll
    for (uint32_t n = 0; n < rounds; ++n) {
      const uint32_t r = row + n * block_threads();
      has[n] = rows.template has<Mask>(a, r, places[n]) && r < end;
    }
#pragma unroll
    for (uint32_t n = 0; n < rounds; ++n) {
      if (!has[n]) continue;
      T sum = of_block[0][places[n]];
#pragma unroll
      for (int b = 1; b < cluster; ++b) sum = Add::combine(sum, of_block[b][places[n]]);
      rows.template store<full_result>(a, row + n * block_threads(), sum);
    }
  }
}

/// Sums the block's pieces in its band's slots, one piece after the other, and calls store(piece, band,
/// joined) for each: `joined`, whether slots were written since all threads met. It returns when nobody reads
/// the slots any more. A piece's first entries are on their way while the one before is stored, those of the
/// first one before earlier kernels have ended: make_csb has waited for the matrix.
template <class Product, class VectorValues, class Store>
CUGRB_DEVICE void sum_csb_pieces(const MxvCsbArguments& a, typename Product::type* slots,
                                 const Store& store) {
  using Add = typename Product::Add;
  const uint32_t last = a.first_pieces[block_index() + 1];
  uint32_t p = a.first_pieces[block_index()];
  if (p == last) return wait_for_earlier_kernels();
  csb_places now, next;
  CsbPiece piece = a.pieces[p];
  begin_csb_piece(a, piece, now, next);
  while (true) {
    csb_shared_list shared_rows(a, piece.band);
    clear_csb_slots<Add>(a, slots);
    wait_for_earlier_kernels();  // for the vector; once it has been waited for this takes no time
    sum_csb_piece<Product, VectorValues>(a, piece, now, next, slots);
    sync_block();
    const uint32_t done = p++, band = piece.band;
    if (p < last) {
      piece = a.pieces[p];
      begin_csb_piece(a, piece, now, next);
    }
    if (shared_rows.any) join_csb_slots<Add>(a, shared_rows, slots);
    store(done, band, shared_rows.any);
    if (p == last) return;
  }
}

/// All threads of a cluster's blocks wait for each other.
template <int cluster>
CUGRB_DEVICE void meet_csb_blocks() {
  if constexpr (cluster > 1) {
    sync_cluster();
  } else {
    sync_block();
  }
}

/// Whole bands, and their rows of T. Grid: clusters of `cluster` blocks of up to 1024 threads, a step having
/// four places a thread; the blocks of a cluster have as many pieces, of the same bands, some of them without
/// a step. Dynamic shared memory: `slots` sums. T starts without entries unless it is full.
template <class Product, class VectorValues, class Mask, bool full_result, int cluster>
CUGRB_KERNEL_RESIDENT(1024, 1)
void mxv_csb_bands(MxvCsbArguments a) {
  using T = typename Product::type;
  CUGRB_DYNAMIC_SHARED(T, slots);
  sum_csb_pieces<Product, VectorValues>(a, slots, [&](uint32_t, uint32_t band, bool) {
    meet_csb_blocks<cluster>();
    store_csb_rows<typename Product::Add, Mask, full_result, cluster>(a, band, slots);
    meet_csb_blocks<cluster>();
  });
}

/// Sums of all pieces, where no cluster has whole bands. Grid: as many blocks of up to 1024 threads as there
/// are lists of pieces, a step having four places a thread; dynamic shared memory: `slots` sums.
template <class Product, class VectorValues>
CUGRB_KERNEL_RESIDENT(1024, 1)
void mxv_csb(MxvCsbArguments a) {
  using T = typename Product::type;
  CUGRB_DYNAMIC_SHARED(T, slots);
  sum_csb_pieces<Product, VectorValues>(a, slots, [&](uint32_t piece, uint32_t, bool joined) {
    if (joined) sync_block();
    store_csb_slots(a, piece, slots);
    sync_block();
  });
}

/// T from the pieces' sums: a thread has `rounds` rows, and eight loads in flight. Grid: a block for 256 *
/// rounds rows of a band, band after band. T starts without entries unless it is full. What is asked before
/// the kernel before has ended is not its result: matrix and mask were there when mxv_csb began.
template <class Add, class Mask, bool full_result, int rounds>
CUGRB_KERNEL(256)
void mxv_csb_rows(MxvCsbArguments a) {
  using T = typename Add::type;
  constexpr uint32_t block_rows = 256 * rounds, ahead = 8 / rounds;  // pieces whose sums are in flight
  const uint32_t blocks = (a.matrix.band_rows + block_rows - 1) / block_rows;
  const uint32_t row = block_index() % blocks * block_rows + thread_index();
  const uint32_t number = block_index() / blocks;
  const uint32_t first = a.band_pieces[number], last = a.band_pieces[number + 1];
  const csb_band_rows band(a, number);
  bool has[rounds];
  uint32_t places[rounds];
  T sums[rounds];
#pragma unroll
  for (uint32_t n = 0; n < rounds; ++n) has[n] = band.template has<Mask>(a, row + n * 256, places[n]);
  wait_for_earlier_kernels();
  for (uint32_t p = first; p < last; p += ahead) {
    T more[ahead][rounds];
#pragma unroll
    for (uint32_t d = 0; d < ahead; ++d) {
      const T* of_piece = static_cast<const T*>(a.sums) + uint64_t(p + d < last ? p + d : p) * a.slots;
#pragma unroll
      for (uint32_t n = 0; n < rounds; ++n) {
        if (has[n]) more[d][n] = read_streaming(of_piece + places[n]);
      }
    }
#pragma unroll
    for (uint32_t d = 0; d < ahead; ++d) {
#pragma unroll
      for (uint32_t n = 0; n < rounds; ++n) {
        if (has[n] && p + d < last) sums[n] = p + d == first ? more[d][n] : Add::combine(sums[n], more[d][n]);
      }
    }
  }
#pragma unroll
  for (uint32_t n = 0; n < rounds; ++n) {
    if (has[n]) band.template store<full_result>(a, row + n * 256, sums[n]);
  }
}

/// The same where bands have many: a block has 32 rows, and each of its eight warps every eighth piece. Grid:
/// a block for 32 rows of a band, band after band.
template <class Add, class Mask, bool full_result>
CUGRB_KERNEL(256)
void mxv_csb_split_rows(MxvCsbArguments a) {
  using T = typename Add::type;
  constexpr uint32_t warps = 8;
  CUGRB_SHARED(partial<T>, parts, warps * 32);
  const uint32_t blocks = (a.matrix.band_rows + 31) / 32, row = block_index() % blocks * 32 + lane_index();
  const uint32_t number = block_index() / blocks, last = a.band_pieces[number + 1];
  const csb_band_rows band(a, number);
  uint32_t place = 0;
  const bool has = band.template has<Mask>(a, row, place);
  wait_for_earlier_kernels();
  partial<T> sum = no_terms<T>();
#pragma unroll 4
  for (uint32_t p = a.band_pieces[number] + thread_index() / 32; p < last; p += warps) {
    if (has)
      add_term<Add>(sum, read_streaming(static_cast<const T*>(a.sums) + uint64_t(p) * a.slots + place));
  }
  parts[thread_index()] = sum;
  sync_block();
  if (thread_index() >= 32 || !has) return;
  for (uint32_t w = 1; w < warps; ++w) add_partial<Add>(sum, parts[w * 32 + lane_index()]);
  band.template store<full_result>(a, row, sum.value);
}

}  // namespace cugrb
