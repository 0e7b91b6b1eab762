#include "src/formats/tile_composite.h"

#include <algorithm>

#include "src/formats/element_kernels.h"
#include "src/formats/tile_layout.h"
#include "src/support/declined.h"

namespace cugrb::formats {

using runtime::Buffer;

namespace {

constexpr char tile_composite_header[] = "tile_composite_build.h";

/// Builds a TileComposite: the stages of build(), in that order.
class TileCompositeBuilder {
 public:
  TileCompositeBuilder(const Csr& matrix, const TileCompositeParameters& parameters) : matrix_(matrix) {
    made_.parameters = parameters;
    made_.type = matrix.type;
    made_.row_count = matrix.rows;
    made_.column_count = matrix.columns;
    made_.iso = matrix.iso;
    rows_.matrix = matrix.view();
    rows_.tile_columns = parameters.tile_columns;
    rows_.tiles = parameters.tiles;
    rows_.window_rows = parameters.window_rows;
    index_types_ = std::string(index_type(matrix.offset_width)) + ", " + index_type(matrix.column_width);
    element_ = matrix.iso ? "void" : element_of_bytes(matrix.type.size);
    places_ = place_columns(matrix_, made_.parameters.gathered, made_.gathered_columns);
    rows_.places = places_.as<uint32_t>();
  }

  TileComposite build() {
    measure_rows();
    for (int t = 0; t <= made_.parameters.tiles; ++t) parts_.push_back(sort_rows(t));
    lay_out_parts();
    place_rows();
    count_pieces();
    list_slots();
    fill();
    share_out(made_, parts_);
    return std::move(made_);
  }

 private:
  void launch_rows(const std::string& name, uint64_t threads) const {
    launch_blocks(tile_composite_header, name, blocks_for(threads), rows_);
  }

  void measure_rows() {
    lengths_ = Buffer(uint64_t(made_.parameters.tiles + 1) * matrix_.rows * sizeof(uint32_t));
    flags_ = Buffer(matrix_.rows);
    positions_ = Buffer(matrix_.rows * sizeof(uint64_t));
    slot_counts_ = Buffer::zeroed(matrix_.rows * sizeof(uint32_t));
    rows_.lengths = lengths_.as<uint32_t>();
    rows_.flags = flags_.as<uint8_t>();
    rows_.positions = positions_.as<uint64_t>();
    rows_.slot_counts = slot_counts_.as<uint32_t>();
    launch_rows("tile_row_lengths<" + index_types_ + ">", matrix_.rows * 32);
  }

  /// Positions of the tile's rows of a kind, ascending, into positions_; their number.
  uint64_t find_rows(bool long_ones) {
    launch_rows(std::string("tile_row_flags<") + (long_ones ? "true>" : "false>"), matrix_.rows);
    const Buffer count(sizeof(uint64_t));
    primitives::positions_of_flags(Width::bits64, flags_.as<uint8_t>(), matrix_.rows, positions_.data(),
                                   count.as<uint64_t>());
    return count.read<uint64_t>();
  }

  std::vector<TileLongRow> cut_long_rows(int t) {
    const uint64_t count = find_rows(true);
    const Buffer lengths(count * sizeof(uint32_t)), selected(sizeof(uint64_t));
    if (count == 0) return {};
    primitives::select_flagged(sizeof(uint32_t), lengths_.as<uint32_t>() + uint64_t(t) * matrix_.rows,
                               flags_.as<uint8_t>(), matrix_.rows, lengths.data(), selected.as<uint64_t>());
    const std::vector<uint64_t> rows = positions_.to_host<uint64_t>(count);
    const std::vector<uint32_t> row_lengths = lengths.to_host<uint32_t>(count);
    std::vector<TileLongRow> found(count);
    for (uint64_t n = 0; n < count; ++n) {
      found[n].row = uint32_t(rows[n]);
      found[n].tile = uint32_t(t);
      found[n].length = row_lengths[n];
    }
    return found;
  }

