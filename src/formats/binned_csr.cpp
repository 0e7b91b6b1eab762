#include "src/formats/binned_csr.h"

#include <string>
#include <vector>

#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"

namespace cugrb::formats {

using runtime::Buffer;

BinnedCsr make_binned_csr(const Csr& matrix, const BinThresholds& thresholds, Width row_width) {
  BinnedCsr binned(matrix);
  binned.offset_width = matrix.offset_width;
  binned.thresholds = thresholds;
  binned.column_indices = matrix.column_indices;
  binned.values = matrix.values;
  binned.bins = bin_rows(matrix, {0, thresholds.tiny, thresholds.small, thresholds.normal, thresholds.block},
                         row_width, &binned.begins, &binned.sizes);
  binned.chunks = cut_rows(binned.bins, matrix.offsets, matrix.offset_width, true, thresholds.chunk);
  return binned;
}

Csr to_csr(const BinnedCsr& matrix) {
  Csr csr(matrix, matrix.offset_width);
  csr.column_indices = matrix.column_indices;
  csr.values = matrix.values;
  csr.offsets = Buffer::zeroed((csr.rows + 1) * bytes_of(csr.offset_width));
  if (csr.entries == 0) return csr;
  RowBinsArguments arguments;
  arguments.records = matrix.bins.records();
  arguments.record_rows = matrix.bins.rows.data();
  arguments.record_sizes = matrix.sizes.data();
  arguments.out_lengths = csr.offsets.data();
  launch_per_element("row_bins.h",
                     std::string("record_lengths<") + index_type(csr.offset_width) + ", " +
                         index_type(matrix.bins.row_width) + ">",
                     arguments.records, arguments);
  primitives::exclusive_sum(csr.offset_width, csr.offsets.data(), csr.offsets.data(), csr.rows);
  return csr;
}

std::string check(const BinnedCsr& m) {
  const uint64_t records = m.bins.records();
  const std::vector<uint64_t> rows = widened(m.bins.rows, m.bins.row_width, records);
  const std::vector<uint64_t> begins = widened(m.begins, m.offset_width, records);
  const std::vector<uint64_t> sizes = widened(m.sizes, m.offset_width, records);
  std::vector<uint64_t> lengths(m.rows, 0), first(m.rows, 0);
  for (uint64_t r = 0; r < records; ++r) {
    if (rows[r] >= m.rows) return "record " + std::to_string(r) + " names no row";
    lengths[rows[r]] += sizes[r];
    first[rows[r]] = begins[r];
  }
  const std::string wrong = check_bins(m.bins, lengths);
  if (!wrong.empty()) return wrong;
  uint64_t entry = 0;
  for (uint64_t i = 0; i < m.rows; ++i) {
    if (lengths[i] > 0 && first[i] != entry)
      return "row " + std::to_string(i) + " begins at " + std::to_string(first[i]) + ", not " +
             std::to_string(entry);
    entry += lengths[i];
  }
  if (entry != m.entries) return "the records hold " + std::to_string(entry) + " entries";
  const uint64_t huge = m.bins.starts[m.bins.limits.size()];
  const std::vector<uint64_t> starts =
      m.chunks.starts.to_host<uint64_t>(records > huge ? records - huge + 1 : 0);
  uint64_t chunk = 0;
  for (uint64_t r = huge; r < records; ++r) {
    if (starts[r - huge] != chunk) return "the chunks of record " + std::to_string(r) + " begin elsewhere";
    chunk += blocks_for(sizes[r], m.thresholds.chunk);
  }
  if (chunk != m.chunks.chunks) return "there are not " + std::to_string(chunk) + " chunks";
  return check(to_csr(m));
}

}  // namespace cugrb::formats
