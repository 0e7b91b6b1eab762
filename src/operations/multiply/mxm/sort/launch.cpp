// Rows of T by expansion, sorting and compression.
#include <bit>

#include "src/formats/element_kernels.h"
#include "src/formats/host_copy.h"
#include "src/operations/matrix_write_back.h"
#include "src/operations/multiply/mxm/costs.h"
#include "src/operations/multiply/mxm/rows/rows.h"
#include "src/operations/multiply/mxm/ways.h"
#include "src/operations/multiply/registry.h"
#include "src/operations/template_id.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

constexpr char mxm_sort_header[] = "mxm_sort.h";

/// Bits of the largest number below `count`.
unsigned bits_below(uint64_t count) { return count <= 1 ? 0 : unsigned(std::bit_width(count - 1)); }

std::string pattern_id(const Csr& matrix) {
  return template_id("csr_rows", {formats::index_type(matrix.offset_width),
                                  formats::index_type(matrix.column_width), "values_none"});
}

/// Products of some rows of T, each with its place: sorted, then summed.
class Products {
 public:
  Products(const MatrixMatrixRun& run, uint64_t count, uint64_t columns, uint64_t total)
      : run_(run), preamble_(run.preamble()), keys_(total * 8), payload_(total * 8) {
    if (run.type().size > 8) terms_ = Buffer(total * run.type().size);
    items_.count = count;
    items_.total = total;
    items_.column_bits = bits_below(columns);
    use_buffers();
  }

  const MxmSortItems& items() const { return items_; }

  void sort() {
    const uint64_t total = items_.total;
    const Buffer sorted_keys(total * 8), sorted_payload(total * 8);
    const unsigned bits = items_.column_bits + bits_below(items_.count);
    primitives::sort_pairs(Width::bits64, keys_.data(), sorted_keys.data(), payload_.as<uint64_t>(),
                           sorted_payload.as<uint64_t>(), total, std::max(1u, std::min(64u, bits)));
    keys_ = sorted_keys;
    payload_ = sorted_payload;
    use_buffers();
  }

  /// The listed rows. (Null: all of them, where each product has its row's own number.)
  SortedPiece compress(const uint64_t* list, Width column_width) {
    const uint64_t total = items_.total, count = items_.count;
    const Buffer heads(total), positions(total * 8), kept(8);
    MxmSortedArguments arguments{items_, run_.mask.mask_view(run_.flipped), heads.as<uint8_t>()};
    arguments.list = list;
    const auto per_element = [&](const std::string& name, uint64_t threads) {
      formats::launch_blocks(mxm_sort_header, name, formats::blocks_for(threads), arguments, preamble_);
    };
    per_element(template_id("mxm_sort_heads", {run_.mask.mask_id(run_.flipped)}), total);
    primitives::positions_of_flags(Width::bits64, heads.as<uint8_t>(), total, positions.data(),
                                   kept.as<uint64_t>());
    SortedPiece piece;
    piece.list = list;
    piece.count = count;
    piece.entries = kept.read<uint64_t>();
    piece.starts = Buffer((count + 1) * 8);
    piece.columns = Buffer(piece.entries * formats::bytes_of(column_width));
    piece.values = Buffer(piece.entries * run_.type().size);
    arguments.head_positions = positions.as<uint64_t>();
    arguments.kept = piece.entries;
    arguments.piece_starts = piece.starts.as<uint64_t>();
    arguments.piece_columns = piece.columns.data();
    arguments.piece_values = piece.values.data();
    per_element(template_id("mxm_sort_piece_rows", {"uint64_t"}), count + 1);
    per_element(
        template_id("mxm_sort_reduce", {run_.call.semiring.add.source, run_.mask.mask_id(run_.flipped),
                                        formats::index_type(column_width)}),
        piece.entries * 8);
    return piece;
  }

 private:
  void use_buffers() {
    items_.keys = keys_.as<uint64_t>();
    items_.payload = payload_.as<uint64_t>();
    items_.terms = terms_.data();
  }

  const MatrixMatrixRun& run_;
  std::string preamble_;
  Buffer keys_, payload_, terms_;
  MxmSortItems items_;
};

MxmPieceArguments arguments_of(const SortedPiece& piece) {
  return {piece.list,           piece.count,        piece.entries, piece.starts.as<uint64_t>(),
          piece.columns.data(), piece.values.data()};
}

