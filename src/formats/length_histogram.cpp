// Row and column lengths of a matrix on the device, counted there.
#include <algorithm>
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

/// Lengths on the device: `count` of them, or the count + 1 offsets that they are between.
struct Lengths {
  const Buffer& numbers;
  Width width;
  bool are_offsets;
  uint64_t count, entries;
  uint64_t longest;  ///< none is longer
  uint64_t bytes() const { return (count + (are_offsets ? 1 : 0)) * bytes_of(width); }
  /// The kernel's name for how one is found.
  std::string source() const {
    return std::string(are_offsets ? "lengths_by_offsets<" : "lengths_listed<") + index_type(width) + ">";
  }
};

/// What is read of the counters at once: no more than the lengths can fill. The counter of the longer ones
/// and the first of these stand behind the others.
struct CountersRead {
  static constexpr uint64_t most_listed = 1000;
  uint64_t counters, listed;
  explicit CountersRead(const Lengths& lengths)
      : counters(std::min(lengths.longest + 1, bins)),
        listed(counters < bins ? 0 : std::min(lengths.entries / bins, most_listed)) {}
  bool any_longer() const { return counters == bins; }
  uint64_t bytes() const { return (counters + (any_longer() ? 1 + listed : 0)) * sizeof(uint64_t); }
};
static_assert((bins + 1 + CountersRead::most_listed) * sizeof(uint64_t) <= runtime::most_reading_bytes);

template <class Number>
LengthDistribution distribution_of(const Number* numbers, const Lengths& lengths) {
  std::vector<uint64_t> rows_of(std::min(lengths.longest + 1, bins)), longer;
  for (uint64_t i = 0; i < lengths.count; ++i) {
    const uint64_t length =
        lengths.are_offsets ? uint64_t(numbers[i + 1] - numbers[i]) : uint64_t(numbers[i]);
    if (length < rows_of.size()) {
      ++rows_of[length];
    } else {
      longer.push_back(length);
    }
  }
  return LengthDistribution(rows_of.data(), rows_of.size(), std::move(longer));
}

LengthDistribution counted_on_host(const Lengths& lengths, const std::function<void()>& meanwhile) {
  const std::unique_ptr<runtime::Reading> reading =
      lengths.numbers.device().start_reading(lengths.numbers.data(), lengths.bytes());
  if (meanwhile) meanwhile();
  if (lengths.width == Width::bits32)
    return distribution_of(static_cast<const uint32_t*>(reading->bytes()), lengths);
  return distribution_of(static_cast<const uint64_t*>(reading->bytes()), lengths);
}

LengthDistribution counted_on_device(const Lengths& lengths, const CountersRead& read,
                                     const std::function<void()>& meanwhile) {
  const Buffer counted((bins + 1 + lengths.entries / bins) * sizeof(uint64_t));
  counted.fill(0, 0, (bins + 1) * sizeof(uint64_t));
  LengthHistogramArguments arguments;
  arguments.lengths = lengths.numbers.data();
  arguments.rows = lengths.count;
  arguments.counters = counted.as<uint64_t>();
  arguments.longer = arguments.counters + bins + 1;
  launch_blocks(length_histogram_header, "length_histogram<" + lengths.source() + ">",
                blocks_of(arguments.rows, 2048), arguments);
  const std::unique_ptr<runtime::Reading> reading =
      counted.device().start_reading(counted.data(), read.bytes());
  if (meanwhile) meanwhile();
  const auto* counters = static_cast<const uint64_t*>(reading->bytes());
  std::vector<uint64_t> longer(read.any_longer() ? counters[bins] : 0);
  if (longer.size() <= read.listed) {  // nearly always all of them came with the counters
    std::copy_n(counters + bins + 1, longer.size(), longer.begin());
  } else {
    counted.read_bytes((bins + 1) * sizeof(uint64_t), longer.data(), longer.size() * sizeof(uint64_t));
  }
  return LengthDistribution(counters, read.counters, std::move(longer));
}

/// Few lengths are read as they are: that is fewer bytes than the counters, and no launch.
LengthDistribution distribution(const Lengths& lengths, const std::function<void()>& meanwhile = {}) {
  if (lengths.count == 0) return {};
  const CountersRead read(lengths);
  if (lengths.bytes() <= read.bytes()) return counted_on_host(lengths, meanwhile);
  return counted_on_device(lengths, read, meanwhile);
}

}  // namespace

LengthDistribution row_distribution(const Csr& matrix, const std::function<void()>& meanwhile) {
  return distribution({matrix.offsets, matrix.offset_width, /*are_offsets=*/true, matrix.rows, matrix.entries,
                       std::min(matrix.columns, matrix.entries)},
                      meanwhile);
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

LengthDistribution listed_distribution(const Buffer& lengths, Width width, uint64_t count, uint64_t entries,
                                       uint64_t longest) {
  return distribution({lengths, width, /*are_offsets=*/false, count, entries, std::min(longest, entries)});
}

LengthDistribution column_distribution(const Csr& matrix) {
  const Width width = matrix.rows < (uint64_t(1) << 32) ? Width::bits32 : Width::bits64;
  return listed_distribution(column_counts(matrix, width), width, matrix.columns, matrix.entries,
                             matrix.rows);
}

}  // namespace cugrb::formats
