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

/// `gathered` > 0: of a tile, whose columns are ranks below that.
Coo part_of(const Csr& matrix, TileCooBuildArguments a, uint64_t gathered) {
  Coo part(matrix);
  part.entries = a.entries;
  if (gathered > 0) {
    part.columns = gathered;
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
                         (gathered > 0 ? ", true>" : ", false>"),
                     part.entries, a);
  return part;
}

Hyb hyb_of(const Coo& list) {
  const Csr rows = to_csr(list);
  return make_hyb(rows, bell_garland_threshold(row_distribution(rows)));
}

}  // namespace

size_t TileCoo::bytes() const {
  size_t sum = gathered_columns.bytes() + others.bytes();
  for (const Coo& tile : tiles) sum += tile.bytes();
  return sum;
}

TileCoo make_tile_coo(const Csr& matrix, uint32_t tile_columns) {
  const uint64_t tiles = blocks_for(column_distribution(matrix).rows_above(1), tile_columns);
  const uint64_t gathered = std::min(matrix.columns, tiles * tile_columns);
  Buffer gathered_columns;
  const Buffer places = place_columns(matrix, gathered, gathered_columns);
  const Coo list = make_coo(matrix, Width::bits32);
  TileCooBuildArguments a;
  a.matrix = matrix.view();
  a.places = places.as<uint32_t>();
  a.tile_columns = tile_columns;
  a.tiles = uint32_t(tiles);
  a.rows = list.row_indices.as<uint32_t>();
  const Partition entries = partition(matrix, a);
  const auto part = [&](uint64_t number, uint64_t columns) {
    a.sorted = entries.positions.as<uint64_t>() + entries.starts[number];
    a.entries = entries.starts[number + 1] - entries.starts[number];
    return part_of(matrix, a, columns);
  };
  TileCoo made(matrix, hyb_of(part(tiles, 0)));
  made.tile_columns = tile_columns;
  made.gathered = gathered;
  made.gathered_columns = gathered_columns;
  for (uint64_t t = 0; t < tiles; ++t) made.tiles.push_back(part(t, gathered));
  return made;
}

namespace {

/// The entries of CSR rows, or of a tile's list, appended with their original columns.
void append(std::vector<HostEntry>& entries, const SparseShape& shape, const std::vector<uint64_t>& rows,
            const std::vector<uint64_t>& columns, const Buffer& stored) {
  const size_t size = shape.iso ? 0 : shape.type.size;
  const std::vector<char> values = stored.to_host<char>(rows.size() * size);
  for (uint64_t q = 0; q < rows.size(); ++q)
    entries.push_back({rows[q], columns[q], std::string(values.data() + q * size, size)});
}

}  // namespace

Csr to_csr(const TileCoo& matrix) {
  std::vector<HostEntry> entries;
  const std::vector<uint32_t> gathered = matrix.gathered_columns.to_host<uint32_t>(matrix.gathered);
  for (const Coo& tile : matrix.tiles) {
    std::vector<uint64_t> columns = widened(tile.column_indices, tile.column_width, tile.entries);
    for (uint64_t& column : columns) column = gathered.at(column);
    append(entries, tile, widened(tile.row_indices, tile.row_width, tile.entries), columns, tile.values);
  }
  const Csr others = to_csr(matrix.others);
  const Coo list = make_coo(others, Width::bits32);
  append(entries, others, widened(list.row_indices, list.row_width, others.entries),
         widened(others.column_indices, others.column_width, others.entries), others.values);
  return csr_of_entries(matrix, std::move(entries), matrix.iso ? matrix.others.ell.values : Buffer());
}

std::string check(const TileCoo& matrix) {
  const std::string wrong = check(matrix.others);
  if (!wrong.empty()) return "the other columns: " + wrong;
  uint64_t entries = matrix.others.ell.entries + matrix.others.coo.entries;
  for (size_t n = 0; n < matrix.tiles.size(); ++n) {
    const Coo& tile = matrix.tiles[n];
    const std::string place = "tile " + std::to_string(n) + ": ";
    if (tile.row_indices.bytes() < tile.entries * sizeof(uint32_t))
      return place + "the row indices are too few";
    const std::vector<uint32_t> rows = tile.row_indices.to_host<uint32_t>(tile.entries);
    if (!std::is_sorted(rows.begin(), rows.end())) return place + "its rows do not ascend";
    if (!rows.empty() && rows.back() >= matrix.rows) return place + "a row is out of range";
    const uint64_t first = n * matrix.tile_columns;
    for (const uint64_t column : widened(tile.column_indices, tile.column_width, tile.entries)) {
      if (column >= tile.columns) return place + "a column is out of range";
      if (column < first || column >= first + matrix.tile_columns) return place + "a column of another tile";
    }
    entries += tile.entries;
  }
  if (entries != matrix.entries) return "the parts have " + std::to_string(entries) + " entries in all";
  return check(to_csr(matrix));  // ascending: no column comes twice
}

}  // namespace cugrb::formats
