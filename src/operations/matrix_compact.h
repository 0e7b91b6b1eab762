// Naming a CSR's types in template-ids, taking some of its entries, and all of its values as a vector.
#pragma once
#include "src/formats/csr.h"
#include "src/operations/multiply/mxv/pull.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

/// csr_rows<offset, column, values> (cuda/kernels/mxv_operands.h); `read`: the kernel looks at values.
inline std::string csr_id(const formats::Csr& matrix, bool read) {
  return template_id("csr_rows",
                     {formats::index_type(matrix.offset_width), formats::index_type(matrix.column_width),
                      values_id(matrix.type, read, matrix.iso)});
}

/// Every position has an entry.
inline bool is_full(const formats::Csr& matrix) {
  return matrix.columns > 0 && matrix.entries % matrix.columns == 0 &&
         matrix.entries / matrix.columns == matrix.rows;
}

/// Both have entries at the same places, as far as that is known without looking at them: all, or those of
/// the same arrays.
inline bool have_same_places(const formats::Csr& a, const formats::Csr& b) {
  if (is_full(a) && is_full(b)) return true;
  return a.entries > 0 && a.entries == b.entries && a.offsets.data() == b.offsets.data() &&
         a.column_indices.data() == b.column_indices.data();
}

/// Both have entries at the same places. Waits for the device where it has to look at them: that takes about
/// half the time of a merge, and hardly any where the first ones differ.
bool have_same_pattern(const formats::Csr& a, const formats::Csr& b);

/// The values of all entries, in their order, as a full vector that shares their memory.
inline DeviceVector values_of(const formats::Csr& matrix) {
  DeviceVector values;
  values.type = matrix.type;
  values.length = matrix.entries;
  values.form = Form::full;
  values.iso = matrix.iso;
  values.values = matrix.values;
  return values;
}

/// The same pattern with other values: one for each entry, or (iso) one for all.
inline formats::Csr with_values(const formats::Csr& pattern, const Type& type, const runtime::Buffer& values,
                                bool iso) {
  formats::Csr t = pattern;
  t.type = type;
  t.values = values;
  t.iso = iso && t.entries > 0;
  return t;
}

/// The entries p of `pattern` with has[p] (one byte each), with values[p] of `type`, or (iso) values[0] for
/// all. Waits for the device. O(entries) work; shares the pattern's memory when all are kept.
formats::Csr kept_entries(const formats::Csr& pattern, const Type& type, const runtime::Buffer& values,
                          bool iso, const runtime::Buffer& has);

}  // namespace cugrb::operations
