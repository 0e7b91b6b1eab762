#include "src/operations/mask.h"

#include "src/operations/expression.h"
#include "src/operations/template_id.h"
#include "src/support/declined.h"

namespace cugrb::operations {

namespace {

PreparedMask uniform_mask(bool allows) {
  PreparedMask prepared;
  prepared.allows_all = allows;
  prepared.allows_none = !allows;
  return prepared;
}

/// Of an iso vector. Waits for the device.
bool one_value_is_true(const DeviceVector& vector) {
  return typecast(value_of_iso(vector), Type::of(TypeCode::Bool)).bytes[0] != 0;
}

}  // namespace

std::string PreparedMask::name() const {
  if (allows_all || allows_none) return template_id("mask_none", {text_of(allows_none)});
  const std::string complemented = text_of(complement);
  const std::string index = formats::index_type(formats::index_width(vector.length));
  if (vector.form == Form::sparse) {
    if (structural) return template_id("mask_structural_sparse", {index, complemented});
    return template_id("mask_valued_sparse", {vector.type.name, index, complemented, text_of(vector.iso)});
  }
  if (structural) return template_id("mask_structural", {complemented});
  return template_id("mask_valued",
                     {vector.type.name, complemented, text_of(vector.form), text_of(vector.iso)});
}

PreparedMask prepare_mask(const Mask& mask, MaskAccess access) {
  if (mask.vector == nullptr) return uniform_mask(!mask.complement);
  if (!mask.structural && mask.vector->type.is_user()) {
    throw Declined("a valued mask of user-defined type " + mask.vector->type.name);
  }
  if (mask.vector->nvals_known() && mask.vector->nvals() == 0) return uniform_mask(mask.complement);
  if (mask.vector->form == Form::full && (mask.structural || mask.vector->iso))
    return uniform_mask((mask.structural || one_value_is_true(*mask.vector)) != mask.complement);

  PreparedMask prepared;
  prepared.allows_all = false;
  prepared.vector = access == MaskAccess::dense && mask.vector->form == Form::sparse ? to_bitmap(*mask.vector)
                                                                                     : *mask.vector;
  prepared.structural = mask.structural;
  prepared.complement = mask.complement;
  const VectorView view = prepared.vector.view();
  prepared.view = {mask.structural ? nullptr : view.values, view.present, view.indices, view.entries};
  return prepared;
}

}  // namespace cugrb::operations