/// The rows of one slice, made and counted.
SortedPiece sort_slice(const MatrixMatrixRun& run, const uint64_t* products, const uint64_t* list,
                       uint64_t count, uint64_t total, uint64_t* row_entries, Width column_width) {
  const Csr& left = run.left();
  const Csr& right = run.right();
  const std::string product = run.product_id(left, right);
  Products work(run, count, right.columns, total);
  MxmSortArguments arguments{work.items(), left.view(), right.view(), products};
  arguments.list = list;
  const auto launch = [&, preamble = run.preamble()](const std::string& name, uint64_t blocks) {
    formats::launch_blocks(mxm_sort_header, name, blocks, arguments, preamble);
  };
  {
    const Buffer entry_starts((count + 1) * 8), list_products(count * 8);
    arguments.entry_starts = entry_starts.as<uint64_t>();
    arguments.list_products = list_products.as<uint64_t>();
    launch(template_id("mxm_sort_rows", {pattern_id(left)}), formats::blocks_for(count));
    primitives::exclusive_sum(Width::bits64, entry_starts.data(), entry_starts.data(), count);
    arguments.entries = entry_starts.read<uint64_t>(count);
    const Buffer product_starts((arguments.entries + 1) * 8);
    arguments.product_starts = product_starts.as<uint64_t>();
    launch(template_id("mxm_sort_lengths", {run.pattern_id(left, right)}),
           formats::entry_tiles(arguments.entries));
    primitives::exclusive_sum(Width::bits64, product_starts.data(), product_starts.data(), arguments.entries);
    launch(template_id("mxm_sort_expand", {product}), formats::entry_tiles(total));
  }
  work.sort();
  SortedPiece piece = work.compress(list, column_width);
  count_piece(piece, row_entries);
  return piece;
}

std::vector<uint64_t> products_of(const Csr& left, const Buffer& products, const uint64_t* list,
                                  uint64_t count) {
  const Buffer lengths((count + 1) * 8), in_order(count * 8);
  MxmSortArguments arguments;
  arguments.left = left.view();
  arguments.products = products.as<uint64_t>();
  arguments.list = list;
  arguments.count = count;
  arguments.entry_starts = lengths.as<uint64_t>();
  arguments.list_products = in_order.as<uint64_t>();
  formats::launch_blocks(mxm_sort_header, template_id("mxm_sort_rows", {pattern_id(left)}),
                         formats::blocks_for(count), arguments);
  return in_order.to_host<uint64_t>(count);
}

/// A piece of all rows is T but for the width of its offsets.
Csr whole_matrix(const MatrixMatrixRun& run, const SortedPiece& piece, Width column_width) {
  Csr t;
  t.type = run.type();
  t.rows = run.rows();
  t.columns = run.columns();
  t.entries = piece.entries;
  t.offset_width = Csr::offset_width_for(t.entries);
  t.column_width = column_width;
  t.offsets = Buffer((t.rows + 1) * formats::bytes_of(t.offset_width));
  t.column_indices = piece.columns;
  t.values = piece.values;
  store_offsets(t, piece.starts.as<uint64_t>());
  return t;
}

}  // namespace

void store_offsets(const Csr& t, const uint64_t* row_starts) {
  const MxmOffsetsArguments arguments{row_starts, t.rows, t.offsets.data()};
  formats::launch_blocks("mxm_rows.h", template_id("mxm_offsets", {formats::index_type(t.offset_width)}),
                         formats::blocks_for(t.rows + 1), arguments);
}

size_t usable_bytes() {
  const size_t free = runtime::device().memory().free_bytes, limit = settings().memory_limit_bytes;
  return limit > 0 ? std::min(free, limit) : free;
}

uint64_t most_sorted_products(size_t value_size) {
  const size_t per_product = 64 + (value_size > 8 ? value_size : 0);
  return std::max<uint64_t>(usable_bytes() / 2 / per_product, 1);
}

