#include "src/operations/multiply/mxm/plan.h"

#include <algorithm>
#include <cmath>

#include "src/selector/mxm_entries.h"

namespace cugrb::operations {

namespace {

constexpr double offset_bytes = 8;
constexpr double row_bytes = 64;  ///< of mxm_rows's workspace, offsets included

/// Where ranges end whose costs sum up to `most`, at least one element each.
template <class Cost>
std::vector<uint64_t> cut(uint64_t count, double most, const Cost& cost) {
  std::vector<uint64_t> ends;
  double total = 0;
  for (uint64_t n = 0; n < count; ++n) {
    const double next = cost(n);
    if (total > 0 && total + next > most) {
      ends.push_back(n);
      total = 0;
    }
    total += next;
  }
  ends.push_back(count);
  return ends;
}

}  // namespace

double expected_row_entries(const ProductSizes& sizes, uint64_t r) {
  const double entries = selector::reached_columns(double(sizes.products[r]), double(sizes.columns));
  return sizes.mask_lengths.empty() ? entries : std::min(entries, double(sizes.mask_lengths[r]));
}

ProductPlan plan_product(const ProductSizes& sizes, uint64_t usable_bytes) {
  const double usable = double(usable_bytes);
  const auto right = [&](uint64_t k) {
    return double(sizes.right_lengths[k] * sizes.right_bytes) + offset_bytes;
  };
  const uint64_t inner = sizes.right_lengths.size();
  double whole = 0;
  for (uint64_t k = 0; k < inner; ++k) whole += right(k);
  ProductPlan plan;
  plan.inner_ends = whole <= usable / 3 ? std::vector<uint64_t>{inner} : cut(inner, usable / 8, right);
  const double left_over = usable - (plan.inner_ends.size() == 1 ? whole : usable / 4);

  // Where partial products or C are merged with T, what is merged, its places and the result are there at
  // once.
  const bool merges = sizes.joins || plan.inner_ends.size() > 1;
  const double entry_bytes =
      merges ? 3 * double(sizes.result_bytes) + 2 * offset_bytes : double(sizes.result_bytes);
  double entries = 0;
  plan.row_ends = cut(sizes.products.size(), left_over / 3, [&](uint64_t r) {
    const double made = expected_row_entries(sizes, r);
    double bytes = row_bytes + made * entry_bytes;
    entries += made;
    bytes += double(sizes.left_lengths[r] * sizes.left_bytes);
    if (!sizes.mask_lengths.empty()) bytes += double(sizes.mask_lengths[r] * sizes.mask_bytes);
    if (!sizes.other_lengths.empty()) bytes += double(sizes.other_lengths[r] * sizes.other_bytes);
    return bytes;
  });
  plan.entries = uint64_t(std::ceil(entries));
  return plan;
}

}  // namespace cugrb::operations