  TileRows sort_rows(int t) {
    rows_.tile = t;
    rows_.classes = classes_of(made_, size_t(t));
    TileRows tile;
    tile.long_rows = cut_long_rows(t);
    tile.count = find_rows(false);
    const Buffer keys(tile.count * sizeof(uint64_t)), sorted_keys(keys.bytes());
    const Buffer class_counts = Buffer::zeroed(tile_classes * sizeof(uint64_t));
    tile.sorted = Buffer(tile.count * sizeof(uint64_t));
    rows_.count = tile.count;
    rows_.keys = keys.as<uint64_t>();
    rows_.class_counts = class_counts.as<uint64_t>();
    launch_rows("tile_row_keys<0>", tile.count);
    if (tile.count > 0) {
      primitives::sort_pairs(Width::bits64, keys.data(), sorted_keys.data(), positions_.as<uint64_t>(),
                             tile.sorted.as<uint64_t>(), tile.count, 62);
    }
    tile.class_counts = class_counts.to_host<uint64_t>(tile_classes);
    return tile;
  }

  void lay_out_parts() {
    lay_out(made_, parts_);
    made_.step_offsets = Buffer::zeroed((made_.workloads + 1) * sizeof(uint32_t));
    for (size_t t = 0; t < parts_.size(); ++t) {
      const std::vector<uint32_t> steps = steps_of_pieces(parts_[t].long_rows, classes_of(made_, t));
      made_.step_offsets.write_bytes(made_.parts[t].classes[0].first * sizeof(uint32_t), steps.data(),
                                     steps.size() * sizeof(uint32_t));
    }
  }

  /// rows_ for the kernels that work on part t's sorted rows.
  void select_part(size_t t) {
    const TileRows& part = parts_[t];
    rows_.tile = int(t);
    rows_.classes = classes_of(made_, t);
    rows_.count = part.count;
    rows_.sorted_rows = part.sorted.as<uint64_t>();
    rows_.layout = made_.parts[t];
    // Class 1 comes first: keys ascend by class.
    rows_.first_of_class[0] = rows_.first_of_class[1] = 0;
    for (int c = 2; c < tile_classes; ++c) {
      rows_.first_of_class[c] = rows_.first_of_class[c - 1] + part.class_counts[size_t(c) - 1];
    }
  }

  void place_rows() {
    rows_.steps = made_.step_offsets.as<uint32_t>();
    for (size_t t = 0; t < parts_.size(); ++t) {
      select_part(t);
      launch_rows("tile_row_places<0>", rows_.count);
    }
    primitives::exclusive_sum(Width::bits32, made_.step_offsets.data(), made_.step_offsets.data(),
                              made_.workloads);
    made_.steps = made_.step_offsets.read<uint32_t>(made_.workloads);
    made_.cold_step = first_step_of(made_, parts_.size() - 1);
  }

  /// For kernels that go over part t's rows, sorted and long ones.
  TileSlotsArguments select_slots(size_t t) {
    select_part(t);
    TileSlotsArguments a;
    a.rows = rows_;
    a.long_rows = parts_[t].long_list.as<TileLongRow>();
    a.long_count = parts_[t].long_rows.size();
    return a;
  }

  void count_pieces() {
    for (size_t t = 0; t < parts_.size(); ++t) {
      const std::vector<TileLongRow>& rows = parts_[t].long_rows;
      parts_[t].long_list = Buffer::from_host(rows.data(), rows.size() * sizeof(TileLongRow));
      const TileSlotsArguments a = select_slots(t);
      launch_blocks(tile_composite_header, "tile_count_pieces<0>", blocks_for(a.long_count), a);
    }
  }

