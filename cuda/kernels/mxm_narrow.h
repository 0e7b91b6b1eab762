// Long rows of T of so few columns that each has a sum of its own in shared memory. The products are looked
// at once, where mxm_bitmap_fill looks for their columns first, and a sum needs no rank to be found. A column
// that many products meet in has several sums, which are added up at the end: updates of one wait for each
// other.
#pragma once
#include "cuda/kernels/mxm_bitmap.h"

namespace cugrb {

/// Sums of each of the item's columns: as many as there is room for, while clearing and adding them up is
/// little beside the products.
template <class Add>
CUGRB_DEVICE unsigned copies_of_sums(const MxmBitmapArguments& a, const bitmap_item& item) {
  if constexpr (Add::is_any || !Add::has_identity) {
    return 1;
  } else {
    constexpr uint64_t most = 8, products_a_sum = 4;
    const uint64_t columns = item.window.end - item.window.begin;
    const uint64_t products = a.products[item.r] * columns / a.right.columns_count;
    uint64_t copies = a.value_capacity / columns;
    if (copies > products / (products_a_sum * columns)) copies = products / (products_a_sum * columns);
    return copies > most ? unsigned(most) : copies > 1 ? unsigned(copies) : 1u;
  }
}

/// As mxm_bitmap_fill, with the same grid and memory; windows have value_capacity columns at most.
template <class Product, class Mask, class NewColumn>
CUGRB_KERNEL_RESIDENT(bitmap_threads, sizeof(typename Product::Right::Column) > 4 ? 2 : 3)
void mxm_narrow_fill(MxmBitmapArguments a) {
  using T = typename Product::type;
  using Add = typename Product::Add;
  using Operands = product_operands<Product>;
  CUGRB_DYNAMIC_SHARED(unsigned char, memory);
  CUGRB_SHARED(bitmap_ranges<Product>, ranges, 1);
  T* sums = reinterpret_cast<T*>(memory);
  uint32_t* bits = reinterpret_cast<uint32_t*>(memory + a.value_capacity * sizeof(T));
  CUGRB_SHARED(bitmap_item, items, 1);
  find_item(a, block_index(), items[0]);
  const bitmap_item& item = items[0];
  const unsigned words = words_of(item), groups = words / 4;
  const bit_ranks ranks{bits + words, reinterpret_cast<uint8_t*>(bits + words + groups + 1)};
  const unsigned columns = unsigned(item.window.end - item.window.begin);
  const unsigned copies = copies_of_sums<Add>(a, item), first_column = unsigned(item.window.begin);
#pragma unroll 1
  for (unsigned w = thread_index(); w < words; w += bitmap_threads) bits[w] = 0;
#pragma unroll 1
  for (unsigned e = thread_index(); e < copies * columns; e += bitmap_threads) sums[e] = start_of_sum<Add>();
  sync_block();
  T* own = sums + lane_index() % copies * columns;
  for_products_by_block<Product, bitmap_threads>(
      a, item.r, item.window, ranges[0],
      [&](uint64_t p, uint64_t k, uint64_t q) { return Operands::load(a, p, k, q); },
      [&](const Operands& product, unsigned) {
        const unsigned place = unsigned(product.column) - first_column;
        set_bit(bits, place);
        add_term<Add>(own + place, product.term(a, item.r));
      });
  sync_block();
  if constexpr (!is_same<Mask, matrix_mask_none>) clear_forbidden<Mask>(a, item, bits, words);
  rank_bits(bits, groups, ranks);
  const uint64_t start = start_of_item(a, item);
#pragma unroll 1
  for (unsigned c = thread_index(); c < columns; c += bitmap_threads) {
    if ((bits[c / 32] >> (c % 32) & 1u) == 0) continue;
    T sum = sums[c];
    if constexpr (Add::has_identity && !Add::is_any) {
#pragma unroll 1
      for (unsigned n = 1; n < copies; ++n) sum = Add::combine(sum, sums[n * columns + c]);
    }
    const uint64_t place = start + rank_of(bits, ranks, c);
    static_cast<NewColumn*>(a.columns)[place] = NewColumn(item.window.begin + c);
    static_cast<T*>(a.values)[place] = sum;
  }
}

}  // namespace cugrb
