#include "src/formats/dcsr.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char dcsr_header[] = "dcsr_build.h";

/// "<uint32_t, uint64_t": the widths of a CSR's and of the segments' offsets.
std::string widths(Width csr, Width dcsr) {
  return std::string("<") + index_type(csr) + ", " + index_type(dcsr);
}

void move_entries(const Dcsr& dcsr, const Csr& csr, DcsrBuildArguments arguments, bool to_segments) {
  arguments.csr = csr.view();
  arguments.dcsr = dcsr.view();
  const std::string element = dcsr.iso ? "void" : element_of_bytes(dcsr.type.size);
  launch_blocks(dcsr_header,
                "dcsr_entries" + widths(csr.offset_width, dcsr.offset_width) + ", " +
                    index_type(dcsr.column_width) + ", " + element + ", " +
                    (to_segments ? "true>" : "false>"),
                entry_tiles(csr.entries), arguments);
}

/// A segment on the host.
using Segment = std::pair<uint64_t, uint64_t>;

std::string check_apart(std::vector<Segment> segments, uint64_t used) {
  std::sort(segments.begin(), segments.end());
  uint64_t end = 0;
  for (const Segment& segment : segments) {
    const std::string place = "the segment from " + std::to_string(segment.first);
    if (segment.second < segment.first) return place + " ends before it begins";
    if (segment.second == segment.first) continue;
    if (segment.first < end) return place + " overlaps another one";
    end = segment.second;
  }
  return end <= used ? "" : "a segment lies beyond the allocated positions";
}

}  // namespace

DcsrView Dcsr::view() const {
  DcsrView view;
  view.segments = segments.data();
  view.sizes = sizes.data();
  view.columns = column_indices.data();
  view.values = values.data();
  view.rows = rows;
  view.pitch = pitch;
  view.slots = slots;
  return view;
}

Dcsr make_dcsr(const Csr& matrix, const DcsrShape& shape) {
  Dcsr dcsr(matrix);
  dcsr.slots = std::max(shape.slots, shape.segments);
  dcsr.pitch = blocks_for(2 * dcsr.rows, 32) * 32;
  dcsr.used = dcsr.capacity = matrix.entries + dcsr.rows * shape.slack;
  dcsr.offset_width =
      matrix.offset_width == Width::bits64 ? Width::bits64 : Csr::offset_width_for(dcsr.capacity);
  dcsr.segments = Buffer(dcsr.slots * dcsr.pitch * bytes_of(dcsr.offset_width));
  dcsr.sizes = Buffer(dcsr.rows * bytes_of(dcsr.offset_width));
  dcsr.shared = shape.segments == 1 && shape.slack == 0;
  const Buffer begins((shape.segments * dcsr.rows + 1) * bytes_of(dcsr.offset_width));
  DcsrBuildArguments arguments;
  arguments.csr = matrix.view();
  arguments.dcsr = dcsr.view();
  arguments.used = shape.segments;
  arguments.slack = shape.slack;
  arguments.begins = begins.data();
  const std::string types = widths(matrix.offset_width, dcsr.offset_width) + ">";
  launch_per_element(dcsr_header, "dcsr_capacities" + types, shape.segments * dcsr.rows, arguments);
  if (dcsr.rows > 0) {
    primitives::exclusive_sum(dcsr.offset_width, begins.data(), begins.data(), shape.segments * dcsr.rows);
  }
  launch_per_element(dcsr_header, "dcsr_segments" + types, dcsr.rows, arguments);
  dcsr.column_indices =
      dcsr.shared ? matrix.column_indices : Buffer(dcsr.capacity * bytes_of(dcsr.column_width));
  dcsr.values = dcsr.shared || dcsr.iso ? matrix.values : Buffer(dcsr.capacity * dcsr.type.size);
  if (!dcsr.shared) move_entries(dcsr, matrix, arguments, /*to_segments=*/true);
  return dcsr;
}

Csr to_csr(const Dcsr& matrix) {
  Csr csr(matrix, matrix.offset_width);
  const size_t offset_bytes = bytes_of(csr.offset_width);
  csr.offsets = Buffer::zeroed((csr.rows + 1) * offset_bytes);
  if (csr.entries == 0) return csr;
  csr.column_indices = Buffer(csr.entries * bytes_of(csr.column_width));
  csr.values = csr.iso ? matrix.values : Buffer(csr.entries * csr.type.size);
  primitives::exclusive_sum(csr.offset_width, matrix.sizes.data(), csr.offsets.data(), csr.rows);
  move_entries(matrix, csr, {}, /*to_segments=*/false);
  return csr;
}

std::string check(const Dcsr& m) {
  if (m.pitch < 2 * m.rows) return "the pitch is too small";
  if (m.used > m.capacity) return "more positions are allocated than there are";
  const std::vector<uint64_t> table = widened(m.segments, m.offset_width, m.slots * m.pitch);
  const std::vector<uint64_t> sizes = widened(m.sizes, m.offset_width, m.rows);
  const std::vector<uint64_t> columns = widened(m.column_indices, m.column_width, m.capacity);
  std::vector<Segment> segments;
  uint64_t entries = 0;
  for (uint64_t i = 0; i < m.rows; ++i) {
    for (uint64_t s = 0; s < m.slots; ++s)
      segments.emplace_back(table[2 * i + s * m.pitch], table[2 * i + s * m.pitch + 1]);
    entries += sizes[i];
  }
  const std::string wrong = check_apart(segments, m.used);
  if (!wrong.empty()) return wrong;
  if (entries != m.entries) return "the rows hold " + std::to_string(entries) + " entries";
  for (uint64_t i = 0; i < m.rows; ++i) {
    uint64_t n = 0, previous = 0;
    for (uint64_t s = 0; s < m.slots; ++s) {
      for (uint64_t p = segments[i * m.slots + s].first; p < segments[i * m.slots + s].second && n < sizes[i];
           ++p) {
        const std::string place =
            "row " + std::to_string(i) + ", position " + std::to_string(p) + ": column ";
        if (columns[p] >= m.columns) return place + std::to_string(columns[p]) + " is out of range";
        if (n > 0 && columns[p] <= previous) return place + std::to_string(columns[p]) + " does not ascend";
        previous = columns[p];
        ++n;
      }
    }
    if (n < sizes[i]) return "the segments of row " + std::to_string(i) + " are too small";
  }
  return {};
}

DcsrBins bin_dcsr(const Dcsr& matrix, Width row_width) {
  DcsrBins binned;
  binned.bins =
      bin_rows(matrix.sizes, matrix.offset_width, matrix.rows, {0, 4, 8, 16, 32, 64, 2048, 32768}, row_width);
  binned.chunks = cut_rows(binned.bins, matrix.sizes, matrix.offset_width, false, DcsrBins::chunk);
  return binned;
}

}  // namespace cugrb::formats
