// Power-law degrees of given mean, longest and spread, and the rates at which entries must be drawn to get
// them. All arithmetic is IEEE addition, multiplication and division (own exp2 and log2): the same on every
// platform.
#pragma once
#include <cstdint>
#include <vector>

#include "tools/graph_files/generate.h"

namespace cugrb::graph_files {

/// Ranks [first[b], first[b+1]) have the same expected degree target[b]; degrees fall from bucket to bucket.
/// rates[b]: an entry joins a row of rate x and a column of rate y with the chance 1 - exp(-x y).
struct Degrees {
  std::vector<uint64_t> first;
  std::vector<double> target, rates;

  size_t buckets() const { return target.size(); }
  double count(size_t b) const { return static_cast<double>(first[b + 1] - first[b]); }
  double total_rate() const;
};

/// Degrees of n vertices whose sum is `total`: proportional to (rank + t)^-a, with t such that the first is
/// law.longest, and a = 1/(exponent - 1), or such that the standard deviation (of Poisson numbers with these
/// expectations) is law.deviation. O(log n) buckets. Throws std::invalid_argument.
Degrees power_law(uint64_t n, double total, const DegreeLaw& law);

/// Finds rates such that expected degrees, equal entries counted once, are the targets. `columns` may be the
/// same object as `rows` (an undirected graph). O(buckets²). Throws std::invalid_argument when there are
/// none: too many long rows for the columns there are.
void calibrate(Degrees& rows, Degrees& columns);

}  // namespace cugrb::graph_files
