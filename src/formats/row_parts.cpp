#include "src/formats/row_parts.h"

#include <algorithm>

#include "cuda/views/matrix_parts.h"
#include "cuda/views/row_parts.h"
#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char row_parts_header[] = "row_parts.h";

std::string rows_id(const Csr& matrix) {
  return std::string("csr_rows<") + index_type(matrix.offset_width) + ", " + index_type(matrix.column_width) +
         ", values_none>";
}

/// flags[p * rows + i]: part p gets row i.
Buffer deal(const Csr& matrix, uint64_t parts) {
  const uint64_t rows = matrix.rows;
  const Buffer keys(rows * 8), sorted(rows * 8), ordinals(rows * 8), order(rows * 8);
  Buffer flags = Buffer::zeroed(parts * rows);
  RowPartsDealArguments arguments;
  arguments.matrix = matrix.view();
  arguments.parts = parts;
  arguments.keys = keys.as<uint64_t>();
  arguments.ordinals = ordinals.as<uint64_t>();
  arguments.order = order.as<uint64_t>();
  arguments.flags = flags.as<uint8_t>();
  launch_per_element(row_parts_header, "row_parts_keys<" + rows_id(matrix) + ">", rows, arguments);
  primitives::sort_pairs(Width::bits64, keys.data(), sorted.data(), ordinals.as<uint64_t>(),
                         order.as<uint64_t>(), rows);
  launch_per_element(row_parts_header, "row_parts_deal", rows, arguments);
  return flags;
}

/// The listed rows as a matrix.
Csr rows_of(const Csr& from, const Buffer& list, uint64_t count, Width row_width) {
  SparseShape shape = from;
  shape.rows = count;
  Csr part(shape, from.offset_width);
  part.offsets = Buffer((count + 1) * bytes_of(part.offset_width));
  const Buffer begins(count * bytes_of(part.offset_width));
  RowPartLengthsArguments lengths;
  lengths.from = from.view();
  lengths.list = list.data();
  lengths.count = count;
  lengths.offsets = part.offsets.data();
  lengths.begins = begins.data();
  launch_per_element(row_parts_header,
                     "row_part_lengths<" + rows_id(from) + ", " + index_type(row_width) + ">", count,
                     lengths);
  primitives::exclusive_sum(part.offset_width, part.offsets.data(), part.offsets.data(), count);
  part.entries = index_at(part.offsets, part.offset_width, count);
  part.iso = from.iso && part.entries > 0;
  part.column_indices = Buffer(part.entries * bytes_of(part.column_width));
  part.values = part.iso ? from.values : Buffer(part.entries * part.type.size);
  MatrixPartArguments entries;
  entries.from = from.view();
  entries.rows = count;
  entries.columns = from.columns;
  entries.offsets = part.offsets.data();
  entries.begins = begins.data();
  entries.entries = part.entries;
  entries.out_columns = part.column_indices.data();
  entries.out_values = part.values.data();
  launch_blocks("matrix_parts.h",
                "part_entries<" + rows_id(from) + ", " + index_type(part.offset_width) + ", " +
                    index_type(part.column_width) + ", " +
                    (part.iso ? "void" : element_of_bytes(part.type.size)) + ">",
                entry_tiles(part.entries), entries);
  return part;
}

Csr moved(Csr part, runtime::Device& device) {
  if (&device == &part.offsets.device()) return part;
  part.offsets = part.offsets.copy_on(device);
  part.column_indices = part.column_indices.copy_on(device);
  part.values = part.values.copy_on(device);
  return part;
}

}  // namespace

uint64_t RowParts::entries() const {
  uint64_t sum = 0;
  for (const RowPart& part : parts) sum += part.matrix.nvals();
  return sum;
}

size_t RowParts::bytes() const {
  size_t sum = 0;
  for (const RowPart& part : parts) sum += part.matrix.bytes() + part.rows.bytes();
  return sum;
}

RowParts make_row_parts(const Csr& matrix, std::span<runtime::Device* const> devices) {
  RowParts made;
  made.row_width = index_width(matrix.rows);
  const Buffer flags = deal(matrix, devices.size());
  for (size_t p = 0; p < devices.size(); ++p) {
    const uint64_t most = matrix.rows / devices.size() + 1;
    const Buffer counted(8), list(most * bytes_of(made.row_width));
    primitives::positions_of_flags(made.row_width, flags.as<uint8_t>() + p * matrix.rows, matrix.rows,
                                   list.data(), counted.as<uint64_t>());
    const uint64_t count = counted.read<uint64_t>();
    Csr rows = rows_of(matrix, list, count, made.row_width);
    made.parts.push_back({devices[p], matrix_by(moved(std::move(rows), *devices[p]), false), list});
    made.parts.back().matrix.expect_uses(false, RowParts::expected_uses);
  }
  return made;
}

namespace {

/// A part's rows against those of the whole; notes in `seen` which there are.
std::string check_part(const RowPart& part, Width row_width, const Csr& matrix,
                       const std::vector<uint64_t>& offsets, const std::vector<uint64_t>& columns,
                       std::vector<uint8_t>& seen) {
  const Csr& rows = part.matrix.stored;
  if (std::string wrong = check(rows); !wrong.empty()) return wrong;
  const std::vector<uint64_t> part_offsets = widened(rows.offsets, rows.offset_width, rows.rows + 1),
                              part_columns = widened(rows.column_indices, rows.column_width, rows.entries),
                              numbers = widened(part.rows, row_width, rows.rows);
  for (uint64_t n = 0; n < numbers.size(); ++n) {
    const std::string place = "row " + std::to_string(n) + " of a part";
    const uint64_t i = numbers[n];
    if (i >= matrix.rows || seen[i]++ > 0) return place + ": its number is wrong or taken";
    if (n > 0 && i <= numbers[n - 1]) return place + ": its number does not ascend";
    const auto begin = columns.begin() + ptrdiff_t(offsets[i]);
    if (part_offsets[n + 1] - part_offsets[n] != offsets[i + 1] - offsets[i] ||
        !std::equal(begin, columns.begin() + ptrdiff_t(offsets[i + 1]),
                    part_columns.begin() + ptrdiff_t(part_offsets[n])))
      return place + " is not row " + std::to_string(i);
  }
  return {};
}

}  // namespace

std::string check(const RowParts& parts, const Csr& matrix) {
  const std::vector<uint64_t> offsets = widened(matrix.offsets, matrix.offset_width, matrix.rows + 1),
                              columns = widened(matrix.column_indices, matrix.column_width, matrix.entries);
  std::vector<uint8_t> seen(matrix.rows);
  for (const RowPart& part : parts.parts) {
    if (std::string wrong = check_part(part, parts.row_width, matrix, offsets, columns, seen); !wrong.empty())
      return wrong;
  }
  const auto missing = std::find(seen.begin(), seen.end(), 0);
  if (missing == seen.end()) return {};
  return "row " + std::to_string(missing - seen.begin()) + " is in no part";
}

}  // namespace cugrb::formats
