#include "src/formats/dcsr.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"
#include "src/formats/listed_rows.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char dcsr_header[] = "dcsr_build.h";

/// "<uint32_t, uint64_t": the widths of a CSR's and of the segments' offsets.
std::string widths(Width csr, Width dcsr) {
  return std::string("<") + index_type(csr) + ", " + index_type(dcsr);
}

/// Which row a record is of: the template-id, and the rows for the arguments.
struct RowOrder {
  std::string name = "every_row";
  const void* rows = nullptr;
};
RowOrder order_of(const std::shared_ptr<const DcsrBins>& bins) {
  if (bins == nullptr) return {};
  return {std::string("rows_listed<") + index_type(bins->bins.row_width) + ">", bins->bins.rows.data()};
}

/// Room for a row of each tile of so many entries, and one more.
Buffer room_for_tiles(uint64_t entries, uint64_t tile_entries = DcsrTile::entries) {
  return Buffer((blocks_for(entries, tile_entries) + 1) * sizeof(uint64_t));
}

/// Which of a CSR's rows has the first entry of each tile, and the last row with entries.
Buffer rows_of_tiles(const Csr& csr, uint64_t tile_entries = DcsrTile::entries) {
  Buffer rows = room_for_tiles(csr.entries, tile_entries);
  DcsrBuildArguments arguments;
  arguments.tile_entries = tile_entries;
  arguments.csr = csr.view();
  arguments.tile_rows = rows.as<uint64_t>();
  if (csr.entries > 0)
    launch_per_element(dcsr_header, std::string("dcsr_tile_starts<") + index_type(csr.offset_width) + ">",
                       csr.rows, arguments);
  return rows;
}

/// `csr` has the rows in that order.
void move_entries(const Dcsr& dcsr, const Csr& csr, DcsrBuildArguments arguments, bool to_segments,
                  const RowOrder& order, const Buffer& tile_rows) {
  arguments.csr = csr.view();
  arguments.dcsr = dcsr.view();
  arguments.order = order.rows;
  arguments.tile_rows = tile_rows.as<uint64_t>();
  const std::string element = dcsr.iso ? "void" : element_of_bytes(dcsr.type.size);
  const std::string name = "dcsr_entries" + widths(csr.offset_width, dcsr.offset_width) + ", " +
                           index_type(dcsr.column_width) + ", " + element + ", " + order.name + ", " +
                           (to_segments ? "true" : "false") +
                           (!to_segments && dcsr.mains ? ", true>" : ", false>");
  const uint64_t blocks = blocks_for(csr.entries, DcsrTile::entries);
  if (blocks > 0) launch_kernel({dcsr_header, name, {}}, {blocks, DcsrTile::threads}, arguments);
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

/// The positions that rows were laid out with and have no entry in.
std::string check_gaps(const Dcsr& m, const std::vector<uint64_t>& sizes,
                       const std::vector<uint64_t>& columns) {
  if (!m.starts) return {};
  const uint64_t gap = m.column_width == Width::bits64 ? UINT64_MAX : UINT32_MAX;
  const std::vector<uint64_t> starts = widened(m.starts, m.offset_width, m.rows + 1);
  for (uint64_t i = 0; i < m.rows; ++i) {
    for (uint64_t p = starts[i] + sizes[i]; p < starts[i + 1]; ++p) {
      if (columns[p] != gap)
        return "position " + std::to_string(p) + " of row " + std::to_string(i) + " is no gap";
    }
  }
  return starts[m.rows] == m.laid_out || m.rows == 0 ? "" : "rows are laid out beyond their positions";
}

/// Of a row's columns: two runs, the first of `main`, that have none in common.
std::string check_runs(const std::vector<uint64_t>& row, uint64_t main, uint64_t columns) {
  for (uint64_t n = 0; n < row.size(); ++n) {
    const std::string place = ", entry " + std::to_string(n) + ": column " + std::to_string(row[n]);
    if (row[n] >= columns) return place + " is out of range";
    if (n > 0 && n != main && row[n] <= row[n - 1]) return place + " does not ascend";
    if (n >= main && std::binary_search(row.begin(), row.begin() + long(main), row[n]))
      return place + " is there twice";
  }
  return main > row.size() ? ": its first run is longer than it" : "";
}

}  // namespace

