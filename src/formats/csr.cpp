#include "src/formats/csr.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cuda/views/full_pattern.h"
#include "cuda/views/transpose.h"
#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"
#include "src/formats/launch.h"
#include "src/support/declined.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

/// How much of an entry travels through the sort (cuda/kernels/transpose.h), and as what.
struct Payload {
  const char* kind;
  Width width;
  bool has_value;
};
Payload payload_of(const Csr& matrix, Width column_width) {
  constexpr uint64_t half_word = uint64_t(1) << 32;
  if (matrix.iso) return {"TransposePayload::row", column_width, false};
  if (matrix.rows <= half_word && (matrix.type.size == 1 || matrix.type.size == 2))
    return {"TransposePayload::value", Width::bits64, true};
  const bool both_fit = matrix.rows <= half_word && matrix.entries <= half_word;
  return {both_fit ? "TransposePayload::packed" : "TransposePayload::ordinal", Width::bits64, false};
}

/// Sorts the entries by column. The payload in the transpose's order; `offsets` are its offsets.
Buffer sorted_by_column(const Csr& matrix, const Buffer& payload, Width payload_width,
                        const Buffer& offsets) {
  const Buffer sorted_columns(matrix.column_indices.bytes());
  const Buffer sorted_payload(payload.bytes());
  primitives::sort_pairs(matrix.column_width, matrix.column_indices.data(), sorted_columns.data(),
                         payload_width, payload.data(), sorted_payload.data(), matrix.entries,
                         bits_of(matrix.columns));
  primitives::offsets_of_sorted(matrix.column_width, sorted_columns.data(), matrix.entries,
                                matrix.offset_width, offsets.data(), matrix.columns);
  return sorted_payload;
}

/// Values of 4 and 8 bytes are sorted with column and row as keys: none is fetched from afar afterwards.
bool sorts_values(const Csr& matrix) {
  const bool word = matrix.type.size == sizeof(uint32_t) || matrix.type.size == sizeof(uint64_t);
  return !matrix.iso && word && bits_of(matrix.rows) + bits_of(matrix.columns) < 64;
}

/// Makes columns, values and offsets of the transpose.
void sort_values(const Csr& matrix, Csr& result) {
  const Buffer keys(matrix.entries * sizeof(uint64_t)), sorted(keys.bytes());
  result.values = Buffer(matrix.entries * matrix.type.size);
  TransposeArguments arguments;
  arguments.matrix = matrix.view();
  arguments.keys = keys.as<uint64_t>();
  arguments.row_bits = bits_of(matrix.rows);
  launch_blocks("transpose.h",
                std::string("transpose_keys<") + index_type(matrix.offset_width) + ", " +
                    index_type(matrix.column_width) + ">",
                move_blocks(matrix.entries), arguments);
  const unsigned column_bits = std::max(1u, bits_of(matrix.columns));
  const Width value = matrix.type.size == sizeof(uint32_t) ? Width::bits32 : Width::bits64;
  primitives::sort_pairs(Width::bits64, keys.data(), sorted.data(), value, matrix.values.data(),
                         result.values.data(), matrix.entries, arguments.row_bits + column_bits,
                         arguments.row_bits);
  result.column_indices = Buffer(matrix.entries * bytes_of(result.column_width));
  arguments.keys = sorted.as<uint64_t>();
  arguments.columns = result.column_indices.data();
  arguments.offsets = result.offsets.data();
  launch_blocks("transpose.h",
                std::string("transpose_columns<") + index_type(result.column_width) + ", " +
                    index_type(result.offset_width) + ">",
                blocks_for(matrix.entries + 1), arguments);
}

std::string check_sizes(const Csr& m) {
  if (m.offsets.bytes() < (m.rows + 1) * bytes_of(m.offset_width)) return "the offsets are too few";
  if (m.column_indices.bytes() < m.entries * bytes_of(m.column_width))
    return "the column indices are too few";
  const uint64_t elements = m.iso ? (m.entries > 0 ? 1 : 0) : m.entries;
  if (m.values.bytes() < elements * m.type.size) return "the values are too few";
  if (m.offset_width == Width::bits32 && m.entries >= (uint64_t(1) << 31))
    return "32-bit offsets, too many entries";
  if (m.column_width == Width::bits32 && index_width(m.columns) != Width::bits32) {
    return "32-bit columns, too many of them";
  }
  return {};
}

std::string check_row(const std::vector<uint64_t>& columns, uint64_t begin, uint64_t end, uint64_t row,
                      uint64_t column_count) {
  for (uint64_t p = begin; p < end; ++p) {
    const std::string place = "row " + std::to_string(row) + ", entry " + std::to_string(p) + ": column " +
                              std::to_string(columns[p]);
    if (columns[p] >= column_count) return place + " is out of range";
    if (p > begin && columns[p] <= columns[p - 1]) return place + " does not ascend";
  }
  return {};
}

}  // namespace

