#include "src/formats/blocked.h"

#include <algorithm>

#include "src/formats/element_kernels.h"
#include "src/support/declined.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char blocked_header[] = "blocked_build.h";

/// Builds a Blocked: the stages of build(), in that order.
class BlockedBuilder {
 public:
  BlockedBuilder(const Csr& matrix, const BlockedParameters& parameters) : matrix_(matrix) {
    made_.parameters = parameters;
    made_.type = matrix.type;
    made_.row_count = matrix.rows;
    made_.column_count = matrix.columns;
    made_.entries = matrix.entries;
    made_.iso = matrix.iso;
    made_.tiles = blocks_for(matrix.columns, parameters.tile_columns);
    made_.bins = blocks_for(matrix.entries, parameters.bin_entries());
    a_.matrix = matrix.view();
    a_.tile_columns = parameters.tile_columns;
    a_.bin_entries = parameters.bin_entries();
    a_.tiles = made_.tiles;
    a_.bins = made_.bins;
    a_.runs = made_.bins * parameters.sum_threads;
  }

  Blocked build() {
    count_pieces();
    find_starts();
    fill();
    mark_row_ends();
    share_out();
    return std::move(made_);
  }

 private:
  /// A block a bin, with so many words of shared memory a tile.
  void launch_bins(const std::string& name, size_t words) const {
    launch_sharing_blocks(blocked_header, name, made_.bins, made_.tiles * words * sizeof(uint32_t), a_);
  }

  void count_pieces() {
    const uint64_t pieces = made_.tiles * made_.bins;
    chunks_by_tile_ = Buffer((pieces + 1) * sizeof(uint32_t));
    chunks_by_bin_ = Buffer((pieces + 1) * sizeof(uint32_t));
    a_.chunks_by_tile = chunks_by_tile_.as<uint32_t>();
    a_.chunks_by_bin = chunks_by_bin_.as<uint32_t>();
    launch_bins(std::string("blocked_count<") + index_type(matrix_.column_width) + ">", 1);
    for (const Buffer* chunks : {&chunks_by_tile_, &chunks_by_bin_}) {
      primitives::exclusive_sum(Width::bits32, chunks->data(), chunks->data(), pieces);
    }
  }

  void find_starts() {
    const Buffer tile_chunks((made_.tiles + 1) * sizeof(uint32_t));
    made_.bin_chunks = Buffer((made_.bins + 1) * sizeof(uint32_t));
    a_.tile_chunks = tile_chunks.as<uint32_t>();
    a_.bin_chunks = made_.bin_chunks.as<uint32_t>();
    launch_blocks(blocked_header, "blocked_starts<0>", blocks_for(std::max(made_.tiles, made_.bins) + 1), a_);
    made_.tile_chunks = tile_chunks.to_host<uint32_t>(made_.tiles + 1);
    const std::vector<uint32_t> bin_chunks = made_.bin_chunks.to_host<uint32_t>(made_.bins + 1);
    for (uint64_t b = 0; b < made_.bins; ++b) {
      made_.most_products =
          std::max(made_.most_products, uint64_t(bin_chunks[b + 1] - bin_chunks[b]) * blocked_chunk);
    }
  }

  void fill() {
    const uint64_t places = made_.chunks() * blocked_chunk;
    made_.columns = Buffer::filled(places * sizeof(uint16_t), 0xff);
    made_.values = matrix_.iso ? matrix_.values : Buffer::zeroed(places * matrix_.type.size);
    made_.destinations = Buffer(made_.chunks() * sizeof(uint32_t));
    made_.positions = Buffer::zeroed(made_.bins * a_.bin_entries * sizeof(uint16_t));
    a_.columns = made_.columns.as<uint16_t>();
    a_.values = made_.values.data();
    a_.destinations = made_.destinations.as<uint32_t>();
    a_.positions = made_.positions.as<uint16_t>();
    const std::string element = matrix_.iso ? "void" : element_of_bytes(matrix_.type.size);
    launch_bins(std::string("blocked_fill<") + index_type(matrix_.column_width) + ", " + element + ">", 3);
  }

  void mark_row_ends() {
    made_.row_ends = Buffer::zeroed(a_.runs * sizeof(uint32_t));
    made_.ordinals = Buffer((a_.runs + 1) * sizeof(uint32_t));
    const Buffer flags(matrix_.rows);
    a_.row_ends = made_.row_ends.as<uint32_t>();
    a_.ordinals = made_.ordinals.as<uint32_t>();
    a_.flags = flags.as<uint8_t>();
    launch_blocks(blocked_header, std::string("blocked_row_ends<") + index_type(matrix_.offset_width) + ">",
                  blocks_for(matrix_.rows), a_);
    launch_blocks(blocked_header, "blocked_count_ends<0>", blocks_for(a_.runs), a_);
    primitives::exclusive_sum(Width::bits32, made_.ordinals.data(), made_.ordinals.data(), a_.runs);
    count_rows_of_bins();
    if (made_.filled_rows == matrix_.rows) return;
    made_.rows = Buffer(made_.filled_rows * sizeof(uint32_t));
    const Buffer count(sizeof(uint64_t));
    primitives::positions_of_flags(Width::bits32, flags.as<uint8_t>(), matrix_.rows, made_.rows.data(),
                                   count.as<uint64_t>());
  }