DcsrView Dcsr::view() const {
  DcsrView view;
  view.segments = segments.data();
  view.sizes = sizes.data();
  view.mains = mains.data();
  view.columns = column_indices.data();
  view.values = values.data();
  view.rows = rows;
  view.pitch = pitch;
  view.slots = slots;
  return view;
}

namespace {

/// Allocates the rows' segments, from their lengths in `csr`, which has them in that order: the table, the
/// sizes, `used`; and the rows of its tiles. Without the arrays. One segment a row begins where the CSR has
/// it, and as many slacks later as there are rows before.
Dcsr laid_out(const Csr& csr, const DcsrShape& shape, const Buffer& tile_rows, const RowOrder& order = {}) {
  Dcsr dcsr(csr);
  dcsr.slots = std::max(shape.slots, shape.segments);
  dcsr.slack = shape.slack;
  dcsr.width = shape.width;
  dcsr.ordered = shape.ordered;
  dcsr.room = shape.room;
  while (dcsr.lanes < 32 && uint64_t(2 * dcsr.lanes) * dcsr.rows <= dcsr.entries) dcsr.lanes *= 2;
  dcsr.pitch = blocks_for(2 * dcsr.rows, 32) * 32;
  dcsr.used = csr.entries + dcsr.rows * std::max(shape.slack, shape.width);
  dcsr.offset_width = csr.offset_width == Width::bits64 ? Width::bits64 : Csr::offset_width_for(dcsr.used);
  dcsr.segments = Buffer(dcsr.slots * dcsr.pitch * bytes_of(dcsr.offset_width));
  dcsr.sizes = Buffer(dcsr.rows * bytes_of(dcsr.offset_width));
  DcsrBuildArguments arguments;
  arguments.csr = csr.view();
  arguments.dcsr = dcsr.view();
  arguments.order = order.rows;
  arguments.tile_rows = tile_rows.as<uint64_t>();
  arguments.tile_entries = DcsrTile::entries;
  arguments.used = shape.segments;
  arguments.slack = shape.slack;
  arguments.width = shape.width;
  const std::string types = widths(csr.offset_width, dcsr.offset_width);
  const std::string segments = "dcsr_segments" + types + ", " + order.name;
  const bool has_starts = shape.segments == 1 && order.rows == nullptr && has_gap_column(dcsr);
  if (shape.segments == 1 && shape.width == 0) {
    dcsr.compact = shape.slack == 0 && order.rows == nullptr;
    const bool are_offsets = shape.slack == 0 && csr.offset_width == dcsr.offset_width;
    if (has_starts)
      dcsr.starts = are_offsets ? csr.offsets : Buffer((dcsr.rows + 1) * bytes_of(dcsr.offset_width));
    if (!are_offsets) arguments.starts = dcsr.starts.data();
    launch_per_element(dcsr_header, segments + ", true>", dcsr.rows, arguments);
  } else {
    const uint64_t count = shape.segments * dcsr.rows;
    const Buffer begins((count + 1) * bytes_of(dcsr.offset_width));
    arguments.begins = begins.data();
    launch_per_element(dcsr_header, "dcsr_capacities" + types + ">", count, arguments);
    if (count > 0) primitives::exclusive_sum(dcsr.offset_width, begins.data(), begins.data(), count);
    launch_per_element(dcsr_header, segments + ", false>", dcsr.rows, arguments);
    if (shape.width > 0 && count > 0) dcsr.used = index_at(begins, dcsr.offset_width, count);
    if (has_starts) dcsr.starts = begins;
  }
  dcsr.capacity = dcsr.laid_out = dcsr.used;
  return dcsr;
}

/// Columns and values of its own, which can grow. What has no entry in a row's segment is marked, where rows
/// have `starts`.
void add_arrays(Dcsr& dcsr, const Buffer& iso_value) {
  const auto array = [&](size_t element) {
    return Buffer::growable(dcsr.capacity * element, runtime::device());
  };
  dcsr.column_indices = array(bytes_of(dcsr.column_width));
  dcsr.values = dcsr.iso ? iso_value : array(dcsr.type.size);
  if (dcsr.starts && dcsr.entries < dcsr.used)
    dcsr.column_indices.fill(0xff, 0, dcsr.used * bytes_of(dcsr.column_width));
}

}  // namespace

