#include "src/selector/tile_forecast.h"

#include <algorithm>
#include <cmath>

#include "src/formats/tile_composite.h"
#include "src/selector/mxv_problem.h"

namespace cugrb::selector {

namespace {

/// Rows of about the same length.
struct RowBucket {
  double rows, mean_length;
  double lengths = 1;  ///< how many different ones there may be
};

/// Each length up to 16, then four for each power of two; one bucket when the distribution is not known.
std::vector<RowBucket> row_buckets(const MxvProblem& p) {
  if (p.pull_distribution == nullptr) {
    const double nonempty = double(p.rows - std::min(p.rows, p.pull_lengths.empty));
    return {{nonempty, nonempty == 0 ? 0 : double(p.entries) / nonempty}};
  }
  const formats::LengthDistribution& d = *p.pull_distribution;
  std::vector<RowBucket> buckets;
  uint64_t above = 0, octave = 16;
  while (above < d.longest()) {
    while (above >= 2 * octave) octave *= 2;
    const uint64_t lengths = above < 16 ? 1 : octave / 4, until = above + lengths;
    const double rows = double(d.rows_up_to(until) - d.rows_up_to(above));
    const double entries = double(d.entries_up_to(until) - d.entries_up_to(above));
    if (rows > 0) buckets.push_back({rows, entries / rows, double(lengths)});
    above = until;
  }
  return buckets;
}

/// Adds rows of binomial lengths of at most so many trials, of which few succeed (or, `failures`, few fail).
void add_binomial(PartForecast& part, double rows, double trials, double share, bool failures) {
  constexpr double negligible = 1e-6;
  constexpr size_t most = 64;  // more than few ever are; up to there a bin is of four lengths
  static const std::array<double, most + 1> inverse = [] {
    std::array<double, most + 1> table = {};
    for (size_t n = 1; n <= most; ++n) table[n] = 1 / double(n);
    return table;
  }();
  if (failures) share = 1 - share;
  const double odds = share / (1 - share);
  double probability = std::exp(trials * std::log1p(-share)), left = 1 - probability;
  const size_t last = size_t(std::min(trials, double(most)));
  if (failures) part.add(rows * probability, trials);
  for (size_t n = 1; n <= last && left > negligible;) {
    double sum = 0;  // of a bin
    const size_t first = n, until = failures ? n : std::min(last, (n + 3) / 4 * 4);
    for (; n <= until; ++n) {
      probability *= (trials - double(n - 1)) * odds * inverse[n];
      sum += probability;
    }
    part.add(rows * sum, failures ? trials - double(first) : double(first));
    left -= sum;
  }
}

/// The normal distribution's share below z, to 1e-5.
double normal_up_to(double z) {
  constexpr double widest = 4, steps = 64;  // of a unit
  static const std::vector<double> table = [] {
    std::vector<double> shares;
    for (double at = -widest; at <= widest; at += 1 / steps)
      shares.push_back(0.5 * std::erfc(-at / std::sqrt(2.0)));
    return shares;
  }();
  if (z <= -widest || z >= widest) return z < 0 ? 0 : 1;
  const double place = (z + widest) * steps;
  const size_t before = size_t(place);
  return table[before] + (place - double(before)) * (table[before + 1] - table[before]);
}

/// Adds numbers of entries around a mean, of at least 1.
void add_normal(PartForecast& part, double rows, double mean, double deviation) {
  double before = 0;
  const double lowest = std::max(1.0, mean - 3 * deviation), highest = mean + 3 * deviation;
  const double scale = 1 / deviation;
  for (size_t bin = PartForecast::bin_of(uint64_t(lowest)); bin < PartForecast::bins; ++bin) {
    const double longest = PartForecast::longest_of(bin);
    const double until = longest > highest ? 1 : normal_up_to((longest + 0.5 - mean) * scale);
    part.add_to(bin, rows * (until - before));
    before = until;
    if (longest > highest) return;
  }
  part.add(rows * (1 - before), std::max(mean, PartForecast::longest_of(PartForecast::bins - 1) + 1.0));
}

/// Adds a bucket's rows, each of whose entries is in the part with a probability of `share`.
void add_at_random(PartForecast& part, const RowBucket& bucket, double rows, double share) {
  constexpr double few = 16;  // beyond, the normal distribution will do
  const double length = std::round(bucket.mean_length), mean = bucket.mean_length * share;
  if (share >= 1 && bucket.lengths == 1) {
    part.add(rows, length);
  } else if (mean <= few) {
    add_binomial(part, rows, length, share, /*failures=*/false);
  } else if (bucket.lengths == 1 && length - mean <= few) {
    add_binomial(part, rows, length, share, /*failures=*/true);
  } else {
    const double spread = bucket.lengths * share;  // of lengths that are all as likely
    add_normal(part, rows, mean, std::sqrt(mean * (1 - share) + spread * spread / 12));
  }
}

PartForecast part_of(const MxvProblem& p, const std::vector<RowBucket>& buckets, double entries) {
  const double share = entries / double(p.entries), randomness = p.gathers.lines;
  PartForecast part;
  for (const RowBucket& bucket : buckets) {
    if (share <= 0) break;
    add_at_random(part, bucket, randomness * bucket.rows, share);
    if (randomness < 1) part.add((1 - randomness) * share * bucket.rows, bucket.mean_length);
  }
  part.entries = entries;
  return part;
}

}  // namespace

uint32_t PartForecast::longest_of(size_t bin) {
  const uint32_t n = uint32_t(bin) + 1;
  return n <= 16 ? 4 * n : n <= 28 ? 64 + 16 * (n - 16) : 256 + 64 * (n - 28);
}

size_t PartForecast::bin_of(uint64_t length) {
  if (length > 1024) return bins;
  if (length > 256) return 28 + size_t(length - 257) / 64;
  return length > 64 ? 16 + size_t(length - 65) / 16 : size_t(std::max<uint64_t>(length, 1) - 1) / 4;
}

void PartForecast::add(double rows_of_length, double length) {
  if (length < 1) return;
  const size_t bin = bin_of(uint64_t(length));
  add_to(bin, rows_of_length);
  if (bin == bins) long_entries += rows_of_length * length;
}

PartForecast forecast_part(const MxvProblem& p, double entries) {
  return part_of(p, row_buckets(p), entries);
}

TileForecast forecast_tiles(const MxvProblem& p) {
  const formats::TileCompositeParameters format;
  const std::vector<RowBucket> buckets = row_buckets(p);
  const double windows = std::ceil(double(p.rows) / double(format.window_rows));
  const uint64_t most = std::min<uint64_t>(most_tiles, (p.columns + p.tile_columns - 1) / p.tile_columns);
  TileForecast forecast;
  double hot = 0;
  for (uint64_t t = 1; t <= most; ++t) {
    const double until = double(p.popularity->entries_of(t * p.tile_columns));
    const PartForecast part = part_of(p, buckets, until - hot);
    TileForecast::Tile tile{part.entries, part.rows, {}};
    for (size_t n = 0; n < workload_sizes.size(); ++n)
      tile.workloads[n] = forecast_workloads(part, workload_sizes[n], windows);
    forecast.tiles.push_back(std::move(tile));
    const PartForecast rest = part_of(p, buckets, double(p.entries) - until);
    double places = 0;
    std::array<double, tile_classes> counts = {};
    for (const auto& [shape, count] : forecast_workloads(rest, format.cold_steps, windows)) {
      places += count * shape.steps * tile_step_entries;
      counts[size_t(shape.row_class)] += count;
    }
    const auto classes = std::count_if(counts.begin(), counts.end(), [](double count) { return count >= 1; });
    forecast.cold.push_back({rest.entries, rest.rows, places, int(classes)});
    hot = until;
  }
  return forecast;
}

std::vector<ShapedWorkloads> forecast_workloads(const PartForecast& part, uint32_t most_steps,
                                                double windows) {
  const TileRowClasses classes = row_classes_of(most_steps);
  std::vector<ShapedWorkloads> workloads;
  const auto add = [&workloads](int row_class, double row_length, double count) {
    const uint32_t a_step = 4 * uint32_t(tile_class_lanes[row_class]);
    const uint32_t steps = uint32_t(std::ceil(row_length / a_step));
    if (!workloads.empty() && workloads.back().shape.row_class == row_class &&
        workloads.back().shape.steps == steps) {
      workloads.back().count += count;
    } else {
      workloads.push_back({{row_class, steps}, count});
    }
  };
  const auto add_pieces = [&](double rows, double length) {
    const double pieces = std::ceil(length / classes.longest[0]);
    add(0, length / pieces, rows * pieces);
  };
  const double long_rows = part.rows_by_length[PartForecast::bins];
  if (long_rows > 0) add_pieces(long_rows, part.long_entries / long_rows);
  std::array<double, tile_classes> ranked = {};  // rows of each class so far
  for (size_t bin = PartForecast::bins; bin-- > 0;) {
    const double rows = part.rows_by_length[bin], longest = PartForecast::longest_of(bin);
    if (rows == 0) continue;
    const int row_class = classes.class_of(uint32_t(longest));
    if (row_class == 0) {
      add_pieces(rows, longest);
      continue;
    }
    // A workload lasts as long as its longest row: half of one is taken along wherever the length falls by a
    // step, and half of one is left over in the end: as if the first workload of each ranking counted half
    // more.
    const double rankings = row_class == tile_classes - 1 ? windows : 1;
    double& before = ranked[size_t(row_class)];
    const double firsts = std::min(before + rows, rankings) - std::min(before, rankings);
    before += rows;
    add(row_class, longest, rows * tile_class_lanes[row_class] / 32 + 0.5 * firsts);
  }
  return workloads;
}

}  // namespace cugrb::selector
