// RowBins: the rows of a matrix sorted into bins by their lengths.
#pragma once
#include <vector>

#include "cuda/views/row_bins.h"
#include "src/formats/matrix.h"

namespace cugrb::formats {

/// What becomes of rows without entries: no record, or one of the first bin.
enum class EmptyRows : uint8_t { left_out, first_bin };

/// Rows by bins, ascending within each. Bin b holds rows of limits[b-1] < length <= limits[b]; the last one
/// those longer than all limits. Rows without entries (limits[0] is 0) have no record, or are of bin 1.
struct RowBins {
  std::vector<uint64_t> limits;  ///< ascending, the first is 0
  std::vector<uint64_t> starts;  ///< bin b's records are starts[b] to starts[b+1]; bin 0 has none
  Width row_width = Width::bits32;
  runtime::Buffer rows;  ///< records: positions
  uint64_t records() const { return starts.back(); }
};

/// By the lengths of a matrix's rows; with `begins` and `sizes` also those of every record, of the matrix's
/// offset width. Two launches and a sort of three or four bits; waits for the device. O(rows).
RowBins bin_rows(const Csr& matrix, const std::vector<uint64_t>& limits, Width row_width,
                 runtime::Buffer* begins = nullptr, runtime::Buffer* sizes = nullptr);
/// By `rows` listed lengths.
RowBins bin_rows(const runtime::Buffer& lengths, Width width, uint64_t rows,
                 const std::vector<uint64_t>& limits, Width row_width,
                 EmptyRows empty_rows = EmptyRows::left_out);

/// The bins that several blocks share a row of, cut into chunks.
struct RowChunks {
  uint64_t chunks = 0;
  runtime::Buffer starts;  ///< records of the last bin + 1, uint64_t
};
/// Of the rows of the last bin; `lengths` as the bins were made from: offsets of a CSR, or a list.
RowChunks cut_rows(const RowBins& bins, const runtime::Buffer& lengths, Width width, bool are_offsets,
                   uint64_t chunk_entries);

/// Whether every row of those lengths has its place, once, in order; for checks on the host. Empty when it
/// holds.
std::string check_bins(const RowBins& bins, const std::vector<uint64_t>& lengths);

}  // namespace cugrb::formats
