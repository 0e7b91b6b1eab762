// Blocked back to CSR, entry by entry on the host.
#include <algorithm>

#include "src/formats/blocked.h"

namespace cugrb::formats {

namespace {

struct HostBlocked {
  std::vector<uint16_t> columns, positions;
  std::vector<uint32_t> destinations, bin_chunks, row_ends, rows;
  std::vector<char> values;
  std::vector<uint64_t> place_of_product;  ///< by chunk: where its places begin
};

HostBlocked to_host(const Blocked& m) {
  HostBlocked host;
  host.columns = m.columns.to_host<uint16_t>(m.chunks() * blocked_chunk);
  host.positions = m.positions.to_host<uint16_t>(m.bins * m.parameters.bin_entries());
  host.destinations = m.destinations.to_host<uint32_t>(m.chunks());
  host.bin_chunks = m.bin_chunks.to_host<uint32_t>(m.bins + 1);
  host.row_ends = m.row_ends.to_host<uint32_t>(m.bins * m.parameters.sum_threads);
  host.rows = m.rows.to_host<uint32_t>(m.rows.bytes() / sizeof(uint32_t));
  if (!m.iso) host.values = m.values.to_host<char>(m.chunks() * blocked_chunk * m.type.size);
  host.place_of_product.resize(m.chunks());
  for (uint64_t c = 0; c < m.chunks(); ++c) {
    host.place_of_product.at(host.destinations[c]) = c * blocked_chunk;
  }
  return host;
}

/// Entry e's place.
uint64_t place_of(const Blocked& m, const HostBlocked& host, uint64_t e) {
  const uint64_t product = uint64_t(host.bin_chunks[e / m.parameters.bin_entries()]) * blocked_chunk +
                           host.positions[blocked_position_place(e)];
  return host.place_of_product.at(product / blocked_chunk) + product % blocked_chunk;
}

uint64_t column_at(const Blocked& m, const HostBlocked& host, uint64_t place) {
  const auto next =
      std::upper_bound(m.tile_chunks.begin(), m.tile_chunks.end(), uint32_t(place / blocked_chunk));
  return uint64_t(next - m.tile_chunks.begin() - 1) * m.parameters.tile_columns + host.columns[place];
}

bool ends_row(const HostBlocked& host, uint64_t e) {
  return (host.row_ends[e / blocked_run] >> (e % blocked_run) & 1u) != 0;
}

}  // namespace

Csr to_csr(const Blocked& matrix) {
  const HostBlocked host = to_host(matrix);
  Csr csr;
  csr.type = matrix.type;
  csr.rows = matrix.row_count;
  csr.columns = matrix.column_count;
  csr.entries = matrix.entries;
  csr.iso = matrix.iso;
  csr.offset_width = csr.column_width = Width::bits64;
  std::vector<uint64_t> offsets(csr.rows + 1), columns;
  std::string values;
  uint64_t ordinal = 0;
  for (uint64_t e = 0; e < matrix.entries; ++e) {
    const uint64_t place = place_of(matrix, host, e);
    columns.push_back(column_at(matrix, host, place));
    if (!csr.iso) values.append(&host.values[place * matrix.type.size], matrix.type.size);
    if (ends_row(host, e)) {
      offsets.at((host.rows.empty() ? ordinal : host.rows.at(ordinal)) + 1) = e + 1;
      ++ordinal;
    }
  }
  for (uint64_t i = 0; i < csr.rows; ++i) offsets[i + 1] = std::max(offsets[i], offsets[i + 1]);
  csr.offsets = runtime::Buffer::from_host(offsets.data(), offsets.size() * sizeof(uint64_t));
  csr.column_indices = runtime::Buffer::from_host(columns.data(), columns.size() * sizeof(uint64_t));
  csr.values = csr.iso ? matrix.values : runtime::Buffer::from_host(values.data(), values.size());
  return csr;
}

namespace {

/// Every tile's places belong to one block each, in order.
std::string check_shares(const Blocked& m) {
  uint64_t next = 0;
  for (const BlockedShare& share : m.shares.to_host<BlockedShare>(m.shares.bytes() / sizeof(BlockedShare))) {
    const uint64_t t = share.first_column / m.parameters.tile_columns;
    if (share.first_chunk != next) return "a chunk of no share, or of two";
    if (t >= m.tiles || share.first_chunk < m.tile_chunks[t] || share.last_chunk > m.tile_chunks[t + 1])
      return "a share reaches beyond its tile";
    next = share.last_chunk;
  }
  return next == m.chunks() ? "" : "chunks that no block multiplies";
}

}  // namespace

std::string check(const Blocked& matrix) {
  if (const std::string wrong = check_shares(matrix); !wrong.empty()) return wrong;
  const HostBlocked host = to_host(matrix);
  std::vector<bool> given(matrix.chunks()), taken(matrix.chunks() * blocked_chunk);
  for (const uint32_t chunk : host.destinations) {
    if (chunk >= matrix.chunks() || given[chunk]) return "a chunk of products that none gives, or two";
    given[chunk] = true;
  }
  const std::vector<uint32_t> ordinals =
      matrix.ordinals.to_host<uint32_t>(matrix.bins * matrix.parameters.sum_threads + 1);
  uint64_t rows = 0;
  for (uint64_t e = 0; e < matrix.entries; ++e) {
    if (e % blocked_run == 0 && ordinals[e / blocked_run] != rows)
      return "a run that miscounts the rows before it";
    const uint64_t bin = e / matrix.parameters.bin_entries(),
                   position = host.positions[blocked_position_place(e)];
    if (position >= uint64_t(host.bin_chunks[bin + 1] - host.bin_chunks[bin]) * blocked_chunk)
      return "a position beyond its bin";
    const uint64_t place = place_of(matrix, host, e);
    if (taken[place] || host.columns[place] >= matrix.parameters.tile_columns)
      return "a place of two entries, or without a column";
    taken[place] = true;
    rows += ends_row(host, e) ? 1 : 0;
  }
  for (size_t place = 0; place < taken.size(); ++place) {
    if (!taken[place] && host.columns[place] != no_blocked_column) return "a column that no entry has";
  }
  if (rows != matrix.filled_rows) return "rows without an end";
  return check(to_csr(matrix));  // ascending and in range
}

}  // namespace cugrb::formats
