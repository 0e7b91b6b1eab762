#include "src/formats/tile_composite.h"

#include <algorithm>

#include "src/formats/launch.h"
#include "src/support/declined.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char column_popularity_header[] = "tile_composite_build.h";

/// Entries of the columns before every sample_columns-th one, most first, up to all that tiles can hold.
std::vector<uint64_t> sampled_sums(const LengthDistribution& counts) {
  const uint64_t n = counts.rows(), wanted = std::min<uint64_t>(n, uint64_t(most_tiles) * 65536);
  const uint64_t samples = blocks_for(wanted, ColumnPopularity::sample_columns) + 1;
  std::vector<uint64_t> sums;
  uint64_t first = 0, entries = 0;  // of the bins so far
  for (auto bin = counts.bins().rbegin(); bin != counts.bins().rend() && sums.size() < samples; ++bin) {
    const auto place = [&] { return std::min<uint64_t>(n, sums.size() * ColumnPopularity::sample_columns); };
    while (sums.size() < samples && place() <= first + bin->rows)
      sums.push_back(entries + (place() - first) * bin->length);
    first += bin->rows;
    entries += bin->rows * bin->length;
  }
  if (sums.empty()) sums.push_back(0);  // a matrix without columns
  return sums;
}

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

ColumnPopularity count_columns(const Csr& matrix) {
  if (matrix.columns >= (uint64_t(1) << 32)) throw Declined("column counts: more than 2^32 columns");
  ColumnPopularity popularity;
  popularity.counts = column_counts(matrix, Width::bits32);
  const LengthDistribution counts =
      listed_distribution(popularity.counts, Width::bits32, matrix.columns, matrix.entries);
  popularity.entries_of_first = sampled_sums(counts);
  popularity.popular_columns = counts.rows_above(least_gathered - 1);
  return popularity;
}

Buffer columns_in_order(const ColumnPopularity& popularity, uint64_t columns) {
  const Buffer keys(columns * sizeof(uint32_t)), payload(columns * sizeof(uint64_t));
  TileColumnsArguments a;
  a.matrix.columns_count = columns;
  a.counts = popularity.counts.as<uint32_t>();
  a.keys = keys.as<uint32_t>();
  a.payload = payload.as<uint64_t>();
  launch_blocks(column_popularity_header, "tile_column_keys<0>", blocks_for(columns), a);
  const Buffer sorted_keys(keys.bytes());
  Buffer order(payload.bytes());
  primitives::sort_pairs(Width::bits32, keys.data(), sorted_keys.data(), payload.as<uint64_t>(),
                         order.as<uint64_t>(), columns);
  return order;
}

Buffer place_columns(const ColumnPopularity& popularity, uint64_t columns, uint64_t gathered,
                     Buffer& gathered_columns) {
  gathered_columns = Buffer(gathered * sizeof(uint32_t));
  Buffer places(columns * sizeof(uint32_t));
  const Buffer order = columns_in_order(popularity, columns);
  TileColumnsArguments a;
  a.matrix.columns_count = columns;
  a.payload = order.as<uint64_t>();
  a.gathered = gathered;
  a.gathered_columns = gathered_columns.as<uint32_t>();
  a.places = places.as<uint32_t>();
  launch_blocks(column_popularity_header, "tile_column_places<0>", blocks_for(columns), a);
  return places;
}

const ColumnPopularity& popularity_of(const DeviceMatrix& matrix, bool transposed) {
  return matrix.derived<ColumnPopularity>(transposed, "column_popularity", count_columns);
}

std::string tile_composite_key(size_t operand_bytes) {
  return "tile_composite " + std::to_string(operand_bytes);
}

const TileComposite* find_tile_composite(const DeviceMatrix& matrix, bool transposed, size_t operand_bytes) {
  return matrix.find_derived<TileComposite>(transposed, tile_composite_key(operand_bytes));
}

}  // namespace cugrb::formats
