#include "src/operations/matrix_compact.h"

#include "cuda/views/matrix_elementwise.h"
#include "src/formats/element_kernels.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

constexpr char matrix_compact_header[] = "matrix_compact.h";

uint64_t keep(const Buffer& has, uint64_t entries, Buffer& positions, Width width) {
  const Buffer count(sizeof(uint64_t));
  positions = Buffer(entries * formats::bytes_of(width));
  primitives::positions_of_flags(width, has.as<uint8_t>(), entries, positions.data(), count.as<uint64_t>());
  return count.read<uint64_t>();
}

}  // namespace

Csr kept_entries(const Csr& pattern, const Type& type, const Buffer& values, bool iso, const Buffer& has) {
  Csr t;
  t.type = type;
  t.rows = pattern.rows;
  t.columns = pattern.columns;
  t.column_width = pattern.column_width;
  const Width width = Csr::offset_width_for(pattern.entries);
  Buffer positions;
  t.entries = keep(has, pattern.entries, positions, width);
  t.iso = iso && t.entries > 0;
  if (t.entries == pattern.entries) {
    t.offset_width = pattern.offset_width;
    t.offsets = pattern.offsets;
    t.column_indices = pattern.column_indices;
    t.values = values;
    return t;
  }
  t.offset_width = Csr::offset_width_for(t.entries);
  t.offsets = Buffer((t.rows + 1) * formats::bytes_of(t.offset_width));
  t.column_indices = Buffer(t.entries * formats::bytes_of(t.column_width));
  if (!iso) t.values = Buffer(t.entries * type.size);
  if (t.iso) t.values = values;
  MatrixCompactArguments arguments;
  arguments.pattern = pattern.view();
  arguments.values = values.data();
  arguments.positions = positions.data();
  arguments.kept = t.entries;
  arguments.new_offsets = t.offsets.data();
  arguments.new_columns = t.column_indices.data();
  arguments.new_values = t.values.data();
  const std::string rows = csr_id(pattern, false), position = formats::index_type(width);
  const std::string element = formats::element_of_bytes(iso ? 1 : type.size);
  formats::launch_blocks(
      matrix_compact_header,
      template_id("matrix_compact_offsets", {rows, position, formats::index_type(t.offset_width)}),
      formats::blocks_for(t.rows + 1), arguments);
  formats::launch_blocks(matrix_compact_header,
                         template_id("matrix_compact_entries", {rows, position, element, text_of(!iso)}),
                         formats::blocks_for(t.entries), arguments);
  return t;
}

}  // namespace cugrb::operations
