#include "src/formats/hyb.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cuda/views/coo.h"
#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

/// The smallest of 0 and the lengths for which `enough` holds; it holds for the longest and from there on.
template <class Enough>
uint64_t smallest_length(const LengthDistribution& lengths, const Enough& enough) {
  if (enough(0)) return 0;
  const auto& bins = lengths.bins();
  const auto found = std::partition_point(
      bins.begin(), bins.end(), [&](const LengthDistribution::Bin& bin) { return !enough(bin.length); });
  return found == bins.end() ? lengths.longest() : found->length;
}

}  // namespace

uint64_t bell_garland_threshold(const LengthDistribution& lengths, double relative_speed,
                                uint64_t least_rows) {
  // Rows of K entries or more are rows_above(K - 1): the smallest length whose successor has too few of them.
  const uint64_t k = smallest_length(lengths, [&](uint64_t length) {
    const uint64_t rows = lengths.rows_above(length);
    return relative_speed * double(rows) < double(lengths.rows()) || rows < least_rows;
  });
  return std::max<uint64_t>(k, 1);
}

uint64_t sliced_threshold(const LengthDistribution& lengths, double relative_cost) {
  const double rows = double(lengths.rows());
  const uint64_t k = smallest_length(lengths, [&](uint64_t length) {
    const double f = double(lengths.rows_up_to(length)) / rows;
    if (f >= 1) return true;
    return (1 - std::pow(f, double(ell_slice_rows))) / (1 - f) >= relative_cost;
  });
  return std::max<uint64_t>(k, 1);
}

Hyb make_hyb(const Csr& matrix, uint64_t threshold) {
  Hyb hyb(threshold, make_sell(matrix, plan_slices(matrix, threshold)), make_coo_beyond(matrix, threshold));
  hyb.ell.entries = matrix.entries - hyb.coo.entries;
  return hyb;
}

Csr to_csr(const Hyb& matrix) {
  const Ell& ell = matrix.ell;
  const Coo& coo = matrix.coo;
  Csr csr(ell, ell.offset_width);
  csr.entries += coo.entries;
  csr.offsets = Buffer::zeroed((csr.rows + 1) * bytes_of(csr.offset_width));
  if (csr.entries == 0) return csr;
  csr.column_indices = Buffer(csr.entries * bytes_of(csr.column_width));
  csr.values = csr.iso ? ell.values : Buffer(csr.entries * csr.type.size);

  const Buffer starts = Buffer::zeroed((csr.rows + 1) * bytes_of(csr.offset_width));
  if (coo.entries > 0) {
    primitives::offsets_of_sorted(coo.row_width, coo.row_indices.data(), coo.entries, csr.offset_width,
                                  starts.data(), csr.rows);
  }
  CooBuildArguments arguments;
  arguments.csr = csr.view();
  arguments.starts = starts.data();
  arguments.entries = coo.entries;
  arguments.lengths = csr.offsets.data();
  arguments.rows = coo.row_indices.data();
  arguments.columns = coo.column_indices.data();
  arguments.values = coo.values.data();
  const std::string offset = index_type(csr.offset_width);
  write_row_lengths(ell, csr);
  launch_per_element("hyb_build.h", "add_list_lengths<" + offset + ">", csr.rows, arguments);
  primitives::exclusive_sum(csr.offset_width, csr.offsets.data(), csr.offsets.data(), csr.rows);
  write_entries(ell, csr);
  launch_per_element("hyb_build.h",
                     "append_list<" + offset + ", " + index_type(coo.row_width) + ", " +
                         index_type(coo.column_width) + ", " +
                         (coo.iso ? "void" : element_of_bytes(coo.type.size)) + ">",
                     coo.entries, arguments);
  return csr;
}

std::string check(const Hyb& m) {
  const std::string ell = check(m.ell), coo = check(m.coo);
  if (!ell.empty()) return "slices: " + ell;
  if (!coo.empty()) return "list: " + coo;
  if (m.ell.rows != m.coo.rows || m.ell.columns != m.coo.columns) return "the parts have different sizes";
  const Csr first = to_csr(m.ell);
  const std::vector<uint64_t> offsets = widened(first.offsets, first.offset_width, first.rows + 1);
  const std::vector<uint64_t> columns = widened(first.column_indices, first.column_width, first.entries);
  const std::vector<uint64_t> rows = widened(m.coo.row_indices, m.coo.row_width, m.coo.entries);
  const std::vector<uint64_t> beyond = widened(m.coo.column_indices, m.coo.column_width, m.coo.entries);
  for (uint64_t i = 0; i < first.rows; ++i) {
    if (offsets[i + 1] - offsets[i] > m.threshold)
      return "row " + std::to_string(i) + " passes the threshold";
  }
  for (uint64_t q = 0; q < rows.size(); ++q) {
    const uint64_t i = rows[q], length = offsets[i + 1] - offsets[i];
    if (length != m.threshold) return "row " + std::to_string(i) + " goes on in the list, but is not filled";
    if (beyond[q] <= columns[offsets[i + 1] - 1])
      return "entry " + std::to_string(q) + " of the list belongs to the slices";
  }
  return {};
}

}  // namespace cugrb::formats