CsrView Csr::view() const {
  CsrView view;
  view.offsets = offsets.data();
  view.columns = column_indices.data();
  view.values = values.data();
  view.rows = rows;
  view.columns_count = columns;
  view.entries = entries;
  view.first_row = first_row;
  return view;
}

Csr empty_csr(const Type& type, uint64_t rows, uint64_t columns) {
  Csr matrix;
  matrix.type = type;
  matrix.rows = rows;
  matrix.columns = columns;
  matrix.column_width = index_width(columns);
  matrix.offsets = Buffer::zeroed((rows + 1) * bytes_of(matrix.offset_width));
  return matrix;
}

void require_room_for_all(uint64_t rows, uint64_t columns) {
  const uint64_t most = runtime::device().properties().memory_bytes / 4 / bytes_of(index_width(columns));
  if (columns == 0 || rows <= most / columns) return;
  throw Declined("a matrix with all entries, " + std::to_string(rows) + "x" + std::to_string(columns) +
                 ": their positions take more than a quarter of the device's memory");
}

void require_entries_for_rows(uint64_t rows, uint64_t entries) {
  constexpr uint64_t most_rows_an_entry = 256;
  const uint64_t few_rows = uint64_t(1) << (entries == 0 ? 28 : 24);  // without entries nothing is computed
  if (rows <= few_rows || (entries > 0 && rows / most_rows_an_entry <= entries)) return;
  throw Declined("a hypersparse matrix: " + std::to_string(rows) + " rows, " + std::to_string(entries) +
                 " entries");
}

void fill_full_pattern(Csr& matrix) {
  matrix.offsets = Buffer((matrix.rows + 1) * bytes_of(matrix.offset_width));
  matrix.column_indices = Buffer(matrix.entries * bytes_of(matrix.column_width));
  FullPatternArguments arguments;
  arguments.rows = matrix.rows;
  arguments.columns = matrix.columns;
  arguments.offsets = matrix.offsets.data();
  arguments.column_indices = matrix.column_indices.data();
  launch_per_element("full_pattern.h",
                     "full_pattern<" + std::string(index_type(matrix.offset_width)) + ", " +
                         index_type(matrix.column_width) + ">",
                     std::max(matrix.rows + 1, matrix.entries), arguments);
}

Csr transpose(const Csr& matrix) {
  Csr result(matrix, matrix.offset_width);
  std::swap(result.rows, result.columns);
  result.column_width = index_width(matrix.rows);
  if (matrix.entries == 0) {
    result.offsets = Buffer::zeroed((result.rows + 1) * bytes_of(result.offset_width));
    return result;
  }
  result.offsets = Buffer((result.rows + 1) * bytes_of(result.offset_width));
  if (sorts_values(matrix)) {
    sort_values(matrix, result);
    return result;
  }
  const Payload kind = payload_of(matrix, result.column_width);
  Buffer payload(matrix.entries * bytes_of(kind.width));
  TransposeArguments arguments;
  arguments.matrix = matrix.view();
  arguments.payload = payload.data();
  const std::string offset = index_type(matrix.offset_width), element = element_of_bytes(matrix.type.size);
  launch_blocks("transpose.h",
                "transpose_payload<" + offset + ", " + index_type(kind.width) + ", " +
                    (kind.has_value ? element : "void") + ", " + kind.kind + ">",
                move_blocks(matrix.entries), arguments);
  payload = sorted_by_column(matrix, payload, kind.width, result.offsets);
  result.values = matrix.values;
  result.column_indices = payload;
  if (matrix.iso) return result;

  result.column_indices = Buffer(matrix.entries * bytes_of(result.column_width));
  result.values = Buffer(matrix.entries * matrix.type.size);
  arguments.payload = payload.data();
  arguments.columns = result.column_indices.data();
  arguments.values = result.values.data();
  launch_blocks("transpose.h",
                "transpose_entries<" + offset + ", " + index_type(result.column_width) + ", " + element +
                    ", " + kind.kind + ">",
                blocks_for(matrix.entries), arguments);
  return result;
}

std::string check(const Csr& matrix) {
  const std::string sizes = check_sizes(matrix);
  if (!sizes.empty()) return sizes;
  const std::vector<uint64_t> offsets = widened(matrix.offsets, matrix.offset_width, matrix.rows + 1);
  const std::vector<uint64_t> columns = widened(matrix.column_indices, matrix.column_width, matrix.entries);
  if (offsets[0] != 0) return "the first offset is " + std::to_string(offsets[0]) + ", not 0";
  if (offsets[matrix.rows] != matrix.entries) {
    return "the last offset is " + std::to_string(offsets[matrix.rows]) + ", not the " +
           std::to_string(matrix.entries) + " entries";
  }
  for (uint64_t i = 0; i < matrix.rows; ++i) {
    if (offsets[i] > offsets[i + 1]) return "row " + std::to_string(i) + " ends before it begins";
  }
  for (uint64_t i = 0; i < matrix.rows; ++i) {
    const std::string wrong = check_row(columns, offsets[i], offsets[i + 1], i, matrix.columns);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace cugrb::formats
