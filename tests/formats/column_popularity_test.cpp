// The popularity of columns: exact where everything is counted, close to it where a sample is.
#include "src/formats/column_popularity.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "cuda/views/column_popularity.h"
#include "src/formats/launch.h"
#include "src/support/declined.h"
#include "tests/catch.h"
#include "tests/formats/format_cases.h"
#include "tests/gpu_compile.h"

using namespace cugrb;
using formats::ColumnPopularity;
using formats::ColumnSampling;
using formats::Csr;

namespace {

ColumnPopularity sampled(const Csr& matrix, const ColumnSampling& sampling) {
  return formats::begin_popularity(matrix, sampling).take();
}

/// One row; the popularity does not look at rows.
Csr row_of(const std::vector<uint64_t>& columns, uint64_t column_count, bool wide = false) {
  Csr csr = test::csr_to_device({Type::of(TypeCode::Bool), 1, column_count, {}}, false, wide);
  csr.entries = columns.size();
  csr.columns = column_count;
  const std::vector<uint32_t> narrow(columns.begin(), columns.end());
  csr.column_indices = wide ? runtime::Buffer::from_host(columns.data(), columns.size() * sizeof(uint64_t))
                            : runtime::Buffer::from_host(narrow.data(), narrow.size() * sizeof(uint32_t));
  return csr;
}

/// Entries of each column, in random order.
std::vector<uint64_t> shuffled(test::Random& random, const std::vector<uint64_t>& counts) {
  std::vector<uint64_t> columns;
  for (size_t c = 0; c < counts.size(); ++c) columns.insert(columns.end(), counts[c], c);
  for (size_t n = columns.size(); n > 1; --n) std::swap(columns[n - 1], columns[random() % n]);
  return columns;
}

struct Truth {
  std::vector<uint64_t> entries_of_first;  ///< of the first s * 1024 columns
  uint64_t popular = 0;

  explicit Truth(std::vector<uint64_t> counts) {
    std::sort(counts.rbegin(), counts.rend());
    uint64_t sum = 0;
    for (size_t c = 0; c < counts.size(); ++c) {
      if (c % ColumnPopularity::sample_columns == 0) entries_of_first.push_back(sum);
      sum += counts[c];
      popular += counts[c] >= formats::least_gathered;
    }
    entries_of_first.push_back(sum);
  }
};

void check_exact(const std::vector<uint64_t>& counts, const ColumnPopularity& popularity) {
  const Truth truth(counts);
  CHECK(popularity.entries_of_first == truth.entries_of_first);
  CHECK(popularity.popular_columns == truth.popular);
}

/// Few columns have most entries, as in graphs.
std::vector<uint64_t> graph_counts(test::Random& random, uint64_t columns, double most) {
  std::vector<uint64_t> counts(columns);
  for (uint64_t c = 0; c < columns; ++c) counts[c] = uint64_t(most / double(c + 1) + 0.7);
  for (uint64_t n = columns; n > 1; --n) std::swap(counts[n - 1], counts[random() % n]);
  return counts;
}

void check_close(const std::vector<uint64_t>& counts, const ColumnPopularity& popularity, double share) {
  const Truth truth(counts);
  const double all = double(truth.entries_of_first.back());
  REQUIRE(popularity.entries_of_first.size() == truth.entries_of_first.size());
  for (size_t s = 0; s < truth.entries_of_first.size(); ++s) {
    INFO("the first " << s * 1024 << " columns");
    CHECK(std::abs(double(popularity.entries_of_first[s]) - double(truth.entries_of_first[s])) <=
          share * all);
  }
  CHECK(popularity.entries_of_first.back() == truth.entries_of_first.back());
  CHECK(double(popularity.popular_columns) > 0.9 * double(truth.popular));
  CHECK(double(popularity.popular_columns) < 1.1 * double(truth.popular));
}

}  // namespace

TEST_CASE("columns of fewer than 16 entries are counted exactly, with both widths of indices") {
  test::Random random(1);
  std::vector<uint64_t> counts(3000);
  for (uint64_t& count : counts) count = random() % 16;
  std::vector<uint64_t> columns = shuffled(random, counts);
  for (int left_out = 0; left_out < 8; ++left_out) {  // threads take four entries at a time
    const bool wide = left_out % 2 == 1;
    const Csr csr = row_of(columns, counts.size(), wide);
    check_exact(counts, sampled(csr, ColumnSampling::of(csr)));
    --counts[columns.back()];
    columns.pop_back();
  }
}