Dcsr make_dcsr(const Csr& matrix, const DcsrShape& shape) {
  const Buffer tile_rows = room_for_tiles(matrix.entries);
  Dcsr dcsr = laid_out(matrix, shape, tile_rows);
  dcsr.shared = dcsr.compact;
  if (dcsr.shared) {
    dcsr.column_indices = matrix.column_indices;
    dcsr.values = matrix.values;
  } else {
    add_arrays(dcsr, matrix.values);
    move_entries(dcsr, matrix, {}, /*to_segments=*/true, {}, tile_rows);
  }
  return dcsr;
}

namespace {

/// A CSR of the rows' lengths, without columns and values; with bins in their order.
Csr lengths_of(const Dcsr& matrix, const std::shared_ptr<const DcsrBins>& bins = nullptr) {
  Csr csr(matrix, matrix.offset_width);
  csr.offsets = Buffer((csr.rows + 1) * bytes_of(csr.offset_width));
  if (csr.entries == 0) {
    csr.offsets.fill(0);
    return csr;
  }
  const void* lengths = matrix.sizes.data();
  if (bins != nullptr) {
    DcsrListArguments arguments;
    arguments.dcsr = matrix.view();
    arguments.list = bins->bins.rows.data();
    arguments.listed = csr.rows;
    arguments.offsets = csr.offsets.data();
    const std::string offset = index_type(matrix.offset_width);
    launch_per_element(
        dcsr_header,
        "dcsr_listed_lengths<" + offset + ", " + offset + ", " + index_type(bins->bins.row_width) + ">",
        csr.rows, arguments);
    lengths = csr.offsets.data();
  }
  primitives::exclusive_sum(csr.offset_width, lengths, csr.offsets.data(), csr.rows);
  return csr;
}

/// For another defragmentation: the bins that the matrix has, as long as they are good.
std::shared_ptr<const DcsrBins> fresh_bins(const Dcsr& matrix) {
  if (matrix.bins == nullptr || matrix.entries <= matrix.bins->entries + matrix.bins->entries / 2)
    return matrix.bins;
  return std::make_shared<DcsrBins>(bin_dcsr(matrix, index_width(matrix.rows), EmptyRows::first_bin));
}

/// The rows of a CSR whose offsets are made, with their entries from the segments.
Csr with_entries(const Dcsr& matrix, Csr csr) {
  csr.iso = matrix.iso && csr.entries > 0;
  if (csr.entries == 0) return csr;
  csr.column_indices = Buffer(csr.entries * bytes_of(csr.column_width));
  csr.values = csr.iso ? matrix.values : Buffer(csr.entries * csr.type.size);
  move_entries(matrix, csr, {}, /*to_segments=*/false, {}, rows_of_tiles(csr));
  return csr;
}

}  // namespace

Csr laid_out_rows(const Dcsr& matrix) {
  SparseShape shape = matrix;
  shape.entries = matrix.laid_out;
  Csr rows(shape, matrix.offset_width);
  rows.offsets = matrix.starts;
  rows.column_indices = matrix.column_indices;
  rows.values = matrix.values;
  return rows;
}

RowTiles row_tiles(const Dcsr& matrix) {
  RowTiles tiles{lengths_of(matrix), {}};
  tiles.rows = rows_of_tiles(tiles.lengths, EntryTile::entries);
  return tiles;
}

Csr to_csr(const Dcsr& matrix) {
  Csr csr = lengths_of(matrix);
  if (!matrix.compact) return with_entries(matrix, std::move(csr));
  csr.iso = matrix.iso && csr.entries > 0;
  csr.column_indices = matrix.column_indices;
  csr.values = matrix.values;
  return csr;
}

void plan_products(Dcsr& matrix, const DcsrShape& shape) {
  if (!shape.merges || !matrix.starts || matrix.plan != nullptr) return;
  matrix.plan = std::make_shared<MergePlan>(cut_merge_path(laid_out_rows(matrix)));
}

