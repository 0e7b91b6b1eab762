#include "src/formats/column_popularity.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "cuda/views/column_popularity.h"
#include "cuda/views/tile_composite.h"
#include "src/formats/launch.h"
#include "src/support/declined.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char column_popularity_header[] = "column_popularity.h";
constexpr uint64_t window_entries = ColumnSample::window_entries;
static_assert(least_gathered <= 1u << ColumnBins::first_octave, "a bin has columns above and below");

/// Columns of about the same number of entries.
struct Level {
  double columns, entries;
  double mean() const { return entries / columns; }
};

/// Entries of the windows that are looked at: one of each group, of the last one perhaps none, or not a whole
/// one.
uint64_t looked_at(const ColumnSampling& sampling, uint64_t entries) {
  const uint64_t of_group = uint64_t(1) << sampling.window_bits;
  const uint64_t groups = blocks_for(entries, of_group * window_entries);
  if (groups == 0) return 0;
  const uint64_t first =
      ((groups - 1) * of_group + window_of_group(groups - 1, sampling.window_bits)) * window_entries;
  const uint64_t before = (groups - 1) * window_entries;
  return first >= entries ? before : before + std::min(window_entries, entries - first);
}

/// By their mean number of entries, most first; all entries of the matrix are theirs.
std::vector<Level> levels_of(const ColumnSample& sample, const ColumnSampling& sampling, uint64_t entries) {
  std::vector<Level> levels;
  double sum = 0;
  const auto add = [&](const ColumnBins& kind, double columns_each, double entries_each) {
    for (size_t b = 0; b < ColumnBins::bins; ++b) {
      if (kind.columns[b] == 0) continue;
      levels.push_back({double(kind.columns[b]) * columns_each, double(kind.entries[b]) * entries_each});
      sum += levels.back().entries;
    }
  };
  const double drawn = double(uint64_t(1) << sampling.group_bits);
  add(sample.light, drawn, drawn);
  add(sample.heavy, 1, double(entries) / double(looked_at(sampling, entries)));
  for (Level& level : levels) level.entries *= double(entries) / sum;
  std::sort(levels.begin(), levels.end(),
            [](const Level& first, const Level& second) { return first.mean() > second.mean(); });
  return levels;
}

}  // namespace

ColumnSampling ColumnSampling::of(const Csr& matrix) {
  constexpr uint64_t all_of = 1 << 20, most_windows = 1024, least_drawn = 4096;
  ColumnSampling sampling;
  if (matrix.entries <= all_of) return sampling;
  while (sampling.group_bits < 5 && matrix.columns >> (sampling.group_bits + 1) >= least_drawn)
    ++sampling.group_bits;
  sampling.window_bits =
      unsigned(std::bit_width(blocks_for(matrix.entries, window_entries) / most_windows)) - 1;
  sampling.least_heavy = 32;
  return sampling;
}

ColumnPopularity popularity_of_sample(const ColumnSample& sample, const ColumnSampling& sampling,
                                      uint64_t columns, uint64_t entries) {
  ColumnPopularity popularity;
  std::vector<uint64_t>& sums = popularity.entries_of_first;
  const uint64_t wanted = std::min<uint64_t>(columns, uint64_t(most_tiles) * 65536);
  const uint64_t samples = blocks_for(wanted, ColumnPopularity::sample_columns) + 1;
  double first = 0, before = 0, popular = 0;  // of the levels so far
  for (const Level& level : levels_of(sample, sampling, entries)) {
    // Rounded: levels are scaled, by some percent, and no level of one number may fall out for that.
    if (std::round(level.mean()) >= least_gathered) popular += level.columns;
    const auto place = [&] { return double(sums.size() * ColumnPopularity::sample_columns); };
    while (sums.size() < samples && place() <= first + level.columns)
      sums.push_back(uint64_t(std::llround(before + (place() - first) * level.mean())));
    first += level.columns;
    before += level.entries;
  }
  sums.resize(samples, entries);  // columns without entries
  if (wanted == columns) sums.back() = entries;
  popularity.popular_columns = std::min(columns, uint64_t(popular));
  return popularity;
}

Begun<ColumnPopularity> begin_popularity(const Csr& matrix, const ColumnSampling& sampling) {
  if (matrix.columns >= (uint64_t(1) << 32)) throw Declined("column popularity: more than 2^32 columns");
  if (matrix.entries == 0) return Begun(popularity_of_sample({}, sampling, matrix.columns, 0));
  const uint64_t groups = blocks_for(matrix.columns, uint64_t(1) << sampling.group_bits);
  const Buffer counts = Buffer::zeroed(sizeof(ColumnSample) + (groups + matrix.columns) * sizeof(uint32_t));
  SampleColumnsArguments a;
  a.columns = matrix.column_indices.data();
  a.entries = matrix.entries;
  a.column_count = matrix.columns;
  a.group_bits = sampling.group_bits;
  a.window_bits = sampling.window_bits;
  a.least_heavy = sampling.least_heavy;
  a.sample = counts.as<ColumnSample>();
  a.group_counts = reinterpret_cast<uint32_t*>(counts.as<ColumnSample>() + 1);
  a.window_counts = a.group_counts + groups;
  // A column of four times as many entries as a heavy one has in the mean is not taken for a light one.
  const double heavy =
      4.0 * sampling.least_heavy * double(matrix.entries) / double(looked_at(sampling, matrix.entries));
  a.most_counted = uint32_t(std::min(heavy, double(a.most_counted)));
  constexpr uint64_t of_block = block_threads * 4 * 2;
  launch_blocks(column_popularity_header,
                std::string("sample_columns<") + index_type(matrix.column_width) + ">",
                std::min(blocks_for(matrix.entries, of_block), resident_blocks()), a);
  launch_blocks(column_popularity_header, "bin_columns<0>",
                std::min(blocks_for(matrix.columns), resident_blocks()), a);
  return {counts.start_reading<ColumnSample>(),
          [sampling, columns = matrix.columns, entries = matrix.entries](const void* bytes) {
            return popularity_of_sample(*static_cast<const ColumnSample*>(bytes), sampling, columns, entries);
          }};
}

const ColumnPopularity* find_popularity(const DeviceMatrix& matrix, bool transposed, uint64_t patience) {
  return matrix.derived_later(transposed, OfPattern<ColumnPopularity>(), patience, [](const Csr& rows) {
    return begin_popularity(rows, ColumnSampling::of(rows));
  });
}

}  // namespace cugrb::formats
