#include "src/formats/ell.h"

#include <algorithm>
#include <string>
#include <vector>

#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char ell_header[] = "ell_build.h";

std::string element_of(const Type& type, bool iso) { return iso ? "void" : element_of_bytes(type.size); }

/// "ell_fill<ell_whole, uint32_t, uint32_t, void>"
std::string move_kernel(const char* name, const Ell& ell, Width offsets) {
  return std::string(name) + "<" + ell.layout() + ", " + index_type(offsets) + ", " +
         index_type(ell.column_width) + ", " + element_of(ell.type, ell.iso) + ">";
}

/// All but the arrays of positions.
Ell shell_of(const Csr& matrix) {
  Ell ell(matrix);
  ell.offset_width = matrix.offset_width;
  return ell;
}

EllBuildArguments arguments_of(const Ell& ell, const CsrView& csr) {
  EllBuildArguments arguments;
  arguments.csr = csr;
  arguments.ell = ell.view();
  arguments.columns = ell.column_indices.data();
  arguments.values = ell.values.data();
  return arguments;
}

/// Allocates and writes the positions.
void fill(Ell& ell, const Csr& matrix) {
  ell.column_indices = Buffer(ell.positions * bytes_of(ell.column_width));
  ell.values = ell.iso ? matrix.values : Buffer(ell.positions * ell.type.size);
  if (ell.positions == 0) return;
  launch_blocks(ell_header, move_kernel("ell_fill", ell, matrix.offset_width), ell.slices(),
                arguments_of(ell, matrix.view()));
}

std::string check_widths(const Ell& m, const std::vector<uint64_t>& offsets) {
  if (!m.sliced) {
    if (m.pitch < m.rows || m.pitch % ell_slice_rows != 0)
      return "the pitch is no multiple of 32, or too small";
    return m.positions == m.pitch * m.width ? "" : "positions are not pitch times width";
  }
  if (offsets[0] != 0) return "the first slice does not begin at 0";
  for (uint64_t s = 0; s < m.slices(); ++s) {
    if (offsets[s] > offsets[s + 1]) return "slice " + std::to_string(s) + " ends before it begins";
  }
  return offsets.back() * ell_slice_rows == m.positions ? "" : "the slices do not end with the positions";
}

/// One row, `at` its places: entries ascend, then padding to the end, whose values are zeros.
std::string check_row(const Ell& m, const std::vector<uint64_t>& columns, const std::vector<char>& values,
                      const std::vector<uint64_t>& at, uint64_t& entries) {
  const uint64_t padding = m.column_width == Width::bits32 ? 0xffffffffu : ~uint64_t(0);
  bool ended = false;
  for (size_t n = 0; n < at.size(); ++n) {
    const uint64_t column = columns[at[n]];
    const std::string place = "position " + std::to_string(at[n]) + ": ";
    if (column == padding) {
      ended = true;
      const size_t size = m.type.size;
      const char* value = values.data() + at[n] * size;
      if (!m.iso && std::any_of(value, value + size, [](char byte) { return byte != 0; }))
        return place + "the value of padding is not zero";
      continue;
    }
    if (ended) return place + "an entry follows padding";
    if (column >= m.columns) return place + "column " + std::to_string(column) + " is out of range";
    if (n > 0 && column <= columns[at[n - 1]]) return place + "columns do not ascend";
    ++entries;
  }
  return {};
}

}  // namespace

const char* Ell::layout() const {
  if (!sliced) return "ell_whole";
  return offset_width == Width::bits32 ? "ell_sliced<uint32_t>" : "ell_sliced<uint64_t>";
}

EllView Ell::view() const {
  EllView view;
  view.slice_offsets = slice_offsets.data();
  view.width = width;
  view.pitch = pitch;
  view.rows = rows;
  return view;
}

Ell make_ell(const Csr& matrix, uint64_t width) {
  Ell ell = shell_of(matrix);
  ell.width = width;
  ell.pitch = ell.slices() * ell_slice_rows;
  ell.positions = ell_positions(ell.rows, width);
  fill(ell, matrix);
  return ell;
}

double expected_slice_columns(const LengthDistribution& lengths, uint64_t threshold) {
  const double longest =
      lengths.expected_longest(ell_slice_rows, threshold, LengthDistribution::LongRows::cut_off);
  return longest * double(blocks_for(lengths.rows(), ell_slice_rows));
}