std::vector<SortedPiece> sort_rows(const MatrixMatrixRun& run, const Buffer& products, const uint64_t* list,
                                   uint64_t count, uint64_t* row_entries, Width column_width) {
  std::vector<SortedPiece> pieces;
  if (count == 0) return pieces;
  const Csr& left = run.left();
  const std::vector<uint64_t> weights = products_of(left, products, list, count);
  const unsigned column_bits = bits_below(run.right().columns);
  const uint64_t most_rows = column_bits >= 64  ? 1
                             : column_bits <= 1 ? ~uint64_t(0)
                                                : uint64_t(1) << (64 - column_bits);
  const uint64_t most = most_sorted_products(run.type().size);
  for (uint64_t first = 0; first < count;) {
    uint64_t last = first, total = 0;
    while (last < count && last - first < most_rows && (last == first || total + weights[last] <= most)) {
      total += weights[last++];
    }
    pieces.push_back(sort_slice(run, products.as<uint64_t>(), list + first, last - first, total, row_entries,
                                column_width));
    first = last;
  }
  return pieces;
}

void count_piece(const SortedPiece& piece, uint64_t* row_entries) {
  MxmPieceArguments arguments = arguments_of(piece);
  arguments.row_entries = row_entries;
  formats::launch_blocks(mxm_sort_header, template_id("mxm_sort_row_entries", {"uint64_t"}),
                         formats::blocks_for(piece.count), arguments);
}

void store_piece(const SortedPiece& piece, const Csr& t, const uint64_t* row_starts) {
  MxmPieceArguments arguments = arguments_of(piece);
  arguments.row_starts = row_starts;
  arguments.columns = t.column_indices.data();
  arguments.values = t.values.data();
  const std::string element = formats::element_of_bytes(t.type.size);
  formats::launch_blocks(mxm_sort_header,
                         template_id("mxm_sort_store", {formats::index_type(t.column_width), element}),
                         formats::entry_tiles(piece.entries), arguments);
}

std::string outer_refusal(const MatrixMatrixRun& run) {
  if (bits_below(run.rows()) + bits_below(run.columns()) > 64)
    return "row and column do not fit one sort key";
  return {};
}

namespace {

/// The workload table: which k, how many products and blocks before each.
class OuterProduct {
 public:
  OuterProduct(const MatrixMatrixRun& run, bool stage_values)
      : run_(run),
        stage_values_(stage_values),
        left_(run.left_columns()),
        right_(run.right()),
        inner_(left_.rows),
        most_(most_sorted_products(run.type().size)),
        table_(inner_ * 8),
        product_starts_((inner_ + 1) * 8),
        block_starts_((inner_ + 1) * 8) {
    constexpr uint64_t share = 8192;
    arguments_.left_columns = left_.view();
    arguments_.right = right_.view();
    arguments_.share = std::min(share, most_);
    sort_workloads();
    arguments_.table = table_.as<uint64_t>();
    arguments_.product_starts = product_starts_.as<uint64_t>();
    arguments_.block_starts = block_starts_.as<uint64_t>();
    per_inner("mxm_outer_blocks");
    primitives::exclusive_sum(Width::bits64, product_starts_.data(), product_starts_.data(), inner_);
    primitives::exclusive_sum(Width::bits64, block_starts_.data(), block_starts_.data(), inner_);
    blocks_ = block_starts_.read<uint64_t>(inner_);
    total_ = product_starts_.read<uint64_t>(inner_);
    block_workloads_ = item_owners(block_starts_, inner_, blocks_);
    arguments_.block_workloads = block_workloads_.as<uint64_t>();
  }

  /// T, the sum of the pieces in the table's order.
  Csr run() {
    DeviceMatrix sum =
        matrix_by(empty_csr(run_.type(), run_.rows(), run_.columns()), /*by_column=*/run_.flipped);
    for (const Piece& piece : pieces()) add_up(sum, run_.call.semiring.add.op, make(piece));
    return sum.stored;
  }

 private:
  /// Successive blocks, and their products.
  struct Piece {
    uint64_t first_block = 0, blocks = 0, first_product = 0, products = 0;
  };

  void per_inner(const char* name) {
    formats::launch_blocks("mxm_outer.h", template_id(name, {run_.pattern_id(left_, right_)}),
                           formats::blocks_for(inner_), arguments_);
  }

  void sort_workloads() {
    const Buffer inverted(inner_ * 8), sorted(inner_ * 8), ordinals(inner_ * 8);
    arguments_.inverted = inverted.as<uint64_t>();
    arguments_.ordinals = ordinals.as<uint64_t>();
    per_inner("mxm_outer_workloads");
    primitives::sort_pairs(Width::bits64, inverted.data(), sorted.data(), ordinals.as<uint64_t>(),
                           table_.as<uint64_t>(), inner_);
  }

