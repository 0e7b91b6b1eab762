#include "src/operations/matrix_mask.h"

#include "src/operations/template_id.h"
#include "src/support/declined.h"

namespace cugrb::operations {

std::string PreparedMatrixMask::select_id(const formats::Csr& rows) const {
  const std::string offset = formats::index_type(rows.offset_width),
                    column = formats::index_type(rows.column_width);
  if (structural) return template_id("selects_structural", {offset, column});
  return template_id("selects_valued", {offset, column, rows.type.name, text_of(rows.iso)});
}

std::string PreparedMatrixMask::mask_id(bool flipped) const {
  if (matrix == nullptr) return "matrix_mask_none";
  return template_id("matrix_mask", {select_id(rows(flipped)), text_of(complement)});
}

CsrView PreparedMatrixMask::mask_view(bool flipped) const {
  return matrix == nullptr ? CsrView() : rows(flipped).view();
}

PreparedMatrixMask prepare_mask(const MatrixMask& mask) {
  PreparedMatrixMask prepared;
  prepared.structural = mask.structural;
  prepared.complement = mask.complement;
  if (mask.matrix == nullptr || mask.matrix->nvals() == 0) {
    const bool allows = mask.matrix == nullptr ? !mask.complement : mask.complement;
    prepared.allows_all = allows;
    prepared.allows_none = !allows;
    return prepared;
  }
  if (!mask.structural && mask.matrix->type.is_user()) {
    throw Declined("a valued mask of user-defined type " + mask.matrix->type.name);
  }
  prepared.matrix = mask.matrix;
  prepared.allows_all = false;
  return prepared;
}

}  // namespace cugrb::operations
