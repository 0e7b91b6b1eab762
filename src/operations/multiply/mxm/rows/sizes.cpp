#include "src/operations/multiply/mxm/rows/sizes.h"

#include <algorithm>
#include <bit>

#include "cuda/runtime/device.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

namespace {

/// What a block may have beside what the kernels declare themselves.
constexpr size_t own_static = 9 * 1024;
/// A thread that merges takes a step for each entry, which takes a load's latency: fewer rows leave the
/// device waiting for the longest.
constexpr uint64_t least_merged_rows = 96 * 1024;
size_t block_bytes() { return runtime::device().properties().shared_bytes_per_block; }

/// These count only.
constexpr HashKernel count_128{RowClass::esc_128, 16, 256}, count_512{RowClass::esc_512, 32, 1024},
    count_8192{RowClass::esc_8192, 256, 16384};

/// Bits of a product's number among at most so many.
int number_bits(int products) { return std::countr_zero(unsigned(products)); }

size_t padded(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

RowSizes::RowSizes(uint64_t rows, uint64_t columns, size_t column_bytes, size_t value_size)
    : rows_(rows), columns_(columns), column_bytes_(column_bytes), value_size_(value_size) {
  fit_shared_memory();
}

RowLimits RowSizes::limits(bool windows) const {
  const size_t most = block_bytes() - own_static;
  RowLimits limits;
  limits.hash_8 = hash_8.slots / 2;
  limits.hash_16 = hash_16.slots / 2;
  limits.hash_32 = hash_32.slots / 2;
  limits.hash_256 = hash_256.slots / 2;
  limits.esc_512 = column_bytes_ < 8 && esc_bytes(esc_512) <= most ? 512 : 0;
  limits.esc_2048 = esc_bytes(esc_2048) <= most ? uint64_t(esc_2048.products()) : 0;
  const bool sorted_8192 = esc_bytes(esc_8192) <= most && hash_bytes(count_8192, false) <= most;
  // A row of few products in many windows costs more to search than to sort.
  if (columns_ > window && column_bytes_ < 8 && sorted_8192 && 4 * limits.hash_256 >= 8192)
    limits.esc_8192 = uint64_t(esc_8192.products());
  const size_t sums = ranks_sums(ranks_512) * value_size_;
  const uint64_t most_words =
      sums < most ? std::min<uint64_t>(most_ranked_columns / 32, (most - sums) / 8) : 0;
  if (windows) {
    limits.ranks_least = least_windowed_products;
    limits.ranks_a_word = 1;
    limits.ranks_words = most_words;
  } else if (words() <= most_words) {
    limits.ranks_least = std::max<uint64_t>(light_row_products + 1, columns_ / 16);
  }
  if (rows_ >= least_merged_rows) {
    limits.merge_8 = 64;
    limits.merge_12 = 128;
  }
  limits.windows = (columns_ + window - 1) / window;
  return limits;
}

std::vector<CountedRows> RowSizes::counting() const {
  const size_t most = block_bytes() - own_static;
  const auto counts = [&](const HashKernel& kernel, uint64_t products) {
    return hash_bytes(kernel, false) <= most && kernel.slots >= 2 * products;
  };
  const HashKernel& of_256 = counts(hash_32, 256) ? hash_32 : hash_256;
  return {{count_8192, RowClass::esc_4096, RowClass::esc_8192},
          {hash_256, RowClass::hash_256, RowClass::hash_256},
          {hash_256, RowClass::esc_1024, RowClass::esc_2048},
          {counts(count_512, 512) ? count_512 : hash_256, RowClass::esc_512, RowClass::esc_512},
          {of_256, RowClass::esc_256, RowClass::esc_256},
          {counts(count_128, 128) ? count_128 : of_256, RowClass::esc_64, RowClass::esc_128}};
}

bool RowSizes::is_narrow(int numbers) const {
  return column_bytes_ == 4 && columns_ <= uint64_t(1) << (32 - number_bits(numbers));
}

std::string RowSizes::item_id(int numbers) const {
  if (column_bytes_ == 8) return "wide_item";
  return is_narrow(numbers) ? template_id("packed_item", {"uint32_t", std::to_string(number_bits(numbers))})
                            : template_id("packed_item", {"uint64_t", "32"});
}

size_t RowSizes::item_bytes(int numbers) const {
  return column_bytes_ == 8 ? 16 : is_narrow(numbers) ? 4 : 8;
}

size_t RowSizes::esc_bytes(const EscKernel& kernel, int numbers) const {
  const size_t item = item_bytes(numbers);
  const size_t items = item * size_t(kernel.products() + std::min(kernel.lanes, 32));
  const size_t terms = size_t(kernel.products()) * value_size_;
  return kernel.block_rows() * padded(items + terms, 16);
}

size_t RowSizes::hash_bytes(const HashKernel& kernel, bool fill) const {
  const size_t table = kernel.slots * column_bytes_;
  if (!fill) return 256 / kernel.lanes * table;
  const size_t entries = kernel.slots / 2, sorted = 256 * (entries <= 1024 ? 4 : 8) + 32;
  const size_t listed =
      kernel.lanes <= 32 ? entries * (column_bytes_ + 2) : sorted * item_bytes(int(kernel.slots));
  return 256 / kernel.lanes * padded(table + kernel.slots * value_size_ + listed, 16);
}

size_t RowSizes::ranks_bytes(const RanksKernel& kernel, uint64_t words, bool fill) const {
  return fill ? words * 8 + ranks_sums(kernel) * value_size_ : words * 4;
}

uint64_t RowSizes::ranks_sums(const RanksKernel& kernel) const {
  const RowLimits limits;
  return kernel.row_class == RowClass::ranks_32    ? limits.ranks_32_entries
         : kernel.row_class == RowClass::ranks_128 ? limits.ranks_128_entries
                                                   : value_bytes / value_size_;
}

size_t RowSizes::bitmap_bytes(bool fill) const {
  const size_t bits = window / 8;
  return fill ? value_bytes + bits + window / 32 + (window / 128 + 1) * 4 : bits;
}

void RowSizes::fit_shared_memory() {
  const size_t most = block_bytes() - own_static;
  window = std::min(window, std::bit_ceil(std::max<uint64_t>(columns_, 128)));
  const size_t third = block_bytes() / 3 - own_static;
  const size_t bits = bitmap_bytes(true) - value_bytes;
  if (third > bits + 8 * 1024) value_bytes = std::min(value_bytes, (third - bits) / 1024 * 1024);
  while (bitmap_bytes(true) > most) {
    value_bytes /= 2;
    window = std::max<uint64_t>(window / 2, 128);
  }
  for (HashKernel* kernel : {&hash_8, &hash_16, &hash_32, &hash_256}) {
    while (hash_bytes(*kernel, true) > most) kernel->slots /= 2;
  }
}

}  // namespace cugrb::operations
