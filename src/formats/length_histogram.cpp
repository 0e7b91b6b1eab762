// Row and column lengths of a matrix on the device, counted there.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <vector>

#include "cuda/views/length_distribution.h"
#include "src/formats/launch.h"
#include "src/formats/length_distribution.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char length_histogram_header[] = "length_distribution.h";
constexpr uint64_t bins = LengthHistogramShape::bins;

uint64_t blocks_of(uint64_t items, uint64_t items_per_block) {
  return std::min(blocks_for(items, items_per_block), resident_blocks());
}

/// As they lie on the device, where the list may go on.
struct LengthCounts {
  uint64_t rows_of[bins];
  uint64_t longer;  ///< rows that are longer
  uint64_t first_longer[1000];
};
static_assert(sizeof(LengthCounts) <= runtime::most_reading_bytes);

/// The lengths from `bins` on, which `listed` has on the device; nearly always all of them came with the
/// counters.
std::vector<uint64_t> longer_lengths(const LengthCounts& counts, const uint64_t* listed) {
  const auto* first = counts.first_longer;
  if (counts.longer <= std::size(counts.first_longer)) return {first, first + counts.longer};
  std::vector<uint64_t> all(counts.longer);
  runtime::device().copy_to_host(all.data(), listed, all.size() * sizeof(uint64_t));
  return all;
}

/// `source` names how the kernel finds a length: from `offsets` or from `counts`.
LengthDistribution histogram(const std::string& source, LengthHistogramArguments arguments, uint64_t entries,
                             const std::function<void()>& meanwhile = {}) {
  if (arguments.rows == 0) return {};
  const uint64_t list_bytes = entries / bins * sizeof(uint64_t);
  const Buffer counted(std::max(sizeof(LengthCounts), offsetof(LengthCounts, first_longer) + list_bytes));
  runtime::device().fill_bytes(counted.data(), 0, offsetof(LengthCounts, first_longer));
  arguments.counters = counted.as<uint64_t>();
  arguments.longer = arguments.counters + bins + 1;
  launch_blocks(length_histogram_header, "length_histogram<" + source + ">", blocks_of(arguments.rows, 2048),
                arguments);
  const std::unique_ptr<runtime::Reading> reading = counted.start_reading<LengthCounts>();
  if (meanwhile) meanwhile();
  const auto& counts = *static_cast<const LengthCounts*>(reading->bytes());
  return LengthDistribution(counts.rows_of, bins, longer_lengths(counts, arguments.longer));
}

}  // namespace

LengthDistribution row_distribution(const Csr& matrix, const std::function<void()>& meanwhile) {
  LengthHistogramArguments arguments;
  arguments.lengths = matrix.offsets.data();
  arguments.rows = matrix.rows;
  return histogram("lengths_by_offsets<" + std::string(index_type(matrix.offset_width)) + ">", arguments,
                   matrix.entries, meanwhile);
}

Buffer column_counts(const Csr& matrix, Width count_width) {
  Buffer counts = Buffer::zeroed(matrix.columns * bytes_of(count_width));
  CountColumnsArguments counting;
  counting.columns = matrix.column_indices.data();
  counting.entries = matrix.entries;
  counting.counts = counts.data();
  launch_blocks(
      length_histogram_header,
      "count_columns<" + std::string(index_type(matrix.column_width)) + ", " + index_type(count_width) + ">",
      blocks_of(matrix.entries, 2048), counting);
  return counts;
}

LengthDistribution listed_distribution(const Buffer& lengths, Width width, uint64_t count, uint64_t entries) {
  LengthHistogramArguments arguments;
  arguments.lengths = lengths.data();
  arguments.rows = count;
  return histogram("lengths_listed<" + std::string(index_type(width)) + ">", arguments, entries);
}

LengthDistribution column_distribution(const Csr& matrix) {
  const Width width = matrix.rows < (uint64_t(1) << 32) ? Width::bits32 : Width::bits64;
  return listed_distribution(column_counts(matrix, width), width, matrix.columns, matrix.entries);
}

}  // namespace cugrb::formats
