// Matrices with one diagonal.
#include "src/formats/coo.h"
#include "src/operations/matrix_extract.h"
#include "src/operations/matrix_write_back.h"
#include "src/operations/multiply/mxm/scale/scale.h"

namespace cugrb::operations {

using formats::Coo;
using formats::Width;

namespace {

/// T by rows, or (flipped) by columns: the entry of each position p at (p + down, p + right).
formats::Csr diagonal_rows(const DeviceVector& v, uint64_t rows, uint64_t down, uint64_t right) {
  const uint64_t entries = v.nvals();
  formats::require_entries_for_rows(rows, entries);
  const Width width = formats::index_width(v.length);
  Coo t(formats::sparse_shape(v.type, rows, rows, entries, v.iso && entries > 0));
  t.row_width = t.column_width;
  t.row_indices = formats::shifted(v.indices, width, t.row_width, t.entries, down);
  t.column_indices = formats::shifted(v.indices, width, t.column_width, t.entries, right);
  t.values = v.values;
  return to_csr(t);
}

}  // namespace

void diagonal_matrix(const MatrixOutput& c, const DeviceVector& v, int64_t diagonal) {
  check_types(c, v.type);
  if (v.form == Form::full) formats::require_room(v.length, sizeof(uint64_t));  // its indices
  const PreparedMatrixMask mask = prepare_mask(c.mask);
  const bool flipped = c.object.by_column, above = (diagonal >= 0) != flipped;
  const uint64_t away = magnitude(diagonal);
  write_back(c, mask, diagonal_rows(formats::to_sparse(v), c.object.rows, above ? 0 : away, above ? away : 0),
             flipped,
             /*masked=*/false);
  if (v.form == Form::full && diagonal == 0 && mask.allows_all && !c.accumulate) note_diagonal(c.object);
}

}  // namespace cugrb::operations
