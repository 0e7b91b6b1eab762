// HYB: the first K entries of every row in ELL, the others in COO. Its time, and the best K.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "src/selector/analytic_terms.h"

namespace cugrb::selector::analytic {

double hyb_bytes(const LengthDistribution& d, uint64_t k, const Parameters& p) {
  return coo_bytes(double(d.entries_beyond(k)), p) + ell_bytes(d, double(k), p);
}

namespace {

/// CT_coo, Eq. 46: Eq. 29 with the entries beyond the K-th and the rows that have any.
void add_coo_part(Estimate& e, const LengthDistribution& d, uint64_t k, const Parameters& p) {
  const double entries = double(d.entries_beyond(k)), rows = double(d.rows_above(k));
  e.memory_seconds += terms::coo_memory_seconds(entries, p);
  e.multiply_seconds += terms::coo_multiply_seconds(entries, p);
  if (rows > 0) e.add_seconds += terms::coo_add_seconds(rows, d.mean_above(k) - double(k), p);
}

/// CT_ell, Eq. 47: Eq. 42 with E(X | X <= K) for E(Q), the vector read along the bus.
void add_ell_part(Estimate& e, const LengthDistribution& d, uint64_t k, const Parameters& p) {
  const double rounds = terms::rows_with_entries(d) / p.processors;
  const double vector = terms::access_seconds(double(p.value_bytes) * terms::beyond_block(double(k), p), p);
  const double row_index = terms::element_seconds(1, p), result = terms::element_seconds(1, p);
  e.memory_seconds += rounds * (terms::ell_arrays_seconds(double(k), p) + vector + row_index + result);
  e.multiply_seconds += rounds * d.mean_up_to(k) / p.value_rate;
  e.add_seconds += rounds * d.mean_up_to(k) / p.value_rate;
}

}  // namespace

Estimate hyb(const LengthDistribution& d, uint64_t k, const Parameters& p) {
  Estimate e;
  e.storage_bytes = hyb_bytes(d, k, p);                                 // Eq. 20
  e.transfer_seconds = terms::transfer_seconds(e.storage_bytes, d, p);  // Eq. 43-45
  add_coo_part(e, d, k, p);                                             // Eq. 46
  add_ell_part(e, d, k, p);                                             // Eq. 47
  return e;                                                             // Eq. 48-50
}

namespace {

/// Thresholds [first, last] for which the same rows are longer, all on the same side of the block's size.
struct Segment {
  uint64_t first, last;
};

/// Algorithm 2 over candidates instead of all thresholds.
class Search {
 public:
  Search(const LengthDistribution& d, const Parameters& p, Counted counted)
      : d_(d), p_(p), counted_(counted), period_(common_period(p)) {}

  void visit(const Segment& s) {
    const bool falls = slope(s.first) < 0;
    evaluate(falls ? s.last : s.first);
    const uint64_t head_end = std::min(s.last, s.first + period_ - 1);
    visit_steps({s.first, head_end}, falls);
    if (head_end == s.last) return;
    visit_steps({std::max(head_end + 1, s.last - period_ + 1), s.last}, falls);
  }

  const HybChoice& best() const { return best_; }

 private:
  static uint64_t period_of(uint64_t element_bytes, const Parameters& p) {
    return p.bus_bytes / std::gcd(element_bytes, p.bus_bytes);
  }
  static uint64_t common_period(const Parameters& p) {
    return std::lcm(p.warp_threads, std::lcm(period_of(p.index_bytes, p), period_of(p.value_bytes, p)));
  }

  /// Of the linear part of the time in K, where the rows longer than `k` are longer (Eq. 45, 46).
  double slope(uint64_t k) const {
    const double above = double(d_.rows_above(k));
    const double entry = terms::coo_memory_seconds(1, p_) + terms::coo_multiply_seconds(1, p_);
    if (counted_ == Counted::compute) return -above * entry;
    const double ell = double(p_.value_bytes + p_.index_bytes) * terms::rows_with_entries(d_);
    return (ell - above * coo_bytes(1, p_)) / p_.transfer_rate - above * entry;
  }

  void visit_steps(const Segment& s, bool falls) {
    if (!falls) {
      visit_drops(s);
      return;
    }
    visit_before_rises(s, p_.index_bytes, 0);
    if (p_.value_bytes != p_.index_bytes) visit_before_rises(s, p_.value_bytes, 0);
    if (s.first >= p_.block_threads) visit_before_rises(s, p_.value_bytes, p_.block_threads);
  }

  /// ceil((E(X|X>K) - K) / W) drops at every K = ceil(E(X|X>K) - m W).
  void visit_drops(const Segment& s) {
    if (d_.rows_above(s.first) == 0) return;
    const uint64_t warp = p_.warp_threads, any = uint64_t(std::ceil(d_.mean_above(s.first)));
    for (uint64_t k = s.first + (any % warp + warp - s.first % warp) % warp; k <= s.last; k += warp) {
      evaluate(k);
    }
  }

  /// ceil(S (K - from) / BW) rises after every K = from + floor(m BW / S).
  void visit_before_rises(const Segment& s, uint64_t element_bytes, uint64_t from) {
    for (uint64_t m = (s.first - from) * element_bytes / p_.bus_bytes;; ++m) {
      const uint64_t k = from + m * p_.bus_bytes / element_bytes;
      if (k > s.last) return;
      if (k >= s.first) evaluate(k);
    }
  }

  void evaluate(uint64_t k) {
    const Estimate estimate = hyb(d_, k, p_);
    const double time = seconds(estimate, counted_);
    ++best_.evaluations;
    if (time > least_ || (time == least_ && k >= best_.threshold)) return;
    least_ = time;
    best_.threshold = k;
    best_.estimate = estimate;
  }

  const LengthDistribution& d_;
  const Parameters& p_;
  const Counted counted_;
  const uint64_t period_;
  double least_ = std::numeric_limits<double>::infinity();
  HybChoice best_;
};

}  // namespace

HybChoice optimal_hyb(const LengthDistribution& d, const Parameters& p, Counted counted) {
  Search search(d, p, counted);
  const uint64_t least = uint64_t(std::ceil(d.mean())), block = p.block_threads;
  const auto& bins = d.bins();
  for (size_t n = 0; n < bins.size(); ++n) {
    const uint64_t end = n + 1 < bins.size() ? bins[n + 1].length : bins[n].length + 1;
    const Segment s{std::max(bins[n].length, least), end - 1};
    if (s.first > s.last) continue;
    if (s.first < block && block < s.last) {
      search.visit({s.first, block - 1});
      search.visit({block, s.last});
    } else {
      search.visit(s);
    }
  }
  return search.best();
}

}  // namespace cugrb::selector::analytic
