// Which columns are in the tiles of tile-composite and TILE-COO.
#include <algorithm>

#include "src/formats/launch.h"
#include "src/formats/tile_composite.h"
#include "src/support/declined.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char tile_columns_header[] = "tile_composite_build.h";

}  // namespace

uint32_t tile_columns_for(size_t operand_bytes) {
  const runtime::Properties& properties = runtime::device().properties();
  // A small tile on the emulated device: tests reach several of them with small matrices.
  if (properties.kind == runtime::Kind::emulated) return 640;
  return tile_columns_in(properties.shared_bytes_per_block, operand_bytes);
}

uint32_t tile_columns_in(size_t shared_bytes_per_block, size_t operand_bytes) {
  constexpr size_t reserved = 1024;  // the system's own, a block
  const size_t most = (shared_bytes_per_block - reserved) / operand_bytes;
  return uint32_t(std::min<size_t>(65535, most) / 1024 * 1024);
}

Buffer columns_in_order(const Buffer& counts, uint64_t columns) {
  const Buffer keys(columns * sizeof(uint32_t)), payload(columns * sizeof(uint64_t));
  TileColumnsArguments a;
  a.matrix.columns_count = columns;
  a.counts = counts.as<uint32_t>();
  a.keys = keys.as<uint32_t>();
  a.payload = payload.as<uint64_t>();
  launch_blocks(tile_columns_header, "tile_column_keys<0>", blocks_for(columns), a);
  const Buffer sorted_keys(keys.bytes());
  Buffer order(payload.bytes());
  primitives::sort_pairs(Width::bits32, keys.data(), sorted_keys.data(), payload.as<uint64_t>(),
                         order.as<uint64_t>(), columns);
  return order;
}

Buffer place_columns(const Csr& matrix, uint64_t gathered, Buffer& gathered_columns) {
  const uint64_t columns = matrix.columns;
  if (columns >= (uint64_t(1) << 32)) throw Declined("columns by popularity: more than 2^32 columns");
  gathered_columns = Buffer(gathered * sizeof(uint32_t));
  Buffer places(columns * sizeof(uint32_t));
  const Buffer order = columns_in_order(column_counts(matrix, Width::bits32), columns);
  TileColumnsArguments a;
  a.matrix.columns_count = columns;
  a.payload = order.as<uint64_t>();
  a.gathered = gathered;
  a.gathered_columns = gathered_columns.as<uint32_t>();
  a.places = places.as<uint32_t>();
  launch_blocks(tile_columns_header, "tile_column_places<0>", blocks_for(columns), a);
  return places;
}

}  // namespace cugrb::formats
