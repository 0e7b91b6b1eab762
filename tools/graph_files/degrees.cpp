#include "tools/graph_files/degrees.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace cugrb::graph_files {
namespace {

/// 2^x by the exponential series around the nearest whole number; error some 1e-15.
double exp2_of(double x) {
  if (x < -1000) return 0;
  const double whole = std::floor(x + 0.5);
  const double y = (x - whole) * 0.693147180559945309;
  double sum = 1, term = 1;
  for (int k = 1; k <= 14; ++k) {
    term *= y / k;
    sum += term;
  }
  return std::ldexp(sum, static_cast<int>(whole));
}

/// log2(x) by the series of the inverse hyperbolic tangent; x > 0.
double log2_of(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double z = (m - 1) / (m + 1), square = z * z;
  double sum = 0, power = z;
  for (int k = 1; k <= 31; k += 2) {
    sum += power / k;
    power *= square;
  }
  return exponent + 2 * sum / 0.693147180559945309;
}

/// The head one by one, then buckets that grow by 1/16.
std::vector<uint64_t> bounds(uint64_t n) {
  std::vector<uint64_t> first = {0};
  while (first.back() < n)
    first.push_back(std::min(n, first.back() + std::max<uint64_t>(1, first.back() / 16)));
  return first;
}

/// Weights (rank + shift)^-slope at the middle of each bucket, the first one scaled to `longest`.
void set_targets(Degrees& d, double slope, double shift, double longest) {
  const double first = log2_of(shift);
  for (size_t b = 0; b < d.buckets(); ++b) {
    const double middle = 0.5 * (static_cast<double>(d.first[b]) + static_cast<double>(d.first[b + 1] - 1));
    d.target[b] = longest * exp2_of(slope * (first - log2_of(middle + shift)));
  }
}

double sum(const Degrees& d) {
  double total = 0;
  for (size_t b = 0; b < d.buckets(); ++b) total += d.count(b) * d.target[b];
  return total;
}

/// The variance of a degree drawn as a Poisson number around its expectation.
double variance(const Degrees& d, double n) {
  const double mean = sum(d) / n;
  double squares = 0;
  for (size_t b = 0; b < d.buckets(); ++b) squares += d.count(b) * d.target[b] * d.target[b];
  return squares / n - mean * mean + mean;
}

/// The shift that gives the sum `total`: the larger it is, the flatter the degrees. Returns by what factor
/// the longest had to change where no shift does.
double fit_shift(Degrees& d, double slope, double total, double longest) {
  double low = -40, high = 60;  // log2 of the shift
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    set_targets(d, slope, exp2_of(middle), longest);
    (sum(d) < total ? low : high) = middle;
  }
  const double scale = total / sum(d);
  for (double& target : d.target) target *= scale;
  return scale;
}

void check_fit(double found, double asked, const char* what) {
  if (std::abs(found - asked) <= 0.1 * asked) return;
  throw std::invalid_argument(std::string("chung_lu: no power law has these lengths: the ") + what +
                              " would be " + std::to_string(found));
}

/// Expected degree of a row of rate x, its entries at columns of the given rates.
double expected(double x, const Degrees& columns) {
  double degree = 0;
  for (size_t c = 0; c < columns.buckets(); ++c) {
    const double z = x * columns.rates[c];
    // 1 - exp(-z), by its series where the difference would lose digits.
    const double chance = z < 1e-5 ? z * (1 - 0.5 * z) : 1 - exp2_of(-z * 1.44269504088896341);
    degree += columns.count(c) * chance;
  }
  return degree;
}

/// One round: every rate by the factor that its degree misses. Returns the largest miss.
double adjust(Degrees& rows, const Degrees& columns) {
  double miss = 0;
  std::vector<double> rates = rows.rates;
  for (size_t b = 0; b < rows.buckets(); ++b) {
    const double degree = expected(rows.rates[b], columns);
    const double factor = degree > 0 ? rows.target[b] / degree : 1;
    miss = std::max(miss, std::abs(factor - 1));
    // Undirected: both ends move at once, so each goes half of the way.
    rates[b] *= &rows == &columns ? std::sqrt(factor) : factor;
  }
  rows.rates = std::move(rates);
  return miss;
}

}  // namespace

double Degrees::total_rate() const {
  double total = 0;
  for (size_t b = 0; b < buckets(); ++b) total += count(b) * rates[b];
  return total;
}

Degrees power_law(uint64_t n, double total, const DegreeLaw& law) {
  Degrees d;
  d.first = bounds(n);
  d.target.assign(d.first.size() - 1, 0);
  const double mean = total / static_cast<double>(n), longest = static_cast<double>(law.longest);
  if (!(longest >= mean)) throw std::invalid_argument("chung_lu: the longest row is at least the mean");
  if (law.deviation <= 0) {
    if (!(law.exponent > 1.05)) throw std::invalid_argument("chung_lu: the exponent is above 1.05");
    check_fit(longest * fit_shift(d, 1 / (law.exponent - 1), total, longest), longest, "longest");
    return d;
  }
  double low = 0.02, high = 20, scale = 1;
  for (int k = 0; k < 40; ++k) {
    const double slope = 0.5 * (low + high);
    scale = fit_shift(d, slope, total, longest);
    (variance(d, static_cast<double>(n)) < law.deviation * law.deviation ? low : high) = slope;
  }
  check_fit(std::sqrt(variance(d, static_cast<double>(n))), law.deviation, "deviation");
  check_fit(longest * scale, longest, "longest");
  return d;
}

void calibrate(Degrees& rows, Degrees& columns) {
  const double scale = 1 / std::sqrt(sum(rows));
  for (Degrees* d : {&rows, &columns}) {
    d->rates = d->target;
    for (double& rate : d->rates) rate *= scale;
  }
  double miss = 1;
  for (int round = 0; round < 200 && miss >= 1e-3; ++round) {
    miss = adjust(rows, columns);
    if (&rows != &columns) miss = std::max(miss, adjust(columns, rows));
  }
  if (miss > 0.05) {
    throw std::invalid_argument(
        "chung_lu: long rows would need more columns than there are: fewer entries or shorter longest rows");
  }
}

}  // namespace cugrb::graph_files
