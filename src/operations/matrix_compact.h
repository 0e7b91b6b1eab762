// Naming a CSR's types in template-ids, and taking some of its entries.
#pragma once
#include "src/formats/csr.h"
#include "src/operations/mxv_pull.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

/// Entries a block takes in the kernels over all entries of a CSR (matrix_write_back_tile,
/// matrix_extract_entries).
constexpr uint64_t tile_entries = 1024;

/// csr_rows<offset, column, values> (cuda/kernels/mxv_operands.h); `read`: the kernel looks at values.
inline std::string csr_id(const formats::Csr& matrix, bool read) {
  return template_id("csr_rows",
                     {formats::index_type(matrix.offset_width), formats::index_type(matrix.column_width),
                      values_id(matrix.type, read, matrix.iso)});
}

/// The entries p of `pattern` with has[p] (one byte each), with values[p] of `type`, or (iso) values[0] for
/// all. Waits for the device. O(entries) work; shares the pattern's memory when all are kept.
formats::Csr kept_entries(const formats::Csr& pattern, const Type& type, const runtime::Buffer& values,
                          bool iso, const runtime::Buffer& has);

}  // namespace cugrb::operations
