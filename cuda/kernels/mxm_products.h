// The products of a row of T, dealt out to a group of threads one by one, however long the ranges of right
// entries are that they come from.
//
// Groups of fewer than 32 threads go through their rows in step with the others of their warp: shuffles of a
// part of a warp cost several times those of all of it.
#pragma once
#include "cuda/kernels/mxm_rows.h"

namespace cugrb {

/// Barrier of a group of `lanes` threads; of its warp when the group is smaller.
template <int lanes>
CUGRB_DEVICE void sync_group() {
  if constexpr (lanes <= 32) {
    sync_warp(full_warp);
  } else {
    sync_block();
  }
}

/// The sum of what the warps before the calling one have in `sums`, and of all `warps`. All lanes of a warp
/// together.
template <int warps>
CUGRB_DEVICE uint32_t sum_before_warp(const uint32_t* sums, uint32_t& total) {
  const unsigned lane = lane_index() % warps;
  const uint32_t own = sums[lane];
  uint32_t sum = own;
#pragma unroll
  for (unsigned delta = 1; delta < warps; delta *= 2) {
    const uint32_t other = shuffle_up(full_warp, sum, delta, warps);
    if (lane >= delta) sum += other;
  }
  total = shuffle(full_warp, sum, warps - 1, warps);
  return shuffle(full_warp, sum - own, int(thread_index() / 32), warps);
}

/// The last of `count` ascending values that is at most `wanted`, as the first one is. All lanes of a warp
/// together, each with a value of its own to look at.
CUGRB_DEVICE unsigned last_at_most(const uint32_t* values, unsigned count, uint32_t wanted) {
  unsigned low = 0;
#pragma unroll 1
  while (count > 1) {
    const unsigned stride = (count + 31) / 32, ahead = lane_index() * stride;
    const unsigned votes = ballot(full_warp, ahead < count && values[low + ahead] <= wanted);
    const unsigned passed = unsigned(count_bits(votes) - 1) * stride;
    low += passed;
    count = count - passed < stride ? count - passed : stride;
  }
  return low;
}

/// The operands of a product, as they are loaded: what is made of them would wait for them before the loads
/// of other products are under way.
template <class Product>
struct product_operands {
  typename Product::Left::Column k;
  typename Product::Right::Column column;
  typename Product::LeftValue of_left;
  typename Product::RightValue of_right;

  /// Of left entry p, in column k, and right entry q.
  static CUGRB_DEVICE product_operands load(const MxmRowsArguments& a, uint64_t p, uint64_t k, uint64_t q) {
    using Left = typename Product::Left;
    using Right = typename Product::Right;
    return {typename Left::Column(k), read_only(columns_of<Right>(a.right) + q),
            Product::left_value(a.left, p), Product::right_value(a.right, q)};
  }
  /// Of row r.
  CUGRB_DEVICE typename Product::type term(const MxmRowsArguments& a, uint64_t r) const {
    return Product::term_of(of_left, of_right, a.left, a.right, r, k, column);
  }
};

/// use(load(p, k, q), n) for every product of the left entries [base, end), spread over a group of 8, 16 or
/// 32 lanes, all groups of a warp together; n numbers the group's products. Each lane fetches one left entry
/// and the range of its right row; then the products of these ranges are dealt out, and several are loaded
/// before the first is used. Returns how many there were.
template <class Product, int lanes, class Load, class Use>
CUGRB_DEVICE unsigned for_products_by_lanes(const MxmRowsArguments& a, uint64_t base, uint64_t end,
                                            unsigned lane, Load load, Use use) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  using LeftColumn = typename Left::Column;
  using Offset = typename Right::Offset;
  constexpr int unroll = 4;
  unsigned done = 0;
  for (; any_lane(full_warp, base < end); base += lanes) {
    const uint64_t p = base + lane;
    LeftColumn k = 0;
    Offset first = 0;
    unsigned sum = 0;  // of the ranges' lengths up to this lane's: a row has few products
    if (p < end) {
      k = read_only(columns_of<Left>(a.left) + p);
      first = Offset(row_begin<Right>(a.right, k));
      sum = unsigned(Offset(row_begin<Right>(a.right, uint64_t(k) + 1)) - first);
    }
    const unsigned length = sum;
    for (unsigned delta = 1; delta < lanes; delta *= 2) {
      const unsigned other = shuffle_up(full_warp, sum, delta, lanes);
      if (lane >= delta) sum += other;
    }
    first -= Offset(sum - length);  // product t of the chunk is the entry first + t of its owner's
    const unsigned total = shuffle(full_warp, sum, lanes - 1, lanes);
    for (unsigned t0 = 0; any_lane(full_warp, t0 < total); t0 += lanes * unroll) {
      using Loaded = decltype(load(p, uint64_t(k), p));
      Loaded loaded[unroll];
#pragma unroll
      for (int u = 0; u < unroll; ++u) {
        if (lanes == 8 && u > 0 && !any_lane(full_warp, t0 + unsigned(u) * lanes < total)) break;
        const unsigned t = t0 + unsigned(u) * lanes + lane;
        unsigned owner = 0;  // the first lane whose sum is above t
        for (unsigned step = lanes / 2; step > 0; step /= 2) {
          if (shuffle(full_warp, sum, int(owner + step - 1), lanes) <= t) owner += step;
        }
        const LeftColumn k_of = shuffle(full_warp, k, int(owner), lanes);
        const Offset q = Offset(shuffle(full_warp, first, int(owner), lanes) + Offset(t));
        loaded[u] = t < total ? load(base + owner, uint64_t(k_of), uint64_t(q)) : Loaded{};
      }
#pragma unroll
      for (int u = 0; u < unroll; ++u) {
        const unsigned t = t0 + unsigned(u) * lanes + lane;
        if (t < total) use(loaded[u], done + t);
      }
    }
    done += total;
  }
  return done;
}