TEST_CASE(
    "columns of any number of entries: the sums end with all of them, between are at most an eighth off") {
  test::Random random(2);
  const std::vector<uint64_t> counts = graph_counts(random, 2500, 9000);
  const Csr csr = row_of(shuffled(random, counts), counts.size());
  const ColumnPopularity popularity = sampled(csr, ColumnSampling::of(csr));
  const Truth truth(counts);
  REQUIRE(popularity.entries_of_first.size() == 4);
  CHECK(popularity.entries_of_first == truth.entries_of_first);  // the bins that samples cut are exact ones
  CHECK(popularity.popular_columns == truth.popular);
  CHECK(popularity.entries_of(2500) == csr.entries);
  CHECK(popularity.entries_of(uint64_t(1) << 40) == csr.entries);
}

TEST_CASE("a column in eight and a window in four tell how a graph's entries spread, with both widths") {
  test::Random random(3);
  const std::vector<uint64_t> counts = graph_counts(random, 20000, 4000);
  const std::vector<uint64_t> columns = shuffled(random, counts);
  const ColumnSampling sampling{3, 2, 32};
  for (const bool wide : {false, true})
    check_close(counts, sampled(row_of(columns, counts.size(), wide), sampling), 0.03);
}

TEST_CASE("windows do not meet the same columns of each row where rows are of one length") {
  const std::vector<uint64_t> counts(8192, 64);
  std::vector<uint64_t> columns;
  for (uint64_t n = 0; n < 64 * counts.size(); ++n) columns.push_back(n % counts.size());
  const Csr csr = row_of(columns, counts.size());
  check_exact(counts, sampled(csr, ColumnSampling{1, 5, 32}));
}

TEST_CASE("the draw alone tells how equally popular columns share their entries") {
  test::Random random(4);
  std::vector<uint64_t> counts(16384);
  for (uint64_t& count : counts) count = 2 + random() % 3;
  const ColumnSampling sampling{4, 3, 32};
  const Csr csr = row_of(shuffled(random, counts), counts.size());
  const ColumnPopularity popularity = sampled(csr, sampling);
  const Truth truth(counts);
  for (size_t s = 0; s < truth.entries_of_first.size(); ++s) {
    INFO("the first " << s * 1024 << " columns");
    CHECK(std::abs(double(popularity.entries_of_first[s]) - double(truth.entries_of_first[s])) <=
          0.02 * double(csr.entries));
  }
  CHECK(popularity.popular_columns == 0);
}

TEST_CASE("the windows alone tell what a column has that most entries are in") {
  test::Random random(5);
  std::vector<uint64_t> counts(8192, 1);
  counts[4711] = 20000;  // whether it is drawn or not
  const ColumnSampling sampling{5, 2, 32};
  const Csr csr = row_of(shuffled(random, counts), counts.size());
  const ColumnPopularity popularity = sampled(csr, sampling);
  CHECK(popularity.popular_columns == 1);
  CHECK(double(popularity.entries_of_first[1]) > 0.97 * (20000 + 1023));
  CHECK(double(popularity.entries_of_first[1]) < 1.03 * (20000 + 1023));
}

TEST_CASE("every number of entries has its bin, those of light columns and those of heavy ones") {
  // Light ones below 1000. All columns are drawn.
  std::vector<uint32_t> all, in_windows;
  for (uint32_t count = 0; count < 1100; ++count) {
    all.push_back(count % 900);
    in_windows.push_back(count);
  }
  for (const uint32_t count : {1100u, 65535u, 65536u, 1u << 24, (1u << 31) - 1, 1u << 31, 0xffffffffu}) {
    all.push_back(1);
    in_windows.push_back(count);
  }
  std::map<std::pair<bool, uint32_t>, std::pair<uint64_t, uint64_t>> expected;  // by the bin's first number
  for (size_t c = 0; c < all.size(); ++c) {
    const bool heavy = in_windows[c] >= 1000;
    const uint32_t count = heavy ? in_windows[c] : all[c];
    if (count == 0) continue;
    const int octave = int(std::bit_width(count)) - 1, cut = std::max(0, octave - 3);  // eight bins an octave
    auto& [columns, entries] = expected[{heavy, octave < 4 ? count : count >> cut << cut}];
    ++columns;
    entries += count;
  }
  const runtime::Buffer group_counts = runtime::Buffer::from_host(all.data(), all.size() * 4),
                        window_counts = runtime::Buffer::from_host(in_windows.data(), all.size() * 4),
                        sample = runtime::Buffer::zeroed(sizeof(ColumnSample));
  SampleColumnsArguments a;
  a.column_count = all.size();
  a.group_counts = group_counts.as<uint32_t>();
  a.window_counts = window_counts.as<uint32_t>();
  a.least_heavy = 1000;
  a.sample = sample.as<ColumnSample>();
  formats::launch_blocks("column_popularity.h", "bin_columns<0>", 2, a);
  const ColumnSample found = sample.read<ColumnSample>();
  std::vector<std::pair<uint64_t, uint64_t>> bins, expected_bins;
  for (const ColumnBins* kind : {&found.light, &found.heavy}) {
    for (unsigned b = 0; b < ColumnBins::bins; ++b)
      if (kind->columns[b] > 0) bins.emplace_back(kind->columns[b], kind->entries[b]);
  }
  for (const auto& [place, bin] : expected) expected_bins.push_back(bin);
  CHECK(bins == expected_bins);
}

