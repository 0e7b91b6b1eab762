#include "src/formats/host_entries.h"

#include <algorithm>

namespace cugrb::formats {

using runtime::Buffer;

Csr csr_of_entries(const SparseShape& shape, std::vector<HostEntry> entries, const Buffer& iso_values) {
  std::sort(entries.begin(), entries.end(), [](const HostEntry& a, const HostEntry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  Csr csr(shape, Width::bits64);
  csr.entries = entries.size();
  csr.column_width = Width::bits64;
  std::vector<uint64_t> offsets(csr.rows + 1), columns;
  std::string values;
  for (const HostEntry& entry : entries) {
    ++offsets[entry.row + 1];
    columns.push_back(entry.column);
    values += entry.value;
  }
  for (uint64_t i = 0; i < csr.rows; ++i) offsets[i + 1] += offsets[i];
  csr.offsets = Buffer::from_host(offsets.data(), offsets.size() * sizeof(uint64_t));
  csr.column_indices = Buffer::from_host(columns.data(), columns.size() * sizeof(uint64_t));
  csr.values = csr.iso ? iso_values : Buffer::from_host(values.data(), values.size());
  return csr;
}

}  // namespace cugrb::formats
