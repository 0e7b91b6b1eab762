#include "src/operations/mask.h"

#include "src/operations/expression.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/template_id.h"
#include "src/support/declined.h"

namespace cugrb::operations {

namespace {

/// Where an object has entries, as far as that is known without asking the device.
struct Extent {
  bool empty = false, full = false;
};

Extent extent_of(const DeviceVector& vector) { return {vector.known_empty(), vector.form == Form::full}; }

Extent extent_of(const DeviceMatrix& matrix) { return {matrix.nvals() == 0, is_full(matrix.stored)}; }

const DeviceVector& values(const DeviceVector& vector) { return vector; }
DeviceVector values(const DeviceMatrix& matrix) { return values_of(matrix.stored); }

template <class Object>
MaskRule rule_of(const Mask<Object>& mask) {
  const auto uniform = [&](bool allows) {
    return MaskRule{mask.structural, mask.complement, allows, !allows};
  };
  if (mask.object == nullptr) return uniform(!mask.complement);
  const Extent extent = extent_of(*mask.object);
  if (extent.empty) return uniform(mask.complement);
  if (!mask.structural && mask.object->type.is_user()) {
    throw Declined("a valued mask of user-defined type " + mask.object->type.name);
  }
  if (extent.full && mask.structural) return uniform(!mask.complement);
  if (extent.full && values(*mask.object).iso) {
    const Value value = typecast(value_of_iso(values(*mask.object)), Type::of(TypeCode::Bool));
    return uniform((value.bytes[0] != 0) != mask.complement);
  }
  return {mask.structural, mask.complement, false, false};
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

MaskKind::MaskKind(const PreparedMask& mask)
    : asked_(!mask.allows_all && !mask.allows_none),
      allows_none_(mask.allows_none),
      complement_(mask.complement),
      structural_(mask.structural),
      iso_(mask.vector.iso),
      form_(mask.vector.form),
      index_(formats::index_width(mask.vector.length)),
      type_(mask.vector.type) {}

bool MaskKind::is_of(const PreparedMask& mask) const {
  const bool asked = !mask.allows_all && !mask.allows_none;
  if (asked != asked_) return false;
  if (!asked) return allows_none_ == mask.allows_none;
  const bool same_form = form_ == mask.vector.form && index_ == formats::index_width(mask.vector.length);
  if (!same_form || complement_ != mask.complement || structural_ != mask.structural) return false;
  return structural_ || (iso_ == mask.vector.iso && type_ == mask.vector.type);
}

PreparedMask prepare_mask(const VectorMask& mask, MaskAccess access) {
  PreparedMask prepared{rule_of(mask), {}, {}};
  if (prepared.allows_all || prepared.allows_none) return prepared;
  const bool convert = access == MaskAccess::dense && mask.object->form == Form::sparse;
  prepared.vector = convert ? to_bitmap(*mask.object) : *mask.object;
  const VectorView view = prepared.vector.view();
  prepared.view = {mask.structural ? nullptr : view.values, view.present, view.indices, view.entries};
  return prepared;
}

PreparedMask prepare_mask_in_parts(const VectorMask& mask) {
  PreparedMask prepared{rule_of(mask), {}, {}};
  if (!prepared.allows_all && !prepared.allows_none) prepared.vector = *mask.object;
  return prepared;
}

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
  const MaskRule rule = rule_of(mask);
  return {rule, rule.allows_all || rule.allows_none ? nullptr : mask.object};
}

}  // namespace cugrb::operations
