// Row and column lengths of a matrix on the device, counted there.
#include <algorithm>
#include <utility>
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

/// `source` names how the kernel finds a length: from `offsets` or from `counts`.
LengthDistribution histogram(const std::string& source, LengthHistogramArguments arguments,
                             uint64_t entries) {
  if (arguments.rows == 0) return {};
  // The list lies behind the counters, so that its first lengths, which are nearly always all, come with
  // them.
  constexpr uint64_t read_along = 1000;
  const uint64_t most_longer = entries / bins;
  const Buffer counted((bins + 1 + most_longer) * sizeof(uint64_t));
  runtime::device().fill_bytes(counted.data(), 0, (bins + 1) * sizeof(uint64_t));
  arguments.counters = counted.as<uint64_t>();
  arguments.longer = arguments.counters + bins + 1;
  launch_blocks(length_histogram_header, "length_histogram<" + source + ">", blocks_of(arguments.rows, 2048),
                arguments);
  std::vector<uint64_t> numbers = counted.to_host<uint64_t>(bins + 1 + std::min(most_longer, read_along));
  const uint64_t longer = numbers[bins];
  if (longer > read_along) numbers = counted.to_host<uint64_t>(bins + 1 + longer);
  // In ascending order: graphs have thousands of lengths, which a first product waits for.
  std::vector<std::pair<uint64_t, uint64_t>> histogram;
  histogram.reserve(bins + longer);
  for (uint64_t length = 0; length < bins; ++length) {
    if (numbers[length] > 0) histogram.emplace_back(length, numbers[length]);
  }
  const auto first_longer = numbers.begin() + bins + 1, end = first_longer + long(longer);
  std::sort(first_longer, end);
  for (auto length = first_longer; length != end; ++length) histogram.emplace_back(*length, 1);
  return LengthDistribution(std::move(histogram));
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
