#include "src/operations/matrix_patterns.h"

#include "cuda/views/matrix_elementwise.h"
#include "src/formats/element_kernels.h"
#include "src/operations/matrix_compact.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

Csr allowed_pattern(const PreparedMatrixMask& mask, bool flipped, const Type& type, const Buffer& value) {
  const Csr& rows = mask.rows(flipped);
  if (mask.structural) return with_values(rows, type, value, /*iso=*/true);
  const Buffer has(rows.entries);
  MatrixElementwiseArguments arguments;
  arguments.a = rows.view();
  arguments.has = has.as<uint8_t>();
  formats::launch_per_element("matrix_elementwise.h",
                              template_id("matrix_true_entries", {mask.select_id(rows)}), rows.entries,
                              arguments);
  return kept_entries(rows, type, value, /*iso=*/true, has);
}

Csr full_pattern(uint64_t rows, uint64_t columns, const Type& type, const Buffer& value) {
  Csr t;
  t.type = type;
  t.rows = rows;
  t.columns = columns;
  t.column_width = formats::index_width(columns);
  formats::require_room_for_all(rows, columns);
  t.entries = rows * columns;
  t.offset_width = Csr::offset_width_for(t.entries);
  t.values = value;
  t.iso = t.entries > 0;
  formats::fill_full_pattern(t);
  return t;
}

}  // namespace cugrb::operations
