// Row and column lengths of a matrix on the device, counted there.
#include <algorithm>

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

/// `source` names how the kernel finds a length: from `offsets` or from `counts`.
LengthDistribution histogram(const std::string& source, LengthHistogramArguments arguments,
                             uint64_t entries) {
  if (arguments.rows == 0) return {};
  const Buffer counters = Buffer::zeroed((bins + 1) * sizeof(uint64_t));
  const Buffer longer(entries / bins * sizeof(uint64_t));
  arguments.counters = counters.as<uint64_t>();
  arguments.longer = longer.as<uint64_t>();
  launch_blocks(length_histogram_header, "length_histogram<" + source + ">", blocks_of(arguments.rows, 2048),
                arguments);
  const std::vector<uint64_t> counted = counters.to_host<uint64_t>(bins + 1);
  LengthCounter counter;
  for (uint64_t length = 0; length < bins; ++length) counter.add(length, counted[length]);
  for (const uint64_t length : longer.to_host<uint64_t>(counted[bins])) counter.add(length);
  return counter.distribution();
}

}  // namespace

LengthDistribution row_distribution(const Csr& matrix) {
  LengthHistogramArguments arguments;
  arguments.lengths = matrix.offsets.data();
  arguments.rows = matrix.rows;
  return histogram("lengths_by_offsets<" + std::string(index_type(matrix.offset_width)) + ">", arguments,
                   matrix.entries);
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
