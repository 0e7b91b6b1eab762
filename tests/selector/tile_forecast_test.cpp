// What a matrix's tiles are forecast to hold against a count of drawn rows, and the time of workloads by
// their shape.
#include "src/selector/tile_forecast.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "src/selector/mxv_problem.h"
#include "tests/catch.h"

using namespace cugrb;
using selector::MxvProblem;
using selector::PartForecast;
using selector::ShapedWorkloads;
using selector::WorkloadRates;

namespace {

/// Rows of these lengths, and what p says of a matrix that has them.
struct Rows {
  std::vector<uint64_t> lengths;
  formats::LengthDistribution distribution;
  MxvProblem problem;

  explicit Rows(std::vector<uint64_t> of_lengths) : lengths(std::move(of_lengths)) {
    std::map<uint64_t, uint64_t> histogram;
    for (const uint64_t length : lengths) ++histogram[length];
    distribution = formats::LengthDistribution({histogram.begin(), histogram.end()});
    problem.rows = lengths.size();
    problem.entries = distribution.entries();
    problem.pull_distribution = &distribution;
    problem.pull_lengths = distribution.summary();
  }
};

/// Lengths of a power law, up to `longest`.
std::vector<uint64_t> power_law(size_t rows, double longest, std::mt19937_64& random) {
  std::vector<uint64_t> lengths(rows);
  for (uint64_t& length : lengths) {
    const double u = std::uniform_real_distribution<>(0, 1)(random);
    length = uint64_t(std::min(longest, 2 / std::pow(1 - u, 0.9)));
  }
  return lengths;
}

/// Entries of each row in a part that has this share of them: one draw for every entry.
std::vector<uint64_t> drawn(const std::vector<uint64_t>& lengths, double share, std::mt19937_64& random) {
  std::vector<uint64_t> inside;
  std::bernoulli_distribution in_part(share);
  for (const uint64_t length : lengths) {
    uint64_t count = 0;
    for (uint64_t n = 0; n < length; ++n) count += in_part(random) ? 1 : 0;
    inside.push_back(count);
  }
  return inside;
}

std::vector<double> histogram_of(const std::vector<uint64_t>& lengths) {
  std::vector<double> rows(PartForecast::bins + 1);
  for (const uint64_t length : lengths) {
    if (length > 0) ++rows[PartForecast::bin_of(length)];
  }
  return rows;
}

/// Workloads of rows of these lengths by class and steps, one by one: as src/formats/tile_composite.cpp packs
/// them.
std::map<std::pair<int, uint32_t>, double> packed(const std::vector<uint64_t>& lengths, uint32_t most_steps,
                                                  size_t window_rows) {
  const TileRowClasses classes = row_classes_of(most_steps);
  std::map<std::pair<int, uint32_t>, double> counts;
  std::vector<std::vector<uint64_t>> ranked(tile_classes);
  const auto pack = [&](int c) {
    const size_t together = size_t(32 / tile_class_lanes[c]);
    for (size_t n = 0; n < ranked[size_t(c)].size(); n += together) {
      uint64_t longest = 0;
      for (size_t m = n; m < std::min(n + together, ranked[size_t(c)].size()); ++m)
        longest = std::max(longest, ranked[size_t(c)][m]);
      const uint32_t a_step = 4 * uint32_t(tile_class_lanes[c]);
      ++counts[{c, uint32_t((longest + a_step - 1) / a_step)}];
    }
  };
  for (size_t i = 0; i < lengths.size(); ++i) {
    const uint32_t length = uint32_t(lengths[i]);
    if (length == 0) continue;
    const int c = classes.class_of(length);
    for (uint32_t piece = 0; c == 0 && piece < classes.pieces_of(length); ++piece) {
      ranked[0].push_back(classes.begin_of_piece(length, piece + 1) - classes.begin_of_piece(length, piece));
    }
    if (c > 0 && c + 1 < tile_classes) ranked[size_t(c)].push_back(length);
  }
  // The last class is ranked window by window, whose ends may share a workload; the others as a whole.
  std::vector<uint64_t>& last = ranked[tile_classes - 1];
  for (size_t first = 0; first < lengths.size(); first += window_rows) {
    std::vector<uint64_t> window;
    for (size_t i = first; i < std::min(first + window_rows, lengths.size()); ++i) {
      if (lengths[i] > 0 && classes.class_of(uint32_t(lengths[i])) == tile_classes - 1)
        window.push_back(lengths[i]);
    }
    std::sort(window.rbegin(), window.rend());
    last.insert(last.end(), window.begin(), window.end());
  }
  for (int c = 1; c + 1 < tile_classes; ++c) std::sort(ranked[size_t(c)].rbegin(), ranked[size_t(c)].rend());
  for (int c = 0; c < tile_classes; ++c) pack(c);
  return counts;
}

double steps_of(const std::vector<ShapedWorkloads>& workloads, int row_class) {
  double steps = 0;
  for (const auto& [shape, count] : workloads) {
    if (row_class < 0 || shape.row_class == row_class) steps += count * shape.steps;
  }
  return steps;
}

}  // namespace

TEST_CASE("every length has its bin, and classes of every size of workloads end where bins do") {
  uint64_t before = 0;
  for (size_t bin = 0; bin < PartForecast::bins; ++bin) {
    const uint64_t longest = PartForecast::longest_of(bin);
    CHECK(PartForecast::bin_of(before + 1) == bin);
    CHECK(PartForecast::bin_of(longest) == bin);
    for (const uint32_t size : selector::workload_sizes) {
      const TileRowClasses classes = row_classes_of(size);
      CHECK(classes.class_of(uint32_t(before + 1)) == classes.class_of(uint32_t(longest)));
    }
    before = longest;
  }
  CHECK(before == 1024);
  CHECK(PartForecast::bin_of(1025) == PartForecast::bins);
}

