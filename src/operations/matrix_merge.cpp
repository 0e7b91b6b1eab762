#include "src/operations/matrix_merge.h"

#include "cuda/primitives/primitives.h"
#include "src/formats/element_kernels.h"
#include "src/memory/policy.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

/// Of the room for entries that may come, what a result may keep unused: twice what it uses, or little. To
/// copy it out takes twice as long as to write what is used.
constexpr uint64_t unused_share = 2, little_room = uint64_t(1) << 16;

class MergeRun {
 public:
  explicit MergeRun(Merge&& merge) : merge_(std::move(merge)), arguments_(merge_.arguments) {
    result_.type = merge_.values;
    result_.rows = arguments_.first.rows;
    result_.columns = merge_.columns > 0 ? merge_.columns : arguments_.first.columns_count;
    result_.column_width = formats::index_width(result_.columns);
  }

  Csr run() {
    const uint64_t items =
        arguments_.first.entries + (merge_.has_second ? arguments_.second.entries : 0) + result_.rows;
    const uint64_t each = merge_.wide ? MergeTile::each_of_wide : MergeTile::each;
    arguments_.tiles = formats::blocks_for(items, MergeTile::threads * each);
    result_.offset_width = Csr::offset_width_for(merge_.most);
    result_.offsets = Buffer((result_.rows + 1) * formats::bytes_of(result_.offset_width));
    arguments_.offsets = result_.offsets.data();
    const Buffer places = find_places();
    const Buffer begins = merge_.counts_first && places ? count() : Buffer();
    if (begins) {
      make_room(begins.read<uint64_t>(arguments_.tiles));
    } else if (memory::shortage([&] { make_room(merge_.most); })) {
      result_.column_indices = result_.values = {};
      make_room(launch().read<uint64_t>());  // counts them
    }
    const Buffer entries = launch();
    result_.entries = begins ? room_ : entries.read<uint64_t>();
    give_back_room();
    return std::move(result_);
  }

 private:
  size_t column_bytes() const { return formats::bytes_of(result_.column_width); }
  size_t value_bytes() const { return merge_.has_values ? result_.type.size : 0; }

  void make_room(uint64_t entries) {
    room_ = entries;
    result_.column_indices = Buffer(entries * column_bytes());
    if (merge_.has_values) result_.values = Buffer(entries * value_bytes());
  }
  void give_back_room() {
    const uint64_t unused = (room_ - result_.entries) * (column_bytes() + value_bytes());
    if (unused <= little_room || room_ - result_.entries <= unused_share * result_.entries) return;
    result_.column_indices = result_.column_indices.first_bytes(result_.entries * column_bytes());
    if (merge_.has_values) result_.values = result_.values.first_bytes(result_.entries * value_bytes());
  }

  /// The number of the result's entries.
  Buffer launch() {
    const Buffer words = Buffer::zeroed((2 + arguments_.tiles) * sizeof(uint64_t));
    arguments_.entries = words.as<uint64_t>();
    arguments_.taken = arguments_.entries + 1;
    arguments_.sums = arguments_.entries + 2;
    arguments_.columns = result_.column_indices.data();
    arguments_.values = result_.values.data();
    formats::launch_blocks(
        merge_.header,
        template_id("matrix_merge", {merge_.type, formats::index_type(result_.offset_width),
                                     formats::index_type(result_.column_width), text_of(merge_.has_values)}),
        formats::blocks_for(arguments_.tiles, arguments_.begins != nullptr ? MergeTile::counted_tiles : 1),
        arguments_, merge_.preamble);
    return words;
  }

  /// Where each tile's entries begin in the result.
  Buffer count() {
    const Buffer begins((arguments_.tiles + 1) * sizeof(uint64_t));
    arguments_.begins = begins.as<uint64_t>();
    formats::launch_blocks(merge_.header, template_id("matrix_merge_count", {merge_.type}), arguments_.tiles,
                           arguments_, merge_.preamble);
    primitives::exclusive_sum(formats::Width::bits64, begins.data(), begins.data(), arguments_.tiles);
    return begins;
  }

  /// Where tiles begin, if they are more than the device runs at once.
  Buffer find_places() {
    constexpr uint64_t warp = 32;
    if (arguments_.tiles <= formats::resident_blocks() / 2) return {};
    const Buffer places(MergeTile::place_words * (arguments_.tiles + 1) * sizeof(uint64_t));
    arguments_.places = places.as<uint64_t>();
    formats::launch_per_element(merge_.header, template_id("matrix_merge_places", {merge_.type}),
                                warp * (arguments_.tiles + 1), arguments_, merge_.preamble);
    return places;
  }

  const Merge merge_;
  MatrixMergeArguments arguments_;
  Csr result_;
  uint64_t room_ = 0;
};

}  // namespace

Csr merged(Merge merge, std::initializer_list<const Csr*> patterns) {
  Csr result = MergeRun(std::move(merge)).run();
  for (const Csr* const pattern : patterns) {
    if (pattern->entries != result.entries || pattern->column_width != result.column_width) continue;
    result.offset_width = pattern->offset_width;
    result.offsets = pattern->offsets;
    result.column_indices = pattern->column_indices;
    break;
  }
  return result;
}

}  // namespace cugrb::operations
