// Sorting in registers: a bitonic network over the items of 8, 16 or 32 lanes, or of a block, whose steps are
// exchanges of registers within a lane, shuffles within a warp, and only between warps pass through shared
// memory. K. E. Batcher, Sorting networks and their applications, AFIPS 1968; the form in which every
// exchange ascends.
#pragma once
#include "cuda/kernels/base.h"
#include "cuda/kernels/expressions.h"

namespace cugrb {

/// A column and a number below 2^number_bits in one word: in 32 bits where columns are few enough.
template <class Word, int number_bits>
struct packed_item {
  Word both;
  static CUGRB_DEVICE packed_item make(uint64_t column, uint32_t number) {
    return {Word(Word(column) << number_bits | number)};
  }
  static CUGRB_DEVICE packed_item last() { return {Word(~Word(0))}; }
  CUGRB_DEVICE uint64_t column() const { return both >> number_bits; }
  CUGRB_DEVICE uint32_t number() const { return uint32_t(both & ((Word(1) << number_bits) - 1)); }
  static CUGRB_DEVICE packed_item lower(const packed_item& x, const packed_item& y) {
    return {x.both < y.both ? x.both : y.both};
  }
  static CUGRB_DEVICE packed_item higher(const packed_item& x, const packed_item& y) {
    return {x.both < y.both ? y.both : x.both};
  }
};
/// The same for columns of 64 bits.
struct wide_item {
  uint64_t of_column;
  uint64_t of_number;
  static CUGRB_DEVICE wide_item make(uint64_t column, uint32_t number) { return {column, number}; }
  static CUGRB_DEVICE wide_item last() { return {~uint64_t(0), ~uint64_t(0)}; }
  CUGRB_DEVICE uint64_t column() const { return of_column; }
  CUGRB_DEVICE uint32_t number() const { return uint32_t(of_number); }
  CUGRB_DEVICE bool before(const wide_item& y) const {
    return of_column < y.of_column || (of_column == y.of_column && of_number < y.of_number);
  }
  static CUGRB_DEVICE wide_item lower(const wide_item& x, const wide_item& y) { return y.before(x) ? y : x; }
  static CUGRB_DEVICE wide_item higher(const wide_item& x, const wide_item& y) { return y.before(x) ? x : y; }
};

/// Blocks that a multiprocessor holds when groups of `lanes` sort `each` items a lane: by the registers that
/// they need.
constexpr int sorting_blocks(int lanes, int each, int item_bytes) {
  const int bytes = each * item_bytes;
  return lanes > 512 ? 1 : lanes > 256 || bytes > 64 ? 2 : bytes > 32 || lanes > 32 ? 4 : 5;
}

/// Where item e of lanes * each lies in shared memory: lanes meet no bank conflicts, whether they take `each`
/// items one after the other or every lanes-th.
template <int lanes, int each>
CUGRB_DEVICE unsigned place_of_item(unsigned e) {
  constexpr unsigned padding = lanes >= 32 ? 32 / each : 0;
  return e % each * (lanes + padding) + e / each;
}
template <int lanes, int each>
constexpr unsigned item_places = lanes* each + (lanes >= 32 ? 32 : 0);

/// Exchanges u of each pair u, u ^ (size - 1), then u, u ^ stride for size / 4, ..., 1, all in one lane.
template <int size, int each, class Item>
CUGRB_DEVICE void merge_in_lane(Item (&own)[each], bool mirrored) {
#pragma unroll
  for (int stride = size / 2; stride > 0; stride /= 2) {
    const int mask = mirrored && stride == size / 2 ? size - 1 : stride;
#pragma unroll
    for (int u = 0; u < each; ++u) {
      const int v = u ^ mask;
      if (v < u) continue;
      const Item x = own[u], y = own[v];
      own[u] = Item::lower(x, y);
      own[v] = Item::higher(x, y);
    }
  }
}

template <class Item>
CUGRB_DEVICE Item pick(bool lower, const Item& x, const Item& y) {
  return lower ? Item::lower(x, y) : Item::higher(x, y);
}

/// Exchanges every item with that of `other` lanes' bits: at the same place, or the mirrored one.
template <int each, class Item>
CUGRB_DEVICE void exchange_in_warp(Item (&own)[each], bool lower, unsigned other, bool mirrored) {
  if (mirrored) {
#pragma unroll
    for (int u = 0; u < each / 2; ++u) {
      const int v = each - 1 - u;
      const Item x = shuffle_xor(full_warp, own[v], int(other)),
                 y = shuffle_xor(full_warp, own[u], int(other));
      own[u] = pick(lower, own[u], x);
      own[v] = pick(lower, own[v], y);
    }
  } else {
#pragma unroll
    for (int u = 0; u < each; ++u) own[u] = pick(lower, own[u], shuffle_xor(full_warp, own[u], int(other)));
  }
}

/// The same across a block's warps.
template <int lanes, int each, class Item>
CUGRB_DEVICE void exchange_in_block(Item (&own)[each], bool lower, unsigned lane, unsigned other,
                                    bool mirrored, Item* memory) {
  sync_block();
#pragma unroll
  for (int u = 0; u < each; ++u) memory[place_of_item<lanes, each>(lane * each + unsigned(u))] = own[u];
  sync_block();
#pragma unroll
  for (int u = 0; u < each; ++u) {
    const unsigned e = (lane ^ other) * each + unsigned(mirrored ? each - 1 - u : u);
    own[u] = pick(lower, own[u], memory[place_of_item<lanes, each>(e)]);
  }
}

/// own[u] = item lane * each + u of the group in ascending order, of lanes * each items of which those from
/// `count` on are last(). A group of 8, 16 or 32 lanes sorts in step with the others of its warp and leaves
/// `memory` alone; a block (lanes > 32) passes its items through there (item_places) and is called by all
/// threads. Blocks, and the groups that have the shortest rows, stop where these are in order: rows of the
/// others fill half of their bin at least.
template <int lanes, int each, class Item>
CUGRB_DEVICE void sort_items(Item (&own)[each], unsigned lane, unsigned count, Item* memory) {
  static_assert(each == 4 || each == 8 || each == 16, "sorted in the lane first");
  merge_in_lane<2>(own, true);
  merge_in_lane<4>(own, true);
  if constexpr (each >= 8) merge_in_lane<8>(own, true);
  if constexpr (each >= 16) merge_in_lane<16>(own, true);
#pragma unroll 1
  for (unsigned size = 2; size <= lanes; size *= 2) {  // in lanes
    const bool unsorted = size / 2 * each < count;
    if (lanes > 32 && !unsorted) break;
    if (lanes == 8 && !any_lane(full_warp, unsorted)) break;
#pragma unroll 1
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const bool mirrored = stride == size / 2, lower = (lane & stride) == 0;
      const unsigned other = mirrored ? size - 1 : stride;
      if (lanes > 32 && stride >= 32) {
        exchange_in_block<lanes>(own, lower, lane, other, mirrored, memory);
      } else {
        exchange_in_warp(own, lower, other, mirrored);
      }
    }
    merge_in_lane<each>(own, false);
  }
}

}  // namespace cugrb