TEST_CASE("drawn columns count as many as their groups have, heavy ones what windows cover") {
  ColumnSample sample;
  sample.light.columns[3] = 100;
  sample.light.entries[3] = 300;
  sample.light.columns[9] = 10;
  sample.light.entries[9] = 90;
  sample.heavy.columns[20] = 2;
  sample.heavy.entries[20] = 100;
  const ColumnSampling sampling{2, 1, 32};
  // 4 * (300 + 90) + 2 * 100 = 1760 entries of 4 * 110 + 2 = 442 columns, and 3630 columns without any.
  const ColumnPopularity popularity = popularity_of_sample(sample, sampling, 4072, 2048);
  // All but every second window is looked at: 1024 of 2048 entries, so that the sums grow by 2048 / 1760.
  CHECK(popularity.entries_of_first == std::vector<uint64_t>{0, 2048, 2048, 2048, 2048});
  CHECK(popularity.popular_columns == 42);
}

TEST_CASE("columns of eight entries are popular where the draw makes a few entries too many of all") {
  // 4 * (10 * 8 + 5 * 7) = 460 entries of 60 columns, where the matrix has 440: levels are scaled down.
  ColumnSample sample;
  sample.light.columns[8] = 10;
  sample.light.entries[8] = 80;
  sample.light.columns[7] = 5;
  sample.light.entries[7] = 35;
  const ColumnPopularity popularity = popularity_of_sample(sample, ColumnSampling{2, 0, 32}, 100, 440);
  CHECK(popularity.popular_columns == 40);
  CHECK(popularity.entries_of_first == std::vector<uint64_t>{0, 440});
}

TEST_CASE("no entries, no columns, too many columns") {
  const Csr none = row_of({}, 5000);
  const ColumnPopularity popularity = sampled(none, ColumnSampling::of(none));
  CHECK(popularity.entries_of_first == std::vector<uint64_t>(6, 0));
  CHECK(popularity.popular_columns == 0);
  const Csr nothing = row_of({}, 0);
  CHECK(sampled(nothing, ColumnSampling::of(nothing)).entries_of(0) == 0);
  const Csr wide = row_of({1}, uint64_t(1) << 32, true);
  CHECK_THROWS_AS(sampled(wide, ColumnSampling::of(wide)), Declined);
}

TEST_CASE("large matrices are sampled: enough columns are drawn, half a million entries looked at") {
  Csr csr;
  csr.columns = 1 << 20;
  csr.entries = 1 << 20;
  CHECK(ColumnSampling::of(csr).group_bits == 0);
  CHECK(ColumnSampling::of(csr).least_heavy == 0xffffffffu);
  csr.entries = (1 << 20) + 1;
  CHECK(ColumnSampling::of(csr).group_bits == 5);
  CHECK(ColumnSampling::of(csr).window_bits == 1);
  csr.entries = uint64_t(100) << 20;
  CHECK(ColumnSampling::of(csr).window_bits == 7);
  CHECK(ColumnSampling::of(csr).least_heavy == 32);
  csr.columns = 4096 * 8;
  CHECK(ColumnSampling::of(csr).group_bits == 3);
  csr.columns = 4096 * 2 - 1;
  CHECK(ColumnSampling::of(csr).group_bits == 0);
}

TEST_CASE("the kernels compile for GPUs without spilling registers") {
  for (const char* name : {"sample_columns<uint32_t>", "sample_columns<uint64_t>", "bin_columns<0>"}) {
    for (const char* architecture : {"sm_75", "sm_90", "sm_100"}) {
      INFO(name << " for " << architecture);
      const auto result = test::compiled_for_gpu({"column_popularity.h", name, ""}, architecture);
      if (!result) return;
      CHECK(result->log.find(" 0 bytes spill stores") != std::string::npos);
    }
  }
}