/// Columns of T that a block looks at.
struct column_window {
  uint64_t begin, end;
};

/// Narrows the right entries [first, last), whose columns ascend, to those with columns in the window. Both
/// ends are looked for at once, with two loads under way.
template <class Right>
CUGRB_DEVICE void narrow_to_window(const CsrView& right, const column_window& window,
                                   typename Right::Offset& first, typename Right::Offset& last) {
  using Offset = typename Right::Offset;
  if (first == last) return;
  const auto column = [&](Offset q) { return uint64_t(read_only(columns_of<Right>(right) + q)); };
  Offset begin = first, end = first, count = last - first;  // each bound lies in [.., .. + count]
  while (count > 1) {
    const Offset half = count / 2;
    const uint64_t x = column(begin + half - 1), y = column(end + half - 1);
    if (x < window.begin) begin += half;
    if (y < window.end) end += half;
    count -= half;
  }
  const uint64_t x = column(begin), y = column(end);
  first = x < window.begin ? begin + 1 : begin;
  last = y < window.end ? end + 1 : end;
}

/// The ranges of right entries of as many left entries as a block has threads, those that are not empty, laid
/// end to end.
template <class Offset, int threads>
struct block_ranges {
  Offset first[threads];      ///< product t is the right entry first + t of its range
  uint32_t starts[threads];   ///< the first product of each range
  uint16_t entries[threads];  ///< which of the left entries it belongs to
  uint32_t warp_sums[threads / 32], warp_counts[threads / 32];
};