void defragment(Dcsr& matrix) {
  const std::shared_ptr<const DcsrBins> bins = fresh_bins(matrix), by = matrix.ordered ? bins : nullptr;
  const RowOrder order = order_of(by);
  Csr target = lengths_of(matrix, by);
  const DcsrShape shape = laid_out_shape(matrix);
  const Buffer tile_rows = room_for_tiles(target.entries);
  Dcsr next = laid_out(target, shape, tile_rows, order);
  if (next.offset_width != matrix.offset_width) {
    Dcsr made = make_dcsr(to_csr(matrix), shape);
    made.slack = matrix.slack;
    made.bins = bins;
    plan_products(made, shape);
    matrix = std::move(made);
    return;
  }
  next.slack = matrix.slack;
  next.bins = bins;
  const bool near = next.lanes <= 2 * matrix.lanes && matrix.lanes <= 2 * next.lanes;
  if (near) next.lanes = matrix.lanes;
  next.iso = matrix.iso;
  next.capacity = std::max(next.used, matrix.capacity);
  add_arrays(next, matrix.values);
  target.column_indices = next.column_indices;
  target.values = next.values;
  DcsrBuildArguments arguments;
  arguments.slack = shape.slack;
  Buffer begins;
  if (matrix.width > 0) {
    // The first slot of the table is its rows' begins and ends by turns.
    begins = Buffer(matrix.rows * bytes_of(next.offset_width));
    arguments.dcsr = next.view();
    arguments.order = order.rows;
    arguments.begins = begins.data();
    launch_per_element(dcsr_header,
                       std::string("dcsr_begins<") + index_type(next.offset_width) + ", " + order.name + ">",
                       matrix.rows, arguments);
  }
  move_entries(matrix, target, arguments, /*to_segments=*/false, order, tile_rows);
  plan_products(next, shape);
  matrix = std::move(next);
}

Csr listed_rows(const Dcsr& matrix, const Buffer& list, uint64_t count) {
  DcsrListArguments of_rows;
  of_rows.dcsr = matrix.view();
  of_rows.list = list.data();
  of_rows.listed = count;
  const std::string offset = index_type(matrix.offset_width);
  const auto lengths = [&](const DcsrListArguments& arguments) {
    launch_per_element(dcsr_header, "dcsr_listed_lengths<" + offset + ", uint64_t, uint64_t>",
                       arguments.listed, arguments);
  };
  const auto entries = [&](const DcsrListArguments& arguments, const Csr& rows) {
    const std::string element = rows.iso ? "void" : element_of_bytes(rows.type.size);
    launch_blocks(dcsr_header,
                  "dcsr_listed_entries<" + offset + ", " + index_type(matrix.column_width) + ", " +
                      index_type(rows.offset_width) + ", " + element +
                      (matrix.mains ? ", true>" : ", false>"),
                  entry_tiles(rows.entries), arguments);
  };
  return listed_rows(matrix, of_rows, lengths, entries);
}

Csr named_rows(const Dcsr& matrix, const Csr& by) {
  const Buffer named = Buffer::zeroed(matrix.rows);
  Csr csr(matrix, matrix.offset_width);
  csr.offsets = Buffer((csr.rows + 1) * bytes_of(csr.offset_width));
  DcsrNamedArguments arguments;
  arguments.dcsr = matrix.view();
  arguments.columns = by.column_indices.data();
  arguments.entries = by.entries;
  arguments.named = named.as<uint8_t>();
  arguments.lengths = csr.offsets.data();
  launch_per_element(dcsr_header, std::string("dcsr_name_rows<") + index_type(by.column_width) + ">",
                     by.entries, arguments);
  launch_per_element(dcsr_header, std::string("dcsr_named_lengths<") + index_type(csr.offset_width) + ">",
                     csr.rows, arguments);
  primitives::exclusive_sum(csr.offset_width, csr.offsets.data(), csr.offsets.data(), csr.rows);
  csr.entries = index_at(csr.offsets, csr.offset_width, csr.rows);
  return with_entries(matrix, std::move(csr));
}

