// A host graph's pattern in device memory.
#pragma once
#include "src/formats/csr.h"
#include "tools/graph_files/buffer.h"
#include "tools/graph_files/parallel.h"

namespace cugrb::graph_files {

/// `count` indices, narrowed on the host.
inline runtime::Buffer indices_on_device(const uint64_t* indices, uint64_t count, formats::Width width) {
  if (width == formats::Width::bits64) return runtime::Buffer::from_host(indices, count * sizeof(uint64_t));
  Buffer<uint32_t> narrow(count);
  parallel_for(count, 1 << 20, [&](uint64_t begin, uint64_t end) {
    for (uint64_t n = begin; n < end; ++n) narrow[n] = uint32_t(indices[n]);
  });
  return runtime::Buffer::from_host(narrow.data(), count * sizeof(uint32_t));
}

/// The matrix of rows + 1 offsets and offsets[rows] column indices: BOOL and iso, true.
inline formats::Csr pattern_on_device(uint64_t rows, uint64_t columns, const uint64_t* offsets,
                                      const uint64_t* column_indices) {
  formats::Csr csr;
  csr.type = Type::of(TypeCode::Bool);
  csr.rows = rows;
  csr.columns = columns;
  csr.entries = offsets[rows];
  csr.iso = true;
  csr.offset_width = formats::Csr::offset_width_for(csr.entries);
  csr.column_width = formats::index_width(columns);
  csr.offsets = indices_on_device(offsets, rows + 1, csr.offset_width);
  csr.column_indices = indices_on_device(column_indices, csr.entries, csr.column_width);
  const bool one = true;
  csr.values = runtime::Buffer::from_host(&one, 1);
  return csr;
}

}  // namespace cugrb::graph_files
