// Rows of T by expansion, sorting and compression.
#include <bit>

#include "src/formats/element_kernels.h"
#include "src/operations/matrix_write_back.h"
#include "src/operations/mxm_rows.h"
#include "src/operations/template_id.h"
#include "src/support/settings.h"

namespace cugrb::operations {

using formats::Csr;
using formats::Width;
using runtime::Buffer;

namespace {

constexpr char header[] = "mxm_sort.h";
constexpr uint64_t tile = 1024;  // mxm_sort_tile

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
    arguments_.count = count;
    arguments_.total = total;
    arguments_.column_bits = bits_below(columns);
    arguments_.mask = run.mask.mask_view(run.flipped);
    use_buffers();
  }

  MxmSortArguments& arguments() { return arguments_; }

  void sort() {
    const uint64_t total = arguments_.total;
    const Buffer sorted_keys(total * 8), sorted_payload(total * 8);
    const unsigned bits = arguments_.column_bits + bits_below(arguments_.count);
    primitives::sort_pairs(Width::bits64, keys_.data(), sorted_keys.data(), payload_.as<uint64_t>(),
                           sorted_payload.as<uint64_t>(), total, std::max(1u, std::min(64u, bits)));
    keys_ = sorted_keys;
    payload_ = sorted_payload;
    use_buffers();
  }

  SortedPiece compress(Width column_width) {
    const uint64_t total = arguments_.total, count = arguments_.count;
    const Buffer heads(total), positions(total * 8), kept(8);
    arguments_.heads = heads.as<uint8_t>();
    per_element(template_id("mxm_sort_heads", {run_.mask.mask_id(run_.flipped)}), total);
    primitives::positions_of_flags(Width::bits64, heads.as<uint8_t>(), total, positions.data(),
                                   kept.as<uint64_t>());
    SortedPiece piece;
    piece.list = arguments_.list;
    piece.count = count;
    piece.entries = kept.read<uint64_t>();
    piece.starts = Buffer((count + 1) * 8);
    piece.columns = Buffer(piece.entries * formats::bytes_of(column_width));
    piece.values = Buffer(piece.entries * run_.type().size);
    arguments_.head_positions = positions.as<uint64_t>();
    arguments_.kept = piece.entries;
    arguments_.piece_starts = piece.starts.as<uint64_t>();
    arguments_.piece_columns = piece.columns.data();
    arguments_.piece_values = piece.values.data();
    per_element(template_id("mxm_sort_piece_rows", {"uint64_t"}), count + 1);
    per_element(
        template_id("mxm_sort_reduce", {run_.call.semiring.add.source, run_.mask.mask_id(run_.flipped),
                                        formats::index_type(column_width)}),
        piece.entries * 8);
    return piece;
  }

  void launch(const std::string& name, uint64_t blocks) {
    formats::launch_blocks(header, name, blocks, arguments_, preamble_);
  }
  void per_element(const std::string& name, uint64_t count) { launch(name, formats::blocks_for(count)); }

 private:
  void use_buffers() {
    arguments_.keys = keys_.as<uint64_t>();
    arguments_.payload = payload_.as<uint64_t>();
    arguments_.terms = terms_.data();
  }

  const MatrixMatrixRun& run_;
  std::string preamble_;
  Buffer keys_, payload_, terms_;
  MxmSortArguments arguments_;
};

/// The rows of one slice, made and counted.
SortedPiece sort_slice(const MatrixMatrixRun& run, const uint64_t* products, const uint64_t* list,
                       uint64_t count, uint64_t total, uint64_t* row_entries, Width column_width) {
  const Csr& left = run.left();
  const Csr& right = run.right();
  const std::string product = run.product_id(left, right);
  Products work(run, count, right.columns, total);
  MxmSortArguments& arguments = work.arguments();
  arguments.left = left.view();
  arguments.right = right.view();
  arguments.products = products;
  arguments.list = list;
  arguments.row_entries = row_entries;
  {
    const Buffer entry_starts((count + 1) * 8), list_products(count * 8);
    arguments.entry_starts = entry_starts.as<uint64_t>();
    arguments.list_products = list_products.as<uint64_t>();
    work.per_element(template_id("mxm_sort_rows", {pattern_id(left)}), count);
    primitives::exclusive_sum(Width::bits64, entry_starts.data(), entry_starts.data(), count);
    arguments.entries = entry_starts.read<uint64_t>(count);
    const Buffer product_starts((arguments.entries + 1) * 8);
    arguments.product_starts = product_starts.as<uint64_t>();
    work.launch(template_id("mxm_sort_lengths", {run.pattern_id(left, right)}),
                formats::blocks_for(arguments.entries, tile));
    primitives::exclusive_sum(Width::bits64, product_starts.data(), product_starts.data(), arguments.entries);
    work.launch(template_id("mxm_sort_expand", {product}), formats::blocks_for(total, tile));
  }
  work.sort();
  SortedPiece piece = work.compress(column_width);
  work.per_element(template_id("mxm_sort_row_entries", {"uint64_t"}), count);
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
  formats::launch_blocks(header, template_id("mxm_sort_rows", {pattern_id(left)}), formats::blocks_for(count),
                         arguments);
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
  MxmRowsArguments arguments;
  arguments.left.rows = t.rows;
  arguments.row_starts = piece.starts.as<uint64_t>();
  arguments.columns = t.offsets.data();
  formats::launch_blocks("mxm_rows.h", template_id("mxm_offsets", {formats::index_type(t.offset_width)}),
                         formats::blocks_for(t.rows + 1), arguments);
  return t;
}

}  // namespace

