#include "src/formats/row_bins.h"

#include <string>

#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char row_bins_header[] = "row_bins.h";

std::string source_id(Width width, bool are_offsets) {
  return std::string(are_offsets ? "lengths_by_offsets<" : "lengths_listed<") + index_type(width) + ">";
}

/// The rows' positions sorted by bins into arguments.payload; starts of the bins, bin 0's rows not counted.
Buffer sort_by_bins(RowBinsArguments& arguments, const std::string& source, RowBins& bins) {
  const uint64_t rows = arguments.rows, bin_count = bins.limits.size() + 1;
  const Buffer keys(rows * sizeof(uint32_t)), payload(rows * sizeof(uint64_t));
  const Buffer sorted_keys(keys.bytes()), sorted_payload(payload.bytes());
  arguments.keys = keys.as<uint32_t>();
  arguments.payload = payload.as<uint64_t>();
  launch_per_element(row_bins_header, "bin_keys<" + source + ">", rows, arguments);
  primitives::sort_pairs(Width::bits32, keys.data(), sorted_keys.data(), payload.as<uint64_t>(),
                         sorted_payload.as<uint64_t>(), rows, /*key_bits=*/4);
  const Buffer starts((bin_count + 1) * sizeof(uint64_t));
  primitives::offsets_of_sorted(Width::bits32, sorted_keys.data(), rows, Width::bits64, starts.data(),
                                bin_count);
  bins.starts = starts.to_host<uint64_t>(bin_count + 1);
  arguments.payload = sorted_payload.as<uint64_t>();
  arguments.first = bins.starts[1];
  for (uint64_t& start : bins.starts) start = start < arguments.first ? 0 : start - arguments.first;
  return sorted_payload;
}

RowBins make_bins(const void* lengths, Width width, bool are_offsets, uint64_t rows,
                  const std::vector<uint64_t>& limits, Width row_width, EmptyRows empty_rows, Buffer* begins,
                  Buffer* sizes) {
  RowBins bins;
  bins.limits = limits;
  bins.row_width = row_width;
  bins.starts.assign(limits.size() + 2, 0);
  if (rows == 0) return bins;
  RowBinsArguments arguments;
  arguments.lengths = lengths;
  arguments.rows = rows;
  arguments.bins.count = int(limits.size());
  arguments.bins.first = empty_rows == EmptyRows::first_bin ? 1 : 0;
  for (size_t b = 0; b < limits.size(); ++b) arguments.bins.limits[b] = limits[b];
  const Buffer payload = sort_by_bins(arguments, source_id(width, are_offsets), bins);
  arguments.records = bins.records();
  bins.rows = Buffer(arguments.records * bytes_of(row_width));
  arguments.record_rows = bins.rows.data();
  if (begins != nullptr) {
    *begins = Buffer(arguments.records * bytes_of(width));
    *sizes = Buffer(arguments.records * bytes_of(width));
    arguments.record_begins = begins->data();
    arguments.record_sizes = sizes->data();
  }
  launch_per_element(row_bins_header,
                     std::string("bin_records<") + index_type(width) + ", " + index_type(row_width) + ">",
                     arguments.records, arguments);
  return bins;
}

}  // namespace

RowBins bin_rows(const Csr& matrix, const std::vector<uint64_t>& limits, Width row_width, Buffer* begins,
                 Buffer* sizes) {
  return make_bins(matrix.offsets.data(), matrix.offset_width, true, matrix.rows, limits, row_width,
                   EmptyRows::left_out, begins, sizes);
}

RowBins bin_rows(const Buffer& lengths, Width width, uint64_t rows, const std::vector<uint64_t>& limits,
                 Width row_width, EmptyRows empty_rows) {
  return make_bins(lengths.data(), width, false, rows, limits, row_width, empty_rows, nullptr, nullptr);
}

RowChunks cut_rows(const RowBins& bins, const Buffer& lengths, Width width, bool are_offsets,
                   uint64_t chunk_entries) {
  RowChunks cut;
  const uint64_t first = bins.starts[bins.limits.size()], records = bins.records() - first;
  if (records == 0) return cut;
  cut.starts = Buffer((records + 1) * sizeof(uint64_t));
  RowBinsArguments arguments;
  arguments.lengths = lengths.data();
  arguments.record_rows = bins.rows.data();
  arguments.first = first;
  arguments.records = records;
  arguments.chunk_entries = chunk_entries;
  arguments.chunks = cut.starts.as<uint64_t>();
  launch_per_element(
      row_bins_header,
      "chunk_counts<" + source_id(width, are_offsets) + ", " + index_type(bins.row_width) + ">", records,
      arguments);
  primitives::exclusive_sum(Width::bits64, cut.starts.data(), cut.starts.data(), records);
  cut.chunks = cut.starts.read<uint64_t>(records);
  return cut;
}

std::string check_bins(const RowBins& bins, const std::vector<uint64_t>& lengths) {
  const size_t count = bins.limits.size() + 1;
  if (bins.starts.size() != count + 1 || bins.starts[0] != 0 || bins.starts[1] != 0)
    return "the bins do not start as they should";
  uint64_t expected = 0;
  for (const uint64_t length : lengths) expected += length > 0 ? 1 : 0;
  if (bins.records() != expected)
    return std::to_string(bins.records()) + " records, not " + std::to_string(expected);
  const std::vector<uint64_t> rows = widened(bins.rows, bins.row_width, bins.records());
  for (size_t b = 1; b < count; ++b) {
    for (uint64_t r = bins.starts[b]; r < bins.starts[b + 1]; ++r) {
      const std::string place = "record " + std::to_string(r) + ": row " + std::to_string(rows[r]);
      if (rows[r] >= lengths.size()) return place + " is out of range";
      const uint64_t length = lengths[rows[r]];
      if (length <= bins.limits[b - 1] || (b < bins.limits.size() && length > bins.limits[b]))
        return place + " of " + std::to_string(length) + " entries is in the wrong bin";
      if (r > bins.starts[b] && rows[r] <= rows[r - 1]) return place + " does not ascend";
    }
  }
  return {};
}

}  // namespace cugrb::formats
