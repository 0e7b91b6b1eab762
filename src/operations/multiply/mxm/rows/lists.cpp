#include "src/operations/multiply/mxm/rows/lists.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "src/formats/launch.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using runtime::Buffer;

namespace {

/// The buckets of a class: from this one up to that of the next class.
size_t first_bucket(size_t row_class) {
  return row_class <= size_t(RowClass::bitmap) ? row_class : row_class + size_t(bitmap_buckets) - 1;
}
constexpr size_t none_buckets = 1;

}  // namespace

RowLists::RowLists(const MxmProfileArguments& arguments, formats::Width left_offsets,
                   const std::array<uint64_t, row_buckets>& counts, uint64_t* taken, Buffer made)
    : counts_(counts), rows_(arguments.left.rows) {
  const uint64_t listed = std::accumulate(counts.begin() + none_buckets, counts.end(), uint64_t(0));
  if (listed == 0 || (arguments.rows == nullptr && one_light_class())) return;
  if (made) {
    list_ = std::move(made);
    first_ = list_.as<uint64_t>();
    return;
  }
  const bool one_bucket = std::count(counts.begin() + none_buckets, counts.end(), uint64_t(0)) + 1 ==
                          std::ptrdiff_t(counts.size() - none_buckets);
  if (arguments.rows != nullptr && one_bucket && listed == arguments.count) {
    first_ = arguments.rows;
    return;
  }
  MxmListArguments list;
  list.profile = arguments;
  std::exclusive_scan(counts.begin() + none_buckets, counts.end(), list.starts + none_buckets, uint64_t(0));
  list_ = Buffer(listed * sizeof(uint64_t));
  list.taken = taken;
  list.list = list_.as<uint64_t>();
  first_ = list.list;
  formats::launch_blocks("mxm_profile.h", template_id("mxm_list_rows", {formats::index_type(left_offsets)}),
                         formats::blocks_for(arguments.count, listed_rows), list);
}

uint64_t RowLists::count(RowClass first, RowClass last) const {
  return std::accumulate(counts_.begin() + std::ptrdiff_t(first_bucket(size_t(first))),
                         counts_.begin() + std::ptrdiff_t(first_bucket(size_t(last) + 1)), uint64_t(0));
}

uint64_t RowLists::count(RowClass row_class) const { return count(row_class, row_class); }

uint64_t RowLists::count_bitmap_from(uint64_t products) const {
  uint64_t rows = 0;
  for (int n = 0; n < bitmap_buckets; ++n) {
    const uint64_t least = uint64_t(1) << (8 + bitmap_buckets - 1 - n);
    if (least < products) break;
    rows += counts_[size_t(first_bitmap_bucket + n)];
  }
  return rows;
}

uint64_t RowLists::launched(RowClass first, RowClass last) const {
  const uint64_t rows = count(first, last);
  return rows > 0 && first_ == nullptr ? rows_ : rows;
}

uint64_t RowLists::launched(RowClass row_class) const { return launched(row_class, row_class); }

uint64_t RowLists::before(RowClass row_class) const {
  return count(RowClass(1), row_class) - count(row_class);
}

const uint64_t* RowLists::of(RowClass row_class) const {
  return first_ == nullptr ? nullptr : first_ + before(row_class);
}

/// All rows that have products are of one class that a warp takes: they need no list.
bool RowLists::one_light_class() const {
  const RowClass light[] = {RowClass::merge_8, RowClass::merge_12, RowClass::esc_32,  RowClass::esc_64,
                            RowClass::esc_128, RowClass::esc_256,  RowClass::esc_512, RowClass::hash_8,
                            RowClass::hash_16, RowClass::hash_32};
  const RowClass others[] = {RowClass::esc_1024, RowClass::esc_2048, RowClass::esc_4096,  RowClass::esc_8192,
                             RowClass::hash_256, RowClass::ranks_32, RowClass::ranks_128, RowClass::ranks_512,
                             RowClass::bitmap,   RowClass::sort};
  const auto has_rows = [&](RowClass row_class) { return count(row_class) > 0; };
  return std::none_of(std::begin(others), std::end(others), has_rows) &&
         std::count_if(std::begin(light), std::end(light), has_rows) <= 1;
}

}  // namespace cugrb::operations