Begun<SlicePlan> begin_slices(const Csr& matrix, uint64_t threshold) {
  SlicePlan plan;
  plan.threshold = threshold;
  const uint64_t slices = blocks_for(matrix.rows, ell_slice_rows);
  plan.offsets = Buffer::zeroed((slices + 1) * bytes_of(matrix.offset_width));
  if (matrix.entries == 0) return Begun(plan);
  EllBuildArguments arguments;
  arguments.csr = matrix.view();
  arguments.slice_widths = plan.offsets.data();
  arguments.threshold = threshold;
  launch_per_element(ell_header, std::string("slice_widths<") + index_type(matrix.offset_width) + ">",
                     matrix.rows, arguments);
  primitives::exclusive_sum(matrix.offset_width, plan.offsets.data(), plan.offsets.data(), slices);
  const bool wide = matrix.offset_width == Width::bits64;
  auto reading =
      wide ? plan.offsets.start_reading<uint64_t>(slices) : plan.offsets.start_reading<uint32_t>(slices);
  return {std::move(reading), [plan, wide](const void* bytes) {
            SlicePlan counted = plan;
            counted.columns =
                wide ? *static_cast<const uint64_t*>(bytes) : *static_cast<const uint32_t*>(bytes);
            return counted;
          }};
}

SlicePlan plan_slices(const Csr& matrix, uint64_t threshold) {
  return begin_slices(matrix, threshold).take();
}

Ell make_sell(const Csr& matrix, const SlicePlan& plan) {
  Ell ell = shell_of(matrix);
  ell.sliced = true;
  ell.slice_offsets = plan.offsets;
  ell.positions = plan.columns * ell_slice_rows;
  fill(ell, matrix);
  return ell;
}

Buffer position_offsets(const Ell& sell) {
  std::vector<uint64_t> columns(sell.slices() + 1);
  if (sell.offset_width == Width::bits32) {
    const std::vector<uint32_t> narrow = sell.slice_offsets.to_host<uint32_t>(columns.size());
    std::copy(narrow.begin(), narrow.end(), columns.begin());
  } else {
    columns = sell.slice_offsets.to_host<uint64_t>(columns.size());
  }
  std::vector<int32_t> positions;
  for (const uint64_t offset : columns) positions.push_back(int32_t(offset * ell_slice_rows));
  return Buffer::from_host(positions.data(), positions.size() * sizeof(int32_t));
}

void write_row_lengths(const Ell& matrix, const Csr& csr) {
  EllBuildArguments arguments = arguments_of(matrix, csr.view());
  arguments.lengths = csr.offsets.data();
  launch_per_element(ell_header,
                     std::string("ell_row_lengths<") + matrix.layout() + ", " +
                         index_type(matrix.column_width) + ", " + index_type(csr.offset_width) + ">",
                     csr.rows, arguments);
}

void write_entries(const Ell& matrix, const Csr& csr) {
  launch_blocks(ell_header, move_kernel("ell_compress", matrix, csr.offset_width), matrix.slices(),
                arguments_of(matrix, csr.view()));
}

Csr to_csr(const Ell& matrix) {
  Csr csr(matrix, matrix.offset_width);
  csr.offsets = Buffer::zeroed((csr.rows + 1) * bytes_of(csr.offset_width));
  if (csr.entries == 0) return csr;
  csr.column_indices = Buffer(csr.entries * bytes_of(csr.column_width));
  csr.values = csr.iso ? matrix.values : Buffer(csr.entries * csr.type.size);
  write_row_lengths(matrix, csr);
  primitives::exclusive_sum(csr.offset_width, csr.offsets.data(), csr.offsets.data(), csr.rows);
  write_entries(matrix, csr);
  return csr;
}

std::string check(const Ell& m) {
  if (m.column_indices.bytes() < m.positions * bytes_of(m.column_width))
    return "the column indices are too few";
  if (m.values.bytes() < (m.iso ? (m.entries > 0 ? 1 : 0) : m.positions) * m.type.size)
    return "the values are too few";
  const std::vector<uint64_t> offsets =
      m.sliced ? widened(m.slice_offsets, m.offset_width, m.slices() + 1) : std::vector<uint64_t>();
  const std::string widths = check_widths(m, offsets);
  if (!widths.empty()) return widths;
  const std::vector<uint64_t> columns = widened(m.column_indices, m.column_width, m.positions);
  const std::vector<char> values =
      m.iso ? std::vector<char>() : m.values.to_host<char>(m.positions * m.type.size);
  uint64_t entries = 0;
  for (uint64_t i = 0; i < m.slices() * ell_slice_rows; ++i) {
    const uint64_t s = i / ell_slice_rows;
    const uint64_t width = m.sliced ? offsets[s + 1] - offsets[s] : m.width;
    std::vector<uint64_t> at(width);
    for (uint64_t n = 0; n < width; ++n)
      at[n] = m.sliced ? (offsets[s] + n) * ell_slice_rows + i % ell_slice_rows : n * m.pitch + i;
    const uint64_t before = entries;
    const std::string wrong = check_row(m, columns, values, at, entries);
    if (!wrong.empty()) return wrong;
    if (i >= m.rows && entries != before)
      return "an entry in row " + std::to_string(i) + ", past the last one";
  }
  return entries == m.entries
             ? ""
             : std::to_string(entries) + " entries are stored, not " + std::to_string(m.entries);
}

}  // namespace cugrb::formats
