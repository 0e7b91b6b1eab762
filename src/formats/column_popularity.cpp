#include "src/formats/tile_composite.h"

#include <algorithm>

#include "src/formats/launch.h"
#include "src/support/declined.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char column_popularity_header[] = "tile_composite_build.h";

/// Sorted descending by count, stable: keys are complemented counts.
struct SortedColumns {
  Buffer keys, order;
};

SortedColumns sort_columns(const Csr& matrix, TileColumnsArguments& a) {
  const uint64_t n = matrix.columns;
  const Buffer counts = column_counts(matrix, Width::bits32), keys(n * sizeof(uint32_t));
  const Buffer payload(n * sizeof(uint64_t));
  a.counts = counts.as<uint32_t>();
  a.keys = keys.as<uint32_t>();
  a.payload = payload.as<uint64_t>();
  launch_blocks(column_popularity_header, "tile_column_keys<0>", blocks_for(n), a);
  SortedColumns sorted{Buffer(keys.bytes()), Buffer(payload.bytes())};
  primitives::sort_pairs(Width::bits32, keys.data(), sorted.keys.data(), payload.as<uint64_t>(),
                         sorted.order.as<uint64_t>(), n);
  return sorted;
}

/// Sums of the sorted counts before every sample_columns-th column, up to all that tiles can hold.
std::vector<uint64_t> sampled_sums(TileColumnsArguments& a) {
  const uint64_t n = a.matrix.columns_count, wanted = std::min<uint64_t>(n, uint64_t(most_tiles) * 65536);
  primitives::exclusive_sum(Width::bits64, a.sorted_counts, a.sorted_counts, n);
  a.sample_columns = ColumnPopularity::sample_columns;
  a.sample_count = blocks_for(wanted, a.sample_columns) + 1;
  const Buffer samples(a.sample_count * sizeof(uint64_t));
  a.samples = samples.as<uint64_t>();
  launch_blocks(column_popularity_header, "tile_sample_sums<0>", blocks_for(a.sample_count), a);
  return samples.to_host<uint64_t>(a.sample_count);
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
  TileColumnsArguments a;
  a.matrix = matrix.view();
  SortedColumns sorted = sort_columns(matrix, a);
  const Buffer sorted_counts((matrix.columns + 1) * sizeof(uint64_t)),
      popular = Buffer::zeroed(sizeof(uint64_t));
  a.keys = sorted.keys.as<uint32_t>();
  a.sorted_counts = sorted_counts.as<uint64_t>();
  a.least_count = least_gathered;
  a.popular = popular.as<uint64_t>();
  launch_blocks(column_popularity_header, "tile_sorted_counts<0>", blocks_for(matrix.columns), a);
  popularity.order = std::move(sorted.order);
  popularity.entries_of_first = sampled_sums(a);
  popularity.popular_columns = popular.read<uint64_t>();
  return popularity;
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