TEST_CASE("rows of a part by length: as many as are counted when every entry is drawn") {
  std::mt19937_64 random(1);
  Rows rows(power_law(60000, 20000, random));
  for (const double share : {0.0005, 0.02, 0.3, 0.6, 0.97}) {
    INFO("share " << share);
    const std::vector<double> counted = histogram_of(drawn(rows.lengths, share, random));
    const PartForecast part = forecast_part(rows.problem, share * double(rows.problem.entries));
    double all = 0, apart = 0;
    for (size_t bin = 0; bin <= PartForecast::bins; ++bin) {
      INFO("bin " << bin << ": " << counted[bin] << " counted, " << part.rows_by_length[bin] << " forecast");
      // Four deviations of a count, and what lengths of about the same size are not.
      CHECK(std::abs(part.rows_by_length[bin] - counted[bin]) <=
            4 * std::sqrt(counted[bin] + 1) + 0.25 * counted[bin] + 2);
      all += counted[bin];
      apart += std::abs(part.rows_by_length[bin] - counted[bin]);
    }
    CHECK(std::abs(part.rows - all) <= 0.01 * all + 4 * std::sqrt(all));
    CHECK(apart <= 0.03 * all + 8 * std::sqrt(all));
  }
}

TEST_CASE("a part with all entries has all rows as they are; where neighbours agree a row is in one part") {
  std::mt19937_64 random(2);
  Rows rows(power_law(5000, 16, random));
  const std::vector<double> counted = histogram_of(rows.lengths);
  const double entries = double(rows.problem.entries);
  for (const double lines : {1.0, 0.0}) {
    rows.problem.gathers.lines = lines;
    const PartForecast all = forecast_part(rows.problem, entries);
    const PartForecast some = forecast_part(rows.problem, 0.25 * entries);
    for (size_t bin = 0; bin <= PartForecast::bins; ++bin) {
      CHECK(all.rows_by_length[bin] == Approx(counted[bin]));
      if (lines == 0) CHECK(some.rows_by_length[bin] == Approx(0.25 * counted[bin]));
    }
    CHECK((some.rows > 0.3 * all.rows) == (lines == 1));
  }
}

TEST_CASE(
    "workloads by shape: as many steps as when rows are packed one by one, whatever the longest workload") {
  std::mt19937_64 random(3);
  Rows rows(power_law(200000, 30000, random));
  constexpr size_t window = 50000;
  for (const double share : {0.02, 0.5}) {
    const std::vector<uint64_t> inside = drawn(rows.lengths, share, random);
    const PartForecast part = forecast_part(rows.problem, share * double(rows.problem.entries));
    for (const uint32_t size : selector::workload_sizes) {
      INFO("share " << share << ", workloads of " << size);
      const auto forecast = forecast_workloads(part, size, double(rows.lengths.size()) / window);
      std::map<int, double> steps;
      double all = 0;
      for (const auto& [shape, count] : packed(inside, size, window)) {
        steps[shape.first] += count * shape.second;
        all += count * shape.second;
      }
      CHECK(std::abs(steps_of(forecast, -1) - all) <= 0.03 * all);
      for (int c = 0; c < tile_classes; ++c) {
        INFO("class " << c << ": " << steps[c] << " packed, " << steps_of(forecast, c) << " forecast");
        CHECK(std::abs(steps_of(forecast, c) - steps[c]) <= 0.05 * steps[c] + 0.01 * all);
      }
      for (const auto& [shape, count] : forecast) {
        CHECK(shape.steps >= 1);
        CHECK(shape.steps <= size);
        CHECK(count > 0);
      }
    }
  }
}

TEST_CASE("steps by the table: as measured where shapes were, between them elsewhere") {
  WorkloadRates rates;
  double rate = 1e11;
  for (auto& kind : rates.entries_per_second) {
    for (auto& row_class : kind) {
      for (double& entries_per_second : row_class) entries_per_second = rate += 1e9;
    }
  }
  for (size_t kind = 0; kind < WorkloadRates::kinds; ++kind) {
    for (int c = 0; c < tile_classes; ++c) {
      for (size_t n = 0; n < WorkloadRates::lengths; ++n) {
        CHECK(rates.step_seconds(WorkloadRates::value_bytes[kind], c, WorkloadRates::steps[n]) ==
              Approx(128 / rates.entries_per_second[kind][size_t(c)][n]));
      }
      const double eight = rates.step_seconds(WorkloadRates::value_bytes[kind], c, 8),
                   sixteen = rates.step_seconds(WorkloadRates::value_bytes[kind], c, 16),
                   twelve = rates.step_seconds(WorkloadRates::value_bytes[kind], c, 12);
      CHECK(twelve < eight);
      CHECK(twelve > sixteen);
      CHECK(rates.step_seconds(WorkloadRates::value_bytes[kind], c, 40) == sixteen);
    }
  }
  const WorkloadRates h200;
  CHECK(h200.step_seconds(2, 1, 4) > h200.step_seconds(1, 1, 4));
  CHECK(h200.step_seconds(2, 1, 4) < h200.step_seconds(4, 1, 4));
  CHECK(h200.step_seconds(16, 1, 4) > 1.5 * h200.step_seconds(8, 1, 4));
}