/// The same by a block of `threads`, for the products of row r with columns in the window. The ranges'
/// lengths are summed up; each warp takes an equal share of the products, 32 at a time, and knows by the
/// starts of the next 32 ranges whose each one is. Fewer than 2^32 products of `threads` left entries. Called
/// by all threads of the block; passes barriers, none at the end.
template <class Product, int threads, class Load, class Use>
CUGRB_DEVICE unsigned for_products_by_block(const MxmRowsArguments& a, uint64_t r,
                                            const column_window& window,
                                            block_ranges<typename Product::Right::Offset, threads>& ranges,
                                            Load load, Use use) {
  using Left = typename Product::Left;
  using Right = typename Product::Right;
  using Offset = typename Right::Offset;
  using LeftOffset = typename Left::Offset;  // 32 bits up to 2^31 entries: base never wraps
  constexpr unsigned unroll = 2;
  const LeftOffset end = LeftOffset(row_begin<Left>(a.left, r + 1));
  const unsigned thread = thread_index(), lane = lane_index();
  unsigned done = 0;
#pragma unroll 1
  for (LeftOffset base = LeftOffset(row_begin<Left>(a.left, r)); base < end; base += threads) {
    Offset first = 0, last = 0;
    if (base + thread < end) {
      const uint64_t k = read_only(columns_of<Left>(a.left) + base + thread);
      first = Offset(row_begin<Right>(a.right, k));
      last = Offset(row_begin<Right>(a.right, k + 1));
      if (window.begin > 0 || window.end < a.right.columns_count)
        narrow_to_window<Right>(a.right, window, first, last);
    }
    const unsigned filled = ballot(full_warp, last > first);
    uint32_t sum = uint32_t(last - first);
    for (unsigned delta = 1; delta < 32; delta *= 2) {
      const uint32_t other = shuffle_up(full_warp, sum, delta);
      if (lane >= delta) sum += other;
    }
    if (lane == 31) {
      ranges.warp_sums[thread / 32] = sum;
      ranges.warp_counts[thread / 32] = uint32_t(count_bits(filled));
    }
    sync_block();
    uint32_t total, count;
    const uint32_t start =
        sum - uint32_t(last - first) + sum_before_warp<threads / 32>(ranges.warp_sums, total);
    const unsigned place = unsigned(count_bits(filled & ((1u << lane) - 1u))) +
                           sum_before_warp<threads / 32>(ranges.warp_counts, count);
    if (last > first) {
      ranges.starts[place] = start;
      ranges.first[place] = Offset(first - Offset(start));
      ranges.entries[place] = uint16_t(thread);
    }
    sync_block();
    const unsigned share = (total + threads - 1) / threads * 32;
    unsigned t0 = thread / 32 * share;
    const unsigned t_end = t0 + share < total ? t0 + share : total;
    unsigned owner = last_at_most(ranges.starts, count, t0);  // the range that product t0 is in
#pragma unroll 1
    for (; t0 < t_end; t0 += 32 * unroll) {
      using Loaded = decltype(load(uint64_t(0), uint64_t(0), uint64_t(0)));
      Loaded loaded[unroll];
#pragma unroll
      for (unsigned u = 0; u < unroll; ++u) {
        const unsigned t = t0 + 32 * u, next = owner + 1 + lane;
        const unsigned ahead = next < count ? ranges.starts[next] - t : 32;
        const unsigned begins =
            or_of_warp(ahead < 32 ? 1u << ahead : 0u);  // at most one range at each product
        const unsigned mine = owner + unsigned(count_bits(begins & ((2u << lane) - 1u)));
        owner += unsigned(count_bits(begins));
        if (t + lane < t_end) {
          const LeftOffset p = LeftOffset(base + ranges.entries[mine]);
          loaded[u] = load(uint64_t(p), uint64_t(read_only(columns_of<Left>(a.left) + p)),
                           uint64_t(Offset(ranges.first[mine] + Offset(t + lane))));
        } else {
          loaded[u] = Loaded{};
        }
      }
#pragma unroll
      for (unsigned u = 0; u < unroll; ++u) {
        if (t0 + 32 * u + lane < t_end) use(loaded[u], done + t0 + 32 * u + lane);
      }
    }
    done += total;
  }
  return done;
}

/// use(load(p, k, q), n) for the products of row r: left entry p at (r, k), right entry q of row k; n < the
/// number of them, which is returned. None when the row of a warp's group is not `valid`. `ranges` serves
/// blocks.
template <class Product, int lanes, class Ranges, class Load, class Use>
CUGRB_DEVICE unsigned for_products_of_row(const MxmRowsArguments& a, uint64_t r, bool valid, unsigned lane,
                                          Ranges& ranges, Load load, Use use) {
  using Left = typename Product::Left;
  if constexpr (lanes <= 32) {
    const uint64_t begin = valid ? row_begin<Left>(a.left, r) : 0,
                   end = valid ? row_begin<Left>(a.left, r + 1) : 0;
    return for_products_by_lanes<Product, lanes>(a, begin, end, lane, load, use);
  } else {
    return for_products_by_block<Product, lanes>(a, r, {0, a.right.columns_count}, ranges, load, use);
  }
}
struct no_ranges {};
template <class Product, int lanes>
using ranges_of_group = choose<lanes <= 32, no_ranges, block_ranges<typename Product::Right::Offset, lanes>>;

}  // namespace cugrb