  void fill() {
    made_.columns = Buffer::filled(made_.cold_step * tile_step_entries * sizeof(uint16_t), 0xff);
    made_.cold_columns =
        Buffer::filled((made_.steps - made_.cold_step) * tile_step_entries * sizeof(uint32_t), 0xff);
    made_.values =
        matrix_.iso ? matrix_.values : Buffer::zeroed(made_.steps * tile_step_entries * matrix_.type.size);
    const Buffer parts = Buffer::from_host(made_.parts.data(), made_.parts.size() * sizeof(TileLayout));
    TileFillArguments a;
    a.matrix = matrix_.view();
    a.places = places_.as<uint32_t>();
    a.tile_columns = made_.parameters.tile_columns;
    a.tiles = made_.parameters.tiles;
    a.tile_rows = row_classes_of(made_.parameters.tile_steps);
    a.cold_rows = row_classes_of(made_.parameters.cold_steps);
    a.lengths = lengths_.as<uint32_t>();
    a.parts = parts.as<TileLayout>();
    a.step_offsets = made_.step_offsets.as<uint32_t>();
    a.row_offsets = made_.row_offsets.as<uint32_t>();
    a.row_slots = made_.row_slots.as<uint32_t>();
    a.cold_step = uint32_t(made_.cold_step);
    a.columns = made_.columns.as<uint16_t>();
    a.cold_columns = made_.cold_columns.as<uint32_t>();
    a.values = made_.values.data();
    launch_blocks(tile_composite_header, "tile_fill<" + index_types_ + ", " + element_ + ">",
                  blocks_for(matrix_.rows * 32), a);
  }

  void list_slots() {
    made_.row_offsets = Buffer((matrix_.rows + 1) * sizeof(uint32_t));
    primitives::exclusive_sum(Width::bits32, slot_counts_.data(), made_.row_offsets.data(), matrix_.rows);
    made_.listed_slots = made_.row_offsets.read<uint32_t>(matrix_.rows);
    made_.row_slots = Buffer(made_.listed_slots * sizeof(uint32_t));
    rows_.row_offsets = made_.row_offsets.as<uint32_t>();
    rows_.row_slots = made_.row_slots.as<uint32_t>();
    slot_counts_.fill(0);
    for (size_t t = 0; t < parts_.size(); ++t) {
      const TileSlotsArguments a = select_slots(t);
      launch_blocks(tile_composite_header, "tile_list_slots<0>", blocks_for(a.rows.count + a.long_count), a);
    }
    find_long_rows();
  }

  /// Rows of many slots.
  void find_long_rows() {
    launch_rows("tile_many_slots<0>", matrix_.rows);
    const Buffer count(sizeof(uint64_t));
    primitives::count_flags(flags_.as<uint8_t>(), matrix_.rows, count.as<uint64_t>());
    made_.long_count = count.read<uint64_t>();
    made_.long_rows = Buffer(made_.long_count * sizeof(uint32_t));
    if (made_.long_count == 0) return;
    primitives::positions_of_flags(Width::bits32, flags_.as<uint8_t>(), matrix_.rows, made_.long_rows.data(),
                                   count.as<uint64_t>());
  }

  const Csr& matrix_;
  TileComposite made_;
  TileRowsArguments rows_;
  std::string index_types_, element_;
  Buffer places_, lengths_, flags_, positions_, slot_counts_;
  std::vector<TileRows> parts_;  ///< the tiles, then the cold part
};

}  // namespace

TileCompositeView TileComposite::view() const {
  TileCompositeView view;
  view.columns = columns.as<uint16_t>();
  view.cold_columns = cold_columns.as<uint32_t>();
  view.values = values.data();
  view.step_offsets = step_offsets.as<uint32_t>();
  view.cuts = cuts.as<TileCut>();
  view.tile_columns = parameters.tile_columns;
  view.cold_step = uint32_t(cold_step);
  return view;
}

size_t TileComposite::bytes() const {
  size_t bytes = 0;
  for (const Buffer* buffer : {&gathered_columns, &columns, &cold_columns, &step_offsets, &cuts, &row_offsets,
                               &row_slots, &long_rows, &shares}) {
    bytes += buffer->bytes();
  }
  return iso ? bytes : bytes + values.bytes();  // an iso value is the CSR's
}

TileComposite make_tile_composite(const Csr& matrix, const TileCompositeParameters& parameters) {
  if (matrix.rows >= no_cold_column || matrix.columns + parameters.gathered >= (uint64_t(1) << 32)) {
    throw Declined("tile-composite: rows and columns need 32-bit numbers");
  }
  return TileCompositeBuilder(matrix, parameters).build();
}

}  // namespace cugrb::formats
