#include "src/operations/multiply/mxm/rows/bounded.h"

#include <algorithm>

#include "src/formats/element_kernels.h"
#include "src/formats/launch.h"
#include "src/operations/matrix_compact.h"
#include "src/operations/multiply/mxm/rows/profile.h"
#include "src/operations/template_id.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

namespace {

constexpr char bounded_header[] = "mxm_bounded.h";

/// Entries of a tile that are gathered in shared memory, at most: three blocks of a multiprocessor have room.
constexpr uint64_t most_staged = 8192;
/// Of the products of a tile as many as are expected to be entries, where rows are merged.
constexpr double staged_share = 0.6;
/// T keeps so many bytes more than it needs, and up to most_room times what it needs.
constexpr size_t most_slack = size_t(1) << 30;
constexpr uint64_t most_room = 4;
/// T's room by expected products, where rows are sorted: they have the room of the bound meanwhile.
constexpr double room_a_product = 1.125;
constexpr uint64_t least_room = 4096;
constexpr unsigned merged_rows_a_block = 256;

size_t padded_to_16(size_t bytes) { return (bytes + 15) / 16 * 16; }

class BoundedRun {
 public:
  BoundedRun(const MatrixMatrixRun& run, const BoundedRows& bound)
      : run_(run),
        bound_(bound),
        left_(run.left()),
        right_(run.right()),
        column_width_(formats::index_width(right_.columns)),
        column_(formats::index_type(column_width_)),
        mask_(run.mask.mask_id(run.flipped)) {}

  Csr run() {
    arguments_.rows.left = left_.view();
    arguments_.rows.right = right_.view();
    arguments_.rows.mask = run_.mask.mask_view(run_.flipped);
    return bound_.merged ? merged() : sorted();
  }

 private:
  Csr room_for(uint64_t entries) {
    Csr t = room_for_rows(run_, entries, Csr::offset_width_for(bound_.room));
    arguments_.rows.columns = t.column_indices.data();
    arguments_.rows.values = t.values.data();
    arguments_.offsets = t.offsets.data();
    arguments_.room = entries;
    return t;
  }
  void give_back_much_room(Csr& t) const {
    const uint64_t unused = arguments_.room - t.entries;
    if (arguments_.room > most_room * t.entries || unused * entry_bytes(run_) > most_slack) give_back_room(t);
  }
  /// launch() of so many tiles, which look back. Returns T's entries.
  template <class Launch>
  uint64_t looking_back(uint64_t tiles, Launch launch) {
    const Buffer words = Buffer::zeroed((2 + tiles) * sizeof(uint64_t));
    arguments_.entries = words.as<uint64_t>();
    arguments_.taken = arguments_.entries + 1;
    arguments_.sums = arguments_.entries + 2;
    launch();
    return words.read<uint64_t>();
  }

  Csr merged() {
    Csr t = room_for(bound_.room);
    const uint64_t tiles = formats::blocks_for(left_.rows, merged_rows_a_block);
    t.entries = looking_back(tiles, [&] { merge(formats::index_type(t.offset_width), tiles); });
    give_back_much_room(t);
    return t;
  }
  void merge(const std::string& offset, uint64_t tiles) {
    const double of_tile = merged_rows_a_block * bound_.products / double(left_.rows);
    constexpr size_t own_static = 2 * 1024;
    const size_t free = runtime::device().properties().shared_bytes_per_block - own_static;
    arguments_.staged =
        uint32_t(std::min<uint64_t>({most_staged, uint64_t(staged_share * of_tile) / 256 * 256 + 256,
                                     free / entry_bytes(run_) / 32 * 32}));
    arguments_.staged_columns = uint32_t(padded_to_16(arguments_.staged * run_.type().size));
    launch(template_id("mxm_bounded_merge", {run_.product_id(left_, right_), mask_, column_, offset,
                                             bound_.longest_left <= 8 ? "8" : "12"}),
           tiles, arguments_.staged_columns + arguments_.staged * formats::bytes_of(column_width_));
  }