  /// And the most of one bin.
  void count_rows_of_bins() {
    made_.bin_rows = Buffer((made_.bins + 1) * sizeof(uint32_t));
    a_.bin_rows = made_.bin_rows.as<uint32_t>();
    launch_blocks(blocked_header, "blocked_bin_rows<0>", blocks_for(made_.bins + 1), a_);
    const std::vector<uint32_t> before = made_.bin_rows.to_host<uint32_t>(made_.bins + 1);
    for (uint64_t b = 0; b < made_.bins; ++b) {
      made_.most_rows = std::max<uint64_t>(made_.most_rows, before[b + 1] - before[b]);
    }
    made_.filled_rows = before.back();
  }

  /// Chunks whose entries take as long as the operands of a tile: a column is loaded in about half of the
  /// time that an entry takes.
  uint64_t load_of_tile(uint64_t t) const {
    const uint64_t columns = std::min<uint64_t>(a_.tile_columns, matrix_.columns - t * a_.tile_columns);
    return 1 + columns / (2 * blocked_chunk);
  }

  /// Blocks get equal stretches of the tiles' work, one tile after the other.
  void share_out() {
    std::vector<uint64_t> work(made_.tiles + 1);  // before each tile
    for (uint64_t t = 0; t < made_.tiles; ++t) {
      const uint64_t chunks = made_.tile_chunks[t + 1] - made_.tile_chunks[t];
      work[t + 1] = work[t] + (chunks > 0 ? load_of_tile(t) + chunks : 0);
    }
    std::vector<BlockedShare> shares;
    std::vector<uint32_t> first_shares = {0};
    const uint64_t blocks = made_.parameters.blocks;
    for (uint64_t b = 0; b < blocks; ++b) {
      const uint64_t from = work.back() * b / blocks, until = work.back() * (b + 1) / blocks;
      for (uint64_t t = uint64_t(std::upper_bound(work.begin(), work.end(), from) - work.begin()) - 1;
           t < made_.tiles && work[t] < until; ++t) {
        BlockedShare share;
        share.first_column = t * a_.tile_columns;
        share.columns = uint32_t(std::min<uint64_t>(a_.tile_columns, matrix_.columns - share.first_column));
        share.first_chunk = chunk_at(work, t, from);
        share.last_chunk = chunk_at(work, t, until);
        if (share.first_chunk < share.last_chunk) shares.push_back(share);
      }
      first_shares.push_back(uint32_t(shares.size()));
    }
    made_.shares = Buffer::from_host(shares.data(), shares.size() * sizeof(BlockedShare));
    made_.first_shares = Buffer::from_host(first_shares.data(), first_shares.size() * sizeof(uint32_t));
  }

  /// Where tile t is cut when so much work comes before.
  uint32_t chunk_at(const std::vector<uint64_t>& work, uint64_t t, uint64_t before) const {
    const uint64_t first = made_.tile_chunks[t], last = made_.tile_chunks[t + 1];
    const uint64_t begin = work[t] + (last > first ? load_of_tile(t) : 0);
    return uint32_t(before <= begin ? first : std::min(last, first + (before - begin)));
  }

  const Csr& matrix_;
  Blocked made_;
  BlockedBuildArguments a_;
  Buffer chunks_by_tile_, chunks_by_bin_;
};

}  // namespace

BlockedView Blocked::view() const {
  BlockedView view;
  view.columns = columns.as<uint16_t>();
  view.values = values.data();
  view.destinations = destinations.as<uint32_t>();
  view.bin_chunks = bin_chunks.as<uint32_t>();
  view.positions = positions.data();
  view.row_ends = row_ends.as<uint32_t>();
  view.ordinals = ordinals.as<uint32_t>();
  view.bin_rows = bin_rows.as<uint32_t>();
  view.rows = rows.as<uint32_t>();
  view.bins = bins;
  return view;
}

size_t Blocked::bytes() const {
  size_t bytes = 0;
  for (const Buffer* buffer : {&columns, &destinations, &bin_chunks, &positions, &row_ends, &ordinals,
                               &bin_rows, &rows, &shares, &first_shares}) {
    bytes += buffer->bytes();
  }
  return iso ? bytes : bytes + values.bytes();  // an iso value is the CSR's
}

std::string blocked_refusal(const BlockedParameters& parameters, uint64_t rows, uint64_t tiles,
                            size_t product_bytes, size_t shared_bytes_per_block) {
  const uint64_t entries = parameters.bin_entries();
  const uint64_t places = entries + std::min(tiles, entries) * (blocked_chunk - 1);
  const uint64_t bytes = (places + std::min(rows, entries)) * product_bytes + 1024;  // and what warps pass on
  if (places > 65536 || bytes > shared_bytes_per_block || tiles * 12 > shared_bytes_per_block) {
    return "too many columns";
  }
  return {};
}

Blocked make_blocked(const Csr& matrix, const BlockedParameters& parameters) {
  constexpr uint64_t most = uint64_t(1) << 32;
  const uint64_t pieces = blocks_for(matrix.columns, parameters.tile_columns) *
                          blocks_for(matrix.entries, parameters.bin_entries());
  if (matrix.rows >= most || pieces + matrix.entries / blocked_chunk >= most) {
    throw Declined("blocked: rows and chunks need 32-bit numbers");
  }
  return BlockedBuilder(matrix, parameters).build();
}

}  // namespace cugrb::formats
