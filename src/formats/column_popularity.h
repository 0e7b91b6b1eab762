// ColumnPopularity: how the entries of a matrix spread over its columns, as far as choosing a format needs
// it.
#pragma once
#include <vector>

#include "src/formats/begun.h"
#include "src/formats/matrix.h"

namespace cugrb {
struct ColumnSample;
}

namespace cugrb::formats {

/// Columns with fewer entries are read in place: a gather that serves a few loads does not pay.
constexpr uint32_t least_gathered = 8;

/// The columns of a matrix by their number of entries, most first: how many entries the first ones have. From
/// a sample where the matrix has many entries.
struct ColumnPopularity {
  static constexpr uint64_t sample_columns = 1024;
  /// [s]: entries of the first s * sample_columns columns, up to all that most_tiles tiles can hold.
  std::vector<uint64_t> entries_of_first;
  uint64_t popular_columns = 0;  ///< with at least least_gathered entries

  /// Entries of the first so many columns, to the next sample.
  uint64_t entries_of(uint64_t columns) const {
    const size_t sample = size_t((columns + sample_columns - 1) / sample_columns);
    return entries_of_first[sample < entries_of_first.size() ? sample : entries_of_first.size() - 1];
  }
};

/// What is looked at.
struct ColumnSampling {
  unsigned group_bits = 0;   ///< all entries of one column of each 2^group_bits neighbouring ones
  unsigned window_bits = 0;  ///< all columns' entries in one of each 2^window_bits windows of entries
  /// Columns that have so many entries in the windows are heavy: their number is told from these.
  uint32_t least_heavy = 0xffffffffu;

  /// Everything of up to 2^20 entries; of more, one column in 32 (where that leaves 4096 of them), half a
  /// million entries at least, and heavy columns have 32 of those.
  static ColumnSampling of(const Csr& matrix);
};

/// Two launches and a read of 8 KB; an entry is read once, and every 32nd one counted atomically; 4 bytes a
/// column of workspace and about an eighth more. Few columns have most entries of a graph, so that no draw of
/// columns tells what these have, and windows of entries cannot tell columns of few entries apart. Heavy
/// columns are those that the windows show, the draw stands for all others. Of 14 graphs of 1.6 to 22 million
/// entries the share of the first 57344 columns was within 0.01 of the true one in each of eight draws, the
/// number of popular columns within 5 %. Throws Declined for 2^32 columns or more.
Begun<ColumnPopularity> begin_popularity(const Csr& matrix, const ColumnSampling& sampling);
/// What follows from such a sample of a matrix.
ColumnPopularity popularity_of_sample(const ColumnSample& sample, const ColumnSampling& sampling,
                                      uint64_t columns, uint64_t entries);
/// The matrix's (or its transpose's), sampled at the first call and waited for as DeviceMatrix::derived_later
/// does: null until it is there.
const ColumnPopularity* find_popularity(const DeviceMatrix& matrix, bool transposed, uint64_t patience);

}  // namespace cugrb::formats