HostRows rows_on_host(const Dcsr& m) {
  const std::vector<uint64_t> table = widened(m.segments, m.offset_width, m.slots * m.pitch);
  const std::vector<uint64_t> sizes = widened(m.sizes, m.offset_width, m.rows);
  const std::vector<uint64_t> columns = widened(m.column_indices, m.column_width, m.used);
  const bool valued = m.entries > 0 && !m.iso;
  const std::vector<char> values = m.values.to_host<char>(valued          ? m.used * m.type.size
                                                          : m.entries > 0 ? m.type.size
                                                                          : 0);
  HostRows rows;
  rows.offsets.assign(1, 0);
  rows.columns.reserve(m.entries);
  if (!valued) rows.values = values;
  if (valued) rows.values.reserve(m.entries * m.type.size);
  std::vector<uint64_t> places;
  for (uint64_t i = 0; i < m.rows; ++i) {
    places.clear();
    for (uint64_t s = 0; s < m.slots; ++s) {
      const uint64_t* const segment = &table[2 * i + s * m.pitch];
      for (uint64_t p = segment[0]; p < segment[1] && places.size() < sizes[i]; ++p) places.push_back(p);
    }
    std::sort(places.begin(), places.end(), [&](uint64_t p, uint64_t q) { return columns[p] < columns[q]; });
    for (const uint64_t p : places) {
      rows.columns.push_back(columns[p]);
      const auto value = values.begin() + ptrdiff_t(p * m.type.size);
      if (valued) rows.values.insert(rows.values.end(), value, value + ptrdiff_t(m.type.size));
    }
    rows.offsets.push_back(rows.columns.size());
  }
  return rows;
}

std::string check(const Dcsr& m) {
  if (m.pitch < 2 * m.rows) return "the pitch is too small";
  if (m.used > m.capacity) return "more positions are allocated than there are";
  if (m.bins != nullptr && m.bins->bins.records() != m.rows) return "a row has no bin";
  const std::vector<uint64_t> table = widened(m.segments, m.offset_width, m.slots * m.pitch);
  const std::vector<uint64_t> sizes = widened(m.sizes, m.offset_width, m.rows);
  const std::vector<uint64_t> mains = m.mains ? widened(m.mains, m.offset_width, m.rows) : sizes;
  const std::vector<uint64_t> columns = widened(m.column_indices, m.column_width, m.used);
  std::vector<Segment> segments;
  uint64_t entries = 0;
  for (uint64_t i = 0; i < m.rows; ++i) {
    for (uint64_t s = 0; s < m.slots; ++s)
      segments.emplace_back(table[2 * i + s * m.pitch], table[2 * i + s * m.pitch + 1]);
    if (m.compact &&
        (table[2 * i] != entries || table[2 * i + 1] < entries + sizes[i] || mains[i] != sizes[i]))
      return "row " + std::to_string(i) + " is not where a compact matrix has it";
    entries += sizes[i];
  }
  const std::string wrong = check_apart(segments, m.used);
  if (!wrong.empty()) return wrong;
  const std::string no_gap = check_gaps(m, sizes, columns);
  if (!no_gap.empty()) return no_gap;
  if (entries != m.entries) return "the rows hold " + std::to_string(entries) + " entries";
  for (uint64_t i = 0; i < m.rows; ++i) {
    std::vector<uint64_t> row;
    for (uint64_t s = 0; s < m.slots; ++s) {
      const Segment& segment = segments[i * m.slots + s];
      for (uint64_t p = segment.first; p < segment.second && row.size() < sizes[i]; ++p)
        row.push_back(columns[p]);
    }
    if (row.size() < sizes[i]) return "the segments of row " + std::to_string(i) + " are too small";
    const std::string wrong_columns = check_runs(row, mains[i], m.columns);
    if (!wrong_columns.empty()) return "row " + std::to_string(i) + wrong_columns;
  }
  return {};
}

DcsrBins bin_dcsr(const Dcsr& matrix, Width row_width, EmptyRows empty_rows) {
  DcsrBins binned;
  if (matrix.entries < DcsrBins::hidden) binned.longest_by_lane = 16;
  binned.bins = bin_rows(matrix.sizes, matrix.offset_width, matrix.rows,
                         {0, 4, 8, 16, 32, 64, 32 * binned.longest_by_lane, 32768}, row_width, empty_rows);
  binned.chunks = cut_rows(binned.bins, matrix.sizes, matrix.offset_width, false, DcsrBins::chunk);
  binned.entries = matrix.entries;
  return binned;
}

}  // namespace cugrb::formats
