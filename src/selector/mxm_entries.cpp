#include "src/selector/mxm_entries.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "src/support/number_text.h"

namespace cugrb::selector {

namespace {

/// 64 rows leave 2 of 63 products beyond 15 %, 256 none, 512 gain nothing
/// (docs/notebook/2026-11-21-mxm-entries.md).
constexpr double counted_rows = 256, least_of_octave = 4;
/// One row is counted by one block: 16384 products take it about 50 us, and an 8192nd of all of them about a
/// hundredth of the product's time.
constexpr double always_light = 1 << 14, light_share = 1.0 / 8192, heaviest = 1 << 19;
constexpr double affordable_share = 1.0 / 64, always_affordable = 1 << 16;

/// What one counted row says, hash collisions taken out.
struct CountedRow {
  double products, columns, mask_entries, hits;
};

CountedRow row_of(const SampledRow& s, uint64_t columns) {
  CountedRow row{double(s.products), double(s.bits), double(s.mask_entries), double(s.hits)};
  if (columns <= sampled_row_bits) return row;
  constexpr double field = sampled_row_bits;
  const double load = std::min(double(s.bits) / field, 1 - 1 / field);
  row.columns = std::min({-field * std::log1p(-load), double(s.products), double(columns)});
  row.hits = std::max(0.0, (double(s.hits) - load * double(s.selecting)) / (1 - load));
  return row;
}

struct CountedOctave {
  double rows = 0, products = 0, columns = 0, mask_entries = 0, hits = 0;
  std::vector<CountedRow> members;
};

/// Variance of the octave's estimate: that of the residuals of a ratio to the products.
double variance(const CountedOctave& counted, const ProductOctave& octave) {
  const double m = counted.rows, n = double(octave.rows);
  if (m < 2 || m >= n) return 0;
  const double ratio = counted.columns / counted.products;
  double squares = 0;
  for (const CountedRow& row : counted.members) {
    const double residual = row.columns - ratio * row.products;
    squares += residual * residual;
  }
  return n * n * (1 - m / n) / m * squares / (m - 1);
}

}  // namespace

std::string to_text(const ResultEntries& e) {
  switch (e.source) {
    case ResultEntries::Source::scaled_factor:
      return fixed_text(e.kept, 0) + " entries (those of the factor that is scaled)";
    case ResultEntries::Source::means:
      return "at most about " + general_text(e.kept, 4) + " entries (by the mean row)";
    case ResultEntries::Source::drawn:
      return "about " + general_text(e.kept, 2) + " entries (by a few rows)";
    case ResultEntries::Source::sampled:
      break;
  }
  return "about " + general_text(e.kept, 4) + " entries (" + std::to_string(e.counted_rows) +
         " rows counted, +-" + fixed_text(100 * e.deviation, 1) + " %)";
}

double reached_columns(double products, double columns) {
  return columns <= 0 ? 0 : std::min(products, columns * -std::expm1(-products / columns));
}

std::array<double, product_octaves> rows_to_count(const ProductOctaves& octaves) {
  std::array<double, product_octaves> wanted{};
  double products = 0, weight = 0, cost = 0;
  for (const ProductOctave& o : octaves) products += double(o.products);
  const double most = std::min(heaviest, std::max(always_light, products * light_share));
  const auto mean = [](const ProductOctave& o) { return double(o.products) / double(o.rows); };
  const auto countable = [&](const ProductOctave& o) { return o.rows > 0 && mean(o) <= most; };
  for (const ProductOctave& o : octaves) {
    if (countable(o)) weight += double(o.products) / std::sqrt(mean(o));
  }
  for (int n = 0; n < product_octaves; ++n) {
    const ProductOctave& o = octaves[size_t(n)];
    if (!countable(o)) continue;
    wanted[size_t(n)] =
        std::min(double(o.rows), counted_rows * double(o.products) / std::sqrt(mean(o)) / weight);
    cost += wanted[size_t(n)] * mean(o);
  }
  const double scale =
      std::min(1.0, std::max(always_affordable, products * affordable_share) / std::max(cost, 1.0));
  for (int n = 0; n < product_octaves; ++n) {
    const ProductOctave& o = octaves[size_t(n)];
    if (countable(o))
      wanted[size_t(n)] = std::max(std::min(least_of_octave, double(o.rows)), wanted[size_t(n)] * scale);
  }
  return wanted;
}

ResultEntries counted_entries(const ProductOctaves& octaves, const std::vector<SampledRow>& samples,
                              uint64_t columns, MaskUse mask) {
  std::array<CountedOctave, product_octaves> counted;
  for (const SampledRow& sample : samples) {
    if (sample.products == 0) continue;
    const CountedRow row = row_of(sample, columns);
    CountedOctave& c = counted[size_t(std::bit_width(sample.products) - 1)];
    c.rows += 1;
    c.products += row.products;
    c.columns += row.columns;
    c.mask_entries += row.mask_entries;
    c.hits += row.hits;
    c.members.push_back(row);
  }
  ResultEntries result;
  result.source = ResultEntries::Source::sampled;
  double all_products = 0, uncounted = 0, squares = 0, hits = 0;
  double of_independent = 1, hits_of_reached = 0;  // in the octave below
  for (size_t n = 0; n < octaves.size(); ++n) {
    const ProductOctave& octave = octaves[n];
    if (octave.rows == 0) continue;
    const CountedOctave& c = counted[n];
    const double rows = double(octave.rows), products = double(octave.products);
    const double reached = reached_columns(products / rows, double(columns));
    double entries = 0;
    if (c.rows > 0) {
      entries = products * c.columns / c.products;
      of_independent = c.columns / c.rows / reached_columns(c.products / c.rows, double(columns));
      squares += variance(c, octave);
    } else {
      entries = std::min(rows * reached * of_independent, products);
      uncounted += products;
    }
    if (c.mask_entries > 0)
      hits_of_reached = c.hits / c.mask_entries / reached_columns(c.products / c.rows, double(columns));
    hits += double(octave.mask_entries) * std::min(1.0, hits_of_reached * reached);
    result.all += std::min(entries, rows * double(columns));
    all_products += products;
    result.counted_rows += uint64_t(c.rows);
  }
  result.deviation = result.all > 0 ? std::sqrt(squares) / result.all : 0;
  result.uncounted_share = all_products > 0 ? uncounted / all_products : 0;
  result.kept = mask == MaskUse::none      ? result.all
                : mask == MaskUse::selects ? std::min(hits, result.all)
                                           : std::max(0.0, result.all - hits);
  return result;
}

}  // namespace cugrb::selector
