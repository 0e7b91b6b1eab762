#include "src/formats/coo.h"

#include <string>
#include <vector>

#include "cuda/views/coo.h"
#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char coo_header[] = "coo_build.h";

Coo shell_of(const Csr& matrix, Width row_width, uint64_t entries) {
  Coo coo(matrix);
  coo.entries = entries;
  coo.row_width = row_width;
  coo.row_indices = Buffer(entries * bytes_of(row_width));
  return coo;
}

/// Writes the rows, and what is not shared.
void write_entries(const Coo& coo, const Csr& matrix, const Buffer& starts, uint64_t threshold) {
  CooBuildArguments arguments;
  arguments.csr = matrix.view();
  arguments.threshold = threshold;
  arguments.starts = starts.data();
  arguments.entries = coo.entries;
  arguments.rows = coo.row_indices.data();
  arguments.columns = coo.column_indices.data();
  arguments.values = coo.values.data();
  const std::string element = coo.iso || coo.shared ? "void" : element_of_bytes(coo.type.size);
  launch_blocks(coo_header,
                std::string("coo_entries<") + index_type(matrix.offset_width) + ", " +
                    index_type(coo.row_width) + ", " + index_type(coo.column_width) + ", " + element + ", " +
                    (coo.shared ? "false" : "true") + ">",
                move_blocks(coo.entries), arguments);
}

}  // namespace

CsrView Coo::view() const {
  CsrView view;
  view.columns = column_indices.data();
  view.values = values.data();
  view.rows = rows;
  view.columns_count = columns;
  view.entries = entries;
  return view;
}

Coo make_coo(const Csr& matrix, Width row_width) {
  Coo coo = shell_of(matrix, row_width, matrix.entries);
  coo.shared = true;
  coo.column_indices = matrix.column_indices;
  coo.values = matrix.values;
  write_entries(coo, matrix, matrix.offsets, 0);
  return coo;
}

Coo make_coo_beyond(const Csr& matrix, uint64_t threshold) {
  const Buffer starts((matrix.rows + 1) * bytes_of(matrix.offset_width));
  CooBuildArguments arguments;
  arguments.csr = matrix.view();
  arguments.threshold = threshold;
  arguments.lengths = starts.data();
  launch_per_element(coo_header, std::string("lengths_beyond<") + index_type(matrix.offset_width) + ">",
                     matrix.rows, arguments);
  primitives::exclusive_sum(matrix.offset_width, starts.data(), starts.data(), matrix.rows);
  const uint64_t entries = index_at(starts, matrix.offset_width, matrix.rows);
  Coo coo = shell_of(matrix, index_width(matrix.rows), entries);
  coo.column_indices = Buffer(entries * bytes_of(coo.column_width));
  coo.values = coo.iso ? matrix.values : Buffer(entries * coo.type.size);
  write_entries(coo, matrix, starts, threshold);
  return coo;
}

Csr to_csr(const Coo& matrix) {
  Csr csr(matrix);
  csr.offsets = Buffer::zeroed((csr.rows + 1) * bytes_of(csr.offset_width));
  csr.column_indices = matrix.column_indices;
  csr.values = matrix.values;
  if (csr.entries > 0) {
    primitives::offsets_of_sorted(matrix.row_width, matrix.row_indices.data(), matrix.entries,
                                  csr.offset_width, csr.offsets.data(), csr.rows);
  }
  return csr;
}

std::string check(const Coo& m) {
  if (m.row_indices.bytes() < m.entries * bytes_of(m.row_width)) return "the row indices are too few";
  if (m.column_indices.bytes() < m.entries * bytes_of(m.column_width))
    return "the column indices are too few";
  if (m.values.bytes() < (m.iso ? (m.entries > 0 ? 1 : 0) : m.entries) * m.type.size)
    return "the values are too few";
  const std::vector<uint64_t> rows = widened(m.row_indices, m.row_width, m.entries);
  const std::vector<uint64_t> columns = widened(m.column_indices, m.column_width, m.entries);
  for (uint64_t p = 0; p < m.entries; ++p) {
    const std::string place = "entry " + std::to_string(p) + ": (" + std::to_string(rows[p]) + ", " +
                              std::to_string(columns[p]) + ")";
    if (rows[p] >= m.rows || columns[p] >= m.columns) return place + " is out of range";
    if (p == 0 || rows[p - 1] < rows[p]) continue;
    if (rows[p - 1] > rows[p] || columns[p - 1] >= columns[p]) return place + " does not ascend";
  }
  return {};
}

}  // namespace cugrb::formats
