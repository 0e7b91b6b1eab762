#include "src/operations/factor_feed.h"

#include "src/memory/policy.h"
#include "src/support/trace.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Range;

Factors FactorFeed::load(const FactorParts& parts, const std::optional<Csr>& right) const {
  Factors factors;
  factors.left = left_.by_rows(left_transposed_, parts.rows, parts.inner);
  if (right) {
    factors.right = *right;
  } else if (factors.left.entries > 0) {
    factors.right = right_.by_rows(right_transposed_, parts.inner, {0, columns_});
  }
  return factors;
}

std::optional<Csr> FactorFeed::kept_right(Range inner) const {
  return last_inner_ == inner ? last_right_ : std::nullopt;
}

std::optional<Factors> FactorFeed::arrived(const FactorParts& parts) {
  if (!ahead_) return std::nullopt;
  const bool wanted = ahead_->parts == parts;
  std::future<std::pair<Factors, uint64_t>> factors = std::move(ahead_->factors);
  ahead_.reset();
  std::optional<Factors> arrived;
  // There may have been no room beside the parts that were being multiplied.
  memory::shortage([&] {
    auto [own, bytes] = factors.get();
    bytes_ahead_ += bytes;
    if (wanted) arrived = std::move(own);
  });
  return arrived;
}

Factors FactorFeed::take(const FactorParts& parts) {
  std::optional<Factors> factors = arrived(parts);
  if (!factors) {
    if (last_inner_ != parts.inner) last_right_.reset();  // its room is needed
    factors = load(parts, kept_right(parts.inner));
  }
  if (factors->left.entries > 0) {
    last_right_ = factors->right;
    last_inner_ = parts.inner;
  }
  return *std::move(factors);
}

void FactorFeed::bring_ahead(const FactorParts& parts) {
  if (stopped_) return;
  ahead_ = Ahead{parts, std::async(std::launch::async, [this, parts, right = kept_right(parts.inner)] {
                   Factors factors = load(parts, right);
                   return std::pair(std::move(factors), trace::current().bytes_up);  // of a new thread
                 })};
}

bool FactorFeed::stop() {
  const bool had = ahead_.has_value();
  arrived({});
  stopped_ = true;
  return had;
}

}  // namespace cugrb::operations
