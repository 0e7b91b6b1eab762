#include "src/formats/tile_coo.h"

#include <algorithm>

#include "cuda/views/tile_coo.h"
#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"
#include "src/formats/host_entries.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char tile_coo_header[] = "tile_coo_build.h";

/// Positions of the entries, part by part, and where each part begins.
struct Partition {
  Buffer positions;              ///< uint64_t
  std::vector<uint64_t> starts;  ///< parts + 1
};

Partition partition(const Csr& matrix, TileCooBuildArguments a) {
  const uint64_t n = matrix.entries;
  const Buffer keys(n * sizeof(uint32_t)), sorted_keys(n * sizeof(uint32_t)), payload(n * sizeof(uint64_t));
  const Buffer starts((a.tiles + 2) * sizeof(uint64_t));
  Partition made{Buffer(n * sizeof(uint64_t)), {}};
  a.parts = keys.as<uint32_t>();
  a.positions = payload.as<uint64_t>();
  launch_per_element(tile_coo_header, std::string("tile_coo_parts<") + index_type(matrix.column_width) + ">",
                     n, a);
  unsigned key_bits = 1;
  while ((a.tiles >> key_bits) != 0) ++key_bits;
  primitives::sort_pairs(Width::bits32, keys.data(), sorted_keys.data(), payload.as<uint64_t>(),
                         made.positions.as<uint64_t>(), n, key_bits);
  primitives::offsets_of_sorted(Width::bits32, sorted_keys.data(), n, Width::bits64, starts.data(),
                                a.tiles + 1);
  made.starts = starts.to_host<uint64_t>(a.tiles + 2);
  return made;
}

Coo part_of(const Csr& matrix, const TileCoo& made, TileCooBuildArguments a, bool in_tile) {
  Coo part(matrix);
  part.entries = a.entries;
  if (in_tile) {
    part.columns = made.gathered;
    part.column_width = Width::bits32;
  }
  part.row_indices = Buffer(part.entries * sizeof(uint32_t));
  part.column_indices = Buffer(part.entries * bytes_of(part.column_width));
  part.values = part.iso ? matrix.values : Buffer(part.entries * part.type.size);
  a.part_rows = part.row_indices.as<uint32_t>();
  a.part_columns = part.column_indices.data();
  a.part_values = part.values.data();
  launch_per_element(tile_coo_header,
                     std::string("tile_coo_entries<") + index_type(matrix.column_width) + ", " +
                         (part.iso ? "void" : element_of_bytes(part.type.size)) +
                         (in_tile ? ", true>" : ", false>"),
                     part.entries, a);
  return part;
}

/// The original columns of a part's entries.
std::vector<uint64_t> original_columns(const TileCoo& matrix, size_t number) {
  const Coo& part = matrix.parts[number];
  std::vector<uint64_t> columns = widened(part.column_indices, part.column_width, part.entries);
  if (number + 1 == matrix.parts.size()) return columns;
  const std::vector<uint32_t> gathered = matrix.gathered_columns.to_host<uint32_t>(matrix.gathered);
  for (uint64_t& column : columns) column = gathered.at(column);
  return columns;
}

}  // namespace

size_t TileCoo::bytes() const {
  size_t sum = gathered_columns.bytes();
  for (const Coo& part : parts) sum += part.bytes();
  return sum;
}

int coo_tiles(const ColumnPopularity& popularity, uint32_t tile_columns) {
  return int(std::clamp<uint64_t>(blocks_for(popularity.popular_columns, tile_columns), 1, most_tiles));
}

TileCoo make_tile_coo(const Csr& matrix, int tiles, uint32_t tile_columns) {
  TileCoo made(matrix);
  made.tile_columns = tile_columns;
  made.gathered = std::min(matrix.columns, uint64_t(tiles) * tile_columns);
  const Buffer places = place_columns(matrix, made.gathered, made.gathered_columns);
  const Coo list = make_coo(matrix, Width::bits32);
  TileCooBuildArguments a;
  a.matrix = matrix.view();
  a.places = places.as<uint32_t>();
  a.tile_columns = tile_columns;
  a.tiles = uint32_t(tiles);
  a.rows = list.row_indices.as<uint32_t>();
  const Partition entries = partition(matrix, a);
  for (int t = 0; t <= tiles; ++t) {
    a.sorted = entries.positions.as<uint64_t>() + entries.starts[t];
    a.entries = entries.starts[t + 1] - entries.starts[t];
    made.parts.push_back(part_of(matrix, made, a, t < tiles));
  }
  return made;
}

Csr to_csr(const TileCoo& matrix) {
  std::vector<HostEntry> entries;
  for (size_t n = 0; n < matrix.parts.size(); ++n) {
    const Coo& part = matrix.parts[n];
    const std::vector<uint64_t> columns = original_columns(matrix, n);
    const std::vector<uint32_t> rows = part.row_indices.to_host<uint32_t>(part.entries);
    const size_t size = part.iso ? 0 : part.type.size;
    const std::vector<char> values = part.values.to_host<char>(part.entries * size);
    for (uint64_t q = 0; q < part.entries; ++q) {
      entries.push_back({rows[q], columns[q], std::string(values.data() + q * size, size)});
    }
  }
  return csr_of_entries(matrix, std::move(entries), matrix.iso ? matrix.parts.back().values : Buffer());
}

std::string check(const TileCoo& matrix) {
  uint64_t entries = 0;
  for (size_t n = 0; n < matrix.parts.size(); ++n) {
    const Coo& part = matrix.parts[n];
    const std::string place = "part " + std::to_string(n) + ": ";
    if (part.row_indices.bytes() < part.entries * sizeof(uint32_t))
      return place + "the row indices are too few";
    const std::vector<uint32_t> rows = part.row_indices.to_host<uint32_t>(part.entries);
    if (!std::is_sorted(rows.begin(), rows.end())) return place + "its rows do not ascend";
    if (!rows.empty() && rows.back() >= matrix.rows) return place + "a row is out of range";
    const uint64_t tile = n * matrix.tile_columns;
    for (const uint64_t column : widened(part.column_indices, part.column_width, part.entries)) {
      if (column >= part.columns) return place + "a column is out of range";
      if (n + 1 < matrix.parts.size() && (column < tile || column >= tile + matrix.tile_columns))
        return place + "a column of another tile";
    }
    entries += part.entries;
  }
  if (entries != matrix.entries) return "the parts have " + std::to_string(entries) + " entries in all";
  return check(to_csr(matrix));  // ascending: no column comes twice
}

}  // namespace cugrb::formats