size_t usable_bytes() {
  const size_t free = runtime::device().memory().free_bytes, limit = settings().memory_limit_bytes;
  return limit > 0 ? std::min(free, limit) : free;
}

uint64_t most_sorted_products(size_t value_size) {
  const size_t per_product = 64 + (value_size > 8 ? value_size : 0);
  return std::max<uint64_t>(usable_bytes() / 2 / per_product, 1);
}

std::vector<SortedPiece> sort_rows(const MatrixMatrixRun& run, const Buffer& products, const uint64_t* list,
                                   uint64_t count, uint64_t* row_entries, Width column_width, bool keep) {
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
    SortedPiece piece = sort_slice(run, products.as<uint64_t>(), list + first, last - first, total,
                                   row_entries, column_width);
    if (keep) pieces.push_back(std::move(piece));
    first = last;
  }
  return pieces;
}

void store_piece(const SortedPiece& piece, const Csr& t, const uint64_t* row_starts) {
  MxmSortArguments arguments;
  arguments.list = piece.list;
  arguments.count = piece.count;
  arguments.kept = piece.entries;
  arguments.piece_starts = piece.starts.as<uint64_t>();
  arguments.piece_columns = piece.columns.data();
  arguments.piece_values = piece.values.data();
  arguments.row_starts = row_starts;
  arguments.columns = t.column_indices.data();
  arguments.values = t.values.data();
  const std::string element = formats::element_of_bytes(t.type.size);
  formats::launch_blocks(header,
                         template_id("mxm_sort_store", {formats::index_type(t.column_width), element}),
                         formats::blocks_for(piece.entries, tile), arguments);
}

std::string outer_refusal(const MatrixMatrixRun& run, uint64_t products) {
  if (bits_below(run.rows()) + bits_below(run.columns()) > 64)
    return "row and column do not fit one sort key";
  if (products > most_sorted_products(run.type().size))
    return "its products do not fit the memory that is free";
  return {};
}

Csr multiply_outer(const MatrixMatrixRun& run) {
  const Csr& left = run.left_columns();
  const Csr& right = run.right();
  const uint64_t inner = left.rows;
  const std::string product = run.product_id(left, right), pattern = run.pattern_id(left, right);
  const std::string preamble = run.preamble();
  MxmOuterArguments arguments;
  arguments.left_columns = left.view();
  arguments.right = right.view();
  const auto per_inner = [&](const char* name) {
    formats::launch_blocks("mxm_outer.h", template_id(name, {pattern}), formats::blocks_for(inner),
                           arguments);
  };
  const Buffer table(inner * 8), product_starts((inner + 1) * 8), block_starts((inner + 1) * 8);
  {
    const Buffer inverted(inner * 8), sorted(inner * 8), ordinals(inner * 8);
    arguments.inverted = inverted.as<uint64_t>();
    arguments.ordinals = ordinals.as<uint64_t>();
    per_inner("mxm_outer_workloads");
    primitives::sort_pairs(Width::bits64, inverted.data(), sorted.data(), ordinals.as<uint64_t>(),
                           table.as<uint64_t>(), inner);
  }
  arguments.table = table.as<uint64_t>();
  arguments.product_starts = product_starts.as<uint64_t>();
  arguments.block_starts = block_starts.as<uint64_t>();
  per_inner("mxm_outer_blocks");
  primitives::exclusive_sum(Width::bits64, product_starts.data(), product_starts.data(), inner);
  primitives::exclusive_sum(Width::bits64, block_starts.data(), block_starts.data(), inner);
  const uint64_t total = product_starts.read<uint64_t>(inner);
  if (total == 0) return empty_csr(run.type(), run.rows(), run.columns());
  Products work(run, run.rows(), run.columns(), total);
  arguments.sort = work.arguments();
  const uint64_t blocks = block_starts.read<uint64_t>(inner);
  const Buffer block_workloads = item_owners(block_starts, inner, blocks);
  arguments.block_workloads = block_workloads.as<uint64_t>();
  formats::launch_blocks("mxm_outer.h", template_id("mxm_outer_expand", {product}), blocks, arguments,
                         preamble);
  work.sort();
  const Width column_width = formats::index_width(run.columns());
  const SortedPiece piece = work.compress(column_width);
  return whole_matrix(run, piece, column_width);
}

}  // namespace cugrb::operations