  /// Whole workloads as long as they fit the memory; one that does not is cut between its blocks.
  std::vector<Piece> pieces() const {
    if (total_ == 0) return {};
    if (total_ <= most_) return {{0, blocks_, 0, total_}};
    const std::vector<uint64_t> products = product_starts_.to_host<uint64_t>(inner_ + 1),
                                blocks = block_starts_.to_host<uint64_t>(inner_ + 1);
    std::vector<Piece> cut;
    const auto add = [&](uint64_t block_count, uint64_t product_count) {
      if (cut.empty() || cut.back().products + product_count > most_) {
        const Piece last = cut.empty() ? Piece() : cut.back();
        cut.push_back({last.first_block + last.blocks, 0, last.first_product + last.products, 0});
      }
      cut.back().blocks += block_count;
      cut.back().products += product_count;
    };
    for (uint64_t n = 0; n < inner_; ++n) {
      const uint64_t products_here = products[n + 1] - products[n], blocks_here = blocks[n + 1] - blocks[n];
      if (products_here <= most_) {
        add(blocks_here, products_here);
        continue;
      }
      const uint64_t block_products = products_of_block(n);
      for (uint64_t b = 0; b < blocks_here; ++b)
        add(1, std::min(block_products, products_here - b * block_products));
    }
    return cut;
  }

  /// What each of a workload's blocks makes, but for the last one.
  uint64_t products_of_block(uint64_t n) const {
    const auto k = table_.read<uint64_t>(n);
    const uint64_t length = formats::index_at(right_.offsets, right_.offset_width, k + 1) -
                            formats::index_at(right_.offsets, right_.offset_width, k);
    return length * std::max<uint64_t>(arguments_.share / length, 1);
  }

  Csr make(const Piece& piece) {
    Products work(run_, run_.rows(), run_.columns(), piece.products);
    arguments_.sort = work.items();
    arguments_.first_block = piece.first_block;
    arguments_.first_product = piece.first_product;
    formats::launch_blocks(
        "mxm_outer.h",
        template_id("mxm_outer_expand", {run_.product_id(left_, right_), text_of(stage_values_)}),
        piece.blocks, arguments_, run_.preamble());
    work.sort();
    const Width column_width = formats::index_width(run_.columns());
    return whole_matrix(run_, work.compress(/*list=*/nullptr, column_width), column_width);
  }

  const MatrixMatrixRun& run_;
  const bool stage_values_;
  const Csr& left_;
  const Csr& right_;
  uint64_t inner_, most_, blocks_ = 0, total_ = 0;
  Buffer table_, product_starts_, block_starts_, block_workloads_;
  MxmOuterArguments arguments_;
};

}  // namespace

Csr multiply_outer(const MatrixMatrixRun& run, bool stage_values) {
  return OuterProduct(run, stage_values).run();
}

const MxmKernel mxm_sort = {
    {"mxm_sort"},
    {.cost = cost_of_sort,
     .run = [](Ways& ways, bool) -> OrientedCsr {
       return {multiply_rows(ways.rows, ways.counted(), /*all_by_sort=*/true), ways.rows.flipped};
     },
     .known = &MxmProblem::sort,
     .describe =
         [](const Ways& ways, const Hardware&, MxmProblem& p) {
           p.sort.transposed_entries = transposed_entries(ways.rows, Way::rows);
         }}};

namespace {

void describe_outer(const Ways& ways, const Hardware&, MxmProblem& p) {
  p.outer = {outer_refusal(ways.outer), transposed_entries(ways.outer, Way::outer)};
}

template <bool stage_values>
OrientedCsr run_outer(Ways& ways, bool) {
  return {multiply_outer(ways.outer, stage_values), ways.outer.flipped};
}

}  // namespace

const MxmKernel mxm_outer = {{"mxm_outer"},
                             {.cost = cost_of_outer,
                              .run = run_outer<false>,
                              .known = &MxmProblem::outer,
                              .describe = describe_outer}};

/// As the paper has it: the right row's values come from shared memory, too.
const MxmKernel mxm_outer_staged = {
    {"mxm_outer_staged", Role::reference},
    {.cost = cost_of_outer, .run = run_outer<true>, .known = &MxmProblem::outer, .describe = describe_outer}};

}  // namespace cugrb::operations
