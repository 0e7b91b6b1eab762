// Hyb: the first entries of every row in slices (SELL), the rest as a list of entries (COO).
#pragma once
#include "src/formats/coo.h"
#include "src/formats/ell.h"

namespace cugrb::formats {

/// N. Bell, M. Garland, SC09, section 3.4, with the first part in slices of 32 rows, which takes no more
/// memory than the whole layout. Column n of row i's entries is in `ell` for n < threshold, else in `coo`.
/// bytes() = those of both parts; for the list entries * (row + column + value).
class Hyb {
 public:
  /// What DeviceMatrix::derived keeps it by.
  struct Key {
    using Made = Hyb;
    uint64_t threshold;
    bool operator==(const Key&) const = default;
  };
  Hyb(uint64_t threshold, Ell ell, Coo coo)
      : threshold(threshold), ell(std::move(ell)), coo(std::move(coo)) {}
  uint64_t threshold;
  Ell ell;
  Coo coo;
  size_t bytes() const { return ell.bytes() + coo.bytes(); }
};

/// The threshold of Bell and Garland: the largest K such that at least rows / relative_speed rows, and at
/// least `least_rows` of them, have K entries or more; at least 1. `relative_speed` is how much faster an
/// entry's position in the first part is than in the list. O(log(distinct lengths)).
uint64_t bell_garland_threshold(const LengthDistribution& lengths, double relative_speed = 3,
                                uint64_t least_rows = 4096);
/// The threshold that costs least when the first part is sliced and rows are in random order. With F = P(X <=
/// K), one column more of positions costs 1 - F^32 a row and saves 1 - F entries of the list, which cost
/// `relative_cost` each: the smallest K with 1 + F + ... + F^31 >= relative_cost; at least 1. O(log(distinct
/// lengths)^2).
uint64_t sliced_threshold(const LengthDistribution& lengths, double relative_cost);

/// `threshold` is at least 1. Four launches and two scans; waits for the device. O(entries + positions).
Hyb make_hyb(const Csr& matrix, uint64_t threshold);
/// The same matrix. O(entries + positions).
Csr to_csr(const Hyb& matrix);
/// The checks of both parts; and that only rows which fill the first part go on in the list, with columns
/// beyond. Copies to the host. Empty when it holds.
std::string check(const Hyb& matrix);

}  // namespace cugrb::formats