  Csr sorted() {
    const Buffer row_entries(left_.rows * sizeof(uint32_t));
    const Buffer columns(bound_.room * formats::bytes_of(column_width_));
    const Buffer values(bound_.room * run_.type().size);
    const RowSizes sizes = sizes_for(run_);
    const int most = bin_limit();
    arguments_.longest_right = bound_.longest_right;
    arguments_.row_entries = row_entries.as<uint32_t>();
    arguments_.made_columns = columns.data();
    arguments_.made_values = values.data();
    arguments_.warp_bytes = warp_bytes(sizes, most);
    const uint64_t rows_a_block = 8 * sorted_by_a_warp(most);
    launch(template_id("mxm_bounded_sort", {run_.product_id(left_, right_), mask_, column_,
                                            sizes.item_id(most), std::to_string(most)}),
           formats::blocks_for(left_.rows, rows_a_block), 8 * arguments_.warp_bytes);
    Csr t = room_for(std::min(bound_.room, least_room + uint64_t(room_a_product * bound_.products)));
    t.entries = place(t);
    if (t.entries > arguments_.room) {  // more than expected: what had no room was left where it is
      t = room_for(t.entries);
      t.entries = place(t);
    }
    give_back_much_room(t);
    return t;
  }
  uint64_t place(const Csr& t) {
    const uint64_t tiles = formats::blocks_for(left_.rows, placed_rows);
    return looking_back(tiles, [&] {
      launch(template_id("mxm_bounded_place",
                         {csr_id(left_, /*read=*/false), column_, formats::element_of_bytes(t.type.size),
                          formats::index_type(t.offset_width)}),
             tiles, 0);
    });
  }
  /// Rows of a warp, by each of the kernel's bins.
  static uint32_t warp_bytes(const RowSizes& sizes, int most) {
    size_t bytes = 0;
    for (const EscKernel& kernel : {esc_32, esc_64, esc_128, esc_256, esc_512}) {
      bytes = std::max(bytes, sizes.esc_bytes(kernel, most) / 8);
      if (kernel.products() >= most) break;
    }
    return uint32_t(padded_to_16(bytes));
  }
  /// The kernel's bins end there.
  int bin_limit() const {
    const uint64_t most = bound_.most_products();
    return most <= 32 ? 32 : most <= 64 ? 64 : most <= 128 ? 128 : 512;
  }

  void launch(std::string name, uint64_t blocks, size_t shared_bytes) const {
    formats::launch_kernel({bounded_header, std::move(name), run_.preamble()},
                           {blocks, formats::block_threads, shared_bytes}, arguments_);
  }

  const MatrixMatrixRun& run_;
  const BoundedRows& bound_;
  const Csr& left_;
  const Csr& right_;
  formats::Width column_width_;
  std::string column_, mask_;
  MxmBoundedArguments arguments_;
};

/// Offsets of 32 bits, and no more memory for a while than rows that are made at once may take.
bool has_room(const MatrixMatrixRun& run, uint64_t room) {
  return Csr::offset_width_for(room) == formats::Width::bits32 && room <= most_put_down(run);
}

}  // namespace

std::optional<BoundedRows> bounded_rows(const MatrixMatrixRun& run) {
  BoundedRows bound;
  const formats::RowLengths right = run.right_matrix().row_lengths(run.right_transposed());
  bound.longest_left = run.left_matrix().row_lengths(run.left_transposed()).longest;
  bound.longest_right = right.longest;
  // Left entries meet long rows most: E(X^2)/E(X).
  bound.products = double(run.left().entries) * (right.mean + right.deviation * right.deviation / right.mean);
  constexpr uint64_t longest = 512;  // of which no product overflows
  if (std::max(bound.longest_left, bound.longest_right) > longest) return std::nullopt;
  bound.room = run.left().entries * bound.longest_right;
  if (!has_room(run, bound.room)) return std::nullopt;
  const RowLimits limits = limits_for(run, sizes_for(run), /*windows=*/false);
  const uint64_t most = bound.most_products(), sorted = limits.esc_512 > 0 ? limits.esc_512 : 128;
  bound.merged =
      bound.longest_left <= 12 && most <= (bound.longest_left <= 8 ? limits.merge_8 : limits.merge_12);
  // Where many products are sorted, counting them first pays.
  if (!bound.merged && (most > sorted || bound.products > double(few_products()))) return std::nullopt;
  return bound;
}

Csr multiply_bounded(const MatrixMatrixRun& run, const BoundedRows& bound) {
  return BoundedRun(run, bound).run();
}

}  // namespace cugrb::operations
