// Long rows of T by a bitmap of columns in shared memory. Its bits say which columns have an entry, and the
// number of bits before one is the entry's place: the result comes out sorted, and the sums need no more room
// than T has entries.
//
// A row is cut into items: windows of columns, narrower for heavier rows so that many blocks share one.
// Counting sets bits, and keeps those of heavy rows. Filling has them or sets them again, stores the columns,
// and adds the terms up in shared memory; where a window has more entries than fit, in several passes, each
// over the columns whose sums fit.
//
// The loops run a few times in a thread: unrolled, as the compiler does unless told, they took a third of
// mxm_bitmap_fill's compilation.
#pragma once
#include "cuda/kernels/mxm_products.h"

namespace cugrb {

/// Columns of each window of a row: the widest, halved while a window would have twice as many products as
/// sums fit. Then most are filled in one pass, and many blocks share a heavy row.
CUGRB_DEVICE uint64_t window_of_row(const MxmBitmapArguments& a, uint64_t r) {
  constexpr uint64_t narrowest = 8192, passes = 8;
  const uint64_t columns = a.right.columns_count, most = passes * a.value_capacity;
  uint64_t window = a.window;
  while (window > narrowest && a.products[r] / ((columns + window - 1) / window) > most) window /= 2;
  return window;
}

/// item_starts[n] = items of the n-th listed row. One thread each.
template <class Index>
CUGRB_KERNEL(256)
void mxm_bitmap_items(MxmBitmapArguments a) {
  const Index n = global_thread();
  if (n >= a.count) return;
  const uint64_t window = window_of_row(a, a.list[n]);
  a.item_starts[n] = (a.right.columns_count + window - 1) / window;
}

/// The block's share of the work: columns of row r, the n-th that is listed.
struct bitmap_item {
  uint64_t index, r, n;
  column_window window;
};

template <class Product>
using bitmap_ranges = block_ranges<typename Product::Right::Offset, bitmap_threads>;

/// The item of that number, by one thread, into shared memory; passes a barrier. To be held in no registers.
CUGRB_DEVICE void find_item(const MxmBitmapArguments& a, uint64_t index, bitmap_item& item) {
  if (thread_index() == 0) {
    item.index = index;
    item.n = a.item_rows != nullptr ? a.item_rows[index] : index;
    item.r = a.list[item.n];
    const uint64_t columns = a.right.columns_count;
    const uint64_t width = window_of_row(a, item.r);
    const uint64_t begin = a.item_rows != nullptr ? (index - a.item_starts[item.n]) * width : 0;
    item.window = {begin, begin + width < columns ? begin + width : columns};
  }
  sync_block();
}

/// Clears the bits of columns that the mask forbids. Ends with a barrier.
template <class Mask>
CUGRB_DEVICE void clear_forbidden(const MxmBitmapArguments& a, const bitmap_item& item, uint32_t* bits,
                                  unsigned words) {
#pragma unroll 1
  for (unsigned w = thread_index(); w < words; w += bitmap_threads) {
    uint32_t kept = bits[w];
    for (uint32_t left = kept; left != 0; left &= left - 1) {
      const unsigned bit = unsigned(lowest_bit(left));
      if (!Mask::allows(a.mask, item.r, item.window.begin + w * 32 + bit)) kept &= ~(1u << bit);
    }
    bits[w] = kept;
  }
  sync_block();
}

/// Most bits that are to be set are set already.
CUGRB_DEVICE void set_bit(uint32_t* bits, unsigned place) {
  const uint32_t bit = 1u << (place % 32);
  if ((relaxed_load(bits + place / 32) & bit) == 0) atomic_or(bits + place / 32, bit);
}

/// Sets the bits of an item's columns that the mask allows. `words` 32-bit words cover its window. Passes
/// barriers, the last one at the end.
template <class Product, class Mask>
CUGRB_DEVICE void mark_columns(const MxmBitmapArguments& a, const bitmap_item& item, uint32_t* bits,
                               unsigned words, bitmap_ranges<Product>& ranges) {
#pragma unroll 1
  for (unsigned w = thread_index(); w < words; w += bitmap_threads) bits[w] = 0;
  sync_block();
  const unsigned first_column = unsigned(item.window.begin);  // places in the window need no more bits
  for_products_by_block<Product, bitmap_threads>(
      a, item.r, item.window, ranges,
      [&](uint64_t, uint64_t, uint64_t q) {
        return unsigned(read_only(columns_of<typename Product::Right>(a.right) + q));
      },
      [&](unsigned column, unsigned) { set_bit(bits, column - first_column); });
  sync_block();
  if constexpr (!is_same<Mask, matrix_mask_none>) clear_forbidden<Mask>(a, item, bits, words);
}

/// The item's bits among those that counting keeps; null: they are not kept.
CUGRB_DEVICE uint32_t* kept_bits(const MxmBitmapArguments& a, const bitmap_item& item) {
  return item.index < a.kept_items ? a.item_bits + item.index * (a.window / 32) : nullptr;
}

/// Where the item's entries begin in T.
CUGRB_DEVICE uint64_t start_of_item(const MxmBitmapArguments& a, const bitmap_item& item) {
  const uint64_t start = a.row_starts[item.r];
  if (a.item_rows == nullptr) return start;
  return start + a.item_entries[item.index] - a.item_entries[a.item_starts[item.n]];
}
/// How many they are.
CUGRB_DEVICE unsigned entries_of_item(const MxmBitmapArguments& a, const bitmap_item& item) {
  return unsigned(a.item_rows == nullptr ? a.row_starts[item.r + 1] - a.row_starts[item.r]
                                         : a.item_entries[item.index + 1] - a.item_entries[item.index]);
}

/// Words of a bitmap for an item, rounded up to groups of four.
CUGRB_DEVICE unsigned words_of(const bitmap_item& item) {
  return unsigned((item.window.end - item.window.begin + 127) / 128 * 4);
}

/// item_entries[block], and row_entries (zero before). Grid: a block of bitmap_threads for each item. Dynamic
/// shared memory: window / 8 bytes.
template <class Product, class Mask>
CUGRB_KERNEL(bitmap_threads)
void mxm_bitmap_count(MxmBitmapArguments a) {
  CUGRB_DYNAMIC_SHARED(uint32_t, bits);
  CUGRB_SHARED(uint32_t, total, 1);
  CUGRB_SHARED(bitmap_ranges<Product>, ranges, 1);
  if (thread_index() == 0) total[0] = 0;  // mark_columns passes barriers before it is used
  CUGRB_SHARED(bitmap_item, items, 1);
  find_item(a, block_index(), items[0]);
  const bitmap_item& item = items[0];
  const unsigned words = words_of(item);
  mark_columns<Product, Mask>(a, item, bits, words, ranges[0]);
  uint32_t set = 0;
  uint32_t* const kept = kept_bits(a, item);
  for (unsigned w = thread_index(); w < words; w += bitmap_threads) {
    set += unsigned(count_bits(bits[w]));
    if (kept != nullptr) kept[w] = bits[w];
  }
  for (unsigned delta = 16; delta > 0; delta /= 2) set += shuffle_down(full_warp, set, delta);
  if (lane_index() == 0 && set > 0) atomic_add(total, set);
  sync_block();
  if (thread_index() != 0) return;
  if (a.item_rows != nullptr) a.item_entries[item.index] = total[0];
  atomic_add(a.row_entries + item.r, uint64_t(total[0]));
}

/// 32 columns: those that have an entry, and how many entries come before them.
struct alignas(8) ranked_word {
  uint32_t bits, before;
};

/// How many bits come before one: for groups of four words, and within the group before each word.
struct bit_ranks {
  uint32_t* groups;  ///< words / 4 + 1: the last is the total
  uint8_t* words;
};

/// Four words that are loaded at once.
struct alignas(16) word_group {
  uint32_t words[4];
};

/// Fills them for a bitmap of 4 * groups words. Block-wide; ends with a barrier. Each warp takes consecutive
/// groups, a lane one of 32 neighbours, so that no two wait for a bank of the shared memory.
CUGRB_DEVICE void rank_bits(const uint32_t* bits, unsigned groups, const bit_ranks& ranks) {
  CUGRB_SHARED(uint32_t, warp_sums, bitmap_threads / 32);
  const unsigned share = (groups + bitmap_threads - 1) / bitmap_threads * 32;  // of a warp
  const unsigned warp = thread_index() / 32, begin = warp * share;
  uint32_t sum = 0;
#pragma unroll 1
  for (unsigned first = begin; first < begin + share; first += 32) {
    const unsigned g = first + lane_index();
    uint32_t own = 0;
    if (g < groups) {
      const word_group group = reinterpret_cast<const word_group*>(bits)[g];
      uint32_t before_words = 0;  // a byte each
      for (unsigned w = 0; w < 4; ++w) {
        before_words |= own << (8 * w);
        own += unsigned(count_bits(group.words[w]));
      }
      reinterpret_cast<uint32_t*>(ranks.words)[g] = before_words;
    }
    uint32_t inclusive = own;
    for (unsigned delta = 1; delta < 32; delta *= 2) {
      const uint32_t other = shuffle_up(full_warp, inclusive, delta);
      if (lane_index() >= delta) inclusive += other;
    }
    if (g < groups) ranks.groups[g] = sum + inclusive - own;
    sum += shuffle(full_warp, inclusive, 31);
  }
  if (lane_index() == 0) warp_sums[warp] = sum;
  sync_block();
  uint32_t total;
  const uint32_t before = sum_before_warp<bitmap_threads / 32>(warp_sums, total);
#pragma unroll 1
  for (unsigned g = begin + lane_index(); g < begin + share && g < groups; g += 32) ranks.groups[g] += before;
  if (thread_index() == 0) ranks.groups[groups] = total;
  sync_block();
}

CUGRB_DEVICE unsigned rank_of(const uint32_t* bits, const bit_ranks& ranks, unsigned c) {
  const unsigned word = c / 32;
  return ranks.groups[word / 4] + ranks.words[word] +
         unsigned(count_bits(bits[word] & ((1u << (c % 32)) - 1u)));
}

/// Stores the columns of the set bits whose ranks are in [first, last) behind each other from `columns` on,
/// which is where rank 0 goes. They are gathered in shared memory, which has `room` for some, and leave it
/// side by side. `word(w)`: the bits of word w, and how many come before it; those words from begin_word to
/// end_word hold the ranks. Called by all threads; ends with a barrier.
template <int threads, class NewColumn, class Word>
CUGRB_DEVICE void store_columns(NewColumn* columns, uint64_t first_column, unsigned first, unsigned last,
                                unsigned begin_word, unsigned end_word, NewColumn* room_begin, unsigned room,
                                Word word) {
#pragma unroll 1
  for (unsigned from = first; from < last; from += room) {
    const unsigned count = last - from < room ? last - from : room;
#pragma unroll 1
    for (unsigned w = begin_word + thread_index(); w < end_word; w += threads) {
      const ranked_word own = word(w);
      uint32_t left = own.bits;
      unsigned e = own.before;
#pragma unroll 1
      for (; e < from && left != 0; ++e) left &= left - 1;  // of words at the room's begin
#pragma unroll 1
      for (; e < from + count && left != 0; ++e, left &= left - 1)
        room_begin[e - from] = NewColumn(first_column + uint64_t(w) * 32 + unsigned(lowest_bit(left)));
    }
    sync_group<threads>();
#pragma unroll 1
    for (unsigned e = thread_index(); e < count; e += threads) columns[from + e] = room_begin[e];
    sync_group<threads>();
  }
}

/// Room for so many columns behind as many sums, in that of `capacity` sums; null: there is none.
template <class NewColumn, class T>
CUGRB_DEVICE NewColumn* room_behind(T* sums, unsigned count, unsigned capacity) {
  const unsigned begin = (count * unsigned(sizeof(T)) + 7) / 8 * 8;
  if (begin + count * sizeof(NewColumn) > capacity * sizeof(T)) return nullptr;
  return reinterpret_cast<NewColumn*>(reinterpret_cast<unsigned char*>(sums) + begin);
}

/// The items' entries at row_starts + what earlier items of the row have. Grid: `passes` blocks for each kept
/// item, of one pass each where they are several; a block that makes all passes for each of the others.
/// Dynamic shared memory: value_capacity sums, window / 8 bytes of bits, window / 32 and window / 128 + 1
/// ranks.
template <class Product, class Mask, class NewColumn>
CUGRB_KERNEL_RESIDENT(bitmap_threads, sizeof(typename Product::Right::Column) > 4 ? 2 : 3)
void mxm_bitmap_fill(MxmBitmapArguments a) {
  using T = typename Product::type;
  using Add = typename Product::Add;
  using Operands = product_operands<Product>;
  CUGRB_DYNAMIC_SHARED(unsigned char, memory);
  CUGRB_SHARED(bitmap_ranges<Product>, ranges, 1);
  T* sums = reinterpret_cast<T*>(memory);
  uint32_t* bits = reinterpret_cast<uint32_t*>(memory + a.value_capacity * sizeof(T));
  CUGRB_SHARED(bitmap_item, items, 1);
  const uint64_t of_kept = a.kept_items * a.passes, block = block_index();
  find_item(a, block < of_kept ? block / a.passes : a.kept_items + (block - of_kept), items[0]);
  const bitmap_item& item = items[0];
  const unsigned capacity = unsigned(a.value_capacity);
  const unsigned begin_pass = block < of_kept ? unsigned(block % a.passes) * capacity : 0;
  const unsigned words = words_of(item), groups = words / 4;
  const bit_ranks ranks{bits + words, reinterpret_cast<uint8_t*>(bits + words + groups + 1)};
  if (const uint32_t* const kept = kept_bits(a, item); kept != nullptr) {
    if (begin_pass >= entries_of_item(a, item)) return;
#pragma unroll 4
    for (unsigned w = thread_index(); w < words; w += bitmap_threads) bits[w] = kept[w];
    sync_block();
  } else {
    mark_columns<Product, Mask>(a, item, bits, words, ranges[0]);
  }
  rank_bits(bits, groups, ranks);
  const bool one_pass = block < of_kept && a.passes > 1;
  const unsigned last_pass = one_pass ? begin_pass + capacity : ~0u;
  const unsigned entries = ranks.groups[groups] < last_pass ? ranks.groups[groups] : last_pass;
  const uint64_t start = start_of_item(a, item);
  const unsigned first_column = unsigned(item.window.begin);  // places in the window need no more bits
  for (unsigned first = begin_pass; first < entries; first += capacity) {
    const unsigned taken = entries - first < capacity ? entries - first : capacity;
    // Where a pass takes all, nothing is looked for. Else the groups of its first and its last rank: what
    // these have beside them is passed over.
    const bool all = taken == ranks.groups[groups];
    const unsigned begin_group = all ? 0 : last_at_most(ranks.groups, groups, first),
                   end_group = all ? groups : last_at_most(ranks.groups, groups, first + taken - 1) + 1;
    // Where few entries leave room, their columns come with their terms.
    NewColumn* const gathered = room_behind<NewColumn>(sums, taken, capacity);
    if (gathered == nullptr) {
      store_columns<bitmap_threads>(static_cast<NewColumn*>(a.columns) + start, item.window.begin, first,
                                    first + taken, 4 * begin_group, 4 * end_group,
                                    reinterpret_cast<NewColumn*>(sums),
                                    unsigned(capacity * sizeof(T) / sizeof(NewColumn)), [&](unsigned w) {
                                      return ranked_word{bits[w], ranks.groups[w / 4] + ranks.words[w]};
                                    });
    }
#pragma unroll 1
    for (unsigned e = thread_index(); e < taken; e += bitmap_threads) sums[e] = start_of_sum<Add>();
    sync_block();
    const uint64_t begin = item.window.begin + 128 * uint64_t(begin_group);
    uint64_t end = item.window.begin + 128 * uint64_t(end_group);
    if (end > item.window.end) end = item.window.end;
    for_products_by_block<Product, bitmap_threads>(
        a, item.r, {begin, end}, ranges[0],
        [&](uint64_t p, uint64_t k, uint64_t q) { return Operands::load(a, p, k, q); },
        [&](const Operands& product, unsigned) {
          const unsigned place = unsigned(product.column) - first_column;
          if constexpr (!is_same<Mask, matrix_mask_none>) {
            if ((bits[place / 32] >> (place % 32) & 1u) == 0) return;
          }
          const unsigned rank = rank_of(bits, ranks, place) - first;
          if (rank >= taken) return;
          add_term<Add>(sums + rank, product.term(a, item.r));
          if (gathered != nullptr) relaxed_store(gathered + rank, NewColumn(product.column));
        });
    sync_block();
#pragma unroll 1
    for (unsigned e = thread_index(); e < taken; e += bitmap_threads) {
      static_cast<T*>(a.values)[start + first + e] = sums[e];
      if (gathered != nullptr) static_cast<NewColumn*>(a.columns)[start + first + e] = gathered[e];
    }
    sync_block();
  }
}

}  // namespace cugrb
